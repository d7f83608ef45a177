import type { InTransaction } from './migration';

/** The confirmed values of prices, rates, fees, discounts, margins and costs, with which operators' changes are compared. */
export const confirmedValues: InTransaction = {
  name: '0016-confirmed-values',
  sql: `
-- A row for each value that an operator has changed. It stays when the value is removed, so that the next value is compared, too. A value
-- without a row counts as confirmed: a supplier's list, a sandbox's seed or an earlier release has set it.
CREATE TABLE confirmed_values (
  kind         text NOT NULL,
  -- What names the value among those of its kind, as a JSON array.
  key          text NOT NULL,
  -- The value that an operator has set last; null while it is removed. If the present value is another one, a supplier's list has set it.
  value        text,
  -- Since when the value is this one.
  since        timestamptz NOT NULL DEFAULT now(),
  confirmed    text NOT NULL,
  confirmed_at timestamptz NOT NULL DEFAULT now(),
  -- APPROVED: by a second person. FORCED: by the operator, where no rule asks for a second person. FEED: by a supplier's list, a seed or an
  -- earlier release. FIRST: a first value, compared with others. STOOD: by 24 hours within the limit.
  confirmed_by text NOT NULL CHECK (confirmed_by IN ('APPROVED', 'FORCED', 'FEED', 'FIRST', 'STOOD')),
  PRIMARY KEY (kind, key)
);
`,
};
