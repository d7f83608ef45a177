import type { InTransaction } from './migration';

/** An outage of the mail server, for operators. */
export const mailOutage: InTransaction = {
  name: '0023-mail-outage',
  sql: `
-- One row while mails fail; none after a mail that goes out. See src/data/operations/mail-outage.ts.
CREATE TABLE mail_outage (
  is_only         boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  failing_since   timestamptz NOT NULL,
  last_failure_at timestamptz NOT NULL,
  last_error      text NOT NULL
) WITH (fillfactor = 50);
`,
};
