/** The record of a fake's sales, which tests compare with the buyer's records. */
import type { Decimal } from 'decimal.js';
import { ACCOUNT_CURRENCY } from './account';
import { isoTime } from './times';

/** One accepted purchase. Amounts are exact decimal strings in `currency`. */
export interface Sale {
  /** The buyer's reference, exactly as received. */
  reference: string;
  /** The fake's own id of the purchase. */
  id: string;
  sku: string;
  units: number;
  cost: string;
  currency: string;
  /** `open` until the goods exist, then `sold`; `void` if it ended without goods, `reversed` if the goods were taken back. */
  state: 'open' | 'sold' | 'void' | 'reversed';
  /** RFC 3339, UTC. */
  at: string;
}

/** A purchase that is accepted now. */
export interface NewSale extends Pick<Sale, 'reference' | 'sku' | 'units'> {
  id: number | bigint;
  cost: Decimal;
}

/** The parts of an order that its acceptance determines. */
export interface Accepted {
  readonly createdAt: number;
  readonly sale: Sale;
}

/** The sales in the order of their acceptance. */
export class Ledger {
  private readonly sales: Sale[] = [];

  /** Enters an open sale. */
  open({ id, cost, ...terms }: NewSale): Accepted {
    const createdAt = Date.now();
    const sale: Sale = {
      ...terms,
      id: String(id),
      cost: cost.toFixed(),
      currency: ACCOUNT_CURRENCY,
      state: 'open',
      at: isoTime(createdAt),
    };
    this.sales.push(sale);
    return { createdAt, sale };
  }

  /** Every sale, or those of one reference, compared exactly. */
  list(reference?: string): readonly Sale[] {
    return reference === undefined ? this.sales : this.sales.filter((sale) => sale.reference === reference);
  }

  clear(): void {
    this.sales.length = 0;
  }
}
