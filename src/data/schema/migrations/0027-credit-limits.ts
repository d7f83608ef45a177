import { triggerFunctions, type InTransaction } from './migration';

/** Credit limits of wallets, whose balances may be negative down to them. docs/decisions/0087-let-balances-fall-to-a-credit-limit.md. */
export const creditLimits: InTransaction = {
  name: '0027-credit-limits',
  sql: `
-- post_entry and the ledger verification compare debits with the limit instead: it may be lowered below a debt.
ALTER TABLE wallets DROP CONSTRAINT wallets_balance_check;
ALTER TABLE transactions DROP CONSTRAINT transactions_balance_after_check;
ALTER TABLE wallets ADD COLUMN credit_limit numeric(24, 4) NOT NULL DEFAULT 0 CHECK (credit_limit >= 0);
-- Null in a row that an older function wrote: no wallet had a limit then.
ALTER TABLE low_balance_mails ADD COLUMN available numeric(24, 4);

-- The limits of each wallet. A limit holds from the entry with its number to the next limit; of several with one number, the newest
-- holds. Without one, the limit is 0.
CREATE TABLE credit_limits (
  id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  wallet_id    integer NOT NULL REFERENCES wallets,
  from_entry   bigint NOT NULL,
  credit_limit numeric(24, 4) NOT NULL,
  set_at       timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX credit_limits_of_wallet ON credit_limits (wallet_id, from_entry, id);

${triggerFunctions('record_credit_limit')}
-- By the statement that holds the wallet's lock, so that the number of the next entry is known.
CREATE TRIGGER record_credit_limit AFTER UPDATE OF credit_limit ON wallets
  FOR EACH ROW WHEN (NEW.credit_limit <> OLD.credit_limit) EXECUTE FUNCTION record_credit_limit();
CREATE OR REPLACE TRIGGER audit_by_operator AFTER INSERT OR DELETE OR UPDATE OF is_default, closed_at, credit_limit ON wallets
  FOR EACH ROW WHEN (current_setting('app.command', true) <> '') EXECUTE FUNCTION audit_change('wallet', 'id');

ALTER TABLE approval_rules DROP CONSTRAINT approval_rules_operation_check;
ALTER TABLE approval_rules ADD CONSTRAINT approval_rules_operation_check
  CHECK (operation IN ('FUND', 'ADJUST', 'CREDIT_LIMIT', 'REFUND', 'REFUNDS_IMPORT', 'PRICE'));
`,
};
