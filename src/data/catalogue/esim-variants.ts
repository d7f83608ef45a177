/** Stores the variants of eSIM products as the products' suppliers list them. Suppliers call a variant a plan. */
import { Exact } from '../../domain/prices/money';
import { firstNames, MAX_NAMED } from '../../domain/first-names';
import { distinctAmounts, type PricedPlan } from '../../domain/prices/plan-amounts';
import { MAX_PRICES, type EsimPlan } from '../../domain/prices/supplier-catalogue';
import { extendAttention, raiseAttention } from '../attention/attention';
import { firstRow, oneRow, rows, type Database, type Transaction } from '../database/database';
import { reportStoppedSources } from './plan-changes';
import { checkPlanPrices, storeHeldPrices, type AdoptedPrice } from './stored-plan-prices';
import { stopOtherSources } from './plan-sources';

/** An eSIM product with the SKU that identifies it at its supplier. */
export interface SyncedProduct {
  id: number;
  supplier: string;
  supplierSku: string;
}

const syncedProducts = 'SELECT id, supplier, supplier_sku AS "supplierSku" FROM esim_products';

/** The product if no variants were ever stored for it; undefined otherwise. */
export function findUnsyncedProduct(database: Database, productId: number) {
  return firstRow<SyncedProduct>(database, `${syncedProducts} WHERE id = $productId::bigint AND hydrated_at IS NULL`, {
    productId,
  });
}

/** The active products for which no variants were ever stored, the newest first. */
export function listUnsyncedProducts(database: Database) {
  return rows<SyncedProduct>(database, `${syncedProducts} WHERE hydrated_at IS NULL AND active ORDER BY id DESC`);
}

/** The supplier's products for which variants were stored before, by id. */
export function listSyncedProducts(database: Database, supplier: string) {
  return rows<SyncedProduct>(
    database,
    `${syncedProducts} WHERE supplier = $supplier AND hydrated_at IS NOT NULL ORDER BY id`,
    { supplier },
  );
}

/** The result of storing a list of plans. */
export interface StoredVariants {
  /** Plans that are new, changed, or on sale again. */
  changed: number;
  withdrawn: number;
  /** Whether the list may be incomplete. If so, plans that are missing from it stay on sale. */
  doubted: boolean;
}

/** Locks the product until the plans are stored, so that only one synchronisation at a time assigns amounts to plans. */
const lockStatement = `
  SELECT supplier, coalesce(plans_doubted_at > now() - interval '12 hours', true) AS "recentlyDoubted"
    FROM esim_products WHERE id = $productId FOR UPDATE`;

interface LockedProduct {
  supplier: string;
  /** False if all lists of the last 12 hours or longer were doubted; true otherwise. */
  recentlyDoubted: boolean;
}

/**
 * Every plan that is listed or on sale: first the plans on sale, the oldest first, then new ones in the order of the list. Prices
 * are rounded to the minor unit of the currency. A plan that cannot be sold, or has an unknown currency, counts as not listed.
 */
const knownPlansStatement = `
  WITH plan AS (
    SELECT DISTINCT ON (sku) sku, position, round(price, minor_unit) AS listed, minor_unit
      FROM ROWS FROM (jsonb_to_recordset($plans::jsonb) AS (sku text, currency text, price numeric,
             "dataAmountGb" numeric, "validityDays" integer, "isUnlimited" boolean))
             WITH ORDINALITY AS plan (sku, currency, price, data_amount_gb, validity_days, is_unlimited, position)
      JOIN currencies ON currencies.code = plan.currency
     WHERE round(price, minor_unit) > 0 AND validity_days > 0
       AND (round(data_amount_gb, 3) > 0 OR is_unlimited AND data_amount_gb = 0)
     ORDER BY sku, position
  )
  SELECT coalesce(plan.sku, variant.supplier_sku) AS sku, plan.listed, plan.minor_unit AS "minorUnit", plan.position,
         variant.amount, variant.listed_amount AS "listedBefore"
    FROM plan FULL JOIN (SELECT * FROM esim_variants WHERE product_id = $productId AND (active OR recharge_only)) variant
      ON variant.supplier_sku = plan.sku
   ORDER BY variant.id, plan.position`;

/** A plan that is listed (`listed`: its price; `position`: 1-based), on sale (`listedBefore`: its last stored price), or both. */
type KnownPlan = { sku: string } & (
  | { listed: string; minorUnit: number; position: number }
  | { listed: null; minorUnit: null; position: null }
) &
  ({ amount: string; listedBefore: string } | { amount: null; listedBefore: null });

/**
 * Stores the priced plans as variants on sale, and adds the supplier as a source of each, with the cost of its stored offer. Unless
 * the list is doubted, takes the product's other variants off sale. `charges` invalidates cached price quotes if any variant changed.
 */
const storeStatement = `
  WITH plan AS (
    SELECT $productId::integer AS product_id, plan.*
      FROM jsonb_to_recordset($plans::jsonb) AS plan (sku text, name text, description text, currency text,
             amount numeric, listed numeric, "dataAmountGb" numeric, "validityDays" integer, regions jsonb,
             networks jsonb, "isRechargeable" boolean, "isRechargeOnly" boolean, "activationPolicy" text)
  ), stored AS (
    INSERT INTO esim_variants AS variant (product_id, supplier_sku, name, description, currency_code, amount,
      listed_amount, data_amount_gb, validity_days, regions, networks, is_rechargeable, activation_policy,
      active, recharge_only)
    SELECT product_id, sku, name, description, currency, amount, listed, "dataAmountGb", "validityDays", regions,
           networks, "isRechargeable", "activationPolicy", "isRechargeOnly" IS NOT TRUE, "isRechargeOnly" IS TRUE
      FROM plan
    ON CONFLICT (product_id, supplier_sku) DO UPDATE
       SET name = excluded.name, description = excluded.description, currency_code = excluded.currency_code,
           amount = excluded.amount, listed_amount = excluded.listed_amount,
           data_amount_gb = excluded.data_amount_gb, validity_days = excluded.validity_days, regions = excluded.regions, networks = excluded.networks,
           is_rechargeable = excluded.is_rechargeable, activation_policy = excluded.activation_policy, active = excluded.active,
           recharge_only = excluded.recharge_only
     WHERE (variant.name, variant.description, variant.currency_code, variant.amount,
            variant.listed_amount, variant.data_amount_gb, variant.validity_days, variant.regions, variant.networks, variant.is_rechargeable,
            variant.activation_policy, variant.active, variant.recharge_only)
        IS DISTINCT FROM
           (excluded.name, excluded.description, excluded.currency_code, excluded.amount, excluded.listed_amount,
            excluded.data_amount_gb, excluded.validity_days, excluded.regions, excluded.networks, excluded.is_rechargeable,
            excluded.activation_policy, excluded.active, excluded.recharge_only)
    RETURNING id, supplier_sku, name, description, data_amount_gb, validity_days, listed_amount
  ), compared AS (
    -- A statement sees the table as it was before the statement.
    SELECT stored.id, trim_scale(before.listed_amount)::text AS before,
           stored.listed_amount <> before.listed_amount AS "hasOtherPrice",
           (stored.data_amount_gb, stored.validity_days) <> (before.data_amount_gb, before.validity_days)
             OR stored.data_amount_gb = 0 AND (stored.name, stored.description) IS DISTINCT FROM (before.name, before.description)
             AS "hasOtherTerms"
      FROM stored JOIN esim_variants before USING (id)
  ), source AS (
    INSERT INTO product_sources (family, item_id, supplier, sku, cost_percent, cost_fixed, fee, cost_currency)
    SELECT 'ESIM', stored.id, product.supplier, stored.supplier_sku, cost.percent, cost.fixed, coalesce(cost.fee, 0), cost.currency
      FROM stored JOIN esim_products product ON product.id = $productId
      LEFT JOIN supplier_offers offer ON offer.unsellable IS NULL
             AND (offer.supplier, offer.family, offer.sku) = (product.supplier, 'ESIM', stored.supplier_sku)
      LEFT JOIN LATERAL jsonb_to_record(offer.terms -> 'cost')
             AS cost (percent numeric, fixed numeric, fee numeric, currency text) ON true
     WHERE (stored.id, product.supplier, stored.supplier_sku) NOT IN (
             SELECT item_id, supplier, sku FROM product_sources WHERE family = 'ESIM' AND item_id IN (SELECT id FROM stored))
  ), withdrawn AS (
    UPDATE esim_variants SET active = false, recharge_only = false
     WHERE product_id = $productId AND (active OR recharge_only) AND NOT $doubted AND supplier_sku NOT IN (SELECT sku FROM plan)
    RETURNING esim_variants.id
  ), charges AS (
    UPDATE pricing_version SET version = version + 1
     WHERE EXISTS (SELECT FROM stored) OR EXISTS (SELECT FROM withdrawn)
  ), read AS (
    UPDATE esim_products
       SET hydrated_at = CASE WHEN EXISTS (SELECT FROM plan) THEN now() ELSE hydrated_at END,
           plans_doubted_at = CASE WHEN $doubted THEN least(plans_doubted_at, now()) END
     WHERE id = $productId
  )
  SELECT (SELECT count(*) FROM stored) AS changed, (SELECT count(*) FROM withdrawn) AS withdrawn,
         (SELECT coalesce(json_agg(compared ORDER BY id), '[]') FROM compared) AS compared`;

/** `compared`: the stored variants that are not new. `hasOtherTerms`: whether the data or validity of the variant changed, or a text of an
 * unlimited one. */
type VariantChanges = Omit<StoredVariants, 'doubted'> & {
  compared: (AdoptedPrice & { hasOtherPrice: boolean; hasOtherTerms: boolean })[];
};

/**
 * Makes the product's variants equal to the plans that its supplier lists. Open orders do not change. Withdraws plans that the list
 * lacks. If it lacks at least half of the plans on sale, and at least two, withdraws them only if such lists still come 12 hours
 * later. Withdraws nothing if no listed plan can be sold. A price that changes by more than `limitPercent`, or falls below the cost,
 * waits for a person (see `reasonToHoldPrice`). Puts the supplier on the attention list while a price waits, and if this list makes
 * the amount of a plan differ from its listed price (see `distinctAmounts`), or has plans beyond `MAX_PRICES`, which are not sold. If the data or validity of a plan changes, or the name or description of
 * an unlimited one, its sources at other suppliers become inactive (see `stopOtherSources`).
 */
export async function storeVariants(
  database: Database,
  productId: number,
  listed: readonly EsimPlan[],
  limitPercent: number,
): Promise<StoredVariants> {
  return database.transaction(async (transaction) => {
    const locked = await firstRow<LockedProduct>(database, lockStatement, { productId }, transaction);
    if (!locked) throw new Error(`There is no eSIM product ${productId}`);
    const { plans, held } = await checkPlanPrices(database, productId, listed, limitPercent, transaction);
    const binds = { productId, plans: JSON.stringify(plans) };
    const known = await rows<KnownPlan>(database, knownPlansStatement, binds, transaction);
    const doubted = isDoubted(known, locked);
    const { sold, surplus } = withinPriceLimit(known, doubted);
    const priced = pricedPlans(plans, sold, doubted);
    const { compared, ...stored } = await oneRow<VariantChanges>(
      database,
      storeStatement,
      { productId, plans: JSON.stringify(priced), doubted },
      transaction,
    );
    const { supplier } = locked;
    const replanned = compared.filter(({ hasOtherTerms }) => hasOtherTerms).map(({ id }) => id);
    const stopped = await stopOtherSources(database, replanned, transaction);
    await reportStoppedSources(database, { supplier, productId }, stopped, transaction);
    const changed = compared.filter(({ hasOtherPrice }) => hasOtherPrice);
    await storeHeldPrices(database, { supplier, productId }, { held, changed }, transaction);
    if (priced.some(({ isMoved }) => isMoved)) await reportMoved(database, supplier, transaction);
    if (surplus > 0) await reportSurplus(database, { supplier, productId, surplus }, transaction);
    return { ...stored, doubted };
  });
}

function isDoubted(known: readonly KnownPlan[], { recentlyDoubted }: LockedProduct): boolean {
  const onSale = known.filter(({ amount }) => amount !== null).length;
  const missing = known.filter(({ listed }) => listed === null).length;
  if (missing === known.length) return missing > 0;
  return missing > 1 && missing * 2 >= onSale && recentlyDoubted;
}

/** The plans without the new ones that a product cannot have, and the number of these. Plans that stay on sale come first. */
function withinPriceLimit(known: readonly KnownPlan[], doubted: boolean) {
  const added = known.filter(({ amount }) => amount === null);
  const onSale = known.filter(({ listed, amount }) => amount !== null && (listed !== null || doubted));
  const free = Math.max(0, MAX_PRICES - onSale.length);
  const surplus = new Set(added.slice(free));
  return { sold: known.filter((plan) => !surplus.has(plan)), surplus: surplus.size };
}

/** The plans that can be sold, each with its amount. `isMoved`: whether this list makes the amount differ from the listed price. */
function pricedPlans(plans: readonly EsimPlan[], known: readonly KnownPlan[], doubted: boolean) {
  const listed = known.flatMap(listedPlan);
  const missingAmounts = known.flatMap(({ listed, amount }) =>
    doubted && listed === null && amount !== null ? [new Exact(amount)] : [],
  );
  const amounts = distinctAmounts(listed, missingAmounts);
  return listed.map(({ sku, position, listed, onSale }) => {
    const amount = amounts.get(sku);
    if (!amount) throw new Error(`Plan ${sku} has no amount`);
    const isUnchanged = onSale?.amount.equals(amount) === true && onSale.listed.equals(listed);
    return { ...plans[position - 1], amount, listed, isMoved: !amount.equals(listed) && !isUnchanged };
  });
}

function listedPlan(plan: KnownPlan): (PricedPlan & { position: number })[] {
  if (plan.listed === null) return [];
  const { sku, position, minorUnit, amount } = plan;
  const onSale = amount === null ? null : { amount: new Exact(amount), listed: new Exact(plan.listedBefore) };
  return [{ sku, position, minorUnit, listed: new Exact(plan.listed), onSale }];
}

const movedStatement = `
  SELECT product_id AS "productId", variant.id AS "variantId", variant.currency_code AS currency,
         trim_scale(variant.amount) AS amount, trim_scale(variant.listed_amount) AS listed, count(*) OVER () AS count
    FROM esim_variants variant JOIN esim_products product ON product.id = variant.product_id
   WHERE product.supplier = $supplier AND variant.active AND variant.amount <> variant.listed_amount
   ORDER BY variant.id DESC LIMIT $limit`;

interface MovedPlan {
  productId: number;
  variantId: number;
  currency: string;
  amount: string;
  listed: string;
  count: number;
}

/** Puts the supplier on the attention list with the plans whose amount differs from the listed price, the newest first. */
async function reportMoved(database: Database, supplier: string, transaction: Transaction): Promise<void> {
  const binds = { supplier, limit: MAX_NAMED };
  const moved = await rows<MovedPlan>(database, movedStatement, binds, transaction);
  const named = moved.map(
    ({ productId, variantId, currency, amount, listed }) =>
      `variant ${variantId} of eSIM product ${productId} at ${amount} instead of ${listed} ${currency}`,
  );
  const reason = `Plans cost the same as another plan of their product, so they are sold at other amounts: ${firstNames(named, ', ', moved[0]?.count)}`;
  await raiseAttention(database, { supplier }, 'PLAN_AMOUNT_MOVED', reason, transaction);
}

/** Puts the supplier on the attention list because plans of the product are not sold. */
async function reportSurplus(
  database: Database,
  { supplier, productId, surplus }: { supplier: string; productId: number; surplus: number },
  transaction: Transaction,
): Promise<void> {
  const news = `Plans of eSIM product ${productId} that are not sold, because a product has at most ${MAX_PRICES} prices: ${surplus}`;
  await extendAttention(database, { supplier }, 'TOO_MANY_PRICES', news, { transaction });
}
