/**
 * What is asked of suppliers: one row for each purchase, cut when the order is placed. A purchase is
 * claimed before it is sent, so that whatever crashes, one that may have happened is known and asked
 * about. An order that has ended has no purchase that could still act: the statement that ends it
 * closes those that are READY and refuses while one is SENT or PENDING.
 */
import { UniqueConstraintError } from 'sequelize';
import type { Family } from '../../domain/orders/families';
import type { OrderKey, PurchaseProgress } from '../../domain/orders/order-flow';
import type { FailureCode } from '../../domain/orders/failure-codes';
import { firstRow, rows, type Database } from '../database/database';
import type { Binds } from '../database/binds';
import { readSql } from '../database/statement-text';

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
  /** Counts the claims to send it: whoever holds an older one has lost it. */
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
  /** The order is on the operators' list because its supplier could not be reached or refused our account. */
  isListed: boolean;
}

/** What is read of a purchase `p`, and the join of its order. */
export const purchaseColumns = readSql('purchases/statements/purchase-columns.sql');
export const orderJoin = readSql('purchases/statements/purchase-order.sql');

/** The purchase with the reference; undefined if there is none. */
export async function findPurchase(database: Database, reference: string): Promise<Purchase | undefined> {
  return firstRow<Purchase>(
    database,
    `SELECT ${purchaseColumns} FROM supplier_purchases p ${orderJoin} WHERE p.reference = $reference`,
    { reference },
  );
}

/** The order's purchases in one of the states, those asked about longest ago first. */
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

const claimStatement = readSql('purchases/statements/claim-purchase.sql');

/** A purchase that is about to be sent. */
export interface ClaimedPurchase extends Purchase {
  /** No other of the order may be sent. */
  isLast: boolean;
  /** It is for every unit of the order. */
  isWholeOrder: boolean;
}

/**
 * Claims the order's next purchase that may be sent: from here on it may have happened. Undefined
 * where none is READY or the order has ended.
 */
export async function claimNextPurchase(
  database: Database,
  { orderId, nonce }: OrderKey,
): Promise<ClaimedPurchase | undefined> {
  return firstRow<ClaimedPurchase>(database, claimStatement, { orderId, nonce });
}

/**
 * Lets the claimed purchase hold its product until its outcome is known, for suppliers that take one purchase
 * of a product at a time. False if another purchase, of whatever order or process, holds it.
 */
export async function holdProduct(
  database: Database,
  { reference, attempt, supplier, supplierSku }: Purchase,
): Promise<boolean> {
  const sql = `UPDATE supplier_purchases SET holds_product = $product
                WHERE ${ofThisAttempt} AND state = 'SENT' RETURNING reference`;
  try {
    return await changes(database, sql, {
      reference,
      attempt,
      product: `${supplier}:${supplierSku}`,
    });
  } catch (error) {
    if (error instanceof UniqueConstraintError) return false;
    throw error;
  }
}

/** Claims of which no other has been made since: what a statement may still change. */
const ofThisAttempt = 'reference = $reference AND attempt = $attempt';

/** Nothing ran: the purchase may be sent again. False if the claim was lost meanwhile. */
export async function releasePurchase(
  database: Database,
  { reference, attempt }: Purchase,
): Promise<boolean> {
  return changes(
    database,
    `UPDATE supplier_purchases SET state = 'READY', updated_at = now()
      WHERE ${ofThisAttempt} AND state = 'SENT' AND NOT confirmed RETURNING reference`,
    { reference, attempt },
  );
}

/**
 * A conclusive look-up found nothing: the purchase did not happen and may be sent again. False where
 * it was claimed, confirmed or concluded meanwhile, or was claimed less than `conclusiveAfterMs`
 * milliseconds ago, so that a request may still run.
 */
export async function reopenPurchase(
  database: Database,
  { reference, attempt }: Purchase,
  conclusiveAfterMs: number,
): Promise<boolean> {
  return changes(
    database,
    `UPDATE supplier_purchases SET state = 'READY', updated_at = now()
      WHERE ${ofThisAttempt} AND state = 'SENT' AND NOT confirmed
        AND sent_at <= clock_timestamp() - $conclusiveAfterMs * interval '1 millisecond' RETURNING reference`,
    { reference, attempt, conclusiveAfterMs },
  );
}

/**
 * Claims a purchase whose answer was lost for being sent once more, and returns its new attempt. Undefined where it was
 * claimed, confirmed, concluded or written off meanwhile, its order has ended, or it was claimed less than
 * `conclusiveAfterMs` milliseconds ago, so that a request may still run.
 */
export async function claimAgain(
  database: Database,
  { reference, attempt }: Purchase,
  conclusiveAfterMs: number,
): Promise<number | undefined> {
  const claimed = await firstRow<{ attempt: number }>(
    database,
    `UPDATE supplier_purchases p SET attempt = attempt + 1, sent_at = clock_timestamp(), updated_at = now()
      WHERE ${ofThisAttempt} AND state = 'SENT' AND NOT confirmed
        AND sent_at <= clock_timestamp() - $conclusiveAfterMs * interval '1 millisecond'
        AND EXISTS (SELECT FROM orders o WHERE o.id = p.order_id AND o.completed_at IS NULL)
     RETURNING attempt`,
    { reference, attempt, conclusiveAfterMs },
  );
  return claimed?.attempt;
}

/**
 * The supplier has shown an open purchase without an outcome: it exists, whatever a later look-up finds. One that was free
 * to be sent is not sent any more.
 */
export async function confirmPurchase(database: Database, { reference }: Purchase): Promise<void> {
  await rows(
    database,
    `UPDATE supplier_purchases
        SET confirmed = true, state = CASE state WHEN 'READY' THEN 'SENT' ELSE state END, updated_at = now()
      WHERE reference = $reference AND state IN ('READY', 'SENT', 'PENDING') AND NOT confirmed`,
    { reference },
  );
}

/** A purchase that was sent in the future, by a clock that was wrong then, was sent now. */
export async function startSentTimeAnew(database: Database, { reference, attempt }: Purchase): Promise<void> {
  await rows(
    database,
    `UPDATE supplier_purchases SET sent_at = clock_timestamp()
      WHERE ${ofThisAttempt} AND state = 'SENT' AND (sent_at IS NULL OR sent_at > clock_timestamp())`,
    { reference, attempt },
  );
}

/** Given up, should its goods come late the supplier is asked again: first after a minute. */
const givenUp = `
  late_check_at = CASE WHEN attempt > 0 THEN clock_timestamp() + interval '1 minute' END, updated_at = now()`;

/** Withdraws what was never sent of an order. */
export async function withdrawUnsent(database: Database, { orderId, nonce }: OrderKey): Promise<void> {
  await rows(
    database,
    `UPDATE supplier_purchases SET state = 'WITHDRAWN', updated_at = now()
      WHERE order_id = (SELECT id FROM orders WHERE id = $orderId AND nonce = $nonce) AND state = 'READY' AND attempt = 0`,
    { orderId, nonce },
  );
}

/**
 * Withdraws a purchase that is where it was read: false if it was claimed, confirmed or concluded
 * meanwhile. A purchase that may have been sent less than `conclusiveAfterMs` milliseconds ago stays.
 */
export async function withdrawPurchase(
  database: Database,
  { reference, attempt, state, confirmed }: Purchase,
  conclusiveAfterMs: number,
): Promise<boolean> {
  return changes(
    database,
    `UPDATE supplier_purchases SET state = 'WITHDRAWN', ${givenUp}
      WHERE ${ofThisAttempt} AND state = $state AND confirmed = $confirmed
        AND (state <> 'SENT' OR sent_at <= clock_timestamp() - $conclusiveAfterMs * interval '1 millisecond')
     RETURNING reference`,
    { reference, attempt, state, confirmed, conclusiveAfterMs },
  );
}

/** An operator has decided that the purchase was not made; `reason` is theirs. */
export async function writeOffPurchase(
  database: Database,
  { reference, attempt, state }: Purchase,
  reason: string,
): Promise<boolean> {
  return changes(
    database,
    `UPDATE supplier_purchases SET state = 'REJECTED', failure_code = 'UNKNOWN', detail = $detail, ${givenUp}
      WHERE ${ofThisAttempt} AND state = $state AND state IN ('SENT', 'PENDING') RETURNING reference`,
    { reference, attempt, state, detail: `Operator: ${reason}` },
  );
}

async function changes(database: Database, sql: string, binds: Binds): Promise<boolean> {
  return (await rows(database, sql, binds)).length === 1;
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
