import type { InTransaction } from './migration';

/** List prices of eSIM plans that wait for a person. */
export const planPrices: InTransaction = {
  name: '0017-plan-prices',
  sql: `
-- The list price that a person accepted last, or the first one, once lists have changed it. Null while it is listed_amount.
ALTER TABLE esim_variants ADD COLUMN accepted_amount numeric(24, 4);
-- The price in the supplier's list that waits for a person, and why; null while none does.
ALTER TABLE esim_variants ADD COLUMN held_amount numeric(24, 4);
ALTER TABLE esim_variants ADD COLUMN held_currency text;
ALTER TABLE esim_variants ADD COLUMN held text;
`,
};
