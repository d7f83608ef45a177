import type { InTransaction } from './migration';

/** The costs that suppliers charge although their lists say less. */
export const reportedCosts: InTransaction = {
  name: '0016-reported-costs',
  sql: `
-- The cost of the last sale, as the supplier reported it, while it is above the cost in the list. It then counts as the cost.
ALTER TABLE product_sources ADD COLUMN reported_cost jsonb;
CREATE TRIGGER raise_pricing_version_by_report AFTER UPDATE OF reported_cost ON product_sources
  FOR EACH STATEMENT EXECUTE FUNCTION raise_pricing_version();
-- The terms that a person accepted last, or the first ones, once the terms have changed by themselves. Null while they have not.
ALTER TABLE product_sources ADD COLUMN accepted_terms jsonb;

CREATE OR REPLACE VIEW source_states AS
SELECT source.id, source.family, source.item_id, source.supplier, source.sku, source.data, source.fixed_amounts, source.min_amount,
       source.max_amount, source.cost_percent, source.cost_fixed, source.fee, source.cost_currency, source.held_cost, source.priority,
       source.active, source.stock, source.stock_at, source.listed_at,
       CASE WHEN NOT source.active THEN 'inactive'
            WHEN source.stock = 0 THEN 'out of stock'
            WHEN EXISTS (SELECT FROM supplier_pauses pause
                          WHERE pause.supplier = source.supplier AND pause.family IN ('', source.family)) THEN 'paused'
       END AS obstacle,
       EXISTS (SELECT FROM supplier_circuits circuit
                WHERE circuit.supplier = source.supplier AND circuit.family = source.family
                  AND circuit.probe_at > now()) AS is_circuit_open,
       source.reported_cost
  FROM product_sources source;
`,
};
