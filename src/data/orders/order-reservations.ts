/**
 * The reservation of an order request: made by the API, decided by the placing transaction or fenced off, deleted 30
 * days later. It holds the `Idempotency-Key`. docs/decisions/0027-store-the-idempotency-key-in-the-reservation.md.
 */
import { isUniqueViolation } from '../database/errors';
import type { Refusal } from '../../domain/orders/order-flow';
import type { Family } from '../../domain/orders/families';
import { firstRow, rows, type Database } from '../database/database';

/** The order to be. Amounts are decimal strings; `details` feeds the order and its detail row. */
export interface ReservationInput {
  nonce: string;
  clientId: number;
  family: Family;
  clientReference: string | undefined;
  /** The API key and the session of the order request: placing the order checks both. */
  caller: { apiKeyId: number; sessionId: string };
  walletId: number;
  price: string;
  details: ReservationDetails;
  /** Milliseconds from now for which it may be placed, on the database's clock. */
  placementDeadlineMs: number;
  sealedEmail: Buffer | null;
  sealedInput: Buffer | null;
  /** The `Idempotency-Key` it holds, where its client sent one. */
  heldKey?: HeldKey | undefined;
}

/** Everything of an order that is no secret, by column of `orders`, `topup_orders`, `esim_orders`. */
export interface ReservationDetails {
  product_id: number;
  product_name: string;
  country_code: string;
  supplier: string;
  supplier_sku: string;
  quantity: number;
  /** The most units the supplier takes in one purchase. */
  max_units: number;
  unit_amount: string;
  amount: string;
  discount: string;
  base_currency: string;
  deduction_currency: string;
  forex_rate: string | null;
  conversion_charges: string | null;
  variant_id?: number;
  variant_name?: string;
  data_amount_gb?: string;
  validity_days?: number;
  /** The voucher that pays. */
  redeems_order_id?: number;
  redeems_unit?: number;
  /** Keyed hashes of whom it goes to, by which operators find it: as PostgreSQL takes bytes, `\\x` and hexadecimal. */
  email_hash?: string;
  phone_hash?: string;
}

export type ReservationState = 'RESERVED' | 'PLACED' | 'REFUSED' | 'ABANDONED';

const insertStatement = `
  INSERT INTO order_intakes (nonce, accept_by, client_id, family, client_reference, wallet_id,
                             total_payable, details, sealed_email, sealed_input,
                             idempotency_key, request_hash, answer_by, api_key_id, session_id)
  VALUES ($nonce, clock_timestamp() + $placementDeadlineMs * interval '1 ms', $clientId, $family,
          $clientReference, $walletId, $price, $details, $sealedEmail, $sealedInput,
          $key, $requestHash, clock_timestamp() + $answerWithinMs * interval '1 ms', $apiKeyId, $sessionId)
  RETURNING order_id`;

/**
 * Reserves an order id and returns it. No order exists yet, and none will unless a workflow places it. Fails
 * (`isKeyHeld`) if another order request holds its key.
 */
export async function insertReservation(database: Database, intake: ReservationInput): Promise<number> {
  const row = await firstRow<{ order_id: number }>(database, insertStatement, {
    nonce: intake.nonce,
    placementDeadlineMs: intake.placementDeadlineMs,
    clientId: intake.clientId,
    family: intake.family,
    clientReference: intake.clientReference ?? null,
    walletId: intake.walletId,
    price: intake.price,
    details: JSON.stringify(intake.details),
    sealedEmail: intake.sealedEmail,
    sealedInput: intake.sealedInput,
    key: intake.heldKey?.key ?? null,
    requestHash: intake.heldKey?.requestHash ?? null,
    answerWithinMs: intake.heldKey?.answerWithinMs ?? null,
    apiKeyId: intake.caller.apiKeyId,
    sessionId: intake.caller.sessionId,
  });
  return (row as { order_id: number }).order_id;
}

/** Fences off a reservation. Returns true if it was undecided; no order can be placed from it any more. */
export async function abandonReservation(database: Database, orderId: number): Promise<boolean> {
  const fenced = await rows(
    database,
    `UPDATE order_intakes SET state = 'ABANDONED', sealed_email = NULL, sealed_input = NULL
      WHERE order_id = $orderId AND state = 'RESERVED' RETURNING order_id`,
    { orderId },
  );
  return fenced.length === 1;
}

export interface DecidedReservation {
  state: ReservationState;
  /** Why there is no order, or why the one that was placed must fail without being bought. */
  refusal: Refusal | null;
  quantity: number;
}

const decisionStatement = `
  SELECT state, refusal, (details->>'quantity')::integer AS quantity
    FROM order_intakes WHERE order_id = $orderId`;

/** The decision about the reservation. */
export async function findDecision(
  database: Database,
  orderId: number,
): Promise<DecidedReservation | undefined> {
  return firstRow<DecidedReservation>(database, decisionStatement, { orderId });
}

/**
 * The progress of an order request. PLACED: this service works on the order. HANDED_OVER: it does not, because the
 * order waits for its supplier, has ended, or does not exist.
 */
export type RequestProgress = 'RESERVED' | 'PLACED' | 'HANDED_OVER';

const progressQuery = `
  SELECT CASE WHEN intake.state = 'RESERVED' THEN 'RESERVED'
              WHEN o.completed_at IS NULL AND intake.state = 'PLACED' AND NOT EXISTS (
                SELECT FROM supplier_purchases p
                 WHERE p.order_id = o.id AND p.attempt > 0 AND p.state IN ('READY', 'SENT', 'PENDING'))
              THEN 'PLACED' ELSE 'HANDED_OVER' END AS progress
    FROM order_intakes intake LEFT JOIN orders o ON o.id = intake.order_id
   WHERE intake.order_id = $orderId`;

/** The progress of the order request; undefined if there is no such request. */
export async function requestProgress(
  database: Database,
  orderId: number,
): Promise<RequestProgress | undefined> {
  return (await firstRow<{ progress: RequestProgress }>(database, progressQuery, { orderId }))?.progress;
}

/**
 * Fences off reservations whose API process died. Includes those stamped in the future, whose time would not be over
 * before that moment. Returns their number.
 */
export async function abandonExpiredReservations(database: Database): Promise<number> {
  const expired = await rows(
    database,
    `UPDATE order_intakes SET state = 'ABANDONED', sealed_email = NULL, sealed_input = NULL
      WHERE state = 'RESERVED' AND (accept_by < clock_timestamp() OR created_at > clock_timestamp())
      RETURNING order_id`,
  );
  return expired.length;
}

/** A key that an order request holds from its reservation on. */
export interface HeldKey {
  key: string;
  /** Keyed hash of what is asked for. */
  requestHash: Buffer;
  /** Milliseconds from now for which the request may wait for its answer. */
  answerWithinMs: number;
}

/** The order request that holds a key. */
export interface KeyHolder {
  orderId: number;
  /** Only a placed request has an order. */
  isPlaced: boolean;
  /** The HTTP request is not answered yet. */
  isUnderWay: boolean;
  /** Its body is the same. */
  isSameRequest: boolean;
}

const keptFor = `interval '7 days'`;

// Takes the key from a request that can hold it no longer: one that was never placed because its process died (a
// reservation past its time is never placed), or one that is too old. A key stamped in the future by a clock that was
// corrected since is not too old: losing it would mean selling twice.
const holderStatement = `
  WITH former AS (
    UPDATE order_intakes
       SET state = CASE state WHEN 'RESERVED' THEN 'ABANDONED' ELSE state END,
           sealed_email = NULL, sealed_input = NULL, idempotency_key = NULL, request_hash = NULL
     WHERE client_id = $clientId AND idempotency_key = $key AND state IN ('RESERVED', 'PLACED')
       AND (state = 'RESERVED' AND (accept_by < clock_timestamp() OR created_at > clock_timestamp())
            OR created_at < now() - ${keptFor})
    RETURNING order_id
  )
  SELECT order_id AS "orderId", state = 'PLACED' AS "isPlaced",
         state = 'RESERVED' OR coalesce(answer_by > clock_timestamp() AND created_at <= clock_timestamp(), false) AS "isUnderWay",
         request_hash = ANY ($requestHashes) AS "isSameRequest"
    FROM order_intakes
   WHERE client_id = $clientId AND idempotency_key = $key AND state IN ('RESERVED', 'PLACED')
     AND order_id NOT IN (SELECT order_id FROM former)`;

/**
 * The order request that holds the client's key; undefined if it is free. `requestHashes`: see `Sealer.lookupHashes`.
 */
export async function holderOfKey(
  database: Database,
  clientId: number,
  { key, requestHashes }: { key: string; requestHashes: Buffer[] },
): Promise<KeyHolder | undefined> {
  return firstRow<KeyHolder>(database, holderStatement, { clientId, key, requestHashes });
}

/** The HTTP request is answered: from now on its key returns the order. */
export async function endKeyedRequest(database: Database, orderId: number): Promise<void> {
  await rows(database, 'UPDATE order_intakes SET answer_by = NULL WHERE order_id = $orderId', { orderId });
}

/** Whether a reservation failed because another order request holds its key. */
export function isKeyHeld(error: unknown): boolean {
  return isUniqueViolation(error, 'order_intakes_keyed');
}

/** Deletes keys older than 7 days, at most `limit`. Returns their number. */
export async function deleteOldKeys(database: Database, limit: number): Promise<number> {
  const forgotten = await rows(
    database,
    `UPDATE order_intakes SET idempotency_key = NULL, request_hash = NULL
      WHERE order_id = ANY (ARRAY(
        SELECT order_id FROM order_intakes
         WHERE idempotency_key IS NOT NULL AND created_at < now() - ${keptFor}
         ORDER BY created_at LIMIT $limit FOR UPDATE SKIP LOCKED))
      RETURNING order_id`,
    { limit },
  );
  return forgotten.length;
}

// Ids rise with age, so the oldest reservations are read by the primary key until one is young. A restarted workflow
// reads the decision from its reservation, so it stays while the order is open or its mail is due.
const deleteStatement = `
  WITH oldest AS (
    SELECT order_id, created_at < now() - interval '30 days' AS past_use
      FROM order_intakes WHERE order_id > $after ORDER BY order_id LIMIT $batch
  ), gone AS (
    DELETE FROM order_intakes intake USING oldest
     WHERE intake.order_id = oldest.order_id AND oldest.past_use AND intake.state <> 'RESERVED'
       AND NOT EXISTS (SELECT FROM orders
                        WHERE id = intake.order_id
                          AND (completed_at IS NULL OR mailed_at IS NULL AND sealed_email IS NOT NULL))
    RETURNING intake.order_id
  )
  SELECT max(order_id) AS last, coalesce(bool_and(past_use), false) AS "moreMayBe",
         (SELECT count(*) FROM gone) AS deleted
    FROM oldest`;

interface Batch {
  last: number | null;
  moreMayBe: boolean;
  deleted: number;
}

/** Deletes reservations decided more than 30 days ago, `batch` at a time. Returns their number. */
export async function deleteDecidedReservations(database: Database, batch = 5_000): Promise<number> {
  let total = 0;
  for (let after = 0; ;) {
    const { last, moreMayBe, deleted } = (await firstRow<Batch>(database, deleteStatement, {
      after,
      batch,
    })) as Batch;
    total += deleted;
    if (last === null || !moreMayBe) return total;
    after = last;
  }
}
