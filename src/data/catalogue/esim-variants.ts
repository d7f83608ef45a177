/** The variants of eSIM products, stored as their suppliers list them (there they are called plans). */
import type { EsimPlan } from '../../domain/supplier-catalogue';
import { firstRow, rows, type Database } from '../database';

/** An eSIM product and what its supplier calls it. */
export interface SyncedProduct {
  id: number;
  supplier: string;
  supplierSku: string;
}

/** The product, where its variants were never read from its supplier. */
export async function findUnsyncedProduct(
  database: Database,
  productId: number,
): Promise<SyncedProduct | undefined> {
  return firstRow<SyncedProduct>(
    database,
    `SELECT id, supplier, supplier_sku AS "supplierSku" FROM esim_products
      WHERE id = $productId::bigint AND hydrated_at IS NULL`,
    { productId },
  );
}

/** The supplier's products whose variants were read before, by id. */
export async function listSyncedProducts(database: Database, supplier: string): Promise<SyncedProduct[]> {
  return rows<SyncedProduct>(
    database,
    `SELECT id, supplier, supplier_sku AS "supplierSku" FROM esim_products
      WHERE supplier = $supplier AND hydrated_at IS NOT NULL ORDER BY id`,
    { supplier },
  );
}

/** What a list of plans comes to. `doubted`: plans that it lacks stay on sale. */
export interface StoredVariants {
  /** Plans that are new, changed, or on sale again. */
  changed: number;
  withdrawn: number;
  doubted: boolean;
}

/**
 * Prices are rounded to what the currency can pay; plans in a currency we do not know, or that could not
 * be sold, are left out. A list that lacks half of what is on sale, and more than one plan, may be half
 * an answer: it is believed when it still says so half a day later, and an empty one never is. Cached
 * charges are dropped where anything changed.
 */
const storeStatement = `
  WITH product AS (
    SELECT id, plans_doubted_at FROM esim_products WHERE id = $productId FOR UPDATE
  ), plan AS (
    SELECT DISTINCT ON (plan.sku) product.id AS product_id, plan.*, round(plan.price, currency.minor_unit) AS amount
      FROM product, jsonb_to_recordset($plans::jsonb) AS plan (sku text, name text, description text, currency text,
             price numeric, "dataAmountGb" numeric, "validityDays" integer, regions jsonb, networks jsonb,
             "isRechargeable" boolean, "activationPolicy" text)
      JOIN currencies currency ON currency.code = plan.currency
     WHERE round(plan.price, currency.minor_unit) > 0 AND plan."validityDays" > 0 AND plan."dataAmountGb" >= 0
  ), missing AS (
    SELECT count(*) FILTER (WHERE sku IS NULL) AS plans, count(*) AS on_sale
      FROM esim_variants variant LEFT JOIN plan ON plan.sku = variant.supplier_sku
     WHERE variant.product_id = $productId AND variant.active
  ), verdict AS (
    SELECT missing.plans > 0 AND NOT EXISTS (SELECT FROM plan)
           OR missing.plans > 1 AND missing.plans * 2 >= missing.on_sale
              AND coalesce(plans_doubted_at > now() - interval '12 hours', true) AS doubted
      FROM product, missing
  ), stored AS (
    INSERT INTO esim_variants AS variant (product_id, supplier_sku, name, description, currency_code, amount,
      data_amount_gb, validity_days, regions, networks, is_rechargeable, activation_policy)
    SELECT product_id, sku, name, description, currency, amount, "dataAmountGb", "validityDays", regions, networks,
           "isRechargeable", "activationPolicy"
      FROM plan
    ON CONFLICT (product_id, supplier_sku) DO UPDATE
       SET name = excluded.name, description = excluded.description, currency_code = excluded.currency_code,
           amount = excluded.amount, data_amount_gb = excluded.data_amount_gb,
           validity_days = excluded.validity_days, regions = excluded.regions, networks = excluded.networks,
           is_rechargeable = excluded.is_rechargeable, activation_policy = excluded.activation_policy, active = true
     WHERE (variant.name, variant.description, variant.currency_code, variant.amount, variant.data_amount_gb,
            variant.validity_days, variant.regions, variant.networks, variant.is_rechargeable,
            variant.activation_policy, variant.active)
        IS DISTINCT FROM
           (excluded.name, excluded.description, excluded.currency_code, excluded.amount, excluded.data_amount_gb,
            excluded.validity_days, excluded.regions, excluded.networks, excluded.is_rechargeable,
            excluded.activation_policy, true)
    RETURNING id
  ), withdrawn AS (
    UPDATE esim_variants SET active = false FROM verdict
     WHERE product_id = $productId AND active AND NOT verdict.doubted AND supplier_sku NOT IN (SELECT sku FROM plan)
    RETURNING esim_variants.id
  ), charges AS (
    UPDATE pricing_version SET version = version + 1
     WHERE EXISTS (SELECT FROM stored) OR EXISTS (SELECT FROM withdrawn)
  ), read AS (
    UPDATE esim_products
       SET hydrated_at = CASE WHEN EXISTS (SELECT FROM plan) THEN now() ELSE hydrated_at END,
           plans_doubted_at = CASE WHEN verdict.doubted THEN coalesce(plans_doubted_at, now()) END
      FROM verdict WHERE id = $productId
  )
  SELECT (SELECT count(*) FROM stored) AS changed, (SELECT count(*) FROM withdrawn) AS withdrawn, doubted FROM verdict`;

/** Brings the product's variants in line with what its supplier lists. Orders under way are not touched. */
export async function storeVariants(
  database: Database,
  productId: number,
  plans: EsimPlan[],
): Promise<StoredVariants> {
  const stored = await firstRow<StoredVariants>(database, storeStatement, {
    productId,
    plans: JSON.stringify(plans),
  });
  if (!stored) throw new Error(`There is no eSIM product ${productId}`);
  return stored;
}
