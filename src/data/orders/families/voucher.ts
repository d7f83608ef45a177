/** Voucher orders: one row of `vouchers` for each unit, no detail row. */
import type { VoucherGoods } from '../../../domain/goods';
import { inLine, isLong, mapInTurns } from '../../../domain/in-turns';
import { ownWords } from '../../../domain/own-words';
import { voucherField } from '../../../security/encryption-context';
import type { Sealer } from '../../../security/sealing';
import { readSql } from '../../sql-files';
import type { MailableOrder } from '../mails';
import type { OrderRow } from '../order-reads';
import {
  ofKind,
  outcomeBinds,
  storeOnce,
  wrongKind,
  type FamilyStorage,
  type GoodUnit,
  type PurchaseKey,
} from './family-storage';

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

const storeStatement = readSql('orders/statements/store-vouchers.sql');

/**
 * PostgreSQL stores hundreds of units faster than they are sealed, two such statements at a time: more of them would only
 * keep the statements of small orders waiting for a processor.
 */
const storedInLine = inLine(2);

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
    const sealed = await mapInTurns(ofKind(units, 'voucher'), (unit) => sealVoucher(sealer, purchase, unit));
    const column = <K extends keyof SealedVoucher>(key: K) => sealed.map((voucher) => voucher[key]);
    const older = sealed.flatMap(({ unit, olderHashes }) => olderHashes.map((hash) => ({ unit, hash })));
    const binds = {
      ...outcomeBinds(purchase, outcome),
      unit: column('unit'),
      cardNumber: column('cardNumber'),
      pinCode: column('pinCode'),
      claimUrl: column('claimUrl'),
      referenceNumber: column('referenceNumber'),
      expiresAt: column('expiresAt'),
      codeHash: column('codeHash'),
      claimHash: column('claimHash'),
      olderUnit: older.map(({ unit }) => unit),
      olderHash: older.map(({ hash }) => hash),
    };
    const hashes = sealed.flatMap((voucher) => voucher.hashes);
    const storeNow = () => storeOnce(database, { statement: storeStatement, binds, hashes });
    const store = () => (isLong(units) ? storedInLine(storeNow) : storeNow());
    const stored = await store();
    const isWhole = !stored || sealed.every(({ unit }) => stored.present.includes(unit));
    // What another session stored at the same moment is not in the statement's snapshot: look once more.
    return isWhole ? stored : ((await store()) ?? stored);
  },
};

interface SealedVoucher {
  unit: number;
  cardNumber: Buffer | null;
  pinCode: Buffer | null;
  claimUrl: Buffer | null;
  referenceNumber: Buffer | null;
  expiresAt: Date | null;
  codeHash: Buffer | null;
  claimHash: Buffer | null;
  /** The hashes its code and URL would have under other keys. */
  olderHashes: Buffer[];
  /** All hashes of its code, and all of its URL. */
  hashes: Buffer[][];
}

function sealVoucher(
  sealer: Sealer,
  { orderId, firstUnit }: PurchaseKey,
  { position, goods }: GoodUnit<VoucherGoods>,
): SealedVoucher {
  const unit = firstUnit + position - 1;
  const { cardNumber, claimUrl } = goods;
  const seal = (field: string, text: string | undefined) =>
    sealer.sealOptional(voucherField(orderId, unit, field), text);
  const hashesOf = (text: string | undefined) => (text === undefined ? [] : sealer.lookupHashes(text));
  const hashes = [hashesOf(cardNumber), hashesOf(claimUrl)] as const;
  const [[codeHash = null, ...olderCodes], [claimHash = null, ...olderClaims]] = hashes;
  return {
    unit,
    cardNumber: seal('card_number', cardNumber),
    pinCode: seal('pin_code', goods.pinCode),
    claimUrl: seal('claim_url', claimUrl),
    referenceNumber: seal('voucher_reference_number', goods.referenceNumber),
    expiresAt: goods.expiresAt === undefined ? null : new Date(goods.expiresAt),
    codeHash,
    claimHash,
    olderHashes: [...olderCodes, ...olderClaims],
    hashes: [...hashes],
  };
}
