import type { InTransaction } from './migration';

/** Whether the polls of purchases were clear: src/data/purchases/purchase-polls.ts. */
export const unclearPolls: InTransaction = {
  name: '0013-unclear-polls',
  sql: `
-- Whether the last poll of the purchase failed, or found a reason for an operator to decide.
ALTER TABLE supplier_purchases ADD COLUMN unclear boolean NOT NULL DEFAULT false;
`,
};
