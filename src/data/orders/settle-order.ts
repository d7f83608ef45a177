/**
 * Settles orders: one statement sets the status by the table of transitions, posts the refund and writes the events. If one report
 * delivers a whole order, the statement that stores it settles the order, too (`../purchases/families/family-storage.ts`).
 */
import type { AttentionKind } from '../../domain/attention/attention-kinds';
import type { FailureCode } from '../../domain/orders/failure-codes';
import { endOf, type OrderStart, type Refund, type Settled, type Settlement } from '../../domain/orders/order-messages';
import { hiddenSuccessors } from '../purchases/successors';
import { isTerminal, statesBefore, type OrderStatus } from '../../domain/orders/order-states';
import type { Family } from '../../domain/orders/families';
import { timeAt } from '../../domain/time';
import { firstRow, oneRow, type Database } from '../database/database';

/** The attention kinds that the end of an order clears. */
const settledKinds: readonly AttentionKind[] = [
  'OUTCOME_UNKNOWN',
  'PURCHASE_OVERDUE',
  'SUPPLIER_BLOCKED',
  'ANSWER_LOST',
  'WORKFLOW_ENDED',
  'WORKFLOW_FAILING',
  'UNDER_REVIEW',
];
const settledKindsInSql = settledKinds.map((kind) => `'${kind}'`).join(', ');

/** SQL: the common table that clears the attention entries that the end of the order in `moved` settles. */
const clearSettled = (orderId: string) => `settled AS (
  UPDATE attention SET cleared_at = now(), mirrored = true
    FROM moved
   WHERE order_id = ${orderId} AND cleared_at IS NULL AND kind IN (${settledKindsInSql})
     AND (moved.row).completed_at IS NOT NULL
)`;

/** SQL: why the order in `moved` stays on the attention list; null if it does not. */
const openReason = (orderId: string) => `
  (SELECT reason FROM attention
    WHERE order_id = ${orderId} AND cleared_at IS NULL
      AND ((moved.row).completed_at IS NULL OR kind NOT IN (${settledKindsInSql}))
    ORDER BY since, id LIMIT 1)`;

// Moves an order to a status, with its refund and its event. Returns no row if status or delivered units differ from those
// that were read, if units are missing for DELIVERED, or if a purchase may still run or is held.
// docs/decisions/0009-close-an-ended-order-everywhere.md.
//
// Why this shape: it locks every purchase first, as a claim does, so that either the claim or the end sees the other. It closes
// unsent purchases with the order. It locks the wallet only for a refund. If the wallet is closed, the order ends without the
// refund and is listed for attention.
// Rejected: several statements in a transaction (docs/decisions/0005-place-an-order-with-one-statement.md), and a refund computed
// before the move, because the refund must follow from the moved row.
const changeStatement = `
-- plan: supplier_purchases_order_id_batch_key, orders_pkey, attention_of_order
WITH purchase AS MATERIALIZED (
  SELECT reference, state, batch, first_unit, supplier FROM supplier_purchases
   WHERE order_id = $orderId AND $status <> 'PARTIALLY_DELIVERED'
   ORDER BY batch FOR UPDATE
), wallet AS (
  SELECT w.closed_at FROM wallets w JOIN orders o ON o.wallet_id = w.id
   WHERE o.id = $orderId AND $status IN ('FAILED', 'CANCELLED') AND refund_due(o) > 0 FOR UPDATE OF w
), moved AS (
  UPDATE orders o SET status = $status, failure_code = $failureCode, held = NULL,
         completed_at = CASE WHEN $status = 'PARTIALLY_DELIVERED' THEN NULL ELSE now() END
   WHERE o.id = $orderId AND o.status = ANY ($statusesBefore) AND o.delivered_quantity = $delivered
     AND ($status <> 'DELIVERED' OR o.delivered_quantity = o.quantity)
     AND (SELECT count(*) FROM purchase WHERE state IN ('HELD', 'SENT', 'PENDING')) = 0
     AND NOT EXISTS (${hiddenSuccessors})
  RETURNING o AS row
), closed AS (
  UPDATE supplier_purchases p SET state = 'WITHDRAWN', updated_at = now(),
         late_check_at = CASE WHEN p.attempt > 0 THEN clock_timestamp() + interval '1 minute' END
    FROM purchase, moved
   WHERE p.reference = purchase.reference AND purchase.state = 'READY' AND (moved.row).completed_at IS NOT NULL
), refund AS (
  SELECT posted.id FROM (SELECT row FROM moved WHERE (row).status IN ('FAILED', 'CANCELLED')) failed
   CROSS JOIN LATERAL post_refund(failed.row) posted
), deferred AS (
  INSERT INTO attention (kind, order_id, reason)
  SELECT 'REFUND_DUE', (row).id, 'Refund of ' || trim_scale(refund_due(row)) || ' ' || (row).deduction_currency
         || ' is due, but the wallet is closed'
    FROM moved WHERE (SELECT closed_at FROM wallet) IS NOT NULL
  RETURNING reason
), ${clearSettled('$orderId')}
SELECT (moved.row).status, (moved.row).delivered_quantity AS delivered, (moved.row).failure_code AS "failureCode",
       (moved.row).sealed_email IS NOT NULL AS mail, write_order_event(moved.row) AS event_id,
       coalesce((SELECT reason FROM deferred), ${openReason('$orderId')}) AS attention,
       trim_scale(refund_due(moved.row)) AS "refundDue", (moved.row).deduction_currency AS currency,
       (moved.row).wallet_id AS "walletId", (moved.row).client_id AS "clientId",
       coalesce((SELECT supplier FROM purchase ORDER BY batch DESC LIMIT 1), '') AS supplier,
       (moved.row).product_id AS "productId", (moved.row).completed_at AS "completedAt",
       CASE WHEN (moved.row).status IN ('FAILED', 'CANCELLED') THEN (SELECT count(*) FROM refund) > 0 END AS refunded
  FROM moved`;

/** SQL: the common tables and the value by which a statement that ends delivered orders as `moved` does the rest, and returns it. */
export const deliveredEnd = {
  tables: clearSettled('(moved.row).id'),
  /** A `DeliveredEnd`; null if `moved` is empty. Writes the event of the end. */
  value: `
  (SELECT jsonb_build_object('event', write_order_event(moved.row), 'mail', (moved.row).sealed_email IS NOT NULL,
            'attention', ${openReason('(moved.row).id')}, 'clientId', (moved.row).client_id,
            'productId', (moved.row).product_id, 'completedAtMs', floor(extract(epoch FROM (moved.row).completed_at) * 1000))
     FROM moved)`,
};

/** The end of a delivered order as JSON. */
export interface DeliveredEnd {
  mail: boolean;
  attention: string | null;
  clientId: number;
  productId: number;
  /** Milliseconds since 1970. */
  completedAtMs: number;
}

/** The end of an order whose ordered `units` one purchase at the `supplier` has delivered. */
export function endByDelivery(
  { mail, attention, clientId, productId, completedAtMs }: DeliveredEnd,
  { units, supplier }: { units: number; supplier: string },
): Ended {
  return {
    status: 'DELIVERED',
    delivered: units,
    mail,
    attention,
    failureCode: null,
    refund: null,
    endedNow: { clientId, supplier, productId, completedAt: timeAt(completedAtMs) },
  };
}

/** The end of an order. `endedNow`: present if this call ended it. */
export interface Ended extends Settled {
  endedNow?: EndedOrder;
}

/** The client and the goods of an order that has just ended. */
export interface EndedOrder {
  clientId: number;
  supplier: string;
  productId: number;
  completedAt: Date;
}

interface OrderState extends Omit<Settled, 'refund'> {
  family: Family;
  quantity: number;
  /** If it is set before the end, the order was placed to fail. */
  failureCode: FailureCode | null;
  /** The refund if it failed now: a decimal string in the wallet's currency. */
  refundDue: string;
  currency: string;
  walletId: number;
  /** Whether the refund was credited; null if the order neither failed nor was cancelled. */
  refunded: boolean | null;
}

const orderStateStatement = `
  SELECT family, status, quantity, delivered_quantity AS delivered, sealed_email IS NOT NULL AS mail,
         (SELECT reason FROM attention
           WHERE order_id = o.id AND cleared_at IS NULL ORDER BY since, id LIMIT 1) AS attention,
         failure_code AS "failureCode", trim_scale(refund_due(o)) AS "refundDue",
         deduction_currency AS currency, wallet_id AS "walletId",
         CASE WHEN status IN ('FAILED', 'CANCELLED')
              THEN EXISTS (SELECT FROM transactions t WHERE t.order_id = o.id AND t.kind = 'REFUND') END AS refunded
    FROM orders o WHERE id = $orderId`;

/**
 * Ends the order as DELIVERED without reading it first. If it has ended, or its ordered or delivered units differ from `units`,
 * changes nothing and returns undefined: then use `settleOrder`.
 */
export async function settleDelivered(
  database: Database,
  { orderId, family }: Pick<OrderStart, 'orderId' | 'family'>,
  units: number,
): Promise<Ended | undefined> {
  const moved = await changeStatus(database, orderId, { family, delivered: units }, 'DELIVERED', null);
  return moved && { ...settledAs(moved), endedNow: endedOrder(moved) };
}

/**
 * Ends the order: DELIVERED if every unit was delivered, else CANCELLED or FAILED with a refund of the undelivered units.
 * Repeated, it changes nothing and returns the state of the order. The refund is posted exactly once.
 * docs/decisions/0002-make-the-ledger-append-only.md.
 */
export async function settleOrder(database: Database, orderId: number, settlement: Settlement): Promise<Ended> {
  const order = await readOrderState(database, orderId);
  if (isTerminal(order.status)) return settledAs(order);
  const to = endOf(order, settlement);
  const failureCode = order.failureCode ?? settlement.failureCode ?? null;
  const moved = await changeStatus(database, orderId, order, to, failureCode);
  if (!moved) throw new Error(`Order ${orderId} changed while it was settled`);
  return { ...settledAs(moved), endedNow: endedOrder(moved) };
}

/** The maximum number of attempts to move an order during concurrent deliveries. */
const MAX_ATTEMPTS = 20;

/** Marks an open voucher order as partially delivered, which notifies the client. Returns false if no unit was delivered yet. */
export async function markPartiallyDelivered(database: Database, orderId: number): Promise<boolean> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const order = await readOrderState(database, orderId);
    if (order.status !== 'PENDING' || order.delivered === order.quantity) return true;
    if (order.delivered === 0) return false;
    if (await changeStatus(database, orderId, order, 'PARTIALLY_DELIVERED', null)) return true;
  }
  throw new Error(`Order ${orderId} kept changing while it was marked as partially delivered`);
}

function settledAs(order: StoredEnd): Settled {
  const { status, delivered, mail, attention } = order;
  const failureCode = status === 'FAILED' ? order.failureCode : null;
  return { status, delivered, mail, attention, failureCode, refund: refundOf(order) };
}

function refundOf({ refundDue: amount, currency, walletId, refunded }: StoredEnd): Refund | null {
  if (refunded === null || Number(amount) === 0) return null;
  return { amount, currency, walletId, credited: refunded };
}

async function readOrderState(database: Database, orderId: number): Promise<OrderState> {
  const row = await firstRow<OrderState>(database, orderStateStatement, { orderId });
  if (!row) throw new Error(`There is no order ${orderId}`);
  return row;
}

/** The end of an order as a statement returns it. */
type StoredEnd = Omit<OrderState, 'family' | 'quantity'>;

type ChangedOrder = StoredEnd & EndedOrder;

function endedOrder({ clientId, supplier, productId, completedAt }: ChangedOrder): EndedOrder {
  return { clientId, supplier, productId, completedAt };
}

function changeStatus(
  database: Database,
  orderId: number,
  { family, delivered }: Pick<OrderState, 'family' | 'delivered'>,
  to: OrderStatus,
  failureCode: FailureCode | null,
) {
  return firstRow<ChangedOrder>(database, changeStatement, {
    orderId,
    status: to,
    statusesBefore: statesBefore(family, to),
    failureCode: to === 'FAILED' ? (failureCode ?? 'UNKNOWN') : null,
    delivered,
  });
}

/** Credits the due refund of an ended order if its wallet is open. Returns the state of the order. */
export async function creditRefundIfOpen(database: Database, orderId: number): Promise<Settled> {
  const order = settledAs(await readOrderState(database, orderId));
  if (order.refund === null || order.refund.credited) return order;
  await carryOutDueRefund(database, orderId);
  return settledAs(await readOrderState(database, orderId));
}

/** Credits the refund. False if it is credited already, also by a concurrent call, or if the wallet is closed. */
async function carryOutDueRefund(database: Database, orderId: number): Promise<boolean> {
  const statement = 'SELECT carry_out_due_refund($orderId) AS "isCredited"';
  return (await oneRow<{ isCredited: boolean }>(database, statement, { orderId })).isCredited;
}

/**
 * Credits the refund of an order whose wallet was closed when it ended. Returns the amount, a decimal string in the wallet's
 * currency. Throws if no refund is due or the wallet is still closed.
 */
export async function creditDeferredRefund(database: Database, orderId: number): Promise<string> {
  const { status, refundDue } = await readOrderState(database, orderId);
  if (status !== 'FAILED' && status !== 'CANCELLED') {
    throw new Error(
      `Order ${orderId} is ${status}: no refund is due. To refund delivered goods, give the units or an amount`,
    );
  }
  if (Number(refundDue) === 0) throw new Error(`Order ${orderId} debited nothing that is to be refunded`);
  if (!(await carryOutDueRefund(database, orderId))) {
    throw new Error(`Order ${orderId} is refunded already, or its wallet is closed: reopen it first`);
  }
  return refundDue;
}
