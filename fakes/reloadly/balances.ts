/** Our balance as JSON. All three products draw on one account. */
import type { Decimal } from 'decimal.js';
import { ACCOUNT_CURRENCY, type Account } from '../kit/account';
import { plainTime } from '../kit/times';

/** The balance before and after one debit. */
export interface Debit {
  readonly cost: Decimal;
  readonly oldBalance: Decimal;
  readonly newBalance: Decimal;
  readonly at: number;
}

const currency = { currencyCode: ACCOUNT_CURRENCY, currencyName: 'US Dollar' };

export function viewBalance({ available, changedAt }: Account): object {
  return { balance: available.toNumber(), ...currency, updatedAt: plainTime(changedAt) };
}

/** The `balanceInfo` of a transaction. */
export function viewDebit({ cost, oldBalance, newBalance, at }: Debit): object {
  return {
    oldBalance: oldBalance.toNumber(),
    newBalance: newBalance.toNumber(),
    cost: cost.toNumber(),
    ...currency,
    updatedAt: plainTime(at),
  };
}
