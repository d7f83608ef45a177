import { triggerFunctions, type InTransaction } from './migration';

/** The credits of orders by time, for the reports of operators, and the guard of currencies. docs/operators/catalogue.md#reports-and-the-ledger. */
export const reportsAndCurrencies: InTransaction = {
  name: '0018-reports-and-currencies',
  indexes: [
    { name: 'transactions_credited', on: `transactions (created_at) WHERE kind IN ('REFUND_AFTER', 'REDEMPTION')` },
  ],
  sql: `
-- Amounts are rounded to the decimals of their currency, so only \`migrate\` writes currencies. The API of the previous release repeats the
-- reference data at its start, which changes nothing.
${triggerFunctions('currencies_written')}
CREATE TRIGGER currencies_added AFTER INSERT ON currencies FOR EACH ROW EXECUTE FUNCTION currencies_written();
CREATE TRIGGER currencies_changed AFTER UPDATE ON currencies FOR EACH ROW
  WHEN ((OLD.id, OLD.code, OLD.minor_unit) IS DISTINCT FROM (NEW.id, NEW.code, NEW.minor_unit)) EXECUTE FUNCTION currencies_written();
`,
};
