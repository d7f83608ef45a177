/** Voucher orders: one row of `vouchers` for each unit, no detail row. */
import { join } from 'node:path';
import { Piscina } from 'piscina';
import { isUniqueViolation } from '../../database/errors';
import { isLarge } from '../../../domain/orders/asynchronous-and-large-orders';
import type { VoucherGoods } from '../../../domain/orders/goods';
import { minute } from '../../../domain/time';
import { voucherFault } from '../../../domain/orders/usable-goods';
import type { Sealer } from '../../../security/sealing';
import type { OrderRow, MailableOrder } from '../../orders/order-rows';
import { fewVouchers } from '../../orders/voucher-bytes';
import {
  byHand,
  isByHand,
  ofKind,
  outcomeBinds,
  storeOnce,
  storingStatements,
  wrongKind,
  type FamilyStorage,
  type GoodUnit,
  type PurchaseKey,
} from './family-storage';
import { quarantinedElsewhere } from '../quarantined-goods';
import { sealVouchers, type SealedVouchers, type SealingJob } from './voucher-sealing';

/** A voucher order as its client reads it. */
export interface VoucherOrderRow extends OrderRow {
  /**
   * The delivered vouchers by unit, which `storedVouchers` reads. Null if there are too many to read them with every order
   * (`readVoucherPages`).
   */
  vouchers: string | null;
}

/** The content of a mail about vouchers. */
export interface MailableVouchers extends MailableOrder {
  family: 'VOUCHER';
  validity: string | null;
  howToUse: string | null;
}

/** SQL: the units whose codes are quarantined for other units. */
const codesElsewhere = quarantinedElsewhere(
  `SELECT unit, code_hash FROM code UNION ALL SELECT unit, claim_hash FROM code
   UNION ALL SELECT * FROM unnest($olderUnit::integer[], $olderHash::bytea[])`,
  '$codeHash::bytea[] || $claimHash::bytea[] || $olderHash::bytea[]',
  '(SELECT order_id FROM purchase)',
);

// Stored units stay as they are. If a code or claim URL belongs to another unit, a unique index rejects the whole statement, and
// `storeOthers` stores the other units. Both statements omit units whose codes are stored under another lookup key, or
// quarantined for another unit (`older`). An operator's units are stored together or not at all: then the statement is not repeated,
// and stores none of them if one is `older`.
//
// Why this shape: one row of arrays in binary form suits purchases of up to 500 units.
// Rejected, each for 500 units: ON CONFLICT DO NOTHING at once, which searches each unique index for each row first (5.5 instead
// of 4.5 ms of PostgreSQL's CPU). Arrays as text (6.4 instead of 5.5 ms, and 0.84 instead of 0.48 ms in the driver). A row of
// values for each unit (47 instead of 33 ms). A statement for each unit (210 ms).
const { store, storeAndEnd } = storingStatements('VOUCHER', {
  units: `
code AS (
  SELECT * FROM unnest($unit::integer[], $sealedCodes::bytea[], $expiresAt::timestamptz[], $codeHash::bytea[], $claimHash::bytea[])
    AS code (unit, sealed_codes, expires_at, code_hash, claim_hash)
), older AS (
  SELECT older.unit FROM unnest($olderUnit::integer[], $olderHash::bytea[]) AS older (unit, hash)
   WHERE EXISTS (SELECT FROM vouchers v WHERE v.code_hash = older.hash OR v.claim_hash = older.hash)
  UNION ALL
  SELECT unit FROM (${codesElsewhere}) elsewhere
), there AS (
  SELECT v.unit FROM purchase JOIN vouchers v ON v.order_id = purchase.order_id
     AND v.unit BETWEEN purchase.first_unit AND purchase.first_unit + purchase.units - 1
), fresh AS (
  SELECT purchase.order_id, code.* FROM purchase, code
   WHERE code.unit BETWEEN purchase.first_unit AND purchase.first_unit + purchase.units - 1
     AND code.unit NOT IN (SELECT unit FROM there) AND code.unit NOT IN (SELECT unit FROM older)
     AND NOT (${byHand} AND EXISTS (SELECT FROM older))
), stored AS (
  INSERT INTO vouchers (order_id, unit, sealed_codes, expires_at, code_hash, claim_hash)
  SELECT * FROM fresh
  RETURNING unit
), present AS (
  SELECT unit FROM there UNION ALL SELECT unit FROM stored
), present_units AS (
  SELECT count(*) FROM present
)`,
  delivered: { quantity: 'o.delivered_quantity + (SELECT count(*) FROM stored)', when: 'EXISTS (SELECT FROM stored)' },
  present: `(SELECT coalesce(array_agg(unit ORDER BY unit), '{}') FROM present)`,
});
/** Omits units whose codes other units have. */
const storeOthers = store.replace('SELECT * FROM fresh', '$& ON CONFLICT DO NOTHING');

/** Sealing is most of the CPU time and garbage of large orders. A separate thread keeps the main one free for small orders. */
const sealingThread = new Piscina<SealingJob, SealedVouchers>({
  filename: join(__dirname, 'voucher-sealing.js'),
  name: 'sealOnThread',
  minThreads: 0,
  maxThreads: 1,
  idleTimeout: minute,
});

export const voucherStorage: FamilyStorage = {
  read: { columns: [], join: '' },
  single: [fewVouchers],
  mail: {
    columns: ['p.validity', 'p.how_to_use AS "howToUse"'],
    join: 'LEFT JOIN voucher_products p ON p.id = o.product_id',
  },

  unitFault: (goods, now) => (goods.kind === 'voucher' ? voucherFault(goods, now) : wrongKind),

  async storeUnits({ database, sealer }, purchase, outcome, units, mayEnd = false) {
    const { columns, buckets } = await sealUnits(sealer, purchase, ofKind(units, 'voucher'));
    const binds = { ...outcomeBinds(purchase, outcome), ...columns };
    const run = (statement: string) => storeOnce(database, { statement, binds, buckets });
    const stored = await run(mayEnd ? storeAndEnd : store).catch((error: unknown) => {
      if (!isUniqueViolation(error)) throw error;
      return isByHand(outcome) ? undefined : run(storeOthers);
    });
    const present = new Set(stored?.present);
    const isWhole = !stored || columns.unit.every((unit) => present.has(unit));
    // The statement's snapshot lacks units that another session stored concurrently, so the statement runs once more.
    return isWhole ? stored : ((await run(storeOthers)) ?? stored);
  },
};

/** Uses the thread only for many units: a few are sealed faster than they are transferred. */
function sealUnits(
  sealer: Sealer,
  { orderId, firstUnit }: PurchaseKey,
  units: readonly GoodUnit<VoucherGoods>[],
): SealedVouchers | Promise<SealedVouchers> {
  const purchase = { orderId, firstUnit };
  if (!isLarge(units.length)) return sealVouchers(sealer, purchase, units);
  return sealingThread.run({ keys: sealer.keysFor(units.length), purchase, units });
}
