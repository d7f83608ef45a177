/**
 * Order reservations, which hold the `Idempotency-Key`. The API makes one, the placing transaction or the fence decides
 * it, and maintenance deletes it 30 days later. docs/decisions/0003-fence-every-order-request.md.
 */
import { isUniqueViolation } from '../database/errors';
import type { CallerIds } from '../../domain/audit';
import type { OrderKey, OrderRejection } from '../../domain/orders/order-messages';
import type { RequestProgress } from '../../domain/orders/request-progress';
import type { Family } from '../../domain/orders/families';
import type { Candidate } from '../../domain/orders/sources';
import { countRows, firstRow, oneRow, rows, type Database } from '../database/database';
import { withoutFlush } from '../database/connection-settings';
import { retention } from '../maintenance/retention';

/** The planned order. Amounts are decimal strings; `details` are for the order and its detail row. */
export interface ReservationInput {
  nonce: string;
  clientId: number;
  family: Family;
  clientReference: string | undefined;
  /** Who sent the order request: placing the order checks it again. */
  caller: Pick<CallerIds, 'apiKeyId' | 'memberId' | 'sessionId'>;
  /** The X-Request-Id of the order request, for operators. */
  requestId?: string | undefined;
  walletId: number;
  price: string;
  details: ReservationDetails;
  /** The milliseconds from now within which it may be placed, by the database's clock. */
  placementDeadlineMs: number;
  sealedEmail: Buffer | null;
  sealedInput: Buffer | null;
  /** The `Idempotency-Key`, if the client sent one. */
  heldKey?: HeldKey | undefined;
}

/** The public data of an order, by column of `orders`, `topup_orders`, `esim_orders`. */
export interface ReservationDetails {
  product_id: number;
  product_name: string;
  country_code: string;
  /** The sources that it may use, the best first. */
  sources: readonly Candidate[];
  quantity: number;
  unit_amount: string;
  amount: string;
  discount: string;
  base_currency: string;
  deduction_currency: string;
  forex_rate: string | null;
  conversion_charges: string | null;
  /** The terms of the price. Those of a conversion are null without one. */
  discount_percent: string;
  is_own_discount: boolean;
  fee_percent: string | null;
  rate_as_of: string | null;
  rate_file_day: string | null;
  variant_id?: number;
  variant_name?: string;
  data_amount_gb?: string;
  validity_days?: number;
  /** The order whose eSIM gets the plan. */
  recharges_order_id?: number;
  /** The voucher that pays. */
  redeems_order_id?: number;
  redeems_unit?: number;
  /** Keyed hashes of the recipient, by which operators find the order: `\\x` and hexadecimal digits. */
  email_hash?: string;
  /** That of the mailbox, if the address is not its plain form. */
  mailbox_hash?: string;
  phone_hash?: string;
  /** The network of the request, as a CIDR. */
  network?: string;
}

export type ReservationState = 'RESERVED' | 'PLACED' | 'REFUSED' | 'ABANDONED';

const insertStatement = `
  INSERT INTO order_reservations (nonce, accept_by, client_id, family, client_reference, wallet_id,
                                  total_payable, details, sealed_email, sealed_input,
                                  idempotency_key, request_hash, answer_by, api_key_id, member_id,
                                  session_id, request_id)
  VALUES ($nonce, clock_timestamp() + $placementDeadlineMs * interval '1 ms', $clientId, $family,
          $clientReference, $walletId, $price, $details, $sealedEmail, $sealedInput,
          $key, $requestHash, clock_timestamp() + $answerWithinMs * interval '1 ms', $apiKeyId, $memberId,
          $sessionId, $requestId)
  RETURNING order_id, ${withoutFlush}`;

/**
 * Reserves an order id and returns it. No order exists unless a workflow places it. Fails (`isKeyHeld`) if another order
 * request holds its key. A crash of PostgreSQL before the placement may lose the reservation: then another one gets the id, with
 * another nonce.
 */
export async function insertReservation(
  database: Database,
  { heldKey, caller, ...input }: ReservationInput,
): Promise<number> {
  return (
    await oneRow<{ order_id: number }>(database, insertStatement, {
      ...input,
      clientReference: input.clientReference ?? null,
      requestId: input.requestId ?? null,
      details: JSON.stringify(input.details),
      key: heldKey?.key ?? null,
      requestHash: heldKey?.requestHash ?? null,
      answerWithinMs: heldKey?.answerWithinMs ?? null,
      apiKeyId: caller.apiKeyId,
      memberId: caller.memberId,
      sessionId: caller.sessionId,
    })
  ).order_id;
}

export interface DecidedReservation {
  state: ReservationState;
  /** Why there is no order, or why the placed order must fail without a purchase. */
  refusal: OrderRejection | null;
  quantity: number;
}

/** SQL: the changes that leave nothing of the recipient in a decided reservation. The order has it, or there is no order. */
export const withoutRecipient =
  "sealed_email = NULL, sealed_input = NULL, details = order_reservations.details - '{email_hash,mailbox_hash,phone_hash}'::text[]";

const decisionColumns = "state, refusal, (details->>'quantity')::integer AS quantity";

const fenceStatement = `
  UPDATE order_reservations SET state = 'ABANDONED', ${withoutRecipient}
   WHERE order_id = $orderId AND nonce = $nonce AND state = 'RESERVED' RETURNING ${decisionColumns}`;

const decisionStatement = `
  SELECT ${decisionColumns} FROM order_reservations WHERE order_id = $orderId AND nonce = $nonce`;

/**
 * Fences off the reservation if it is undecided: it then can never become an order. Returns the decision; undefined if the order
 * id belongs to another reservation.
 */
export async function fenceOff(
  database: Database,
  { orderId, nonce }: OrderKey,
): Promise<DecidedReservation | undefined> {
  const binds = { orderId, nonce };
  const fenced = await firstRow<DecidedReservation>(database, fenceStatement, binds);
  return fenced ?? firstRow<DecidedReservation>(database, decisionStatement, binds);
}

const progressQuery = `
-- plan: order_reservations_pkey, orders_pkey, supplier_purchases_order_id_batch_key
  SELECT request.nonce, CASE WHEN reservation.state = 'REFUSED' THEN reservation.refusal
              WHEN reservation.state <> 'PLACED' THEN reservation.state
              WHEN o.completed_at IS NOT NULL THEN 'ENDED'
              WHEN o.held IS NOT NULL THEN 'UNDER_REVIEW'
              WHEN EXISTS (SELECT FROM supplier_purchases p
                            WHERE p.order_id = o.id AND p.attempt > 0 AND p.state IN ('READY', 'SENT', 'PENDING'))
              THEN 'HANDED_OVER' ELSE 'PLACED' END AS progress
    FROM unnest($orderIds::bigint[], $nonces::text[]) AS request (order_id, nonce)
    JOIN order_reservations reservation USING (order_id, nonce) LEFT JOIN orders o ON o.id = reservation.order_id`;

/** The progress of order requests. Omits a request whose order id belongs to another reservation. */
export function requestProgress(
  database: Database,
  orders: readonly OrderKey[],
): Promise<{ nonce: string; progress: RequestProgress }[]> {
  return rows(database, progressQuery, {
    orderIds: orders.map(({ orderId }) => orderId),
    nonces: orders.map(({ nonce }) => nonce),
  });
}

/** Fences off reservations whose API process died, including those stamped in the future. Returns their number. */
export function abandonExpiredReservations(database: Database) {
  return countRows(
    database,
    `UPDATE order_reservations SET state = 'ABANDONED', ${withoutRecipient}
      WHERE state = 'RESERVED' AND (accept_by < clock_timestamp() OR created_at > clock_timestamp())
      RETURNING order_id`,
  );
}

/** The key that a reservation holds. */
export interface HeldKey {
  key: string;
  /** Keyed hash of the request. */
  requestHash: Buffer;
  /** Milliseconds from now for which the request may wait for its response. */
  answerWithinMs: number;
}

/** The order request that holds a key. */
export interface IdempotencyKeyHolder {
  orderId: number;
  /** Whether its order is placed. Otherwise it has no order yet. */
  isPlaced: boolean;
  /** Whether its HTTP request still waits for the response. */
  isUnderWay: boolean;
  /** Whether it is equal to the present request. */
  isSameRequest: boolean;
}

// First releases an expired key: its reservation is undecided past the deadline, because its process died, or the key is too old.
// A placed order with a time in the future keeps its key, because releasing it could sell twice.
const holderStatement = `
  WITH former AS (
    UPDATE order_reservations
       SET state = CASE state WHEN 'RESERVED' THEN 'ABANDONED' ELSE state END,
           ${withoutRecipient}, idempotency_key = NULL, request_hash = NULL
     WHERE client_id = $clientId AND idempotency_key = $key AND state IN ('RESERVED', 'PLACED')
       AND (state = 'RESERVED' AND (accept_by < clock_timestamp() OR created_at > clock_timestamp())
            OR created_at < now() - ${retention.idempotencyKey})
    RETURNING order_id
  )
  SELECT order_id AS "orderId", state = 'PLACED' AS "isPlaced",
         state = 'RESERVED' OR coalesce(answer_by > clock_timestamp() AND created_at <= clock_timestamp(), false) AS "isUnderWay",
         request_hash = ANY ($requestHashes) AS "isSameRequest"
    FROM order_reservations
   WHERE client_id = $clientId AND idempotency_key = $key AND state IN ('RESERVED', 'PLACED')
     AND order_id NOT IN (SELECT order_id FROM former)`;

/** The order request that holds the client's key; undefined if none holds it. `requestHashes`: see `Sealer.lookupHashes`. */
export function holderOfKey(
  database: Database,
  clientId: number,
  { key, requestHashes }: { key: string; requestHashes: Buffer[] },
) {
  return firstRow<IdempotencyKeyHolder>(database, holderStatement, { clientId, key, requestHashes });
}

const answeredStatement = `
  UPDATE order_reservations SET answer_by = NULL WHERE order_id = $orderId AND nonce = $nonce`;

/** Marks the HTTP request as answered: from now on, its key returns the order. */
export async function endKeyedRequest(database: Database, { orderId, nonce }: OrderKey): Promise<void> {
  await rows(database, answeredStatement, { orderId, nonce });
}

/** Whether a reservation failed because another order request holds its key. */
export function isKeyHeld(error: unknown): boolean {
  return isUniqueViolation(error, 'order_reservations_keyed');
}

/** Deletes keys older than 7 days, at most `limit`. Returns their number. */
export function deleteOldKeys(database: Database, limit: number) {
  return countRows(
    database,
    `UPDATE order_reservations SET idempotency_key = NULL, request_hash = NULL
      WHERE order_id = ANY (ARRAY(
        SELECT order_id FROM order_reservations
         WHERE idempotency_key IS NOT NULL AND created_at < now() - ${retention.idempotencyKey}
         ORDER BY created_at LIMIT $limit FOR UPDATE SKIP LOCKED))
      RETURNING order_id`,
    { limit },
  );
}

// Ids rise with time, so the primary key yields the oldest reservations. A reservation stays while its order is open or its mail
// is due, because a restarted workflow reads it.
const deleteStatement = `
  WITH oldest AS (
    SELECT order_id, created_at < now() - ${retention.decidedReservation} AS past_use
      FROM order_reservations WHERE order_id > $after ORDER BY order_id LIMIT $batch
  ), gone AS (
    DELETE FROM order_reservations reservation USING oldest
     WHERE reservation.order_id = oldest.order_id AND oldest.past_use AND reservation.state <> 'RESERVED'
       AND NOT EXISTS (SELECT FROM orders
                        WHERE id = reservation.order_id
                          AND (completed_at IS NULL
                               OR mailed_at IS NULL AND mail_given_up_at IS NULL AND sealed_email IS NOT NULL))
    RETURNING reservation.order_id
  )
  SELECT max(order_id) AS last, coalesce(bool_and(past_use), false) AS "moreMayBe",
         (SELECT count(*) FROM gone) AS deleted
    FROM oldest`;

/** Deletes decided reservations whose retention has ended, `batch` at a time. Returns their number. */
export async function deleteDecidedReservations(database: Database, batch = 5_000): Promise<number> {
  let total = 0;
  for (let after = 0; ;) {
    const { last, moreMayBe, deleted } = await oneRow<{ last: number | null; moreMayBe: boolean; deleted: number }>(
      database,
      deleteStatement,
      { after, batch },
    );
    total += deleted;
    if (last === null || !moreMayBe) return total;
    after = last;
  }
}
