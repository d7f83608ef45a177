/**
 * Moves an order by the transition table: new state, what is due back to the wallet and the events,
 * in one statement, so that none of it is ever true without the rest.
 */
import type { AttentionKind } from '../../domain/attention';
import { type FailureCode } from '../../domain/failure-codes';
import type { Settled, Settlement } from '../../domain/order-flow';
import { isTerminal, statesBefore, type Family, type OrderStatus } from '../../domain/orders';
import { refundAmount } from '../../domain/pricing';
import { firstRow, type Database } from '../database';

/** The ledger entry that gives back an amount (parameter `amount`) for an order `o`. */
const refundEntry = (amount: string) => `
   post_entry(o.wallet_id, 'REFUND', 'CREDIT', ${amount}, o.id, 'order-' || o.id,
     'Refund of order ' || o.id || ': ' || o.product_name,
     CASE WHEN o.forex_rate IS NOT NULL THEN o.base_currency END,
     CASE WHEN o.forex_rate IS NOT NULL THEN o.deduction_currency END,
     o.forex_rate, CASE WHEN o.forex_rate IS NOT NULL THEN 0 END)`;

// Every purchase of the order is locked first, as a claim to send one does: the order does not end while
// one may still act, and what was not sent is closed with it. The wallet is locked only where money
// goes back. A closed wallet leaves the order failed, still debited, and on the operators' list.
const moveStatement = `
WITH purchase AS MATERIALIZED (
  SELECT reference, state FROM supplier_purchases WHERE order_id = $1 AND $2 <> 'PARTIALLY_DELIVERED'
   ORDER BY batch FOR UPDATE
), wallet AS (
  SELECT w.id, w.closed_at FROM wallets w JOIN orders o ON o.wallet_id = w.id
   WHERE o.id = $1 AND $6::numeric > 0 FOR UPDATE OF w
), moved AS (
  UPDATE orders o SET status = $2, failure_code = $4,
         completed_at = CASE WHEN $2 = 'PARTIALLY_DELIVERED' THEN NULL ELSE now() END
   WHERE o.id = $1 AND o.status = ANY ($3) AND o.delivered_quantity = $5
     AND (SELECT count(*) FROM purchase WHERE state IN ('SENT', 'PENDING')) = 0
  RETURNING o AS row
), closed AS (
  UPDATE supplier_purchases p SET state = 'WITHDRAWN', updated_at = now(),
         late_check_at = CASE WHEN p.attempt > 0 THEN clock_timestamp() + interval '1 minute' END
    FROM purchase, moved
   WHERE p.reference = purchase.reference AND purchase.state = 'READY' AND (moved.row).completed_at IS NOT NULL
), refund AS (
  SELECT posted.id FROM (SELECT (row).* FROM moved WHERE $6::numeric > 0) o
   CROSS JOIN LATERAL ${refundEntry('$6')} posted
), refund_due AS (
  INSERT INTO attention (kind, order_id, reason)
  SELECT 'REFUND_DUE', (row).id, 'Refund of ' || trim_scale($6) || ' ' || (row).deduction_currency
         || ' is due, but the wallet is closed'
    FROM moved WHERE (SELECT closed_at FROM wallet) IS NOT NULL
  RETURNING reason
), settled AS (
  UPDATE attention SET cleared_at = now(), mirrored = true
    FROM moved WHERE order_id = $1 AND cleared_at IS NULL AND kind = ANY ($7) AND (moved.row).completed_at IS NOT NULL
)
SELECT (moved.row).status, (moved.row).delivered_quantity AS delivered,
       (moved.row).sealed_email IS NOT NULL AS mail, write_order_event(moved.row) AS event_id,
       (SELECT count(*) FROM refund) AS refunds, (SELECT reason FROM refund_due) AS attention
  FROM moved`;

/** What an order no longer needs a person for once it has ended. */
const settledKinds: readonly AttentionKind[] = [
  'OUTCOME_UNKNOWN',
  'PURCHASE_OVERDUE',
  'SUPPLIER_BLOCKED',
  'ANSWER_LOST',
  'WORKFLOW_ENDED',
  'WORKFLOW_FAILING',
];

interface Standing {
  family: Family;
  status: OrderStatus;
  quantity: number;
  delivered: number;
  mail: boolean;
  attention: string | null;
  /** Decided when the order was placed: it was to fail. */
  failureCode: FailureCode | null;
  /** What was debited. */
  paid: string;
  currency: string;
  minorUnit: number;
}

const standingStatement = `
  SELECT o.family, o.status, o.quantity, o.delivered_quantity AS delivered, o.sealed_email IS NOT NULL AS mail,
         (SELECT reason FROM attention a WHERE a.order_id = o.id AND a.cleared_at IS NULL ORDER BY a.since LIMIT 1) AS attention,
         o.failure_code AS "failureCode", CASE WHEN o.transaction_id IS NULL THEN 0 ELSE o.total_payable END AS paid,
         c.code AS currency, c.minor_unit AS "minorUnit"
    FROM orders o JOIN currencies c ON c.code = o.deduction_currency WHERE o.id = $1`;

/**
 * Brings the order to its end: DELIVERED where every unit is there, else CANCELLED or FAILED with
 * what was not delivered credited to the wallet. Repeated, it changes nothing and tells how the
 * order stands. Decisions, "Orders": refund is exactly once.
 */
export async function settleOrder(
  database: Database,
  orderId: number,
  settlement: Settlement,
): Promise<Settled> {
  const order = await standing(database, orderId);
  if (isTerminal(order.status)) return settledAs(order);
  const to = endOf(order, settlement);
  const failureCode = order.failureCode ?? settlement.failureCode ?? null;
  const moved = await move(database, orderId, order, to, failureCode);
  if (!moved) throw new Error(`Order ${orderId} changed while it was settled`);
  return settledAs(moved);
}

/** How often a move is tried that goods coming at the same moment get in the way of. */
const MOST_TRIES = 20;

/**
 * Tells the client that part of a voucher order is there while the rest is still open. False where no
 * part is there yet; true where there is nothing more to tell.
 */
export async function markPartiallyDelivered(database: Database, orderId: number): Promise<boolean> {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const order = await standing(database, orderId);
    if (order.status !== 'PENDING' || order.delivered === order.quantity) return true;
    if (order.delivered === 0) return false;
    if (await move(database, orderId, order, 'PARTIALLY_DELIVERED', null)) return true;
  }
  throw new Error(`Order ${orderId} kept changing while it was marked as partially delivered`);
}

function settledAs({ status, delivered, mail, attention }: Settled): Settled {
  return { status, delivered, mail, attention };
}

async function standing(database: Database, orderId: number): Promise<Standing> {
  const row = await firstRow<Standing>(database, standingStatement, [orderId]);
  if (!row) throw new Error(`There is no order ${orderId}`);
  return row;
}

function endOf(order: Standing, settlement: Settlement): OrderStatus {
  if (order.delivered === order.quantity) return 'DELIVERED';
  return settlement.cancelled && order.delivered === 0 ? 'CANCELLED' : 'FAILED';
}

async function move(
  database: Database,
  orderId: number,
  order: Standing,
  to: OrderStatus,
  failureCode: FailureCode | null,
): Promise<Settled | undefined> {
  return firstRow<Settled>(database, moveStatement, [
    orderId,
    to,
    statesBefore(order.family, to),
    to === 'FAILED' ? (failureCode ?? 'UNKNOWN') : null,
    order.delivered,
    to === 'FAILED' || to === 'CANCELLED' ? refundDue(order) : '0',
    settledKinds,
  ]);
}

function refundDue(order: Standing): string {
  const currency = { code: order.currency, minorUnit: order.minorUnit };
  return refundAmount(order.paid, order.delivered, order.quantity, currency).toFixed();
}

const overdueStatement = `
WITH refund AS (
  SELECT o.id FROM (
    SELECT * FROM orders
     WHERE id = $1 AND NOT EXISTS (SELECT FROM transactions t WHERE t.order_id = $1 AND t.kind = 'REFUND')) o
   CROSS JOIN LATERAL ${refundEntry('$2')} posted
), cleared AS (
  UPDATE attention SET cleared_at = now(), mirrored = false FROM refund
   WHERE attention.order_id = refund.id AND kind = 'REFUND_DUE'
)
SELECT id FROM refund`;

/**
 * Credits the refund that could not be credited when the order ended, because its wallet was closed.
 * Returns the amount, a decimal string in the wallet's currency. Throws a sentence where none is due
 * or the wallet is still closed.
 */
export async function creditDeferredRefund(database: Database, orderId: number): Promise<string> {
  const order = await standing(database, orderId);
  if (order.status !== 'FAILED' && order.status !== 'CANCELLED') {
    throw new Error(`Order ${orderId} is ${order.status}: nothing is to be refunded`);
  }
  const amount = refundDue(order);
  if (Number(amount) === 0) throw new Error(`Order ${orderId} debited nothing that is to be refunded`);
  if (!(await firstRow(database, overdueStatement, [orderId, amount]))) {
    throw new Error(`Order ${orderId} is refunded already, or its wallet is closed: reopen it first`);
  }
  return amount;
}
