/** The entries of statements: each part of a booking is one. */
import type { BankEntry } from '../../../domain/funding/bank-entry';
import type { BankStatement } from '../../../domain/funding/bank-statement';

/** Of each statement, in its sequence. */
export function flatEntries(statements: readonly BankStatement[]): BankEntry[] {
  return statements.flatMap(({ account, bookings }) =>
    bookings.flatMap(({ parts, ...booking }) =>
      parts.map(({ isReturn, ...part }) => ({
        ...booking,
        ...part,
        account,
        isReversal: booking.isReversal || isReturn,
      })),
    ),
  );
}
