import type { OfIndexes } from './migration';

/** Statements that come again, without a booking in common. docs/decisions/0089-credit-one-booking-once.md. */
export const statementsByKey: OfIndexes = {
  name: '0062-statements-by-key',
  indexes: [{ name: 'bank_statements_by_key', on: 'bank_statements (account, key)' }],
};
