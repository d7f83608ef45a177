import { triggerFunctions, type InTransaction } from './migration';

/** The age of rates, and the rates that a feed sets. docs/decisions/0090-let-rates-age.md. */
export const ratesThatAge: InTransaction = {
  name: '0030-rates-that-age',
  sql: `
-- The time that the source of the rate states.
ALTER TABLE forex_rates ADD COLUMN as_of timestamptz NOT NULL DEFAULT now();
-- Without triggers, whose functions may not exist yet.
ALTER TABLE forex_rates DISABLE TRIGGER USER;
UPDATE forex_rates SET as_of = updated_at;
ALTER TABLE forex_rates ENABLE TRIGGER USER;
-- What a feed adds to the market's rate. Null: no feed sets this rate.
ALTER TABLE forex_rates ADD COLUMN spread_percent numeric(7, 4) CHECK (spread_percent >= 0);
-- The newest rate of the feed, if a person has to accept it, and why.
ALTER TABLE forex_rates ADD COLUMN held_rate numeric CHECK (held_rate > 0);
ALTER TABLE forex_rates ADD COLUMN held_as_of timestamptz;
ALTER TABLE forex_rates ADD COLUMN held_reason text;
ALTER TABLE forex_rates ADD CONSTRAINT forex_rates_held_check CHECK (num_nulls(held_rate, held_as_of, held_reason) IN (0, 3));

${triggerFunctions('date_rate')}
CREATE TRIGGER date_rate BEFORE UPDATE OF rate ON forex_rates FOR EACH ROW EXECUTE FUNCTION date_rate();
-- The age counts for price lists, too.
CREATE OR REPLACE TRIGGER record_catalogue_update AFTER UPDATE ON forex_rates REFERENCING OLD TABLE AS former NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION record_catalogue_change('NULL', 'NULL', 'source_currency, destination_currency, rate, as_of', '');
`,
};
