import type { InTransaction } from './migration';

/** Unlimited plans, and recharges of eSIMs. docs/specification.md#recharging-an-esim. */
export const esimsAfterTheSale: InTransaction = {
  name: '0025-esims-after-the-sale',
  sql: `
-- Set while an operator names the source as the same plan as the item, which is unlimited. See src/data/catalogue/same-plan-marks.ts.
ALTER TABLE product_sources ADD COLUMN same_plan text;
-- Until now, two unlimited plans with the same validity counted as the same. No statement for an empty table: its trigger calls a
-- function that a new schema does not have yet.
DO $$ BEGIN
  IF EXISTS (SELECT FROM product_sources) THEN
    UPDATE product_sources source SET active = false
      FROM esim_variants plan JOIN esim_products product ON product.id = plan.product_id
     WHERE source.family = 'ESIM' AND source.item_id = plan.id AND source.active AND plan.data_amount_gb = 0
       AND (source.supplier, source.sku) <> (product.supplier, plan.supplier_sku);
  END IF;
END $$;
-- The order whose profile got the plan. It is never a recharge itself.
ALTER TABLE esim_orders ADD COLUMN recharges_order_id bigint;
ALTER TABLE esim_orders ADD CONSTRAINT esim_orders_recharged
  FOREIGN KEY (recharges_order_id) REFERENCES esim_orders (order_id) NOT VALID;

-- A plan that recharges an eSIM and comes with no profile. It is never active, so that only recharges find it.
ALTER TABLE esim_variants ADD COLUMN recharge_only boolean NOT NULL DEFAULT false;
ALTER TABLE esim_variants ADD CONSTRAINT esim_variants_recharge_only CHECK (NOT (active AND recharge_only)) NOT VALID;
ALTER TABLE esim_variants DROP CONSTRAINT esim_variants_distinct_amounts;
-- An order identifies a plan by its amount. Checked at the end of a statement, because one statement may swap two amounts.
ALTER TABLE esim_variants ADD CONSTRAINT esim_variants_distinct_amounts
  EXCLUDE USING btree (product_id WITH =, amount WITH =) WHERE (active OR recharge_only) DEFERRABLE INITIALLY IMMEDIATE;
`,
};
