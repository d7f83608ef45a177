import type { InTransaction } from './migration';
import { pricingVersionTrigger } from './0003-prices';

/** The rates that value costs, and the purchases that suppliers reversed. */
export const referenceRates: InTransaction = {
  name: '0015-reference-rates',
  sql: `
-- One unit of the source is worth "rate" of the destination on the market. Values costs; no client pays at it.
CREATE TABLE reference_rates (
  source_currency      text NOT NULL REFERENCES currencies (code),
  destination_currency text NOT NULL REFERENCES currencies (code),
  rate                 numeric NOT NULL CHECK (rate > 0),
  updated_at           timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (source_currency, destination_currency),
  CHECK (source_currency <> destination_currency)
);
${pricingVersionTrigger('INSERT OR UPDATE OR DELETE ON reference_rates')}
CREATE TRIGGER audit_by_operator AFTER INSERT OR DELETE OR UPDATE ON reference_rates
  FOR EACH ROW WHEN (current_setting('app.command', true) <> '')
  EXECUTE FUNCTION audit_change('reference_rate', 'source_currency,destination_currency');

-- The rate that values a cost: the reference rate, or the inverse of the one of the opposite pair, or else the clients' rate.
CREATE VIEW cost_rates AS
SELECT source_currency, destination_currency, rate, true AS is_reference FROM reference_rates
UNION ALL
SELECT opposite.destination_currency, opposite.source_currency, 1 / opposite.rate, true
  FROM reference_rates opposite
 WHERE NOT EXISTS (SELECT FROM reference_rates direct
                    WHERE direct.source_currency = opposite.destination_currency
                      AND direct.destination_currency = opposite.source_currency)
UNION ALL
SELECT client.source_currency, client.destination_currency, client.rate, false
  FROM forex_rates client
 WHERE NOT EXISTS (SELECT FROM reference_rates direct
                    WHERE direct.source_currency = client.source_currency
                      AND direct.destination_currency = client.destination_currency)
   AND NOT EXISTS (SELECT FROM reference_rates opposite
                    WHERE opposite.source_currency = client.destination_currency
                      AND opposite.destination_currency = client.source_currency);

-- Whether cost_rate is a reference rate.
ALTER TABLE supplier_purchases ADD COLUMN cost_rate_is_reference boolean NOT NULL DEFAULT false;
-- When the supplier reported that it reversed the delivered purchase, which then costs nothing.
ALTER TABLE supplier_purchases ADD COLUMN reversed_at timestamptz;
`,
};
