import { pricingVersionTrigger } from './0003-prices';
import { versionTriggers } from './0024-catalogue-versions';
import type { InTransaction } from './migration';

/** SQL: a pause of the supplier of `source`, or a stop of its item. The first EXISTS is evaluated once for each statement. */
const pausedOrStopped = `
            WHEN EXISTS (SELECT FROM supplier_pauses pause
                          WHERE pause.supplier = source.supplier AND pause.family IN ('', source.family)) THEN 'paused'
            WHEN EXISTS (SELECT FROM stopped_sales)
                 AND EXISTS (SELECT FROM stopped_items stopped
                              WHERE stopped.family = source.family AND stopped.item_id = source.item_id) THEN 'stopped'`;

/** What operators have stopped selling. docs/decisions/0093-stop-sales-beside-the-catalogue.md. */
export const stoppedSales: InTransaction = {
  name: '0053-stopped-sales',
  sql: `
-- What operators have stopped selling. Every column of the scope that is not null must fit. Imports and synchronisations never write here.
CREATE TABLE stopped_sales (
  id             integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  scope          text NOT NULL CHECK (scope IN ('FAMILY', 'COUNTRY', 'SUBCATEGORY', 'PRODUCT', 'VARIANT', 'DENOMINATION')),
  -- Null: every family.
  family         text CHECK (family IN ('VOUCHER', 'TOPUP', 'ESIM')),
  country_code   text,
  subcategory_id integer REFERENCES subcategories,
  product_id     integer,
  -- Of a top-up or an eSIM. For a top-up, every variant of the product with the same SKU and currency, which is the same item.
  variant_id     integer,
  -- The ends of the denomination of a voucher. It stops every amount between them.
  min_amount     numeric(24, 4),
  max_amount     numeric(24, 4),
  reason         text NOT NULL,
  stopped_at     timestamptz NOT NULL DEFAULT now(),
  -- The person or the service account.
  stopped_by     text NOT NULL,
  UNIQUE NULLS NOT DISTINCT (product_id, family, country_code, subcategory_id, variant_id, min_amount, max_amount),
  CHECK ((country_code IS NOT NULL) = (scope = 'COUNTRY')),
  CHECK ((subcategory_id IS NOT NULL) = (scope = 'SUBCATEGORY')),
  CHECK ((product_id IS NOT NULL) = (scope IN ('PRODUCT', 'VARIANT', 'DENOMINATION'))),
  CHECK ((variant_id IS NOT NULL) = (scope = 'VARIANT')),
  CHECK (num_nonnulls(min_amount, max_amount) = CASE scope WHEN 'DENOMINATION' THEN 2 ELSE 0 END),
  CHECK (family IS NOT NULL OR scope = 'COUNTRY'),
  CHECK (max_amount >= min_amount)
);

-- The products that a stop covers whole.
CREATE VIEW stopped_products AS
SELECT product.family, product.id AS product_id, stop.id AS stop_id
  FROM (SELECT 'VOUCHER' AS family, id, country_code, subcategory_id FROM voucher_products
        UNION ALL SELECT 'TOPUP', id, country_code, NULL FROM topup_products
        UNION ALL SELECT 'ESIM', id, country_code, NULL FROM esim_products) product
  JOIN stopped_sales stop
    ON (stop.family IS NULL OR stop.family = product.family) AND (stop.country_code IS NULL OR stop.country_code = product.country_code)
   AND (stop.subcategory_id IS NULL OR stop.subcategory_id = product.subcategory_id)
   AND (stop.product_id IS NULL OR stop.product_id = product.id) AND stop.variant_id IS NULL AND stop.min_amount IS NULL;

-- The items of sources that a stop covers whole: products of vouchers, and variants.
CREATE VIEW stopped_items AS
SELECT stopped.family, stopped.product_id AS item_id, stopped.stop_id FROM stopped_products stopped WHERE stopped.family = 'VOUCHER'
UNION ALL
SELECT stopped.family, variant.id, stopped.stop_id
  FROM topup_variants variant JOIN stopped_products stopped ON stopped.family = 'TOPUP' AND stopped.product_id = variant.product_id
UNION ALL
SELECT stopped.family, variant.id, stopped.stop_id
  FROM esim_variants variant JOIN stopped_products stopped ON stopped.family = 'ESIM' AND stopped.product_id = variant.product_id
UNION ALL
SELECT stop.family, same.id, stop.id
  FROM stopped_sales stop JOIN topup_variants variant ON stop.family = 'TOPUP' AND variant.id = stop.variant_id
  JOIN topup_variants same ON (same.product_id, same.sku, same.currency_code) = (variant.product_id, variant.sku, variant.currency_code)
UNION ALL
SELECT stop.family, stop.variant_id, stop.id FROM stopped_sales stop WHERE stop.family = 'ESIM' AND stop.variant_id IS NOT NULL;

CREATE OR REPLACE VIEW source_states AS
SELECT source.id, source.family, source.item_id, source.supplier, source.sku, source.data, source.fixed_amounts, source.min_amount,
       source.max_amount, source.cost_percent, source.cost_fixed, source.fee, source.cost_currency, source.held_cost,
       source.reported_cost, source.accepted_terms, source.priority, source.active, source.stock, source.stock_at, source.listed_at,
       CASE WHEN NOT source.active THEN 'inactive'
            WHEN source.stock = 0 THEN 'out of stock'${pausedOrStopped}
       END AS obstacle,
       EXISTS (SELECT FROM supplier_circuits circuit
                WHERE circuit.supplier = source.supplier AND circuit.family = source.family
                  AND circuit.probe_at > now()) AS is_circuit_open
  FROM product_sources source;

CREATE OR REPLACE VIEW listed_sources AS
SELECT source.id, source.family, source.item_id, source.supplier, source.sku, source.data, source.fixed_amounts, source.min_amount,
       source.max_amount, source.cost_percent, source.cost_fixed, source.fee, source.cost_currency, source.held_cost,
       source.reported_cost, source.priority, source.listed_stock AS stock,
       CASE WHEN NOT source.active THEN 'inactive'
            WHEN source.listed_stock = 0 THEN 'out of stock'${pausedOrStopped}
       END AS obstacle
  FROM product_sources source;

${pricingVersionTrigger('INSERT OR DELETE ON stopped_sales')}
${versionTriggers('stopped_sales', { family: 'family', columns: 'id, family' }).join('')}
CREATE TRIGGER tell_change AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON stopped_sales
  FOR EACH STATEMENT EXECUTE FUNCTION tell_change('catalogue');
CREATE TRIGGER audit_by_operator AFTER INSERT OR DELETE OR UPDATE ON stopped_sales
  FOR EACH ROW WHEN (current_setting('app.command', true) <> '') EXECUTE FUNCTION audit_change('stopped_sale', 'id');
`,
};
