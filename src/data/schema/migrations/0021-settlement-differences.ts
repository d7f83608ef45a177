import type { InTransaction } from './migration';

/** The differences between suppliers' statements and our purchases. */
export const settlementDifferences: InTransaction = {
  name: '0021-settlement-differences',
  sql: `
-- Deleted by the first comparison that no longer finds it. See src/data/purchases/settlement-differences.ts.
CREATE TABLE settlement_differences (
  supplier        text NOT NULL,
  -- As in the statement.
  reference       text NOT NULL,
  kind            text NOT NULL,
  -- Null if no order has the reference.
  order_id        bigint REFERENCES orders,
  detail          text NOT NULL,
  -- When the purchase was sent, or the supplier sold. Only comparisons from this time on can tell that the difference is gone.
  at              timestamptz NOT NULL,
  found_at        timestamptz NOT NULL DEFAULT now(),
  -- Why an operator accepts the difference as it is; null while nobody does.
  accepted_reason text,
  PRIMARY KEY (supplier, reference, kind)
);
CREATE TRIGGER audit_by_operator AFTER INSERT OR DELETE OR UPDATE ON settlement_differences
  FOR EACH ROW WHEN (current_setting('app.command', true) <> '')
  EXECUTE FUNCTION audit_change('settlement_difference', 'supplier,reference,kind');
`,
};
