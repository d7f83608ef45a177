/** The record of a fake's sales, which tests compare with the buyer's records. */

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

/** The sales in the order of their acceptance. */
export class Ledger {
  private readonly sales: Sale[] = [];

  add(sale: Sale): Sale {
    this.sales.push(sale);
    return sale;
  }

  /** Every sale, or those of one reference, compared exactly. */
  list(reference?: string): readonly Sale[] {
    return reference === undefined ? this.sales : this.sales.filter((sale) => sale.reference === reference);
  }

  clear(): void {
    this.sales.length = 0;
  }
}
