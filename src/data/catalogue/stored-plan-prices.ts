/** List prices of eSIM plans that wait for a person, who accepts them with the ops CLI. */
import { Exact } from '../../domain/prices/money';
import { firstNames } from '../../domain/first-names';
import { distinctAmounts } from '../../domain/prices/plan-amounts';
import { reasonToHoldPrice, type StoredPlanPrice } from '../../domain/prices/plan-prices';
import type { EsimPlan } from '../../domain/prices/supplier-catalogue';
import type { GuardPrices } from '../prices/stored-confirmed-values';
import { planPrice } from './present-product-prices';
import { clearAttention, raiseAttention } from '../attention/attention';
import { matching } from '../database/conditions';
import { firstRow, rows, type Database, type Transaction } from '../database/database';
import type { ListedHeldPrice } from './operated-columns';

/** A stored plan with the price that the list has for it, rounded. */
type ListedPrice = StoredPlanPrice & { active: boolean; listed: string; listedCurrency: string };

// A plan that cannot be sold as listed counts as not listed, as in `storeVariants`.
const listedStatement = `
  WITH plan AS (
    SELECT DISTINCT ON (sku) sku, round(price, minor_unit) AS price, code AS currency
      FROM ROWS FROM (jsonb_to_recordset($plans::jsonb) AS (sku text, currency text, price numeric))
             WITH ORDINALITY AS plan (sku, currency, price, position)
      JOIN currencies ON currencies.code = plan.currency
     WHERE round(price, minor_unit) > 0 ORDER BY sku, position
  )
  SELECT variant.id, variant.supplier_sku AS sku, variant.active OR variant.recharge_only AS active, trim_scale(variant.listed_amount)::text AS amount,
         variant.currency_code AS currency, trim_scale(plan.price)::text AS listed, plan.currency AS "listedCurrency",
         trim_scale(variant.accepted_amount)::text AS accepted,
         CASE WHEN source.id IS NOT NULL THEN coalesce(source.reported_cost, jsonb_build_object(
           'costPercent', source.cost_percent::text, 'costFixed', source.cost_fixed::text, 'fee', source.fee::text,
           'costCurrency', source.cost_currency)) END AS cost,
         CASE WHEN coalesce(source.reported_cost ->> 'costCurrency', source.cost_currency, variant.currency_code) = variant.currency_code
              THEN '1' ELSE rate.rate::text END AS "costRate"
    FROM esim_variants variant
    JOIN esim_products product ON product.id = variant.product_id
    JOIN plan ON plan.sku = variant.supplier_sku
    LEFT JOIN product_sources source ON source.family = 'ESIM' AND source.item_id = variant.id
     AND (source.supplier, source.sku) = (product.supplier, variant.supplier_sku)
    LEFT JOIN cost_rates rate ON rate.source_currency = coalesce(source.reported_cost ->> 'costCurrency', source.cost_currency)
     AND rate.destination_currency = variant.currency_code
   WHERE variant.product_id = $productId`;

const heldElsewhereStatement = `
  SELECT DISTINCT variant.supplier_sku AS sku
    FROM esim_variants variant
    JOIN esim_products product ON product.id = variant.product_id
    JOIN esim_products listed ON listed.id = $productId AND listed.supplier = product.supplier AND listed.id <> product.id
   WHERE variant.held IS NOT NULL AND variant.supplier_sku = ANY ($skus)`;

/** A listed price that waits. */
export interface HeldPrice {
  id: number;
  amount: string;
  currency: string;
  reason: string;
}

/** Plans with the prices at which they may be sold, and the listed prices that wait. */
export interface CheckedPlans {
  plans: EsimPlan[];
  held: HeldPrice[];
}

/**
 * Compares the listed prices with the stored ones. A plan whose price waits keeps its stored price; one that is not on sale stays so,
 * because no person has confirmed that its old price is still right. A new plan is not sold while its price waits in another product of
 * the supplier. Call it with the product locked.
 */
export async function checkPlanPrices(
  database: Database,
  productId: number,
  plans: readonly EsimPlan[],
  limitPercent: number,
  transaction: Transaction,
): Promise<CheckedPlans> {
  const binds = { productId, plans: JSON.stringify(plans) };
  const known = await rows<ListedPrice>(database, listedStatement, binds, transaction);
  const waiting = known.flatMap((price) => {
    const { listed: amount, listedCurrency: currency } = price;
    const reason = reasonToHoldPrice(price, { amount, currency }, limitPercent);
    return reason === undefined ? [] : [{ ...price, held: { id: price.id, amount, currency, reason } }];
  });
  const bySku = new Map(waiting.map((price) => [price.sku, price]));
  const knownSkus = new Set(known.map(({ sku }) => sku));
  const added = plans.map(({ sku }) => sku).filter((sku) => !knownSkus.has(sku));
  const notSold = await heldElsewhere(database, productId, added, transaction);
  const sold = plans.flatMap((plan) => {
    if (notSold.has(plan.sku)) return [];
    const stored = bySku.get(plan.sku);
    if (!stored) return [plan];
    return stored.active ? [{ ...plan, price: stored.amount, currency: stored.currency }] : [];
  });
  return { plans: sold, held: waiting.map(({ held }) => held) };
}

/** Those of the SKUs whose prices wait in another product of the supplier. */
async function heldElsewhere(
  database: Database,
  productId: number,
  skus: readonly string[],
  transaction: Transaction,
): Promise<ReadonlySet<string>> {
  if (skus.length === 0) return new Set();
  const binds = { productId, skus: [...skus] };
  const held = await rows<{ sku: string }>(database, heldElsewhereStatement, binds, transaction);
  return new Set(held.map(({ sku }) => sku));
}

const holdStatement = `
  WITH held AS (
    SELECT * FROM jsonb_to_recordset($held::jsonb) AS held (id integer, amount numeric, currency text, reason text)
  ), changed AS (
    SELECT * FROM jsonb_to_recordset($changed::jsonb) AS changed (id integer, before numeric)
  )
  UPDATE esim_variants variant
     SET held = held.reason, held_amount = held.amount, held_currency = held.currency,
         accepted_amount = CASE WHEN changed.id IS NULL THEN variant.accepted_amount
                                ELSE nullif(coalesce(variant.accepted_amount, changed.before), variant.listed_amount) END
    FROM esim_variants one LEFT JOIN held USING (id) LEFT JOIN changed USING (id)
   WHERE variant.id = one.id AND one.product_id = $productId
     AND (variant.held IS DISTINCT FROM held.reason OR changed.id IS NOT NULL)`;

/** A price that a list has changed: the stored price before, as a decimal string. */
export interface AdoptedPrice {
  id: number;
  before: string;
}

/** Stores the prices that wait and, of those that the list has changed, with which price later lists are compared. */
export async function storeHeldPrices(
  database: Database,
  { supplier, productId }: { supplier: string; productId: number },
  { held, changed }: { held: readonly HeldPrice[]; changed: readonly AdoptedPrice[] },
  transaction: Transaction,
): Promise<void> {
  const binds = { productId, held: JSON.stringify(held), changed: JSON.stringify(changed) };
  await rows(database, holdStatement, binds, transaction);
  await reportHeldPrices(database, supplier, transaction);
}

/** The conditions of a list of waiting prices. An undefined condition matches every price. */
export interface HeldPriceFilter {
  supplier?: string | undefined;
  /** Only prices behind that of this variant. */
  after?: number | undefined;
}

/** The list prices that wait, by supplier and variant. */
export function listHeldPrices(
  database: Database,
  { limit, ...filter }: HeldPriceFilter & { limit?: number | undefined },
  transaction?: Transaction,
) {
  const { where, binds } = matching(filter, {
    supplier: 'product.supplier = $supplier',
    after: `(product.supplier, variant.id) > (
      SELECT p.supplier, v.id FROM esim_variants v JOIN esim_products p ON p.id = v.product_id WHERE v.id = $after)`,
  });
  return rows<ListedHeldPrice>(
    database,
    `SELECT variant.id AS variant, variant.product_id, product.supplier, variant.supplier_sku AS sku,
            trim_scale(variant.listed_amount) || ' ' || variant.currency_code AS price,
            trim_scale(variant.held_amount) || ' ' || variant.held_currency AS listed_price, variant.held AS reason
       FROM esim_variants variant JOIN esim_products product ON product.id = variant.product_id
      WHERE variant.held IS NOT NULL AND ${where} ORDER BY product.supplier, variant.id LIMIT $limit`,
    { ...binds, limit: limit ?? null },
    transaction,
  );
}

/** Puts the supplier on the attention list while a list price of its plans waits. */
async function reportHeldPrices(database: Database, supplier: string, transaction: Transaction): Promise<void> {
  const held = await listHeldPrices(database, { supplier }, transaction);
  if (held.length === 0) return clearAttention(database, { supplier }, ['PLAN_PRICES_HELD'], transaction);
  const named = held.map(({ sku, reason }) => `${sku}: ${reason}`);
  const text = `List prices of plans wait for a decision (${held.length}): ${firstNames(named, '. ')}`;
  await raiseAttention(database, { supplier }, 'PLAN_PRICES_HELD', text, transaction);
}

const lockStatement = `
  SELECT product.supplier FROM esim_products product
   WHERE product.id = (SELECT product_id FROM esim_variants WHERE id = $variantId) FOR UPDATE`;

interface WaitingPrice {
  sku: string;
  amount: string | null;
  minorUnit: number | null;
  reason: string | null;
  taken: string[];
}

// Reads after the lock, so that a list that was stored meanwhile counts.
const waitingStatement = `
  SELECT variant.supplier_sku AS sku, round(variant.held_amount, currency.minor_unit)::text AS amount,
         currency.minor_unit AS "minorUnit", variant.held AS reason,
         ARRAY(SELECT other.amount::text FROM esim_variants other
                WHERE other.product_id = variant.product_id AND other.active AND other.id <> variant.id) AS taken
    FROM esim_variants variant LEFT JOIN currencies currency ON currency.code = variant.held_currency
   WHERE variant.id = $variantId`;

const acceptStatement = `
  WITH charges AS (UPDATE pricing_version SET version = version + 1)
  UPDATE esim_variants
     SET amount = $amount, listed_amount = $listed, currency_code = held_currency, accepted_amount = NULL,
         held = NULL, held_amount = NULL, held_currency = NULL
   WHERE id = $variantId`;

/** Puts the waiting price of the variant on sale. Returns the change as text. Throws if none waits, or what the guard throws. */
export function acceptPlanPrice(database: Database, variantId: number, guard: GuardPrices): Promise<string> {
  return guard([planPrice(database, variantId)], () => acceptWaiting(database, variantId));
}

function acceptWaiting(database: Database, variantId: number): Promise<string> {
  return database.transaction(async (transaction) => {
    const product = await firstRow<{ supplier: string }>(database, lockStatement, { variantId }, transaction);
    const waiting = await firstRow<WaitingPrice>(database, waitingStatement, { variantId }, transaction);
    const { sku, amount, minorUnit, reason, taken } = waiting ?? noPrice(variantId);
    if (!product || amount === null || minorUnit === null || reason === null) return noPrice(variantId);
    const listed = new Exact(amount);
    const plan = { sku, listed, minorUnit, onSale: null };
    const amounts = distinctAmounts(
      [plan],
      taken.map((one) => new Exact(one)),
    );
    const binds = { variantId, listed: listed.toFixed(), amount: (amounts.get(sku) ?? listed).toFixed() };
    await rows(database, acceptStatement, binds, transaction);
    await reportHeldPrices(database, product.supplier, transaction);
    return reason;
  });
}

function noPrice(variantId: number): never {
  throw new Error(`No price of variant ${variantId} waits. See those that do with: catalogue plans`);
}
