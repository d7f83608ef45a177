import type { InTransaction } from './migration';

/** Values that decide money, by the SKU of their supplier, and the products whose codes pay. docs/decisions/0077-compare-changes-with-the-last-confirmed-value.md. */
export const guardedValues: InTransaction = {
  name: '0041-guarded-values',
  indexes: [{ name: 'topup_variants_by_sku', on: 'topup_variants (supplier, supplier_sku)' }],
  sql: `
-- Who answers for what the entry reports. Another person settles it.
ALTER TABLE attention ADD COLUMN raised_by text[] NOT NULL DEFAULT '{}';

-- Until now, one person alone could make a product redeemable. Whoever did it is not known.
INSERT INTO attention (kind, supplier, reason)
SELECT 'REDEEMABLE_ON', supplier,
       left('Redeemable since before the upgrade: ' || string_agg(format('product %s, %s (%s)', id, name, supplier_sku), '; ' ORDER BY id), 2000)
  FROM voucher_products WHERE redeemable GROUP BY supplier;

-- From now on, costs and amounts are known by the supplier's SKU. The present ones count as confirmed.
DELETE FROM confirmed_values WHERE kind IN ('COST', 'TOPUP_AMOUNTS');
`,
};
