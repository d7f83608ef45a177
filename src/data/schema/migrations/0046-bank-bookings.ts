import type { InTransaction } from './migration';

/** Bookings of banks, each stored once, with the statements in which it stands. docs/decisions/0089-credit-one-booking-once.md. */
export const bankBookings: InTransaction = {
  name: '0046-bank-bookings',
  contract:
    '1.0.0: the operators’ process imports bookings. One of the release before rejects an import until it ends, and changes nothing',
  sql: `
-- The statements of imported files. One that comes again unchanged is not stored again.
CREATE TABLE bank_statements (
  id               integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  file_id          integer NOT NULL REFERENCES bank_files,
  account          text NOT NULL,
  -- What the bank says that it is (statementKey). Many statements may have the same one.
  key              text NOT NULL,
  -- The first one of its versions: of the statements with its key that have a booking in common.
  series           integer NOT NULL,
  bank_id          text NOT NULL,
  number           bigint,
  page             bigint,
  opening_amount   numeric(24, 5),
  opening_currency text,
  opening_day      date,
  closing_amount   numeric(24, 5),
  closing_currency text,
  closing_day      date,
  -- Of its balances, or of its bookings.
  first_day        date,
  last_day         date,
  bookings         integer NOT NULL,
  -- When a person accepted that the numbers before it are missing.
  gap_accepted_at  timestamptz
);
CREATE INDEX bank_statements_by_day ON bank_statements (last_day);
CREATE INDEX bank_statements_of_series ON bank_statements (series);

-- The booked movements of our accounts, each once, in however many statements it stands.
CREATE TABLE bank_bookings (
  id                integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- From which its texts are.
  file_id           integer NOT NULL REFERENCES bank_files,
  nonce             text NOT NULL UNIQUE,
  account           text NOT NULL,
  booked_on         date NOT NULL,
  direction         text NOT NULL CHECK (direction IN ('CREDIT', 'DEBIT')),
  is_reversal       boolean NOT NULL,
  amount            numeric(24, 5) NOT NULL CHECK (amount >= 0),
  currency          text NOT NULL,
  -- Digests of what makes it equal to another one: they outlive its texts, so that an old file stays known.
  sealed_keys       bytea,
  content_hash      bytea,
  reference_hash    bytea,
  -- Stored as an entry of its own by a release that read files otherwise, so its content differs from that of its file.
  is_of_old_reader  boolean NOT NULL DEFAULT false
);
CREATE INDEX bank_bookings_by_content ON bank_bookings (content_hash);
CREATE INDEX bank_bookings_by_reference ON bank_bookings (reference_hash);
CREATE INDEX bank_bookings_by_money ON bank_bookings (account, booked_on, amount);
CREATE INDEX bank_bookings_without_keys ON bank_bookings (account) WHERE sealed_keys IS NULL;

CREATE TABLE bank_statement_bookings (
  statement_id integer NOT NULL REFERENCES bank_statements,
  booking_id   integer NOT NULL REFERENCES bank_bookings,
  -- It may have another payment instead: nobody has said so yet.
  is_doubtful  boolean NOT NULL,
  PRIMARY KEY (statement_id, booking_id)
);
CREATE INDEX bank_statements_of_booking ON bank_statement_bookings (booking_id);

-- A person's word that two bookings that look like one are two payments.
CREATE TABLE bank_words (
  booking_id integer NOT NULL REFERENCES bank_bookings ON DELETE CASCADE,
  other_id   integer NOT NULL REFERENCES bank_bookings ON DELETE CASCADE,
  given_by   text NOT NULL,
  given_at   timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (booking_id, other_id)
);

INSERT INTO bank_bookings (file_id, nonce, account, booked_on, direction, is_reversal, amount, currency, is_of_old_reader)
  SELECT file_id, nonce, account, booked_on, direction, is_reversal, amount, currency, true FROM bank_entries ORDER BY id;

-- An entry is a part of a booking.
ALTER TABLE bank_entries ADD COLUMN booking_id integer REFERENCES bank_bookings;
UPDATE bank_entries SET booking_id = booking.id FROM bank_bookings booking WHERE booking.nonce = bank_entries.nonce;
ALTER TABLE bank_entries ALTER COLUMN booking_id SET NOT NULL, ALTER COLUMN sealed_entry DROP NOT NULL, DROP COLUMN identity_hash,
  DROP CONSTRAINT bank_entries_state_check,
  -- The bank sent other parts before it was credited.
  ADD CONSTRAINT bank_entries_state_check CHECK (state IN ('WAITING', 'CREDITED', 'IGNORED', 'REPLACED'));
CREATE INDEX bank_entries_of_booking ON bank_entries (booking_id);
DROP INDEX bank_entries_ended;
CREATE INDEX bank_entries_with_texts ON bank_entries (ended_at) WHERE ended_at IS NOT NULL AND sealed_entry IS NOT NULL;

CREATE TRIGGER audit_by_operator AFTER UPDATE OF gap_accepted_at ON bank_statements
  FOR EACH ROW WHEN (current_setting('app.command', true) <> '') EXECUTE FUNCTION audit_change('bank_statement', 'id');
CREATE TRIGGER audit_by_operator AFTER INSERT ON bank_words
  FOR EACH ROW WHEN (current_setting('app.command', true) <> '') EXECUTE FUNCTION audit_change('bank_word', 'booking_id,other_id');
`,
};
