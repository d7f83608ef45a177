import { triggerFunctions, type InTransaction } from './migration';

/** Only operators put money into wallets or correct balances, and each such entry has an audit entry. See functions/ledger.sql. */
export const operatorsMoney: InTransaction = {
  name: '0018-operators-money',
  sql: `
${triggerFunctions('operators_money_written')}
CREATE TRIGGER operators_money_written BEFORE INSERT ON transactions
  FOR EACH ROW WHEN (NEW.kind IN ('FUNDING', 'ADJUSTMENT')) EXECUTE FUNCTION operators_money_written();

-- Sandbox funding writes an audit entry of its own, which names the client.
DROP TRIGGER audit_by_operator ON transactions;
CREATE TRIGGER audit_by_operator AFTER INSERT ON transactions
  FOR EACH ROW WHEN (current_setting('app.command', true) <> ''
                     OR NEW.kind IN ('FUNDING', 'ADJUSTMENT')
                        AND current_setting('app.sandbox_funding', true) IS DISTINCT FROM 'on')
  EXECUTE FUNCTION audit_change('transaction', 'id');
`,
  // A reference moves money in a wallet once, as funding or as an adjustment. Operators look it up in all wallets.
  indexes: [
    {
      name: 'transactions_one_per_reference',
      unique: true,
      on: 'transactions (reference_number, wallet_id) WHERE order_id IS NULL',
    },
  ],
};
