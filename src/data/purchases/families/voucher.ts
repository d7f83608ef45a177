/** Voucher orders: one row of `vouchers` for each unit, no detail row. */
import { join } from 'node:path';
import { Piscina } from 'piscina';
import { isUniqueViolation } from '../../database/errors';
import type { VoucherGoods } from '../../../domain/orders/goods';
import { minute } from '../../../domain/time';
import { voucherFault } from '../../../domain/orders/usable-goods';
import type { Sealer } from '../../../security/sealing';
import type { OrderRow, MailableOrder } from '../../orders/order-rows';
import {
  isLarge,
  ofKind,
  outcomeBinds,
  purchaseToStore,
  recordOutcome,
  storeOnce,
  wrongKind,
  type FamilyStorage,
  type GoodUnit,
  type PurchaseKey,
} from './family-storage';
import { sealVouchers, type SealedVouchers, type SealingJob } from './voucher-sealing';

/** Codes of one voucher in JSON: what is sealed as `\\x` and hexadecimal digits, the time by ISO 8601. */
export interface VoucherInJson {
  unit: number;
  cardNumber: string | null;
  pinCode: string | null;
  claimUrl: string | null;
  referenceNumber: string | null;
  expiresAt: string | null;
}

/** A voucher order as its client reads it. */
export interface VoucherOrderRow extends OrderRow {
  /**
   * The JSON of a `VoucherInJson[]`: every voucher that exists so far, by unit. It is text, because a thread parses that
   * of a large order. Null where there are more than `MAX_READ_AT_ONCE` and the whole order was not asked for.
   */
  vouchers: string | null;
}

/** Delivered vouchers that are read with any order. More are read only when it is their client's turn. */
const MAX_READ_AT_ONCE = 250;

/** One statement reads an order with its vouchers: they are of one moment, and it costs two thirds of two. */
const allVouchers = `
  coalesce((SELECT json_agg(json_build_object(
              'unit', unit, 'cardNumber', card_number, 'pinCode', pin_code, 'claimUrl', claim_url,
              'referenceNumber', voucher_reference_number, 'expiresAt', expires_at) ORDER BY unit)
              FROM vouchers WHERE order_id = o.id)::text, '[]')`;

/** The content of a mail about vouchers. */
export interface MailableVouchers extends MailableOrder {
  family: 'VOUCHER';
  validity: string | null;
  howToUse: string | null;
}

/** Refused as a whole where a code or claim URL belongs to another unit. */
// Stores the units of a purchase and concludes it, as one statement: what is shown was counted, and what was counted is
// shown. `present`: the units of the purchase that are there now. No row where the purchase has ended.
//
// Why this shape: the purchase is locked first, so that it cannot end meanwhile. Units that are there already stay as
// they are. Where a code or claim URL belongs to another unit, the unique indexes refuse the whole; run again with ON
// CONFLICT DO NOTHING, the statement leaves those units out, and the caller sees by `present` which ones are missing.
// `older`: codes held under another look-up key are left out, too. One row of arrays, because a purchase holds up to
// 500 units, and arrays of bytes in binary form.
// Rejected: ON CONFLICT DO NOTHING at once: it looks for each row in each unique index before it writes there (5.5 ms
// of PostgreSQL's CPU for 500 rows where 4.5 do). Arrays as text: 6.4 ms where 5.5 do, and 0.84 of the driver where 0.48
// do. A row of values for each unit, 1.4 times as long for 500 of them (47 ms beside 33, one connection, busy machine)
// and another text for each number of units. A statement for each unit: 6 times as long (210 ms).
const storeStatement = `
-- plan: supplier_purchases_pkey
WITH
${purchaseToStore}
, code AS (
  SELECT * FROM unnest($unit::integer[], $cardNumber::bytea[], $pinCode::bytea[], $claimUrl::bytea[],
                       $referenceNumber::bytea[], $expiresAt::timestamptz[], $codeHash::bytea[], $claimHash::bytea[])
    AS code (unit, card_number, pin_code, claim_url, reference_number, expires_at, code_hash, claim_hash)
), older AS (
  SELECT older.unit FROM unnest($olderUnit::integer[], $olderHash::bytea[]) AS older (unit, hash)
   WHERE EXISTS (SELECT FROM vouchers v WHERE v.code_hash = older.hash OR v.claim_hash = older.hash)
), there AS (
  SELECT v.unit FROM purchase JOIN vouchers v ON v.order_id = purchase.order_id
     AND v.unit BETWEEN purchase.first_unit AND purchase.first_unit + purchase.units - 1
), fresh AS (
  SELECT purchase.order_id, code.* FROM purchase, code
   WHERE code.unit BETWEEN purchase.first_unit AND purchase.first_unit + purchase.units - 1
     AND code.unit NOT IN (SELECT unit FROM there) AND code.unit NOT IN (SELECT unit FROM older)
), stored AS (
  INSERT INTO vouchers (order_id, unit, card_number, pin_code, claim_url, voucher_reference_number,
                        expires_at, code_hash, claim_hash)
  SELECT * FROM fresh
  RETURNING unit
), present AS (
  SELECT unit FROM there UNION ALL SELECT unit FROM stored
), present_units AS (
  SELECT count(*) FROM present
),
${recordOutcome}
, delivered AS (
  UPDATE orders SET delivered_quantity = delivered_quantity + (SELECT count(*) FROM stored)
   WHERE id = (SELECT order_id FROM outcome) AND EXISTS (SELECT FROM stored)
)
SELECT state, (SELECT coalesce(array_agg(unit ORDER BY unit), '{}') FROM present) AS present FROM outcome`;
/** Stores all units but those. */
const storeOthersStatement = storeStatement.replace('SELECT * FROM fresh', '$& ON CONFLICT DO NOTHING');

/**
 * Sealing is most of what large orders take of this process, and what they leave for the collector of garbage: beside
 * it, its thread leaves the main one to small orders.
 */
const sealingThread = new Piscina<SealingJob, SealedVouchers>({
  filename: join(__dirname, 'voucher-sealing.js'),
  name: 'sealOnThread',
  minThreads: 0,
  maxThreads: 1,
  idleTimeout: minute,
});

export const voucherStorage: FamilyStorage = {
  read: { columns: [], join: '' },
  single: [`CASE WHEN o.delivered_quantity <= ${MAX_READ_AT_ONCE} THEN ${allVouchers} END AS vouchers`],
  whole: [`${allVouchers} AS vouchers`],
  mail: {
    columns: ['p.validity', 'p.how_to_use AS "howToUse"'],
    join: 'LEFT JOIN voucher_products p ON p.id = o.product_id',
  },

  unitFault: (goods, now) => (goods.kind === 'voucher' ? voucherFault(goods, now) : wrongKind),

  async storeUnits({ database, sealer }, purchase, outcome, units) {
    const { columns, buckets } = await sealed(sealer, purchase, ofKind(units, 'voucher'));
    const binds = { ...outcomeBinds(purchase, outcome), ...columns };
    const store = (statement: string) => storeOnce(database, { statement, binds, buckets });
    const stored = await store(storeStatement).catch((error: unknown) => {
      if (isUniqueViolation(error)) return store(storeOthersStatement);
      throw error;
    });
    const present = new Set(stored?.present);
    const isWhole = !stored || columns.unit.every((unit) => present.has(unit));
    // What another session stored at the same moment is not in the statement's snapshot: look once more.
    return isWhole ? stored : ((await store(storeOthersStatement)) ?? stored);
  },
};

/** Few are sealed sooner than they are handed over. */
function sealed(
  sealer: Sealer,
  { orderId, firstUnit }: PurchaseKey,
  units: readonly GoodUnit<VoucherGoods>[],
): SealedVouchers | Promise<SealedVouchers> {
  const purchase = { orderId, firstUnit };
  if (!isLarge(units)) return sealVouchers(sealer, purchase, units);
  return sealingThread.run({ keys: sealer.keys(), purchase, units });
}
