import { triggerFunctions, type InTransaction } from './migration';

/** The check of chains of rates. It changes no rate: a chain of an earlier release stays. docs/decisions/0083-let-no-chain-of-rates-gain.md. */
export const noCircleOfRates: InTransaction = {
  name: '0022-no-circle-of-rates',
  sql: `
${triggerFunctions('reject_rate_circle')}
-- At the end of the transaction, because it may set several rates of a chain.
CREATE CONSTRAINT TRIGGER forex_rates_no_circle AFTER INSERT OR UPDATE ON forex_rates
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION reject_rate_circle();
`,
};
