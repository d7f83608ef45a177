/** Voucher orders: one row of `vouchers` for each unit, no detail row. */
import { join } from 'node:path';
import { Piscina } from 'piscina';
import { UniqueConstraintError } from 'sequelize';
import type { VoucherGoods } from '../../../domain/goods';
import { ownWords } from '../../../domain/own-words';
import { minute } from '../../../domain/time';
import type { Sealer } from '../../../security/sealing';
import { readSql } from '../../sql-files';
import type { MailableOrder } from '../mails';
import type { OrderRow } from '../order-reads';
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
import { sealVouchers, type SealedVouchers } from './voucher-sealing';
import type { SealingJob } from './voucher-sealing-thread';

/** Codes of one voucher in JSON: what is sealed as `\\x` and hexadecimal digits, the time by ISO 8601. */
export interface VoucherInJson {
  unit: number;
  cardNumber: string | null;
  pinCode: string | null;
  claimUrl: string | null;
  referenceNumber: string | null;
  expiresAt: string | null;
}

/** A voucher order as its client reads it, with every voucher of it that exists so far, by unit. */
export interface VoucherOrderRow extends OrderRow {
  vouchers: VoucherInJson[];
}

/**
 * One statement reads an order with its vouchers: they are of one moment, and it costs two thirds of two. The JSON of
 * 5,000 vouchers, the most an order has, takes 8 ms to be read.
 */
const vouchersColumn = `
  coalesce((SELECT json_agg(json_build_object(
              'unit', unit, 'cardNumber', card_number, 'pinCode', pin_code, 'claimUrl', claim_url,
              'referenceNumber', voucher_reference_number, 'expiresAt', expires_at) ORDER BY unit)
              FROM vouchers WHERE order_id = o.id), '[]') AS vouchers`;

/** What a mail about vouchers tells. */
export interface MailableVouchers extends MailableOrder {
  family: 'VOUCHER';
  validity: string | null;
  howToUse: string | null;
}

/** Refused as a whole where a code or claim URL belongs to another unit. */
const storeStatement = readSql('orders/statements/store-vouchers.sql');
/** Stores all units but those. */
const storeOthersStatement = storeStatement.replace('SELECT * FROM fresh', '$& ON CONFLICT DO NOTHING');

/**
 * Sealing is most of what large orders take of this process, and what they leave for the collector of garbage: beside
 * it, its thread leaves the main one to small orders.
 */
const sealingThread = new Piscina<SealingJob, SealedVouchers>({
  filename: join(__dirname, 'voucher-sealing-thread.js'),
  name: 'sealOnThread',
  ...{ minThreads: 0, maxThreads: 1, idleTimeout: minute },
});

export const voucherStorage: FamilyStorage = {
  read: { columns: [], join: '' },
  single: [vouchersColumn],
  mail: {
    columns: ['p.validity', 'p.how_to_use AS "howToUse"'],
    join: 'LEFT JOIN voucher_products p ON p.id = o.product_id',
  },

  unitFault(goods) {
    if (goods.kind !== 'voucher') return wrongKind;
    const { cardNumber, claimUrl, expiresAt } = goods;
    if (!cardNumber && !claimUrl) return ownWords`it has neither a code nor a claim URL`;
    if (expiresAt !== undefined && Number.isNaN(Date.parse(expiresAt)))
      return ownWords`its expiry is no date`;
    return undefined;
  },

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
