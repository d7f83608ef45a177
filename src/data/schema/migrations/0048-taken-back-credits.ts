import type { InTransaction } from './migration';

/** Entries of banks that take a credited one back, each debited from its wallet. docs/operators/money-in.md#taken-back. */
export const takenBackCredits: InTransaction = {
  name: '0048-taken-back-credits',
  sql: `
ALTER TABLE bank_entries
  -- The credited entry whose money it takes back: one credit is taken back once.
  ADD COLUMN takes_back_id integer UNIQUE REFERENCES bank_entries,
  DROP CONSTRAINT bank_entries_state_check,
  ADD CONSTRAINT bank_entries_state_check CHECK (state IN ('WAITING', 'CREDITED', 'DEBITED', 'IGNORED', 'REPLACED')),
  DROP CONSTRAINT bank_entries_check,
  ADD CONSTRAINT bank_entries_check CHECK ((state IN ('CREDITED', 'DEBITED')) = (transaction_id IS NOT NULL)),
  ADD CONSTRAINT bank_entries_takes_back CHECK ((state = 'DEBITED') = (takes_back_id IS NOT NULL));
CREATE INDEX bank_entries_credited_refs ON bank_entries USING gin (refs) WHERE state = 'CREDITED';

DROP TRIGGER keep_bank_entry ON bank_entries;
CREATE TRIGGER keep_bank_entry AFTER UPDATE OF state, transaction_id, takes_back_id ON bank_entries
  FOR EACH ROW EXECUTE FUNCTION keep_bank_entry();
`,
};
