/** Our account with the supplier, in exact decimals. */
import { Decimal } from 'decimal.js';

/** The currency of our account, and of every cost in the ledger. */
export const ACCOUNT_CURRENCY = 'USD';

const initial = new Decimal('100000.00');

export class Account {
  private left = initial;
  private lastChange = Date.now();

  get available(): Decimal {
    return this.left;
  }

  /** The time of the last change, in milliseconds. */
  get changedAt(): number {
    return this.lastChange;
  }

  /** Sets the available amount. */
  fund(amount: Decimal.Value): void {
    this.left = new Decimal(amount);
    this.lastChange = Date.now();
  }

  /** Spends the amount. Returns false and changes nothing if less is available. */
  spend(amount: Decimal): boolean {
    if (this.left.lt(amount)) return false;
    this.fund(this.left.minus(amount));
    return true;
  }

  /** Returns the amount of a purchase that ended without goods, or was refunded. */
  restore(amount: Decimal): void {
    this.fund(this.left.plus(amount));
  }

  clear(): void {
    this.fund(initial);
  }
}
