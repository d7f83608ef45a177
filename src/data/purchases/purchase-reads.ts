/** The stored purchases, each with the data of its order for the supplier. */
import type { FailureCode } from '../../domain/orders/failure-codes';
import type { Family } from '../../domain/orders/families';
import { MAX_SUMMARIES, type FulfilmentReport, type OrderKey } from '../../domain/orders/order-messages';
import type { Candidate, SourceData } from '../../domain/orders/sources';
import { firstRow, hasRow, rows, type Database } from '../database/database';

/**
 * HELD: no request for it can run, because the order is under review. READY: no request for it can have run. SENT: a request may have run. PENDING: the supplier has accepted it. WITHDRAWN: it was
 * not bought and will not be. REPLACED: nothing was bought, and another purchase of the same units has its own state.
 */
export type PurchaseState = 'HELD' | 'READY' | 'SENT' | 'PENDING' | 'DELIVERED' | 'REJECTED' | 'WITHDRAWN' | 'REPLACED';

/** The states of a purchase that is not concluded and may run or have run. */
export const openStates = ['READY', 'SENT', 'PENDING'] as const satisfies readonly PurchaseState[];

export function isPurchaseOpen({ state }: Pick<Purchase, 'state'>): boolean {
  return openStates.some((open) => open === state);
}

/** The number of units of the purchases that are not stored yet. */
export function unitsMissing(purchases: readonly Purchase[]): number {
  return purchases.reduce((sum, { units, stored }) => sum + units - stored, 0);
}

export interface Purchase {
  reference: string;
  orderId: number;
  nonce: string;
  family: Family;
  firstUnit: number;
  units: number;
  /** How many of its units are stored. */
  stored: number;
  state: PurchaseState;
  /** How often it was claimed for sending; only the newest claim is valid. */
  attempt: number;
  /** The claims except those that the service held back itself. Only these may have reached the supplier, whatever they reported. */
  attemptsMade: number;
  /** How often it may have been sent: the claims except those that certainly sent nothing. */
  sendings: number;
  /** Whether the supplier has acknowledged it at least once. */
  confirmed: boolean;
  /**
   * Whether a supplier sold for the order between a backup and its restore, under a reference that the database has lost. Then only
   * goods or an acceptance of this purchase itself prove its outcome; anything else needs an operator.
   */
  boughtInGap: boolean;
  /** Whether it replaces another purchase, which bought nothing. */
  isSuccessor: boolean;
  supplierOrderId: string | null;
  failureCode: FailureCode | null;
  /** Milliseconds since it was last claimed, by the database's clock; null if it never was. */
  sentMsAgo: number | null;
  sourceId: number;
  supplier: string;
  /** The item at the supplier, and the data that the adapter stored with it. */
  sku: string;
  data: SourceData | null;
  /** The cost of the source when the order was reserved; null if the order does not list the source. */
  chosen: Pick<Candidate, 'cost' | 'costRate' | 'hasReportedCost'> | null;
  /** The supplier's price of the whole purchase, if it has reported one. */
  cost: { amount: string; currency: string } | null;
  /** What the client paid for the units, in the wallet's currency: a decimal string. */
  price: string;
  walletCurrency: string;
  /** Why this source was chosen. */
  why: string;
  /** The number of sources that its order may use. */
  sources: number;
  faceValue: string;
  currency: string;
  redeemable: boolean;
  /** The plan that was ordered; null if the order is for no eSIM. */
  plan: { dataAmountGb: string; validityDays: number } | null;
  sealedInput: Buffer | null;
  /** The order whose profile gets the plan, and the profile, sealed for it; null if the order recharges no eSIM. */
  rechargesOrderId: number | null;
  rechargedIccid: Buffer | null;
  rechargedActivationCode: Buffer | null;
  /** Whether the order is on the attention list because of a blocked account, or of a lost response to this purchase. */
  isListed: boolean;
}

/** SQL: a sealed column of the profile that the eSIM order `e` recharges; null if it recharges none. */
const ofRecharged = (column: string) => `
  CASE WHEN e.recharges_order_id IS NOT NULL THEN (
    SELECT profile.${column} FROM esim_orders profile WHERE profile.order_id = e.recharges_order_id) END`;

/** The columns of a `Purchase`, from `supplier_purchases p` and `orderJoin`. */
export const purchaseColumns = `
  p.reference, p.order_id AS "orderId", p.first_unit AS "firstUnit", p.units, p.state, p.stored, p.attempt,
  p.attempt - p.held_back_claims AS "attemptsMade", p.attempt - p.released_claims AS sendings,
  p.confirmed, p.bought_in_gap AS "boughtInGap", p.replaces IS NOT NULL AS "isSuccessor", p.supplier_order_id AS "supplierOrderId", p.failure_code AS "failureCode",
  (extract(epoch FROM clock_timestamp() - p.sent_at) * 1000)::float8 AS "sentMsAgo",
  p.source_id AS "sourceId", p.supplier, p.sku, p.data, p.why,
  (SELECT source FROM jsonb_array_elements(o.sources) AS listed (source) WHERE (source->>'id')::integer = p.source_id LIMIT 1) AS chosen,
  CASE WHEN p.cost IS NOT NULL THEN jsonb_build_object('amount', p.cost::text, 'currency', p.cost_currency) END AS cost,
  (coalesce(o.replaced_price, o.total_payable) * p.units / o.quantity)::text AS price, o.deduction_currency AS "walletCurrency",
  jsonb_array_length(o.sources) AS sources,
  o.nonce, o.family, o.unit_amount AS "faceValue",
  o.base_currency AS currency, t.sealed_input AS "sealedInput", coalesce(v.redeemable, false) AS redeemable,
  CASE WHEN e.order_id IS NOT NULL THEN jsonb_build_object('dataAmountGb', e.data_amount_gb::text, 'validityDays', e.validity_days) END AS plan,
  e.recharges_order_id AS "rechargesOrderId",
  ${ofRecharged('iccid')} AS "rechargedIccid", ${ofRecharged('activation_code')} AS "rechargedActivationCode",
  EXISTS (SELECT FROM attention a WHERE a.order_id = o.id AND a.cleared_at IS NULL
             AND (a.kind = 'SUPPLIER_BLOCKED' OR a.kind = 'ANSWER_LOST' AND a.reference = p.reference)) AS "isListed"`;
export const orderJoin = `
  JOIN orders o ON o.id = p.order_id
  LEFT JOIN topup_orders t ON t.order_id = o.id
  LEFT JOIN esim_orders e ON e.order_id = o.id
  LEFT JOIN voucher_products v ON v.id = o.product_id AND o.family = 'VOUCHER'`;

/** SQL: the supplier of the newest purchase of an order; of its first source if it has none. */
export function newestSupplier(order: string): string {
  return `coalesce((SELECT supplier FROM supplier_purchases WHERE order_id = ${order}.id ORDER BY batch DESC LIMIT 1),
                   ${order}.sources->0->>'supplier')`;
}

/** The purchase with the reference; undefined if there is none. */
export function findPurchase(database: Database, reference: string) {
  return firstRow<Purchase>(
    database,
    `SELECT ${purchaseColumns} FROM supplier_purchases p ${orderJoin} WHERE p.reference = $reference`,
    { reference },
  );
}

/** The suppliers of the order's open purchases that may have been sent. */
export async function listOpenSuppliers(database: Database, { orderId }: OrderKey): Promise<string[]> {
  const sql = `
    SELECT DISTINCT supplier FROM supplier_purchases
     WHERE order_id = $orderId AND (state IN ('SENT', 'PENDING') OR state = 'READY' AND attempt > 0)`;
  return (await rows<{ supplier: string }>(database, sql, { orderId })).map(({ supplier }) => supplier);
}

/** Whether a purchase of the order was replaced by another one. */
export function hasReplacedPurchase(database: Database, orderId: number): Promise<boolean> {
  const sql = `SELECT reference FROM supplier_purchases WHERE order_id = $orderId AND state = 'REPLACED' LIMIT 1`;
  return hasRow(database, sql, { orderId });
}

/**
 * The order's purchases in one of the states; the one polled longest ago comes first. A purchase with a lost response that was
 * not looked up since comes before all others, however many the order has.
 */
export function listPurchases(database: Database, { orderId, nonce }: OrderKey, states: readonly PurchaseState[]) {
  return rows<Purchase>(
    database,
    `SELECT ${purchaseColumns} FROM supplier_purchases p ${orderJoin}
      WHERE p.order_id = $orderId AND o.nonce = $nonce AND p.state = ANY ($states)
      ORDER BY p.state = 'SENT' AND (p.asked_at >= p.sent_at) IS NOT TRUE DESC, p.asked_at NULLS FIRST, p.batch`,
    { orderId, nonce, states },
  );
}

const summaryColumns = `
  p.reference, p.supplier, p.sku, p.why,
  concat_ws(': ', p.state, CASE WHEN p.state IN ('REPLACED', 'REJECTED', 'DELIVERED') THEN coalesce(p.detail, p.failure_code) END) AS result`;

const progressStatement = `
SELECT o.quantity AS units, o.delivered_quantity AS delivered,
       CASE WHEN bool_or(p.state = 'HELD') THEN o.held END AS held,
       count(*) FILTER (WHERE p.state = 'READY') AS ready,
       count(*) FILTER (WHERE p.state IN ('SENT', 'PENDING')) AS open,
       coalesce(bool_or(p.state = 'WITHDRAWN'), false) AS withdrawn,
       (array_agg(p.failure_code ORDER BY p.state, p.batch)
         FILTER (WHERE p.state IN ('REJECTED', 'WITHDRAWN') AND p.failure_code IS NOT NULL))[1] AS "failureCode",
       (SELECT entry.reason FROM attention entry
         WHERE entry.order_id = $orderId AND entry.kind = 'OUTCOME_UNKNOWN' AND entry.cleared_at IS NULL
           AND EXISTS (SELECT FROM supplier_purchases unpolled
                        WHERE unpolled.order_id = $orderId AND unpolled.state IN ('SENT', 'PENDING')
                          AND (unpolled.unclear OR unpolled.asked_at IS NULL OR unpolled.asked_at < entry.since))) AS unresolved,
       (SELECT coalesce(json_agg(newest ORDER BY newest.reference), '[]')
          FROM (SELECT ${summaryColumns} FROM supplier_purchases p
                 WHERE p.order_id = $orderId ORDER BY p.batch DESC LIMIT ${MAX_SUMMARIES}) newest) AS purchases
  FROM orders o LEFT JOIN supplier_purchases p ON p.order_id = o.id
 WHERE o.id = $orderId AND o.nonce = $nonce GROUP BY o.id`;

/**
 * The progress of the order's purchases. `unresolved`: the reason on the attention list, until a poll of every open purchase since
 * then has found none. Throws if there is no such order.
 */
export async function purchaseProgress(database: Database, { orderId, nonce }: OrderKey): Promise<FulfilmentReport> {
  const progress = await firstRow<FulfilmentReport>(database, progressStatement, { orderId, nonce });
  if (!progress) throw new Error(`There is no order ${orderId}`);
  return progress;
}
