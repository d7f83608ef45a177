/**
 * Refunds of orders: the automatic one of undelivered units, and refunds after delivery. The functions of
 * `schema/rules/kept-and-refunded-shares.sql` and `refunds-after-delivery.sql` decide and credit them. docs/decisions/0072-keep-refunds-after-delivery-as-rows.md.
 */
import { automaticReason, type RefundReason } from '../../domain/orders/refund-reasons';
import type { Family } from '../../domain/orders/families';
import type { Exact } from '../../domain/prices/money';
import { firstRow, oneRow, rows, type Database, type Transaction } from '../database/database';

/**
 * SQL: the credited refunds of the order `o`, all kinds, as `refund`. Reads no entry of an order that has none. Only `is_automatic`
 * is about the automatic refund alone.
 */
export const creditedRefunds = `
  LEFT JOIN LATERAL (
    SELECT sum(amount) AS amount, min(id) AS id, bool_or(kind = 'REFUND') AS is_automatic
      FROM transactions
     WHERE order_id = o.id AND kind IN ('REFUND', 'REFUND_AFTER')
       AND (o.status IN ('FAILED', 'CANCELLED') OR o.refund_count > 0)) refund ON true`;

/** A refund after delivery as its operator asks for it. */
export interface RequestedRefund {
  orderId: number;
  /** Unique for each order (`reference_key`): a repetition changes nothing. */
  reference: string;
  /** How much: units, one named gift card, or an amount in the wallet's currency, of the order or for one unit. */
  extent: { units: number } | { unit: number } | { amount: Exact } | { unit: number; amount: Exact };
  reasonCode: RefundReason;
  note: string | undefined;
  /** Whether the client's contact is mailed about the credit. */
  mail: boolean;
}

/** A row of `order_refunds` with its entry. */
export interface OrderRefund {
  order_id: number;
  number: number;
  reference: string;
  units: number | null;
  unit: number | null;
  /** The unit that it is for: the named one, that of its claim, or the only one. Null if it is for no unit in particular. */
  for_unit: number | null;
  amount: string;
  currency: string;
  reason_code: RefundReason;
  note: string | null;
  operator: string;
  /** Null while the refund waits. */
  transaction_id: number | null;
  created_at: Date;
}

const refundColumns = `
  refund.order_id, refund.number, refund.reference, refund.units, refund.unit, refund.for_unit, trim_scale(refund.amount)::text AS amount,
  o.deduction_currency AS currency, refund.reason_code, refund.note, refund.operator, refund.transaction_id, refund.created_at`;

const listStatement = `
  SELECT ${refundColumns} FROM order_refunds refund JOIN orders o ON o.id = refund.order_id
   WHERE refund.order_id = $orderId AND ($number::integer IS NULL OR refund.number = $number) ORDER BY refund.number`;

/** The refunds of the order after its delivery, also those that wait, oldest first. */
export function listOrderRefunds(database: Database, orderId: number) {
  return rows<OrderRefund>(database, listStatement, { orderId, number: null });
}

/** The values of a request as `request_refund` and `refund_order` take them. */
function bindsOf({ orderId, reference, extent, reasonCode, note, mail }: RequestedRefund) {
  return {
    orderId,
    reference,
    reasonCode,
    note: note ?? null,
    mail,
    units: 'units' in extent ? extent.units : null,
    unit: 'unit' in extent ? extent.unit : null,
    amount: 'amount' in extent ? extent.amount.toFixed() : null,
  };
}

const refundStatement = `
  SELECT refund_number AS number, is_new AS "isNew"
    FROM refund_order($orderId, $reference, $units, $unit, $amount, $reasonCode, $note, $mail)`;

/**
 * Refunds an ended order once for each reference, and credits the refund if the wallet is open. The database decides under the order's
 * lock: all refunds of an order are at most what it kept, each delivered unit is refunded once, and amounts for a unit are at most its value.
 * Throws with a sentence for the operator. `isNew`: false if an earlier call with the reference did it.
 */
export async function refundOrder(
  database: Database,
  refund: RequestedRefund,
): Promise<OrderRefund & { isNew: boolean }> {
  const { orderId } = refund;
  const { number, isNew } = await oneRow<{ number: number; isNew: boolean }>(
    database,
    refundStatement,
    bindsOf(refund),
  );
  return { ...(await oneRow<OrderRefund>(database, listStatement, { orderId, number })), isNew };
}

/** What is left to refund of an ended order. Amounts are decimal strings in the wallet's currency. */
export interface RefundableOrder {
  family: Family;
  client: string;
  status: string;
  isOver: boolean;
  currency: string;
  kept: string;
  /** What refunds and replacements took of it, and the number of their units. */
  settled: string;
  settledUnits: number;
  left: string;
  delivered: number;
  walletId: number;
  balance: string;
  isWalletClosed: boolean;
}

const refundableStatement = `
  SELECT o.family, client.name AS client, o.status, o.completed_at IS NOT NULL AS "isOver", o.deduction_currency AS currency,
         trim_scale(kept_debit(o))::text AS kept, trim_scale(settled.amount)::text AS settled,
         settled.units::integer AS "settledUnits", trim_scale(kept_debit(o) - settled.amount)::text AS left,
         o.delivered_quantity AS delivered, wallet.id AS "walletId", trim_scale(wallet.balance)::text AS balance,
         wallet.closed_at IS NOT NULL AS "isWalletClosed"
    FROM orders o JOIN clients client ON client.id = o.client_id JOIN wallets wallet ON wallet.id = o.wallet_id
   CROSS JOIN LATERAL settled_units(o.id) settled
   WHERE o.id = $orderId`;

/** What is left to refund; undefined if there is no order with the id. */
export function findRefundable(database: Database, orderId: number) {
  return firstRow<RefundableOrder>(database, refundableStatement, { orderId });
}

const unitSumsStatement = `
  SELECT trim_scale(price.sum)::text AS sum
    FROM orders o CROSS JOIN LATERAL settled_units(o.id) settled
   CROSS JOIN generate_series(1, o.delivered_quantity - settled.units - partly_refunded_units(o.id)) more
   CROSS JOIN LATERAL price_of_units(o, settled.of_units, settled.units, more::integer) price (sum)
   WHERE o.id = $orderId AND o.completed_at IS NOT NULL AND o.replaces_order_id IS NULL AND price.sum <= kept_debit(o) - settled.amount
   ORDER BY more`;

/** What one more unit is worth, two more, and so on, as `decide_refund` decides it, up to all that are left. */
export async function listUnitSums(database: Database, orderId: number): Promise<string[]> {
  return (await rows<{ sum: string }>(database, unitSumsStatement, { orderId })).map(({ sum }) => sum);
}

// Each refund that is due is on the attention list until it is credited.
const dueStatement = `
  SELECT carry_out_due_refund(due.order_id) FROM (
    SELECT entry.order_id FROM attention entry JOIN orders o ON o.id = entry.order_id
     WHERE entry.kind = 'REFUND_DUE' AND entry.cleared_at IS NULL AND o.wallet_id = $walletId ORDER BY entry.order_id) due`;

const waitingStatement = `
  SELECT carry_out_refund(waiting.order_id, waiting.number) FROM (
    SELECT refund.order_id, refund.number FROM order_refunds refund JOIN orders o ON o.id = refund.order_id
     WHERE refund.transaction_id IS NULL AND o.wallet_id = $walletId ORDER BY refund.order_id, refund.number) waiting`;

/** Credits every refund that waits for the wallet, automatic or after delivery, in the transaction that opens it. */
export async function creditWaitingRefunds(
  database: Database,
  walletId: number,
  transaction: Transaction,
): Promise<void> {
  for (const statement of [dueStatement, waitingStatement]) await rows(database, statement, { walletId }, transaction);
}

/** A credited refund as its client reads it. */
export interface CreditedRefund {
  /** The number of a refund after delivery; 0 for the automatic one. */
  id: number;
  amount: string;
  currency: string;
  units: number | null;
  reasonCode: RefundReason | typeof automaticReason;
  transactionId: number;
  createdAt: Date;
}

const creditedStatement = `
  SELECT coalesce(refund.number, 0) AS id, entry.amount, o.deduction_currency AS currency,
         CASE entry.kind WHEN 'REFUND' THEN o.quantity - o.delivered_quantity ELSE refund.units END AS units,
         coalesce(refund.reason_code, $automaticReason) AS "reasonCode", entry.id AS "transactionId",
         entry.created_at AS "createdAt"
    FROM transactions entry JOIN orders o ON o.id = entry.order_id
    LEFT JOIN order_refunds refund ON refund.transaction_id = entry.id
   WHERE entry.order_id = $orderId AND entry.kind IN ('REFUND', 'REFUND_AFTER')
   ORDER BY entry.id DESC`;

/** Every credited refund of the order, also the automatic one, newest first. */
export function listCreditedRefunds(database: Database, orderId: number) {
  return rows<CreditedRefund>(database, creditedStatement, { orderId, automaticReason });
}
