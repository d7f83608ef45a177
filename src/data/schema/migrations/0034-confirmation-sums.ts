import type { InTransaction } from './migration';

/** The sum of an order above which the console asks its user before it places the order. Null: it never asks. */
export const confirmationSums: InTransaction = {
  name: '0034-confirmation-sums',
  sql: 'ALTER TABLE wallets ADD COLUMN confirm_above numeric(24, 4) CHECK (confirm_above >= 0)',
};
