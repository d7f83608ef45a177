import type { Migration } from './migration';

/** What figures are read from, so that reading them costs the same however much was sold. */
export const figures: Migration = {
  name: '0026-figures',
  sql: `
-- What a wallet's entries come to by kind, as far as they are counted: see src/data/ledger-totals.ts.
CREATE TABLE ledger_counted (
  wallet_id integer PRIMARY KEY REFERENCES wallets,
  -- The sequence number of the last entry that is in the totals.
  through   bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50);
CREATE TABLE ledger_totals (
  wallet_id        integer NOT NULL REFERENCES wallets,
  kind             text NOT NULL,
  transaction_type text NOT NULL,
  entries          bigint NOT NULL,
  amount           numeric(24, 4) NOT NULL,
  PRIMARY KEY (wallet_id, kind, transaction_type)
) WITH (fillfactor = 50);

-- What stands on the list, among what was settled in the last 90 days.
CREATE INDEX attention_standing ON attention (kind, since) WHERE cleared_at IS NULL;

-- What is left of our money at a supplier, where it tells.
ALTER TABLE supplier_health
  ADD COLUMN balance          numeric(24, 4),
  ADD COLUMN balance_currency text,
  ADD COLUMN balance_at       timestamptz,
  ADD CHECK (num_nulls(balance, balance_currency, balance_at) IN (0, 3));
`,
};
