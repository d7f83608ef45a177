/**
 * Storing what suppliers report: state of the purchase, goods and their count in one statement. A
 * purchase that has ended takes nothing more. A code, claim URL or ICCID that belongs to another unit
 * is not stored: whoever calls looks at `present`.
 */
import { UniqueConstraintError } from 'sequelize';
import type { FailureCode } from '../../domain/failure-codes';
import { firstRow, type Database } from '../database';
import type { PurchaseState } from './purchases';

/** What the supplier said of a purchase. */
export interface PurchaseOutcome {
  /** DELIVERED becomes PENDING where not every unit is there. */
  state: Exclude<PurchaseState, 'READY' | 'WITHDRAWN'>;
  supplierOrderId: string | null;
  failureCode: FailureCode | null;
  detail: string | null;
}

/** One voucher, sealed. */
export interface SealedVoucher {
  unit: number;
  cardNumber: Buffer | null;
  pinCode: Buffer | null;
  claimUrl: Buffer | null;
  referenceNumber: Buffer | null;
  expiresAt: Date | null;
  codeHash: Buffer | null;
  claimHash: Buffer | null;
  /** The hashes its code and URL would have under older keys. */
  olderHashes: Buffer[];
}

/** A profile, sealed. `hashes`: those its ICCID may be stored under, the newest key's first. */
export interface SealedProfile {
  activationCode: Buffer;
  iccid: Buffer;
  hashes: Buffer[];
}

/** What is stored of a purchase now. */
export interface StoredPurchase {
  state: PurchaseState;
  /** The units of it that are there. */
  present: number[];
}

const purchaseToStore = `
  purchase AS (
    SELECT * FROM supplier_purchases
     WHERE reference = $1 AND state NOT IN ('DELIVERED', 'REJECTED', 'WITHDRAWN') FOR UPDATE
  )`;

/** Concludes the purchase where `present` (a subquery of one number) units of it are there. */
const recordOutcome = (present: string) => `
  outcome AS (
    UPDATE supplier_purchases p
       SET state = CASE WHEN $2 = 'DELIVERED' AND ${present} < p.units THEN 'PENDING' ELSE $2 END,
           supplier_order_id = coalesce($3, p.supplier_order_id), failure_code = $4, detail = $5,
           confirmed = p.confirmed OR $2 <> 'SENT', stored = greatest(p.stored, ${present}),
           late_check_at = CASE WHEN $2 = 'REJECTED' THEN clock_timestamp() + interval '1 minute' END,
           updated_at = now()
      FROM purchase WHERE p.reference = purchase.reference
    RETURNING p.order_id, p.state
  )`;

const storeVouchersStatement = `
WITH ${purchaseToStore}, code AS (
  SELECT * FROM unnest($6::integer[], $7::bytea[], $8::bytea[], $9::bytea[], $10::bytea[], $11::timestamptz[],
                       $12::bytea[], $13::bytea[])
    AS code (unit, card_number, pin_code, claim_url, reference_number, expires_at, code_hash, claim_hash)
), older AS (
  SELECT older.unit FROM unnest($14::integer[], $15::bytea[]) AS older (unit, hash)
   WHERE EXISTS (SELECT FROM vouchers v WHERE v.code_hash = older.hash OR v.claim_hash = older.hash)
), stored AS (
  INSERT INTO vouchers (order_id, unit, card_number, pin_code, claim_url, voucher_reference_number,
                        expires_at, code_hash, claim_hash)
  SELECT purchase.order_id, code.* FROM purchase, code
   WHERE code.unit BETWEEN purchase.first_unit AND purchase.first_unit + purchase.units - 1
     AND code.unit NOT IN (SELECT unit FROM older)
  ON CONFLICT DO NOTHING RETURNING unit
), present AS (
  SELECT v.unit FROM purchase JOIN vouchers v ON v.order_id = purchase.order_id
     AND v.unit BETWEEN purchase.first_unit AND purchase.first_unit + purchase.units - 1
  UNION ALL SELECT unit FROM stored
), ${recordOutcome('(SELECT count(*) FROM present)')}, delivered AS (
  UPDATE orders SET delivered_quantity = delivered_quantity + (SELECT count(*) FROM stored)
   WHERE id = (SELECT order_id FROM outcome) AND EXISTS (SELECT FROM stored)
)
SELECT state, (SELECT coalesce(array_agg(unit ORDER BY unit), '{}') FROM present) AS present FROM outcome`;

/**
 * Stores what the supplier said and every voucher that exists so far; units already stored stay as they
 * are. Undefined where the purchase had ended.
 */
export async function storeVouchers(
  database: Database,
  reference: string,
  outcome: PurchaseOutcome,
  vouchers: readonly SealedVoucher[],
): Promise<StoredPurchase | undefined> {
  const column = <K extends keyof SealedVoucher>(key: K) => vouchers.map((voucher) => voucher[key]);
  const older = vouchers.flatMap(({ unit, olderHashes }) => olderHashes.map((hash) => ({ unit, hash })));
  const store = () =>
    firstRow<StoredPurchase>(database, storeVouchersStatement, [
      ...outcomeBind(reference, outcome),
      column('unit'),
      column('cardNumber'),
      column('pinCode'),
      column('claimUrl'),
      column('referenceNumber'),
      column('expiresAt'),
      column('codeHash'),
      column('claimHash'),
      older.map(({ unit }) => unit),
      older.map(({ hash }) => hash),
    ]);
  const stored = await store();
  const isWhole = !stored || vouchers.every(({ unit }) => stored.present.includes(unit));
  // What another session stored at the same moment is not in the statement's snapshot: look once more.
  return isWhole ? stored : ((await store()) ?? stored);
}

const storeTopupStatement = `
WITH ${purchaseToStore}, ${recordOutcome(`CASE WHEN $2 = 'DELIVERED' THEN 1 ELSE 0 END`)}, delivered AS (
  UPDATE orders SET delivered_quantity = 1
   WHERE id = (SELECT order_id FROM outcome) AND $2 = 'DELIVERED' AND delivered_quantity = 0
)
SELECT state, CASE WHEN $2 = 'DELIVERED' THEN ARRAY[1] ELSE '{}' END AS present FROM outcome`;

/** Stores what the supplier said of a top-up. Undefined where the purchase had ended. */
export async function storeTopup(
  database: Database,
  reference: string,
  outcome: PurchaseOutcome,
): Promise<StoredPurchase | undefined> {
  return firstRow<StoredPurchase>(database, storeTopupStatement, outcomeBind(reference, outcome));
}

const storeEsimStatement = `
WITH ${purchaseToStore}, profile AS (
  UPDATE esim_orders SET activation_code = $6, iccid = $7, iccid_hash = ($8::bytea[])[1],
         activation_status = 'NOT_INSTALLED'
   WHERE order_id = (SELECT order_id FROM purchase) AND iccid IS NULL AND $7::bytea IS NOT NULL
     AND NOT EXISTS (SELECT FROM esim_orders other WHERE other.iccid_hash = ANY ($8))
  RETURNING order_id
), present AS (
  SELECT order_id FROM esim_orders WHERE order_id = (SELECT order_id FROM purchase) AND iccid IS NOT NULL
  UNION ALL SELECT order_id FROM profile
), ${recordOutcome('(SELECT count(*) FROM present)')}, delivered AS (
  UPDATE orders SET delivered_quantity = 1 WHERE id = (SELECT order_id FROM profile)
)
SELECT state, CASE WHEN EXISTS (SELECT FROM present) THEN ARRAY[1] ELSE '{}' END AS present FROM outcome`;

/**
 * Stores what the supplier said of an eSIM, with the sealed profile once there is one. Undefined where
 * the purchase had ended.
 */
export async function storeEsim(
  database: Database,
  reference: string,
  outcome: PurchaseOutcome,
  profile: SealedProfile | null,
): Promise<StoredPurchase | undefined> {
  const bind = [
    ...outcomeBind(reference, outcome),
    profile?.activationCode ?? null,
    profile?.iccid ?? null,
    profile?.hashes ?? [],
  ];
  try {
    return await firstRow<StoredPurchase>(database, storeEsimStatement, bind);
  } catch (error) {
    // Another order got the same ICCID at the same moment: now the statement sees it.
    if (!(error instanceof UniqueConstraintError)) throw error;
    return firstRow<StoredPurchase>(database, storeEsimStatement, bind);
  }
}

function outcomeBind(
  reference: string,
  { state, supplierOrderId, failureCode, detail }: PurchaseOutcome,
): unknown[] {
  return [reference, state, supplierOrderId, failureCode, detail];
}
