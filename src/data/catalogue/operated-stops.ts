/** The stops of sales that operators set and end. docs/decisions/0093-stop-sales-beside-the-catalogue.md. */
import { wholeService } from '../../domain/attention/attention-kinds';
import { firstNames } from '../../domain/first-names';
import type { Family } from '../../domain/orders/families';
import type { SaleScope, StopScope } from '../../domain/orders/stop-scopes';
import { minuteText } from '../../domain/time';
import { listExactly } from '../attention/attention';
import { firstRow, hasRow, oneRow, rows, type Database } from '../database/database';
import { ordersOfStop } from '../orders/stopped-orders';
import { number, oneOf, orNull, text, time, type RowWith } from '../../domain/row-columns';

/** A stop as operators see it. */
export const stoppedSaleColumns = {
  id: number,
  scope: oneOf<StopScope>(),
  /** What is stopped, in words: `product 12, Harbour Coffee Gift Card`. */
  what: text,
  /** Null: every family. */
  family: orNull(oneOf<Family>()),
  country: orNull(text),
  subcategory: orNull(text),
  product_id: orNull(number),
  variant: orNull(number),
  /** The lower end of the denomination, a decimal string. */
  denomination: orNull(text),
  reason: text,
  since: time,
  /** The person or the service account. */
  stopped_by: text,
  /** Open orders of what is stopped. They go on. */
  open_orders: number,
  /** Those of which no purchase was ever sent, and that are not under review. */
  unsent: number,
  /** Those that are under review because of the stop. */
  held: number,
};
export type StoppedSale = RowWith<typeof stoppedSaleColumns>;

const productName = (family: string, id: string) => `
  CASE ${family} WHEN 'VOUCHER' THEN (SELECT name FROM voucher_products WHERE id = ${id})
                 WHEN 'TOPUP' THEN (SELECT name FROM topup_products WHERE id = ${id})
                 ELSE (SELECT name FROM esim_products WHERE id = ${id}) END`;

/** SQL: what the stop covers, in words. */
const what = `
  concat_ws(' of ',
    CASE stop.scope
      WHEN 'VARIANT' THEN concat('variant ', stop.variant_id, ', ' || CASE stop.family
        WHEN 'TOPUP' THEN (SELECT name FROM topup_variants WHERE id = stop.variant_id)
        ELSE (SELECT name FROM esim_variants WHERE id = stop.variant_id) END)
      WHEN 'DENOMINATION' THEN concat_ws(' to ', trim_scale(stop.min_amount), trim_scale(nullif(stop.max_amount, stop.min_amount)))
        || (SELECT ' ' || currency_code FROM voucher_products WHERE id = stop.product_id)
      WHEN 'SUBCATEGORY' THEN (
        SELECT concat('subcategory ', category.name, ' / ', subcategory.name)
          FROM subcategories subcategory JOIN categories category ON category.id = subcategory.category_id
         WHERE subcategory.id = stop.subcategory_id)
      WHEN 'COUNTRY' THEN concat(stop.country_code, (SELECT ' (' || name || ')' FROM countries WHERE alpha_3 = stop.country_code),
        ', ' || CASE stop.family WHEN 'VOUCHER' THEN 'vouchers' WHEN 'TOPUP' THEN 'top-ups' WHEN 'ESIM' THEN 'eSIMs' END)
      WHEN 'FAMILY' THEN CASE stop.family WHEN 'VOUCHER' THEN 'all vouchers' WHEN 'TOPUP' THEN 'all top-ups' ELSE 'all eSIMs' END END,
    CASE WHEN stop.product_id IS NOT NULL THEN concat(
      CASE stop.family WHEN 'VOUCHER' THEN 'voucher' WHEN 'TOPUP' THEN 'top-up' ELSE 'eSIM' END, ' product ', stop.product_id,
      ', ' || ${productName('stop.family', 'stop.product_id')}) END)`;

const listStatement = `
  SELECT stop.id, stop.scope, ${what} AS what, stop.family, stop.country_code AS country,
         (SELECT category.name || ' / ' || subcategory.name FROM subcategories subcategory
            JOIN categories category ON category.id = subcategory.category_id WHERE subcategory.id = stop.subcategory_id) AS subcategory,
         stop.product_id, stop.variant_id AS variant, trim_scale(stop.min_amount)::text AS denomination, stop.reason,
         stop.stopped_at AS since, stop.stopped_by, counted.open_orders, counted.unsent,
         (SELECT count(*) FROM orders o WHERE o.completed_at IS NULL AND o.held ->> 'stop' = stop.id::text) AS held
    FROM stopped_sales stop
   CROSS JOIN LATERAL (
      SELECT count(*) AS open_orders, count(*) FILTER (WHERE is_unsent) AS unsent
        FROM (${ordersOfStop('stop.id')}) of_stop) counted
   WHERE $id::integer IS NULL OR stop.id = $id ORDER BY stop.id`;

/** Every stop with its open orders, the oldest first. */
export function listStoppedSales(database: Database): Promise<StoppedSale[]> {
  return rows<StoppedSale>(database, listStatement, { id: null });
}

/** The stop with its open orders; undefined if there is none with the id. */
export function findStoppedSale(database: Database, id: number): Promise<StoppedSale | undefined> {
  return firstRow<StoppedSale>(database, listStatement, { id });
}

const stopStatement = `
  INSERT INTO stopped_sales (scope, family, country_code, subcategory_id, product_id, variant_id, min_amount, max_amount, reason, stopped_by)
  VALUES ($scope, $family, $countryCode, $subcategoryId, $productId, $variantId, $minAmount, $maxAmount, $reason, $by)
  ON CONFLICT (product_id, family, country_code, subcategory_id, variant_id, min_amount, max_amount) DO UPDATE SET reason = excluded.reason
  RETURNING id`;

/** Stops the sale, or changes the reason of its stop. Returns the id of the stop. */
export async function stopSale(
  database: Database,
  scope: SaleScope,
  { reason, by }: { reason: string; by: string },
): Promise<number> {
  const { id } = await oneRow<{ id: number }>(database, stopStatement, { ...scope, reason, by });
  await reviewStops(database);
  return id;
}

/** Ends the stop. False if there is none with the id. */
export async function resumeSale(database: Database, id: number): Promise<boolean> {
  const isEnded = await hasRow(database, 'DELETE FROM stopped_sales WHERE id = $id RETURNING id', { id });
  await reviewStops(database);
  return isEnded;
}

/** The other stops that cover a part of what the stop covers, by id. */
export async function overlappingStops(database: Database, id: number): Promise<number[]> {
  const found = await rows<{ id: number }>(
    database,
    `WITH covered AS (
       SELECT stop_id, family, item_id FROM stopped_items
       UNION ALL SELECT id, family, product_id FROM stopped_sales WHERE min_amount IS NOT NULL)
     SELECT DISTINCT other.stop_id AS id FROM covered mine JOIN covered other USING (family, item_id)
       JOIN stopped_sales its ON its.id = mine.stop_id JOIN stopped_sales ours ON ours.id = other.stop_id
      WHERE mine.stop_id = $id AND other.stop_id <> $id
        AND (its.min_amount IS NULL OR ours.min_amount IS NULL OR (its.min_amount <= ours.max_amount AND ours.min_amount <= its.max_amount))
      ORDER BY 1`,
    { id },
  );
  return found.map(({ id: other }) => other);
}

/** Makes the attention list tell what is stopped. */
async function reviewStops(database: Database): Promise<void> {
  const stops = await rows<Pick<StoppedSale, 'what' | 'reason' | 'since'>>(
    database,
    `SELECT ${what} AS what, stop.reason, stop.stopped_at AS since FROM stopped_sales stop ORDER BY stop.id DESC`,
  );
  const texts = stops.map((stop) => `${stop.what}, stopped since ${minuteText(stop.since)} UTC: ${stop.reason}`);
  const entry = { subject: wholeService, reason: firstNames(texts, '. ') };
  await listExactly(database, 'SALES_STOPPED', texts.length > 0 ? [entry] : []);
}

/** The denomination of the voucher product with the amount: the narrowest one. Undefined without one. Decimal strings. */
export function findDenomination(database: Database, productId: number, amount: string) {
  return firstRow<{ min: string; max: string }>(
    database,
    `SELECT min_value::text AS min, max_value::text AS max FROM voucher_denominations
      WHERE product_id = $productId AND $amount::numeric BETWEEN min_value AND max_value
      ORDER BY max_value - min_value, min_value LIMIT 1`,
    { productId, amount },
  );
}

/** The product of the variant; undefined if the family has no such variant. */
export async function findProductOfVariant(
  database: Database,
  family: 'TOPUP' | 'ESIM',
  variantId: number,
): Promise<number | undefined> {
  const table = family === 'TOPUP' ? 'topup_variants' : 'esim_variants';
  const query = `SELECT product_id AS "productId" FROM ${table} WHERE id = $variantId`;
  return (await firstRow<{ productId: number }>(database, query, { variantId }))?.productId;
}

/** The subcategories with the name, alone or behind that of their category. */
export function findSubcategories(database: Database, name: string) {
  return rows<{ id: number; name: string }>(
    database,
    `SELECT subcategory.id, category.name || ' / ' || subcategory.name AS name
       FROM subcategories subcategory JOIN categories category ON category.id = subcategory.category_id
      WHERE lower($name) IN (lower(subcategory.name), lower(category.name || ' / ' || subcategory.name)) ORDER BY 2`,
    { name },
  );
}
