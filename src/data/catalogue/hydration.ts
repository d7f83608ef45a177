/** Reads the variants of an eSIM product from its supplier and stores them, once. */
import { SupplierUnavailable, type EsimPlan, type Supplier } from '../../suppliers/port';
import { rows, type Database } from '../database';

/** The product's own part of a hydration. */
export interface Hydratable {
  id: number;
  supplier: string;
  supplierSku: string;
}

/** Hydrations under way in this process, by product, so that parallel requests wait for one answer. */
const underWay = new Map<number, Promise<void>>();

/**
 * Stores what the supplier lists for the product. Parallel calls ask the supplier once; should two
 * processes ask at the same time, what both store is the same. Throws `SupplierUnavailable`.
 */
export function hydrateEsimProduct(
  database: Database,
  suppliers: ReadonlyMap<string, Supplier>,
  product: Hydratable,
): Promise<void> {
  const running = underWay.get(product.id);
  if (running) return running;
  const started = hydrate(database, suppliers, product).finally(() => underWay.delete(product.id));
  underWay.set(product.id, started);
  return started;
}

async function hydrate(
  database: Database,
  suppliers: ReadonlyMap<string, Supplier>,
  product: Hydratable,
): Promise<void> {
  const supplier = suppliers.get(product.supplier);
  if (!supplier?.esimPlans)
    throw new SupplierUnavailable(`No supplier "${product.supplier}" lists eSIM plans`);
  const plans = await supplier.esimPlans(product.supplierSku);
  if (plans.length > 0) await storePlans(database, product.id, plans);
}

/** Prices are rounded to what the currency can pay; plans in a currency we do not know are left out. */
const insertPlans = `
  WITH stored AS (
    INSERT INTO esim_variants (product_id, supplier_sku, name, description, currency_code, amount,
      data_amount_gb, validity_days, regions, networks, is_rechargeable, activation_policy)
    SELECT $1, plan.sku, plan.name, plan.description, plan.currency, round(plan.price, currency.minor_unit),
           plan."dataAmountGb", plan."validityDays", plan.regions, plan.networks, plan."isRechargeable",
           plan."activationPolicy"
      FROM jsonb_to_recordset($2::jsonb) AS plan (sku text, name text, description text, currency text,
             price numeric, "dataAmountGb" numeric, "validityDays" integer, regions jsonb, networks jsonb,
             "isRechargeable" boolean, "activationPolicy" text)
      JOIN currencies currency ON currency.code = plan.currency
    ON CONFLICT (product_id, supplier_sku) DO NOTHING)
  UPDATE esim_products SET hydrated_at = now() WHERE id = $1`;

async function storePlans(database: Database, productId: number, plans: EsimPlan[]): Promise<void> {
  await rows(database, insertPlans, [productId, JSON.stringify(plans)]);
}
