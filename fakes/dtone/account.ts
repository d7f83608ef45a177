/** Our account with DT One, in exact decimals. */
import { Decimal } from 'decimal.js';

/** The currency of our account, of every wholesale price and of the ledger. */
export const ACCOUNT_CURRENCY = 'USD';

const initial = new Decimal('100000.00');

/**
 * Money is held when a transaction is accepted. It is captured when the transaction
 * completes, and released when the transaction ends without goods.
 */
export class Account {
  private left = initial;
  private held = new Decimal(0);

  get available(): Decimal {
    return this.left;
  }

  get holding(): Decimal {
    return this.held;
  }

  /** Sets the available amount. Held amounts stay held. */
  fund(amount: string): void {
    this.left = new Decimal(amount);
  }

  /** Holds the amount. Returns false without effect if less is available. */
  hold(amount: Decimal): boolean {
    if (this.left.lt(amount)) return false;
    this.left = this.left.minus(amount);
    this.held = this.held.plus(amount);
    return true;
  }

  /** Spends a held amount. */
  capture(amount: Decimal): void {
    this.held = this.held.minus(amount);
  }

  /** Makes a held amount available again. */
  release(amount: Decimal): void {
    this.held = this.held.minus(amount);
    this.left = this.left.plus(amount);
  }

  /** Returns a captured amount. */
  refund(amount: Decimal): void {
    this.left = this.left.plus(amount);
  }

  clear(): void {
    this.left = initial;
    this.held = new Decimal(0);
  }
}
