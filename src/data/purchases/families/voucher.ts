/** Voucher orders: one row of `vouchers` for each unit, no detail row. */
import { join } from 'node:path';
import { Piscina } from 'piscina';
import { UniqueConstraintError } from 'sequelize';
import type { VoucherGoods } from '../../../domain/orders/goods';
import { minute } from '../../../domain/time';
import { voucherFault } from '../../../domain/orders/usable-goods';
import type { Sealer } from '../../../security/sealing';
import { readSql } from '../../database/statement-text';
import type { OrderRow, MailableOrder } from '../../orders/order-rows';
import {
  isLarge,
  ofKind,
  outcomeBinds,
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

/** What a mail about vouchers tells. */
export interface MailableVouchers extends MailableOrder {
  family: 'VOUCHER';
  validity: string | null;
  howToUse: string | null;
}

/** Refused as a whole where a code or claim URL belongs to another unit. */
const storeStatement = readSql('purchases/statements/store-vouchers.sql');
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
      if (error instanceof UniqueConstraintError) return store(storeOthersStatement);
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
