/**
 * Moves an order by the transition table: new state, what is due back to the wallet and the events,
 * in one statement, so that none of it is ever true without the rest.
 */
import type { AttentionKind } from '../../domain/operations/attention-kinds';
import type { FailureCode } from '../../domain/orders/failure-codes';
import {
  endOf,
  type OrderStart,
  type Refund,
  type Settled,
  type Settlement,
} from '../../domain/orders/order-flow';
import { isTerminal, statesBefore, type Family } from '../../domain/orders/families';
import type { OrderStatus } from '../../domain/orders/orders';
import { firstRow, type Database } from '../database/database';
import { readSql } from '../database/statement-text';

const moveStatement = readSql('orders/statements/settle-order.sql');

/** What an order no longer needs a person for once it has ended. */
const settledKinds: readonly AttentionKind[] = [
  'OUTCOME_UNKNOWN',
  'PURCHASE_OVERDUE',
  'SUPPLIER_BLOCKED',
  'ANSWER_LOST',
  'WORKFLOW_ENDED',
  'WORKFLOW_FAILING',
];

/** How an order ended, and whether it did so just now. */
export interface Ended extends Settled {
  moved: boolean;
}

interface OrderState extends Omit<Settled, 'refund'> {
  family: Family;
  quantity: number;
  /** Before the order has ended: decided when it was placed, it was to fail. */
  failureCode: FailureCode | null;
  /** What goes back to the wallet should it fail as it stands: a decimal string in its currency. */
  refundDue: string;
  currency: string;
  walletId: number;
  /** It was credited; null where the order neither failed nor was cancelled. */
  refunded: boolean | null;
}

const orderStateStatement = `
  SELECT family, status, quantity, delivered_quantity AS delivered, sealed_email IS NOT NULL AS mail,
         (SELECT reason FROM attention
           WHERE order_id = o.id AND cleared_at IS NULL ORDER BY since LIMIT 1) AS attention,
         failure_code AS "failureCode", trim_scale(refund_due(o)) AS "refundDue",
         deduction_currency AS currency, wallet_id AS "walletId",
         CASE WHEN status IN ('FAILED', 'CANCELLED')
              THEN EXISTS (SELECT FROM transactions t WHERE t.order_id = o.id AND t.kind = 'REFUND') END AS refunded
    FROM orders o WHERE id = $orderId`;

/**
 * Brings the order to its end as DELIVERED, without reading it first: the statement sees whether all its units are there, and
 * they are so many. Undefined, and nothing has changed, where that is not so or the order has ended: see `settleOrder`.
 */
export async function settleDelivered(
  database: Database,
  { orderId, family }: Pick<OrderStart, 'orderId' | 'family'>,
  units: number,
): Promise<Ended | undefined> {
  const moved = await move(database, orderId, { family, delivered: units }, 'DELIVERED', null);
  return moved && { ...settledAs(moved), moved: true };
}

/**
 * Brings the order to its end: DELIVERED where every unit is there, else CANCELLED or FAILED with
 * what was not delivered credited to the wallet. Repeated, it changes nothing and tells how the
 * order stands. Refund is exactly once: docs/decisions/0002-make-the-ledger-append-only.md.
 */
export async function settleOrder(
  database: Database,
  orderId: number,
  settlement: Settlement,
): Promise<Ended> {
  const order = await readOrderState(database, orderId);
  if (isTerminal(order.status)) return { ...settledAs(order), moved: false };
  const to = endOf(order, settlement);
  const failureCode = order.failureCode ?? settlement.failureCode ?? null;
  const moved = await move(database, orderId, order, to, failureCode);
  if (!moved) throw new Error(`Order ${orderId} changed while it was settled`);
  return { ...settledAs(moved), moved: true };
}

/** How often a move is tried that goods coming at the same moment get in the way of. */
const MAX_ATTEMPTS = 20;

/**
 * Tells the client that part of a voucher order is there while the rest is still open. False if no
 * part is there yet; true if there is nothing more to tell.
 */
export async function markPartiallyDelivered(database: Database, orderId: number): Promise<boolean> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const order = await readOrderState(database, orderId);
    if (order.status !== 'PENDING' || order.delivered === order.quantity) return true;
    if (order.delivered === 0) return false;
    if (await move(database, orderId, order, 'PARTIALLY_DELIVERED', null)) return true;
  }
  throw new Error(`Order ${orderId} kept changing while it was marked as partially delivered`);
}

function settledAs(order: Moved): Settled {
  const { status, delivered, mail, attention } = order;
  const failureCode = status === 'FAILED' ? order.failureCode : null;
  return { status, delivered, mail, attention, failureCode, refund: refundOf(order) };
}

function refundOf({ refundDue: amount, currency, walletId, refunded }: Moved): Refund | null {
  if (refunded === null || Number(amount) === 0) return null;
  return { amount, currency, walletId, credited: refunded };
}

async function readOrderState(database: Database, orderId: number): Promise<OrderState> {
  const row = await firstRow<OrderState>(database, orderStateStatement, { orderId });
  if (!row) throw new Error(`There is no order ${orderId}`);
  return row;
}

/** An order as it was moved. */
type Moved = Omit<OrderState, 'family' | 'quantity'>;

async function move(
  database: Database,
  orderId: number,
  { family, delivered }: Pick<OrderState, 'family' | 'delivered'>,
  to: OrderStatus,
  failureCode: FailureCode | null,
): Promise<Moved | undefined> {
  return firstRow<Moved>(database, moveStatement, {
    orderId,
    status: to,
    statusesBefore: statesBefore(family, to),
    failureCode: to === 'FAILED' ? (failureCode ?? 'UNKNOWN') : null,
    delivered,
    settledKinds,
  });
}

const deferredRefundStatement = `
WITH unrefunded AS MATERIALIZED (
  SELECT o AS row FROM orders o
   WHERE o.id = $orderId AND NOT EXISTS (SELECT FROM transactions t WHERE t.order_id = o.id AND t.kind = 'REFUND')
), refund AS (
  SELECT (row).id FROM unrefunded CROSS JOIN LATERAL post_refund(row)
), cleared AS (
  UPDATE attention SET cleared_at = now(), mirrored = false FROM refund
   WHERE attention.order_id = refund.id AND kind = 'REFUND_DUE'
)
SELECT id FROM refund`;

/** Credits the refund of an order that has ended if that is due and its wallet is open. Returns how the order stands. */
export async function creditRefundIfOpen(database: Database, orderId: number): Promise<Settled> {
  const order = settledAs(await readOrderState(database, orderId));
  if (order.refund === null || order.refund.credited) return order;
  await firstRow(database, deferredRefundStatement, { orderId });
  return settledAs(await readOrderState(database, orderId));
}

/**
 * Credits the refund that could not be credited when the order ended, because its wallet was closed.
 * Returns the amount, a decimal string in the wallet's currency. Throws a sentence if none is due
 * or the wallet is still closed.
 */
export async function creditDeferredRefund(database: Database, orderId: number): Promise<string> {
  const { status, refundDue } = await readOrderState(database, orderId);
  if (status !== 'FAILED' && status !== 'CANCELLED') {
    throw new Error(`Order ${orderId} is ${status}: nothing is to be refunded`);
  }
  if (Number(refundDue) === 0) throw new Error(`Order ${orderId} debited nothing that is to be refunded`);
  if (!(await firstRow(database, deferredRefundStatement, { orderId }))) {
    throw new Error(`Order ${orderId} is refunded already, or its wallet is closed: reopen it first`);
  }
  return refundDue;
}
