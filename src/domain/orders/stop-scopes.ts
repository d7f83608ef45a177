/** What operators can stop selling. docs/operators/stopped-sales.md. */
import type { Family } from './families';

export const stopScopes = ['FAMILY', 'COUNTRY', 'SUBCATEGORY', 'PRODUCT', 'VARIANT', 'DENOMINATION'] as const;

export type StopScope = (typeof stopScopes)[number];

/** What a stop covers: what fits every value that is not null. */
export interface SaleScope {
  scope: StopScope;
  /** Null, only of a country: every family. */
  family: Family | null;
  /** Alpha-3, or `GLO`. */
  countryCode: string | null;
  subcategoryId: number | null;
  productId: number | null;
  variantId: number | null;
  /** The ends of a denomination: decimal strings. */
  minAmount: string | null;
  maxAmount: string | null;
}

/** How long an order is held that a stop holds, until it is cancelled: as for a suspended client. */
export const STOP_REVIEW_HOURS = 24;
