/** Statements of files whose readers give one list of entries: one for each account, of bookings with one part. */
import type { BankEntry } from '../../../domain/funding/bank-entry';
import type { BankBooking, BankStatement } from '../../../domain/funding/bank-statement';

export function statementsOfEntries(entries: readonly BankEntry[]): BankStatement[] {
  const byAccount = new Map<string, BankBooking[]>();
  for (const { account, payer, payerAccount, endToEndId, text, ...booking } of entries) {
    const part = { amount: booking.amount, isReturn: false, endToEndId, payer, payerAccount, text };
    const bookings = byAccount.get(account) ?? [];
    byAccount.set(account, [...bookings, { ...booking, parts: [part] }]);
  }
  return [...byAccount].map(([account, bookings]) => ({
    ...{ account, id: '', number: undefined, page: undefined, opening: undefined, closing: undefined },
    bookings,
  }));
}
