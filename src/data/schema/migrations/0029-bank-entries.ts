import { triggerFunctions, type InTransaction } from './migration';

/** Imported files of our banks. docs/decisions/0089-credit-one-booking-once.md. */
export const bankEntries: InTransaction = {
  name: '0029-bank-entries',
  sql: `
-- A row for each account of an imported file.
CREATE TABLE bank_files (
  id          integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name        text NOT NULL,
  account     text NOT NULL,
  format      text NOT NULL CHECK (format IN ('camt053', 'mt940', 'csv')),
  imported_by text NOT NULL,
  imported_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX bank_files_of_account ON bank_files (account, id DESC);

-- The booked entries of our accounts, each once, in however many files it stands.
CREATE TABLE bank_entries (
  id             integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  file_id        integer NOT NULL REFERENCES bank_files,
  nonce          text NOT NULL UNIQUE,
  account        text NOT NULL,
  booked_on      date NOT NULL,
  direction      text NOT NULL CHECK (direction IN ('CREDIT', 'DEBIT')),
  is_reversal    boolean NOT NULL,
  amount         numeric(24, 5) NOT NULL CHECK (amount >= 0),
  currency       text NOT NULL,
  -- The valid ISO 11649 references in its texts.
  refs           text[] NOT NULL,
  -- Everything that the bank says, with its number among equal entries.
  sealed_entry   bytea NOT NULL,
  -- Of every field of it.
  identity_hash  bytea NOT NULL UNIQUE,
  state          text NOT NULL DEFAULT 'WAITING' CHECK (state IN ('WAITING', 'CREDITED', 'IGNORED')),
  -- The proposal of its credit.
  proposal_id    integer REFERENCES approval_proposals,
  transaction_id integer UNIQUE REFERENCES transactions,
  ended_at       timestamptz,
  CHECK ((state = 'CREDITED') = (transaction_id IS NOT NULL)),
  CHECK ((state = 'WAITING') = (ended_at IS NULL))
);
CREATE INDEX bank_entries_waiting ON bank_entries (id) WHERE state = 'WAITING';
CREATE INDEX bank_entries_credited ON bank_entries (account, amount) WHERE state = 'CREDITED';
CREATE INDEX bank_entries_ended ON bank_entries (ended_at) WHERE ended_at IS NOT NULL;

${triggerFunctions('keep_bank_entry')}
CREATE TRIGGER keep_bank_entry AFTER UPDATE OF state, transaction_id ON bank_entries
  FOR EACH ROW EXECUTE FUNCTION keep_bank_entry();
CREATE TRIGGER audit_by_operator AFTER INSERT ON bank_files
  FOR EACH ROW WHEN (current_setting('app.command', true) <> '') EXECUTE FUNCTION audit_change('bank_file', 'id');
CREATE TRIGGER audit_by_operator AFTER UPDATE OF state ON bank_entries
  FOR EACH ROW WHEN (current_setting('app.command', true) <> '') EXECUTE FUNCTION audit_change('bank_entry', 'id');
`,
};
