/** Purchases as they are stored, each with what its supplier needs to know about the order. */
import type { FailureCode } from '../../domain/orders/failure-codes';
import type { Family } from '../../domain/orders/families';
import type { OrderKey, PurchaseProgress } from '../../domain/orders/order-flow';
import { firstRow, rows, type Database } from '../database/database';

/**
 * READY: nothing that was sent can have run. SENT: it may have. PENDING: the supplier has it.
 * WITHDRAWN: it was not bought and will not be.
 */
export type PurchaseState = 'READY' | 'SENT' | 'PENDING' | 'DELIVERED' | 'REJECTED' | 'WITHDRAWN';

/** A purchase of which more may come. */
export const openStates = ['READY', 'SENT', 'PENDING'] as const satisfies readonly PurchaseState[];

export function isOpen({ state }: Pick<Purchase, 'state'>): boolean {
  return (openStates as readonly PurchaseState[]).includes(state);
}

/** Units of the purchases that are not stored yet. */
export function unitsMissing(purchases: readonly Purchase[]): number {
  return purchases.reduce((sum, { units, stored }) => sum + units - stored, 0);
}

/** A purchase with what its supplier needs to know about the order. */
export interface Purchase {
  reference: string;
  orderId: number;
  nonce: string;
  family: Family;
  firstUnit: number;
  units: number;
  /** Units of it that are stored. */
  stored: number;
  state: PurchaseState;
  /** Counts the claims to send it: a claim with an older number is lost. */
  attempt: number;
  /** The supplier has said once that it exists. */
  confirmed: boolean;
  supplierOrderId: string | null;
  failureCode: FailureCode | null;
  /** Milliseconds since it was last claimed, by the database's clock; null if it never was. */
  sentMsAgo: number | null;
  supplier: string;
  supplierSku: string;
  faceValue: string;
  currency: string;
  redeemable: boolean;
  sealedInput: Buffer | null;
  /** The order is on the attention list because its supplier could not be reached or rejected our account. */
  isListed: boolean;
}

/** What is read of a purchase `p`, and the join of its order. */
// What is read of a purchase `p` with its order.
export const purchaseColumns = `
  p.reference, p.order_id AS "orderId", p.first_unit AS "firstUnit", p.units, p.state, p.stored, p.attempt,
  p.confirmed, p.supplier_order_id AS "supplierOrderId", p.failure_code AS "failureCode",
  (extract(epoch FROM clock_timestamp() - p.sent_at) * 1000)::float8 AS "sentMsAgo",
  o.nonce, o.family, o.supplier, o.supplier_sku AS "supplierSku", o.unit_amount AS "faceValue",
  o.base_currency AS currency, t.sealed_input AS "sealedInput", coalesce(v.redeemable, false) AS redeemable,
  EXISTS (SELECT FROM attention a WHERE a.order_id = o.id AND a.cleared_at IS NULL
             AND a.kind IN ('SUPPLIER_BLOCKED', 'ANSWER_LOST')) AS "isListed"`;
// The order of a purchase `p` with what belongs to it.
export const orderJoin = `
  JOIN orders o ON o.id = p.order_id
  LEFT JOIN topup_orders t ON t.order_id = o.id
  LEFT JOIN voucher_products v ON v.id = o.product_id AND o.family = 'VOUCHER'`;

/** The purchase with the reference; undefined if there is none. */
export async function findPurchase(database: Database, reference: string): Promise<Purchase | undefined> {
  return firstRow<Purchase>(
    database,
    `SELECT ${purchaseColumns} FROM supplier_purchases p ${orderJoin} WHERE p.reference = $reference`,
    { reference },
  );
}

/** The order's purchases in one of the states; the one polled longest ago comes first. */
export async function listPurchases(
  database: Database,
  { orderId, nonce }: OrderKey,
  states: readonly PurchaseState[],
): Promise<Purchase[]> {
  return rows<Purchase>(
    database,
    `SELECT ${purchaseColumns} FROM supplier_purchases p ${orderJoin}
      WHERE p.order_id = $orderId AND o.nonce = $nonce AND p.state = ANY ($states) ORDER BY p.asked_at NULLS FIRST, p.batch`,
    { orderId, nonce, states },
  );
}

const progressStatement = `
SELECT o.quantity AS units, o.delivered_quantity AS delivered,
       count(*) FILTER (WHERE p.state = 'READY') AS ready,
       count(*) FILTER (WHERE p.state IN ('SENT', 'PENDING')) AS open,
       coalesce(bool_or(p.state = 'WITHDRAWN'), false) AS withdrawn,
       (array_agg(p.failure_code ORDER BY p.batch) FILTER (WHERE p.state = 'REJECTED'))[1] AS "failureCode"
  FROM orders o LEFT JOIN supplier_purchases p ON p.order_id = o.id
 WHERE o.id = $orderId AND o.nonce = $nonce GROUP BY o.id`;

/** Where all purchases of an order stand. Throws if there is no such order. */
export async function purchaseProgress(
  database: Database,
  { orderId, nonce }: OrderKey,
): Promise<PurchaseProgress> {
  const progress = await firstRow<PurchaseProgress>(database, progressStatement, { orderId, nonce });
  if (!progress) throw new Error(`There is no order ${orderId}`);
  return progress;
}
