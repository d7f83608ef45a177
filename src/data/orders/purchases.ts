/**
 * What was asked of suppliers. A row is written before a purchase is sent, so that whatever crashes,
 * a purchase that may have happened is known and asked about instead of sent again.
 */
import type { Family } from '../../domain/orders';
import type { Batch } from '../../domain/order-flow';
import type { FailureCode } from '../../domain/failure-codes';
import { firstRow, rows, type Database } from '../database';

/** READY: nothing that was sent can have run. SENT: it may have. WITHDRAWN: must not any more. */
export type PurchaseState = 'READY' | 'SENT' | 'PENDING' | 'DELIVERED' | 'REJECTED' | 'WITHDRAWN';

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
  supplierOrderId: string | null;
  failureCode: FailureCode | null;
  sentAt: Date;
  /** This call wrote the row: nobody can have sent the purchase before. */
  fresh: boolean;
  supplier: string;
  supplierSku: string;
  unitAmount: string;
  currency: string;
  redeemable: boolean;
  sealedInput: Buffer | null;
}

const orderPart = `
  o.nonce, o.family, o.supplier, o.supplier_sku AS "supplierSku", o.unit_amount AS "unitAmount",
  o.base_currency AS currency, t.sealed_input AS "sealedInput", coalesce(v.redeemable, false) AS redeemable
   FROM purchase p JOIN orders o ON o.id = p.order_id
   LEFT JOIN topup_orders t ON t.order_id = o.id
   LEFT JOIN voucher_products v ON v.id = o.product_id AND o.family = 'VOUCHER'`;

const purchasePart = `
  p.reference, p.order_id AS "orderId", p.first_unit AS "firstUnit", p.units, p.state,
  p.stored, p.supplier_order_id AS "supplierOrderId", p.failure_code AS "failureCode", p.sent_at AS "sentAt"`;

const claimStatement = `
WITH claimed AS (
  INSERT INTO supplier_purchases (reference, order_id, batch, first_unit, units, sent_at, state)
  VALUES ($1, $2, $3, $4, $5, $6, 'SENT') ON CONFLICT DO NOTHING RETURNING *
), purchase AS (
  SELECT *, true AS fresh FROM claimed
  UNION ALL
  SELECT *, false FROM supplier_purchases
   WHERE reference = $1 AND NOT EXISTS (SELECT FROM claimed)
)
SELECT ${purchasePart}, p.fresh, ${orderPart}`;

/** Writes down that a purchase is about to be sent, or finds that it was before (`fresh` false). */
export async function claimPurchase(
  database: Database,
  reference: string,
  orderId: number,
  batch: Batch,
  now: Date,
): Promise<Purchase> {
  const bind = [reference, orderId, batch.batch, batch.firstUnit, batch.units, now];
  // Empty only where another session's claim was not yet visible to the statement: then it is now.
  const purchase =
    (await firstRow<Purchase>(database, claimStatement, bind)) ??
    (await firstRow<Purchase>(database, claimStatement, bind));
  if (!purchase) throw new Error(`Purchase ${reference} has no order`);
  return purchase;
}

const claimQuestionStatement = `
WITH purchase AS (
  UPDATE supplier_purchases SET asked_at = $2
   WHERE reference = $1 AND state IN ('SENT', 'PENDING') AND (asked_at IS NULL OR asked_at <= $3)
  RETURNING *
)
SELECT ${purchasePart}, false AS fresh, ${orderPart}`;

/**
 * The purchase, if its supplier may be asked about it for a client that reads the order: it is open,
 * and no process has claimed that question within `askEvery` milliseconds.
 */
export async function claimQuestion(
  database: Database,
  reference: string,
  now: Date,
  askEvery: number,
): Promise<Purchase | undefined> {
  const lastAsked = new Date(now.getTime() - askEvery);
  return firstRow<Purchase>(database, claimQuestionStatement, [reference, now, lastAsked]);
}

/**
 * Moves a purchase from one state to another; false when it was no longer in the first one.
 * Sending again restarts the clock of `sentAt`.
 */
export async function movePurchase(
  database: Database,
  reference: string,
  from: PurchaseState,
  to: PurchaseState,
  now: Date,
): Promise<boolean> {
  const moved = await rows(
    database,
    `UPDATE supplier_purchases
        SET state = $3, sent_at = CASE WHEN $3 = 'SENT' THEN $4 ELSE sent_at END, updated_at = now()
      WHERE reference = $1 AND state = $2 RETURNING reference`,
    [reference, from, to, now],
  );
  return moved.length === 1;
}

/** What the supplier said of a purchase. */
export interface PurchaseOutcome {
  state: PurchaseState;
  supplierOrderId: string | null;
  failureCode: FailureCode | null;
  detail: string | null;
  /** Units that the supplier has shown so far. */
  stored: number;
}

/** One voucher, sealed, in the column order of `storeVouchers`. */
export interface SealedVoucher {
  unit: number;
  cardNumber: Buffer | null;
  pinCode: Buffer | null;
  claimUrl: Buffer | null;
  referenceNumber: Buffer | null;
  expiresAt: string | null;
  codeHash: Buffer | null;
}

const recordOutcome = `
  outcome AS (
    UPDATE supplier_purchases
       SET state = $2, supplier_order_id = coalesce($3, supplier_order_id), failure_code = $4, detail = $5,
           stored = greatest(stored, $6), updated_at = now()
     WHERE reference = $1 AND state NOT IN ('WITHDRAWN', 'DELIVERED', 'REJECTED')
    RETURNING order_id, first_unit, units
  )`;

const storeVouchersStatement = `
WITH ${recordOutcome}, stored AS (
  INSERT INTO vouchers (order_id, unit, card_number, pin_code, claim_url, voucher_reference_number,
                        expires_at, code_hash)
  SELECT outcome.order_id, code.* FROM outcome,
         unnest($7::integer[], $8::bytea[], $9::bytea[], $10::bytea[], $11::bytea[], $12::timestamptz[],
                $13::bytea[]) AS code
  ON CONFLICT DO NOTHING RETURNING unit
)

UPDATE orders SET delivered_quantity = delivered_quantity + (SELECT count(*) FROM stored)
 WHERE id = (SELECT order_id FROM outcome) AND EXISTS (SELECT FROM stored)`;

/**
 * Stores what the supplier said and every voucher that exists so far. Units already stored stay as
 * they are.
 */
export async function storeVouchers(
  database: Database,
  reference: string,
  outcome: PurchaseOutcome,
  vouchers: SealedVoucher[],
): Promise<void> {
  await rows(database, storeVouchersStatement, [
    ...outcomeBind(reference, outcome),
    vouchers.map((voucher) => voucher.unit),
    vouchers.map((voucher) => voucher.cardNumber),
    vouchers.map((voucher) => voucher.pinCode),
    vouchers.map((voucher) => voucher.claimUrl),
    vouchers.map((voucher) => voucher.referenceNumber),
    vouchers.map((voucher) => voucher.expiresAt),
    vouchers.map((voucher) => voucher.codeHash),
  ]);
}

const storeTopupStatement = `
WITH ${recordOutcome}
UPDATE orders SET delivered_quantity = 1
 WHERE id = (SELECT order_id FROM outcome) AND $2 = 'DELIVERED' AND delivered_quantity = 0`;

/** Stores what the supplier said of a top-up. */
export async function storeTopup(
  database: Database,
  reference: string,
  outcome: PurchaseOutcome,
): Promise<void> {
  await rows(database, storeTopupStatement, outcomeBind(reference, outcome));
}

const storeEsimStatement = `
WITH ${recordOutcome}, profile AS (
  UPDATE esim_orders SET activation_code = $7, iccid = $8, iccid_hash = $9, activation_status = 'NOT_INSTALLED'
   WHERE order_id = (SELECT order_id FROM outcome) AND iccid IS NULL AND $8::bytea IS NOT NULL
  RETURNING order_id
)
UPDATE orders SET delivered_quantity = 1 WHERE id = (SELECT order_id FROM profile)`;

/** Stores what the supplier said of an eSIM, with the sealed profile once there is one. */
export async function storeEsim(
  database: Database,
  reference: string,
  outcome: PurchaseOutcome,
  profile: { activationCode: Buffer; iccid: Buffer; iccidHash: Buffer } | null,
): Promise<void> {
  await rows(database, storeEsimStatement, [
    ...outcomeBind(reference, outcome),
    profile?.activationCode ?? null,
    profile?.iccid ?? null,
    profile?.iccidHash ?? null,
  ]);
}

function outcomeBind(reference: string, outcome: PurchaseOutcome): unknown[] {
  const { state, supplierOrderId, failureCode, detail, stored } = outcome;
  return [reference, state, supplierOrderId, failureCode, detail, stored];
}
