/**
 * Orders under review: placed and debited, but nothing is bought before an operator releases them. Their purchases are HELD, which no
 * claim takes. docs/decisions/0068-hold-orders-by-holding-their-purchases.md.
 */
import type { Family } from '../../domain/orders/families';
import type { Held, OrderKey } from '../../domain/orders/order-messages';
import type { Candidate } from '../../domain/orders/sources';
import type { Binds } from '../database/binds';
import { firstRow, hasRow, rows, type Database } from '../database/database';
import { ordersOfStop } from './stopped-orders';
import { newestSupplier } from '../purchases/purchase-reads';

/** The review of the order; null if it is not under review. */
export async function findHeld(database: Database, orderId: number): Promise<Held | null> {
  const row = await firstRow<{ held: Held | null }>(database, 'SELECT held FROM orders WHERE id = $orderId', {
    orderId,
  });
  return row?.held ?? null;
}

/** What an order under review buys. Amounts are decimal strings. */
export interface HeldOrder {
  clientId: number;
  family: Family;
  productId: number;
  /** The variant of a top-up or eSIM; the product of a voucher. */
  itemId: number;
  walletCurrency: string;
  /** The face value of one unit. */
  faceValue: string;
  quantity: number;
  /** The price of one unit, in the wallet's currency. */
  unitPrice: string;
  /** The units of its largest purchase. */
  largestPurchase: number;
  /** The order whose eSIM gets the plan, and the supplier of this eSIM; null if the order recharges none. */
  rechargesOrderId: number | null;
  profileSupplier: string | null;
}

/** SQL: what the order recharges, from its detail row `e`. */
export const rechargedColumns = `
  e.recharges_order_id AS "rechargesOrderId",
  CASE WHEN e.recharges_order_id IS NOT NULL THEN (
    SELECT ${newestSupplier('profile')} FROM orders profile WHERE profile.id = e.recharges_order_id) END AS "profileSupplier"`;

const heldOrderStatement = `
  SELECT o.client_id AS "clientId", o.family, o.product_id AS "productId",
         coalesce(t.variant_id, e.variant_id, o.product_id) AS "itemId", o.deduction_currency AS "walletCurrency",
         o.unit_amount AS "faceValue", o.quantity, (o.total_payable / o.quantity)::text AS "unitPrice",
         (SELECT max(units) FROM supplier_purchases p WHERE p.order_id = o.id AND p.state = 'HELD') AS "largestPurchase",
         ${rechargedColumns}
    FROM orders o LEFT JOIN topup_orders t ON t.order_id = o.id LEFT JOIN esim_orders e ON e.order_id = o.id
   WHERE o.id = $orderId AND o.nonce = $nonce AND o.held IS NOT NULL`;

/** The order, if it is under review. */
export function findHeldOrder(database: Database, { orderId, nonce }: OrderKey) {
  return firstRow<HeldOrder>(database, heldOrderStatement, { orderId, nonce });
}

// After a restore, a held purchase may have been released and sent in the gap. Such a purchase has an attempt: it keeps its source
// and is looked up before it is sent.
const releaseStatement = `
WITH purchase AS MATERIALIZED (
  SELECT reference, attempt FROM supplier_purchases WHERE order_id = $orderId AND state = 'HELD' ORDER BY batch FOR UPDATE
), released AS (
  UPDATE orders
     SET held = NULL, sources = CASE WHEN EXISTS (SELECT FROM purchase WHERE attempt > 0) THEN sources ELSE $sources::jsonb END
   WHERE id = $orderId AND nonce = $nonce AND held IS NOT NULL AND completed_at IS NULL
     AND coalesce((SELECT may_recharge(e.recharges_order_id, orders.wallet_id) FROM esim_orders e
                    WHERE e.order_id = orders.id AND e.recharges_order_id IS NOT NULL), true)
  RETURNING id, sources
), sent AS (
  UPDATE supplier_purchases p
     SET state = CASE purchase.attempt WHEN 0 THEN 'READY' ELSE 'SENT' END, source_id = first.id, supplier = first.supplier,
         sku = first.sku, data = nullif(first.data, 'null'), why = first.why, updated_at = now()
    FROM purchase, released
   CROSS JOIN LATERAL jsonb_to_record(released.sources->0) AS first (id integer, supplier text, sku text, data jsonb, why text)
   WHERE p.reference = purchase.reference
)
SELECT id FROM released`;

/**
 * Ends the review: the purchases become READY at the first of the sources, each of which must take as many units as the largest
 * purchase. False if the order is not under review, or recharges an eSIM that cannot be recharged any more.
 */
export function releaseHeldOrder(
  database: Database,
  { orderId, nonce }: OrderKey,
  sources: readonly Candidate[],
): Promise<boolean> {
  return hasRow(database, releaseStatement, { orderId, nonce, sources: JSON.stringify(sources) });
}

// The purchases are locked first, as a claim does. An order of which one was ever sent stays as it is.
const holdStatement = (which: string, more = '') => `
WITH purchase AS MATERIALIZED (
  SELECT p.reference, p.order_id, p.state, p.attempt FROM supplier_purchases p JOIN orders o ON o.id = p.order_id
   WHERE ${which} AND o.completed_at IS NULL
   ORDER BY p.order_id, p.batch FOR UPDATE OF p
), unsent AS (
  SELECT order_id FROM purchase GROUP BY order_id HAVING bool_and(state = 'READY' AND attempt = 0)
), held AS (
  UPDATE orders SET held = held_for($because, $hours)${more} FROM unsent WHERE id = unsent.order_id AND completed_at IS NULL
  RETURNING id
)
UPDATE supplier_purchases p SET state = 'HELD', updated_at = now()
  FROM held WHERE p.order_id = held.id RETURNING p.order_id AS "orderId"`;

const holdOfClient = holdStatement('o.client_id = $clientId');
const holdOfStop = holdStatement(
  `o.id IN (SELECT order_id FROM (${ordersOfStop('$stopId')}) of_stop WHERE is_unsent)`,
  ` || jsonb_build_object('stop', $stopId::integer)`,
);

/** Why orders are held, and for how long. */
interface Review {
  because: string;
  hours: number;
}

/** Holds the client's open orders of which no purchase was ever sent. Returns their number. */
export async function holdOrdersOf(database: Database, clientId: number, review: Review): Promise<number> {
  return heldBy(database, holdOfClient, { clientId, ...review });
}

/** Holds the open orders of what the stop covers of which no purchase was ever sent. Returns their number. */
export async function holdOrdersOfStop(database: Database, stopId: number, review: Review): Promise<number> {
  return heldBy(database, holdOfStop, { stopId, ...review });
}

async function heldBy(database: Database, sql: string, binds: Binds): Promise<number> {
  const held = await rows<{ orderId: number }>(database, sql, binds);
  return new Set(held.map(({ orderId }) => orderId)).size;
}
