import { triggerFunctions, type InTransaction } from './migration';

/** Operations that move money and need a second person. docs/operators/approvals.md. */
export const approvals: InTransaction = {
  name: '0014-rules-and-proposals',
  sql: `
-- Who may approve what exceeds the rule. Without a rule, operations need no second person.
CREATE TABLE approval_rules (
  id          integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- See src/domain/approvals.ts. PRICE: a change beyond PRICE_CHANGE_LIMIT_PERCENT.
  operation   text NOT NULL CHECK (operation IN ('FUND', 'ADJUST', 'REFUND', 'REFUNDS_IMPORT', 'PRICE')),
  currency    text REFERENCES currencies (code),
  -- The limit of a person's operations for one client within 24 hours.
  amount      numeric(24, 4) CHECK (amount >= 0),
  -- The limit of a person's operations for all clients within 24 hours.
  day_amount  numeric(24, 4) CHECK (day_amount >= 0),
  roles       text[] NOT NULL CHECK (cardinality(roles) > 0),
  created_at  timestamptz NOT NULL DEFAULT now(),
  UNIQUE NULLS NOT DISTINCT (operation, currency, amount),
  CHECK ((operation = 'PRICE') = (currency IS NULL)),
  CHECK ((operation = 'PRICE') = (amount IS NULL)),
  CHECK (operation <> 'PRICE' OR day_amount IS NULL)
);

-- What a person proposed. The arguments, the reason and the preview are sealed, because they may name people.
CREATE TABLE approval_proposals (
  id            integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  nonce         text NOT NULL UNIQUE,
  operation     text NOT NULL,
  -- Null if the proposal concerns several clients, or none.
  client_id     integer REFERENCES clients,
  -- The name in the audit, and the account.
  proposer      text NOT NULL,
  proposer_id   text NOT NULL,
  proposer_role text NOT NULL,
  -- The person, or the owner of a service account.
  accountable   text NOT NULL,
  door          text NOT NULL,
  -- Who may approve it, by the rule at that time.
  roles         text[] NOT NULL CHECK (cardinality(roles) > 0),
  sealed_call   bytea NOT NULL,
  -- The files among the arguments. Null without one, once the proposal has ended, and once the recipient of one of its orders is erased.
  sealed_files  bytea,
  -- The orders about which the files have texts.
  order_ids     bigint[] NOT NULL DEFAULT '{}',
  proposed_at   timestamptz NOT NULL DEFAULT now(),
  expires_at    timestamptz NOT NULL DEFAULT now() + interval '7 days',
  state         text NOT NULL DEFAULT 'PENDING' CHECK (state IN ('PENDING', 'APPROVED', 'REJECTED')),
  decided_by    text,
  decided_at    timestamptz,
  CHECK ((state = 'PENDING') = (decided_at IS NULL)),
  CHECK ((decided_by IS NULL) = (decided_at IS NULL)),
  -- No one approves their own.
  CHECK (state <> 'APPROVED' OR decided_by NOT IN (proposer, accountable))
);
CREATE INDEX approval_proposals_pending ON approval_proposals (expires_at) WHERE state = 'PENDING';
CREATE INDEX approval_proposals_with_files ON approval_proposals (id) WHERE sealed_files IS NOT NULL;

-- The sums that the rules count: what one person moved without a second one. Deleted after two days.
CREATE TABLE counted_operations (
  id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  operation text NOT NULL,
  -- The person, or the owner of a service account.
  person    text NOT NULL,
  client_id integer NOT NULL,
  currency  text NOT NULL,
  amount    numeric(24, 4) NOT NULL,
  at        timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX counted_operations_of_person ON counted_operations (person, at);

-- Who approved the operation that made the change.
ALTER TABLE audit_entries ADD COLUMN approver text;

-- See rules/counted-operations.sql.
${triggerFunctions('count_entry', 'count_refund', 'keep_proposed_files')}
CREATE TRIGGER count_entry AFTER INSERT ON transactions
  FOR EACH ROW WHEN (NEW.kind IN ('FUNDING', 'ADJUSTMENT') AND current_setting('app.accountable', true) <> '')
  EXECUTE FUNCTION count_entry();
CREATE TRIGGER count_refund AFTER INSERT ON order_refunds
  FOR EACH ROW WHEN (current_setting('app.accountable', true) <> '') EXECUTE FUNCTION count_refund();
CREATE TRIGGER keep_proposed_files BEFORE UPDATE OF sealed_files ON approval_proposals
  FOR EACH ROW WHEN (NEW.sealed_files IS NOT NULL) EXECUTE FUNCTION keep_proposed_files();
CREATE TRIGGER audit_by_operator AFTER INSERT OR DELETE OR UPDATE ON approval_rules
  FOR EACH ROW WHEN (current_setting('app.command', true) <> '') EXECUTE FUNCTION audit_change('approval_rule', 'id');
CREATE TRIGGER audit_by_operator AFTER INSERT OR DELETE OR UPDATE ON approval_proposals
  FOR EACH ROW WHEN (current_setting('app.command', true) <> '') EXECUTE FUNCTION audit_change('proposal', 'id');
`,
};
