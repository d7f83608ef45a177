/** Our wallet with Zendit. Zendit states money as integers of minor units. */
import { Decimal } from 'decimal.js';

/** The currency of our wallet, of every cost and of the ledger. */
export const WALLET_CURRENCY = 'USD';
export const WALLET_DIVISOR = 100;

/** The amount as an exact decimal string, from cents of the wallet. */
export function textOf(cents: number): string {
  return new Decimal(cents).div(WALLET_DIVISOR).toFixed(2);
}

const initialCents = 10_000_000;

/** Zendit reserves the cost when a purchase becomes AUTHORIZED, and returns the cost when the purchase fails. */
export class Account {
  private left = initialCents;

  /** The cents that are neither reserved nor spent. */
  get available(): number {
    return this.left;
  }

  /** Sets the available amount, rounded down to cents. Reserved amounts stay reserved. */
  fund(amount: string): void {
    this.left = new Decimal(amount).times(WALLET_DIVISOR).floor().toNumber();
  }

  /** Reserves the cents. Returns false and changes nothing if fewer are available. */
  reserve(cents: number): boolean {
    if (this.left < cents) return false;
    this.left -= cents;
    return true;
  }

  /** Returns the cents of a failed or refunded purchase. */
  restore(cents: number): void {
    this.left += cents;
  }

  clear(): void {
    this.left = initialCents;
  }
}
