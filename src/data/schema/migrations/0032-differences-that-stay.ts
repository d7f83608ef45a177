import type { InTransaction } from './migration';

/** Differences from suppliers' statements that are never deleted, and the comparisons. docs/decisions/0092-close-months-from-sums.md. */
export const differencesThatStay: InTransaction = {
  name: '0032-differences-that-stay',
  sql: `
-- Replaces settlement_differences, from which the previous release still deletes. A contract drops that table.
CREATE TABLE statement_differences (
  number      bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  supplier    text NOT NULL,
  -- As in the statement.
  reference   text NOT NULL,
  kind        text NOT NULL,
  -- Null if no order has the reference.
  order_id    bigint REFERENCES orders,
  detail      text NOT NULL,
  -- When the supplier sold; if it did not, when the purchase was sent. Only comparisons of this time can tell that the difference is gone.
  at          timestamptz NOT NULL,
  -- The first day of the month in whose books it is.
  month       date NOT NULL CHECK (extract(day FROM month) = 1),
  found_at    timestamptz NOT NULL DEFAULT now(),
  -- The state of our purchase when the difference was found; null without a purchase.
  our_state   text,
  -- Null while it is open. GONE: the statement changed. BOOKED: our purchase changed. ACCEPTED: by a person, for a reason.
  resolution  text CHECK (resolution IN ('GONE', 'BOOKED', 'ACCEPTED')),
  resolved_at timestamptz,
  resolved_by text,
  reason      text,
  CHECK ((resolution IS NULL) = (resolved_at IS NULL)),
  CHECK ((resolution = 'ACCEPTED') = (reason IS NOT NULL))
);
CREATE UNIQUE INDEX statement_differences_open ON statement_differences (supplier, reference, kind) WHERE resolution IS NULL;
CREATE INDEX statement_differences_of_sale ON statement_differences (supplier, reference, kind, number);
CREATE INDEX statement_differences_of_month ON statement_differences (month) WHERE resolution IS NULL;
INSERT INTO statement_differences (supplier, reference, kind, order_id, detail, at, month, found_at, resolution, resolved_at, reason)
SELECT supplier, reference, kind, order_id, detail, at, date_trunc('month', at, 'UTC')::date, found_at,
       CASE WHEN accepted_reason IS NOT NULL THEN 'ACCEPTED' END, CASE WHEN accepted_reason IS NOT NULL THEN found_at END, accepted_reason
  FROM settlement_differences ORDER BY found_at, at;

CREATE TRIGGER audit_by_operator AFTER INSERT OR DELETE OR UPDATE ON statement_differences
  FOR EACH ROW WHEN (current_setting('app.command', true) <> '') EXECUTE FUNCTION audit_change('settlement_difference', 'number');

-- Each comparison with a complete statement: the supplier's sales from its beginning to its end were compared.
CREATE TABLE statement_comparisons (
  id       bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  supplier text NOT NULL,
  begins   timestamptz NOT NULL,
  ends     timestamptz NOT NULL,
  source   text NOT NULL CHECK (source IN ('STATEMENT', 'FILE')),
  made_at  timestamptz NOT NULL DEFAULT now(),
  CHECK (begins <= ends)
);
CREATE INDEX statement_comparisons_of_supplier ON statement_comparisons (supplier, made_at);
CREATE TRIGGER audit_by_operator AFTER INSERT ON statement_comparisons
  FOR EACH ROW WHEN (current_setting('app.command', true) <> '') EXECUTE FUNCTION audit_change('settlement_comparison', 'id');
`,
};
