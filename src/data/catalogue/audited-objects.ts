/** As what the audit names a product, the parts that have prices, its sources, and the discounts of clients on it. */
import type { Family } from '../../domain/orders/families';
import { rows, type Database } from '../database/database';

const itemsOf: Readonly<Record<Family, string>> = {
  VOUCHER: `SELECT 'voucher_product/' || $productId::integer UNION ALL
            SELECT 'voucher_denomination/' || id FROM voucher_denominations WHERE product_id = $productId::integer`,
  TOPUP: `SELECT 'topup_product/' || $productId::integer UNION ALL SELECT 'topup_variant/' || id FROM topup_variants WHERE product_id = $productId::integer`,
  ESIM: `SELECT 'esim_product/' || $productId::integer UNION ALL SELECT 'esim_variant/' || id FROM esim_variants WHERE product_id = $productId::integer`,
};
const sourcesOf: Readonly<Record<Family, string>> = {
  VOUCHER: 'item_id = $productId::integer',
  TOPUP: 'item_id IN (SELECT id FROM topup_variants WHERE product_id = $productId::integer)',
  ESIM: 'item_id IN (SELECT id FROM esim_variants WHERE product_id = $productId::integer)',
};

/** SQL: the entries about deleted denominations of vouchers and discounts of clients, with the product of each. */
export const deletedParts = `
  (SELECT object, action, at, before, before ->> 'product_id' AS product_id FROM audit_entries
    WHERE action IN ('voucher_denomination.deleted', 'discount.deleted'))`;

/** SQL: those of the family. */
const isDeletedOf = `
  CASE action WHEN 'discount.deleted' THEN before ->> 'family' ELSE 'VOUCHER' END = $family`;

/** The objects of the audit about the product, also those that no longer exist, while the audit keeps their ends. */
export async function auditedAs(database: Database, family: Family, productId: number): Promise<string[]> {
  const found = await rows<{ object: string }>(
    database,
    `SELECT object FROM (${itemsOf[family]}
       UNION ALL SELECT 'source/' || id FROM product_sources WHERE family = $family AND ${sourcesOf[family]}
       UNION ALL SELECT format('discount/%s/%s/%s', client_id, family, product_id) FROM client_discounts
                  WHERE family = $family AND product_id = $productId::integer
       UNION SELECT object FROM ${deletedParts} deleted WHERE product_id = $productId::text AND ${isDeletedOf}) audited (object)`,
    { family, productId },
  );
  return found.map(({ object }) => object);
}
