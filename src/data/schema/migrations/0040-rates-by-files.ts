import type { InTransaction } from './migration';

/** What a rate and the files that set it have to do with each other. docs/decisions/0090-let-rates-age.md. */
export const ratesByFiles: InTransaction = {
  name: '0040-rates-by-files',
  sql: `
-- The day of the file that set the rate. Null: no file did.
ALTER TABLE forex_rates ADD COLUMN file_day date;
ALTER TABLE forex_rates ADD COLUMN held_file_day date;
-- The last rate that a person or a service account set, gave by a file or accepted, and when. Null: the feed has not changed it since.
ALTER TABLE forex_rates ADD COLUMN person_rate numeric CHECK (person_rate > 0);
ALTER TABLE forex_rates ADD COLUMN person_rate_at timestamptz;
-- Since when the rate follows the feed with this spread.
ALTER TABLE forex_rates ADD COLUMN followed_at timestamptz;

-- The newest file of the feed for each day.
CREATE TABLE fetched_rates (
  day        date PRIMARY KEY,
  -- What one euro costs in each currency, as decimals in strings.
  per_euro   jsonb NOT NULL,
  -- The rates that it set, such as USD/EUR. A value that was held is no basis of later steps.
  set_rates  text[] NOT NULL,
  fetched_at timestamptz NOT NULL DEFAULT now()
);
`,
};
