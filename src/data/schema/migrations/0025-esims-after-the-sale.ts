import type { InTransaction } from './migration';

/** Unlimited plans. docs/specification.md#esim-products-variants-charges. */
export const esimsAfterTheSale: InTransaction = {
  name: '0025-esims-after-the-sale',
  sql: `
-- Set while an operator names the source as the same plan as the item, which is unlimited. See src/data/catalogue/same-plan.ts.
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
`,
};
