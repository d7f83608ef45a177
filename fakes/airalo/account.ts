/** Our account with Airalo, in exact decimals. */
import { Decimal } from 'decimal.js';

/** The currency of our account, of every order and of the ledger. */
export const ACCOUNT_CURRENCY = 'USD';

const initial = new Decimal('100000.00');

export class Account {
  private left = initial;

  get available(): Decimal {
    return this.left;
  }

  fund(amount: string): void {
    this.left = new Decimal(amount);
  }

  /** Spends the amount. Returns false and changes nothing if less is available. */
  spend(amount: Decimal): boolean {
    if (this.left.lt(amount)) return false;
    this.left = this.left.minus(amount);
    return true;
  }

  /** Returns the amount of a purchase that ended without goods, or was refunded. */
  restore(amount: Decimal): void {
    this.left = this.left.plus(amount);
  }

  clear(): void {
    this.left = initial;
  }
}
