/** Lists the offers of suppliers that need an operator's decision. */
import type { Family } from '../../domain/orders/families';
import type { SupplierOffer } from '../../domain/prices/supplier-catalogue';
import { rows, type Database } from '../database/database';

/**
 * `new`: the offer can be sold, but is not a source of any item. `changed`: a change of its terms waits for an operator. `gone`:
 * its sources are inactive because the supplier's lists no longer contain the offer. `unsellable`: the offer cannot be sold.
 */
export const offerStates = ['new', 'changed', 'gone', 'unsellable'] as const;
export type OfferState = (typeof offerStates)[number];

export interface ReviewedOffer {
  id: number;
  state: OfferState;
  supplier: string;
  family: Family;
  sku: string;
  terms: SupplierOffer;
  /** What changed, or why the offer cannot be sold; null if neither applies. */
  reason: string | null;
  /** When a new offer was first listed, or a gone one became gone. In other states: when the terms last changed. */
  since: Date;
}

// A gone offer needs no decision if it made no source inactive, or if an operator has decided about each of these sources.
const reviewStatement = `
WITH judged AS (
  SELECT offer.*,
         CASE WHEN held IS NOT NULL THEN 'changed'
              WHEN gone_at IS NOT NULL THEN CASE WHEN withdrawn <> '{}' THEN 'gone' END
              WHEN unsellable IS NOT NULL THEN 'unsellable'
              WHEN made_item_id IS NULL AND NOT EXISTS (
                     SELECT FROM product_sources source
                      WHERE source.supplier = offer.supplier AND source.sku = offer.sku AND source.family = offer.family)
              THEN 'new' END AS state
    FROM supplier_offers offer
   WHERE $supplier::text IS NULL OR supplier = $supplier
)
SELECT id, state, supplier, family, sku, terms, coalesce(held, unsellable) AS reason,
       CASE state WHEN 'new' THEN first_seen_at WHEN 'gone' THEN gone_at ELSE changed_at END AS since
  FROM judged WHERE state IS NOT NULL AND ($state::text IS NULL OR state = $state)
 ORDER BY supplier, array_position(ARRAY['changed', 'gone', 'new', 'unsellable'], state), family, sku`;

/** The offers that need a decision, sorted by supplier, then by state: changed, gone, new, unsellable. */
export function reviewOffers(
  database: Database,
  { supplier, state }: { supplier: string | undefined; state: OfferState | undefined },
) {
  return rows<ReviewedOffer>(database, reviewStatement, { supplier: supplier ?? null, state: state ?? null });
}
