/** The intake of a create: reserved by the API, decided by the placing transaction or fenced off. */
import type { Refusal } from '../../domain/orders/order-flow';
import type { Family } from '../../domain/orders/families';
import { firstRow, rows, type Database } from '../database/database';
import type { HeldKey } from './idempotency-keys';

/** The order to be. Amounts are decimal strings; `details` feeds the order and its detail row. */
export interface IntakeInput {
  nonce: string;
  clientId: number;
  family: Family;
  clientReference: string | undefined;
  /** The API key and the session of the order request: placing the order checks both. */
  caller: { apiKeyId: number; sessionId: string };
  walletId: number;
  price: string;
  details: IntakeDetails;
  /** Milliseconds from now for which it may be placed, on the database's clock. */
  placementDeadlineMs: number;
  sealedEmail: Buffer | null;
  sealedInput: Buffer | null;
  /** The `Idempotency-Key` it holds, where its client sent one. */
  heldKey?: HeldKey | undefined;
}

/** Everything of an order that is no secret, by column of `orders`, `topup_orders`, `esim_orders`. */
export interface IntakeDetails {
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

export type IntakeState = 'RESERVED' | 'PLACED' | 'REFUSED' | 'ABANDONED';

const insertIntake = `
  INSERT INTO order_intakes (nonce, accept_by, client_id, family, client_reference, wallet_id,
                             total_payable, details, sealed_email, sealed_input,
                             idempotency_key, request_hash, answer_by, api_key_id, session_id)
  VALUES ($nonce, clock_timestamp() + $placementDeadlineMs * interval '1 ms', $clientId, $family,
          $clientReference, $walletId, $price, $details, $sealedEmail, $sealedInput,
          $key, $requestHash, clock_timestamp() + $answerWithinMs * interval '1 ms', $apiKeyId, $sessionId)
  RETURNING order_id`;

/**
 * Reserves an order id and returns it. Nothing is promised yet: a reserved intake that no workflow
 * places comes to nothing. Fails (`isKeyHeld`) where another create holds its key.
 */
export async function reserveIntake(database: Database, intake: IntakeInput): Promise<number> {
  const row = await firstRow<{ order_id: number }>(database, insertIntake, {
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

/** The fence: true when the intake was still undecided and no order can come of it any more. */
export async function abandonIntake(database: Database, orderId: number): Promise<boolean> {
  const fenced = await rows(
    database,
    `UPDATE order_intakes SET state = 'ABANDONED', sealed_email = NULL, sealed_input = NULL
      WHERE order_id = $orderId AND state = 'RESERVED' RETURNING order_id`,
    { orderId },
  );
  return fenced.length === 1;
}

export interface DecidedIntake {
  state: IntakeState;
  /** Why there is no order, or why the one that was placed must fail without being bought. */
  refusal: Refusal | null;
  quantity: number;
}

const decisionStatement = `
  SELECT state, refusal, (details->>'quantity')::integer AS quantity
    FROM order_intakes WHERE order_id = $orderId`;

/** What has been decided about the intake. */
export async function decidedIntake(database: Database, orderId: number): Promise<DecidedIntake | undefined> {
  return firstRow<DecidedIntake>(database, decisionStatement, { orderId });
}

/**
 * How far a create has come. PLACED: this service is at work on the order. HANDED_OVER: it is not any
 * more, because the order waits for its supplier or has ended, or because there is none.
 */
export type CreateProgress = 'RESERVED' | 'PLACED' | 'HANDED_OVER';

const progressQuery = `
  SELECT CASE WHEN intake.state = 'RESERVED' THEN 'RESERVED'
              WHEN o.completed_at IS NULL AND intake.state = 'PLACED' AND NOT EXISTS (
                SELECT FROM supplier_purchases p
                 WHERE p.order_id = o.id AND p.attempt > 0 AND p.state IN ('READY', 'SENT', 'PENDING'))
              THEN 'PLACED' ELSE 'HANDED_OVER' END AS progress
    FROM order_intakes intake LEFT JOIN orders o ON o.id = intake.order_id
   WHERE intake.order_id = $orderId`;

/** How far the create has come; undefined if there is none. */
export async function createProgress(
  database: Database,
  orderId: number,
): Promise<CreateProgress | undefined> {
  return (await firstRow<{ progress: CreateProgress }>(database, progressQuery, { orderId }))?.progress;
}

/**
 * Fences off intakes nobody waits for any more (their API process died); one stamped in the future, too: its time would
 * not be over before that moment. Returns how many.
 */
export async function abandonExpiredIntakes(database: Database): Promise<number> {
  const expired = await rows(
    database,
    `UPDATE order_intakes SET state = 'ABANDONED', sealed_email = NULL, sealed_input = NULL
      WHERE state = 'RESERVED' AND (accept_by < clock_timestamp() OR created_at > clock_timestamp())
      RETURNING order_id`,
  );
  return expired.length;
}
