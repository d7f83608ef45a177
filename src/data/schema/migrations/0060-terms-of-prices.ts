import type { InTransaction } from './migration';

/** The terms from which the price of an order follows, as they were when it was reserved. docs/operators/office.md#money-of-an-order. */
export const termsOfPrices: InTransaction = {
  name: '0060-terms-of-prices',
  sql: `
-- Null in orders of before, and in orders that replace a unit. A later setting never stands in for them.
ALTER TABLE orders
  -- The discount in percent of the list total, and whether it is one of the client; otherwise, it is that of the denomination.
  ADD COLUMN discount_percent numeric,
  ADD COLUMN is_own_discount boolean,
  -- Of a conversion: the fee in percent of the converted amount, when the rate was set or stated, and the day of the file that stated it.
  ADD COLUMN fee_percent numeric,
  ADD COLUMN rate_as_of timestamptz,
  ADD COLUMN rate_file_day date;
`,
};
