/** Our one account, in US dollars. All three products draw on it. */
import { Decimal } from 'decimal.js';
import { timestamp } from './errors';

export const accountCurrency = 'USD';
const startingBalance = '100000.00';

/** The balance before and after one debit. */
export interface Debit {
  readonly cost: Decimal;
  readonly oldBalance: Decimal;
  readonly newBalance: Decimal;
  readonly at: number;
}

export class Account {
  private left = new Decimal(startingBalance);
  private updatedAt = Date.now();

  fund(amount: string): void {
    this.set(new Decimal(amount));
  }

  reset(): void {
    this.fund(startingBalance);
  }

  /** Debits the cost, or returns undefined if the balance is too low. */
  debit(cost: Decimal): Debit | undefined {
    if (this.left.lessThan(cost)) return undefined;
    const oldBalance = this.left;
    this.set(oldBalance.minus(cost));
    return { cost, oldBalance, newBalance: this.left, at: this.updatedAt };
  }

  credit(cost: Decimal): void {
    this.set(this.left.plus(cost));
  }

  view(): object {
    return {
      balance: this.left.toNumber(),
      currencyCode: accountCurrency,
      currencyName: 'US Dollar',
      updatedAt: timestamp(this.updatedAt),
    };
  }

  private set(left: Decimal): void {
    this.left = left;
    this.updatedAt = Date.now();
  }
}

/** The `balanceInfo` of a transaction. */
export function viewDebit({ cost, oldBalance, newBalance, at }: Debit): object {
  return {
    oldBalance: oldBalance.toNumber(),
    newBalance: newBalance.toNumber(),
    cost: cost.toNumber(),
    currencyCode: accountCurrency,
    currencyName: 'US Dollar',
    updatedAt: timestamp(at),
  };
}
