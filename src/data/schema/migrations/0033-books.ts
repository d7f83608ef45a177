import type { InTransaction } from './migration';

/** Closed months and the lines of their journals. docs/decisions/0092-close-months-from-sums.md. */
export const books: InTransaction = {
  name: '0033-books',
  indexes: [{ name: 'supplier_purchases_reversed', on: `supplier_purchases (order_id) WHERE reversed_at IS NOT NULL` }],
  sql: `
-- The closed months, without gaps. No role may change or delete a row.
CREATE TABLE book_months (
  -- Its first day.
  month     date PRIMARY KEY CHECK (extract(day FROM month) = 1),
  closed_at timestamptz NOT NULL DEFAULT now(),
  closed_by text NOT NULL,
  -- The differences that the close has accepted.
  accepted  integer NOT NULL,
  lines     integer NOT NULL,
  -- Of the exported journal.
  sha256    text NOT NULL
);

-- The lines of the journal of each closed month, as they are exported.
CREATE TABLE book_lines (
  month     date NOT NULL REFERENCES book_months,
  line      integer NOT NULL,
  -- MONTH, or PRIOR: about an earlier month, and unknown when that one was closed.
  section   text NOT NULL CHECK (section IN ('MONTH', 'PRIOR')),
  -- The month that the line is about.
  of_month  date NOT NULL,
  kind      text NOT NULL,
  client_id integer,
  client    text,
  family    text,
  supplier  text,
  currency  text NOT NULL,
  -- The balances at the beginning and the end of the month; null for a line that is no balance.
  opening   numeric,
  closing   numeric,
  amount    numeric NOT NULL,
  -- The accounts of the posting; null if the line is none.
  debit     text,
  credit    text,
  PRIMARY KEY (month, line)
);
-- What is posted about each earlier month.
CREATE INDEX book_lines_about ON book_lines (of_month);

CREATE TRIGGER audit_by_operator AFTER INSERT OR DELETE OR UPDATE ON book_months
  FOR EACH ROW WHEN (current_setting('app.command', true) <> '') EXECUTE FUNCTION audit_change('closed_month', 'month');
`,
};
