/** Incidents at suppliers: the entries of the attention list that they made, and the orders that they hit. */
import { incidentKinds, type IncidentEntry } from '../../domain/attention/incidents';
import type { Family } from '../../domain/orders/families';
import type { OrderStatus } from '../../domain/orders/order-states';
import { productNameSql } from '../catalogue/product-names';
import { oneRow, rows, type Database } from '../database/database';
import { isOpenAt } from '../orders/order-search';
import { newestSupplier } from '../purchases/purchase-reads';
import { number, oneOf, text, time, type RowWith } from '../../domain/row-columns';

/** The open entries that may belong to an incident, each with the supplier of its purchase. `supplier`: only those of this one. */
export function listIncidentEntries(database: Database, supplier?: string) {
  return rows<IncidentEntry>(
    database,
    `SELECT * FROM (
       SELECT entry.id, entry.kind, o.family, entry.since,
              coalesce(entry.supplier, (SELECT supplier FROM supplier_purchases WHERE reference = entry.reference),
                       ${newestSupplier('o')}) AS supplier
         FROM attention entry LEFT JOIN orders o ON o.id = entry.order_id
        WHERE entry.cleared_at IS NULL AND entry.kind = ANY ($kinds)) entry
      WHERE supplier = coalesce($supplier, supplier) ORDER BY since, id`,
    { kinds: [...incidentKinds], supplier: supplier ?? null },
  );
}

/** Which orders an incident hits: those with an open purchase at the supplier. */
export interface HitOrders {
  supplier: string;
  family: Family | null;
  /** Only orders whose purchase is overdue. */
  isLate: boolean;
}

/** SQL: whether the order `o` has an open entry about an overdue purchase. */
const isOverdue = `
  EXISTS (SELECT FROM attention WHERE order_id = o.id AND kind = 'PURCHASE_OVERDUE' AND cleared_at IS NULL)`;

/** The numbers of open orders and their clients, and what was debited for these orders in each currency. Amounts are decimal strings. */
export interface Hits {
  orders: number;
  clients: number;
  worth: { currency: string; amount: string }[];
}

const hitsStatement = `
WITH hit AS (
  SELECT o.client_id, o.deduction_currency AS currency, CASE WHEN o.transaction_id IS NULL THEN 0 ELSE o.total_payable END AS debited
    FROM orders o
   WHERE o.completed_at IS NULL AND ${isOpenAt} AND ($family::text IS NULL OR o.family = $family)
     AND (NOT $isLate OR ${isOverdue})
)
SELECT count(*) AS orders, count(DISTINCT client_id) AS clients,
       (SELECT coalesce(jsonb_agg(jsonb_build_object('currency', currency, 'amount', decimal_text(amount, currency)) ORDER BY currency), '[]')
          FROM (SELECT currency, sum(debited) AS amount FROM hit GROUP BY currency) of_currency) AS worth
  FROM hit`;

/** Counts the open orders that the incident hits. */
export function countHits(database: Database, hit: HitOrders): Promise<Hits> {
  return oneRow<Hits>(database, hitsStatement, { ...hit });
}

/** An order that a supplier keeps waiting, or that failed there. */
export const hitOrderColumns = {
  id: number,
  client_id: number,
  client: text,
  family: oneOf<Family>(),
  product_name: text,
  status: oneOf<OrderStatus>(),
  delivered: number,
  quantity: number,
  total_payable: text,
  currency: text,
  placed_at: time,
};
export type HitOrder = RowWith<typeof hitOrderColumns>;

/** The part of the list of orders that are hit. An undefined condition matches every order. */
export interface HitPart {
  supplier: string;
  family?: Family | undefined;
  /** Of the open orders, only those whose purchase is overdue. */
  isLate: boolean;
  /** Also the orders that failed or were cancelled from then on. */
  since?: Date | undefined;
  /** Only orders behind this one. */
  after?: number | undefined;
  limit: number;
}

const boughtThere = `EXISTS (SELECT FROM supplier_purchases p WHERE p.order_id = o.id AND p.supplier = $supplier)`;

const hitOrdersStatement = `
WITH hit AS (
  SELECT o.id FROM orders o WHERE o.completed_at IS NULL AND ${isOpenAt} AND (NOT $isLate OR ${isOverdue})
  UNION ALL
  SELECT o.id FROM orders o WHERE o.completed_at >= $since AND o.status IN ('FAILED', 'CANCELLED') AND ${boughtThere}
)
SELECT o.id, o.client_id, client.name AS client, o.family, o.product_name, o.status, o.delivered_quantity AS delivered, o.quantity,
       decimal_text(o.total_payable, o.deduction_currency) AS total_payable, o.deduction_currency AS currency, o.placed_at
  FROM hit JOIN orders o USING (id) JOIN clients client ON client.id = o.client_id
 WHERE ($family::text IS NULL OR o.family = $family)
   AND ($after::bigint IS NULL OR (o.completed_at IS NOT NULL, -o.id) > (SELECT completed_at IS NOT NULL, -id FROM orders WHERE id = $after))
 ORDER BY o.completed_at IS NOT NULL, o.id DESC LIMIT $limit`;

/** The orders that wait for the supplier, then those that failed there. The newest come first among both. */
export function listHitOrders(database: Database, { family, since, after, ...part }: HitPart) {
  const binds = { ...part, family: family ?? null, since: since ?? null, after: after ?? null };
  return rows<HitOrder>(database, hitOrdersStatement, binds);
}

/** A product that a supplier alone can deliver. */
export interface OnlyThere {
  family: Family;
  product_id: number;
  product_name: string;
}

const soldItems = `
  SELECT source.family, source.supplier, source.item_id AS product_id FROM product_sources source WHERE source.active AND source.family = 'VOUCHER'
  UNION ALL
  SELECT source.family, source.supplier, variant.product_id FROM product_sources source JOIN topup_variants variant ON variant.id = source.item_id
   WHERE source.active AND source.family = 'TOPUP' AND variant.active
  UNION ALL
  SELECT source.family, source.supplier, variant.product_id FROM product_sources source JOIN esim_variants variant ON variant.id = source.item_id
   WHERE source.active AND source.family = 'ESIM' AND variant.active`;

const onlyThereStatement = `
SELECT sold.family, sold.product_id, ${productNameSql('sold.family', 'sold.product_id')} AS product_name
  FROM (${soldItems}) sold
 GROUP BY sold.family, sold.product_id HAVING bool_and(sold.supplier = $supplier)
 ORDER BY sold.family, sold.product_id LIMIT $limit`;

/** The products whose only active sources are at the supplier, at most `limit`. */
export function listOnlyThere(database: Database, supplier: string, limit: number) {
  return rows<OnlyThere>(database, onlyThereStatement, { supplier, limit });
}
