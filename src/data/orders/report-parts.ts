/**
 * The parts of the sums in reports: one row for each order that ended in a period and for each credit of it, with the columns of the
 * reports. Each sum of `today` and of the reports is the sum of its column over these rows (test/operators/server/sums.test.ts).
 */
import type { Family } from '../../domain/orders/families';
import { givenOrNull } from '../database/binds';
import { rows, type Database } from '../database/database';
import { newestSupplier } from '../purchases/purchase-reads';
import { creditLines } from './report-lines';
import { number, oneOf, orNull, text, time, type RowWith } from '../../domain/row-columns';

/** The states in which an order has ended. */
export const endedStatuses = ['DELIVERED', 'FAILED', 'CANCELLED'] as const;
export type EndedStatus = (typeof endedStatuses)[number];

/** The conditions. An undefined one matches every row. */
export interface PartsFilter {
  from: Date;
  to: Date;
  family?: Family | undefined;
  clientId?: number | undefined;
  productId?: number | undefined;
  /** Then the counts are of orders whose newest purchase was there, and the amounts are the part of each order that it delivered. */
  supplier?: string | undefined;
  currency?: string | undefined;
  /** Then only orders, and no credits. */
  status?: EndedStatus | undefined;
  limit: number;
  /** Whether to read costs and margins, which are null otherwise. */
  withCosts: boolean;
}

/** An order that ended, or a credit about an order. Amounts are exact decimal strings. */
export const reportPartColumns = {
  kind: oneOf<'ORDER' | 'REFUND' | 'REDEMPTION' | 'SUPPLIER_CREDIT'>(),
  at: time,
  order_id: number,
  client_id: number,
  client: text,
  family: oneOf<Family>(),
  product_id: number,
  product_name: text,
  status: orNull(text),
  currency: text,
  /** 1 for an order that counts, 0 for one that does not. `sales` and `sales_delivered`: not for an order that replaces a unit. */
  ended: number,
  sales: number,
  sales_delivered: number,
  delivered: number,
  failed: number,
  cancelled: number,
  sold: text,
  refunded: text,
  redeemed: text,
  supplier_credits: orNull(text),
  /** Null if it is unknown. */
  cost: orNull(text),
  margin: orNull(text),
  orders_with_unknown_cost: orNull(number),
};
export type ReportPart = RowWith<typeof reportPartColumns>;

const isWanted = (order: string) => `
  ($family::text IS NULL OR ${order}.family = $family) AND ($clientId::integer IS NULL OR ${order}.client_id = $clientId)
  AND ($productId::integer IS NULL OR ${order}.product_id = $productId)`;

// Only the rows of the page are valued. A supplier has the rows of the orders that it delivered a part of, and those that it was the last to try.
const partsStatement = `
WITH ended AS (
  SELECT o.*, kept_debit(o) AS kept, ${newestSupplier('o')} AS newest
    FROM orders o
   WHERE o.completed_at >= $from AND o.completed_at < $to AND ${isWanted('o')}
     AND ($currency::text IS NULL OR o.deduction_currency = $currency) AND ($status::text IS NULL OR o.status = $status)
     AND ($supplier::text IS NULL OR ${newestSupplier('o')} = $supplier
          OR EXISTS (SELECT FROM supplier_purchases p WHERE p.order_id = o.id AND p.supplier = $supplier))
   ORDER BY o.completed_at DESC, o.id DESC LIMIT $limit
), valued AS (
  SELECT ended.*, coalesce(bought.is_known, true) AS is_known, coalesce(bought.cost, 0) AS cost,
         CASE WHEN $supplier::text IS NULL THEN kept ELSE coalesce(kept * bought.units / nullif(delivered_quantity, 0), 0) END AS sold,
         CASE WHEN $supplier::text IS NULL OR newest = $supplier THEN 1 ELSE 0 END AS counts
    FROM ended LEFT JOIN LATERAL (
      SELECT sum(p.stored) AS units, count(*) = count(known.cost) AS is_known, sum(known.cost) AS cost
        FROM supplier_purchases p CROSS JOIN LATERAL valued_cost(
               ended.deduction_currency, ended.base_currency, ended.forex_rate, ended.sources, p.source_id,
               p.cost, p.cost_currency, p.cost_rate, p.cost_rate_is_reference, p.reversed_at) known
       WHERE p.order_id = ended.id AND (p.stored > 0 OR has_goods_apart(p.reference)) AND p.supplier = coalesce($supplier, p.supplier)) bought ON true
), part AS (
  SELECT 'ORDER' AS kind, completed_at AS at, id AS order_id, client_id, family, product_id, product_name, status,
         deduction_currency AS currency, counts AS ended, CASE WHEN replaces_order_id IS NULL THEN counts ELSE 0 END AS sales,
         CASE WHEN replaces_order_id IS NULL AND status = 'DELIVERED' THEN counts ELSE 0 END AS sales_delivered,
         CASE status WHEN 'DELIVERED' THEN counts ELSE 0 END AS delivered, CASE status WHEN 'FAILED' THEN counts ELSE 0 END AS failed,
         CASE status WHEN 'CANCELLED' THEN counts ELSE 0 END AS cancelled, sold, 0 AS refunded, 0 AS redeemed, 0 AS supplier_credits,
         CASE WHEN is_known THEN cost END AS cost, CASE WHEN is_known THEN sold - cost END AS margin,
         CASE WHEN is_known THEN 0 ELSE 1 END AS unknown
    FROM valued
  UNION ALL
  SELECT * FROM (
    SELECT CASE WHEN refunded <> 0 THEN 'REFUND' WHEN redeemed <> 0 THEN 'REDEMPTION' ELSE 'SUPPLIER_CREDIT' END, at, order_id,
           client_id, family, product_id, product_name, NULL, currency, 0, 0, 0, 0, 0, 0, 0, refunded, redeemed, supplier_credits, 0, 0, 0
      FROM ${creditLines} credit
     WHERE $supplier::text IS NULL AND $status::text IS NULL AND ${isWanted('credit')} AND ($currency::text IS NULL OR currency = $currency)
     ORDER BY at DESC, order_id DESC LIMIT $limit) credited
)
SELECT part.kind, part.at, part.order_id, part.client_id, client.name AS client, part.family, part.product_id, part.product_name, part.status,
       part.currency, part.ended, part.sales, part.sales_delivered, part.delivered, part.failed, part.cancelled, trim_scale(part.sold)::text AS sold,
       trim_scale(part.refunded)::text AS refunded, trim_scale(part.redeemed)::text AS redeemed,
       CASE WHEN $withCosts THEN trim_scale(part.supplier_credits)::text END AS supplier_credits,
       CASE WHEN $withCosts THEN trim_scale(part.cost)::text END AS cost,
       CASE WHEN $withCosts THEN trim_scale(part.margin)::text END AS margin,
       CASE WHEN $withCosts THEN part.unknown END AS orders_with_unknown_cost
  FROM part JOIN clients client ON client.id = part.client_id
 ORDER BY part.at DESC, part.order_id DESC LIMIT $limit`;

/** The newest parts of the period, at most `limit`. */
export function listReportParts(
  database: Database,
  { family, clientId, productId, supplier, currency, status, ...period }: PartsFilter,
) {
  return rows<ReportPart>(database, partsStatement, {
    ...period,
    ...givenOrNull({ family, clientId, productId, supplier, currency, status }),
  });
}

/** A purchase that a supplier charged. */
export const chargedPurchaseColumns = {
  order_id: number,
  reference: text,
  supplier: text,
  at: time,
  charged: text,
  currency: text,
};
export type ChargedPurchase = RowWith<typeof chargedPurchaseColumns>;

const chargedStatement = `
SELECT p.order_id, p.reference, p.supplier, o.completed_at AS at, trim_scale(p.cost)::text AS charged, p.cost_currency AS currency
  FROM orders o JOIN supplier_purchases p ON p.order_id = o.id
 WHERE o.completed_at >= $from AND o.completed_at < $to AND p.state = 'DELIVERED' AND p.cost IS NOT NULL
   AND p.supplier = coalesce($supplier, p.supplier) AND ($currency::text IS NULL OR p.cost_currency = $currency)
 ORDER BY o.completed_at DESC, p.reference LIMIT $limit`;

/** The purchases of the orders that ended in the period, with what the suppliers charged, the newest first. */
export function listChargedPurchases(
  database: Database,
  { from, to, supplier, currency, limit }: Pick<PartsFilter, 'from' | 'to' | 'supplier' | 'currency' | 'limit'>,
) {
  const binds = { from, to, supplier: supplier ?? null, currency: currency ?? null, limit };
  return rows<ChargedPurchase>(database, chargedStatement, binds);
}
