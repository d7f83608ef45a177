/** Voucher orders: one row of `vouchers` for each unit, no detail row. */
import type { VoucherGoods } from '../../../domain/goods';
import { ownWords } from '../../../domain/own-words';
import { voucherField } from '../../../security/encryption-context';
import type { Sealer } from '../../../security/sealing';
import type { MailableOrder } from '../mails';
import {
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

/** What a mail about vouchers tells. */
export interface MailableVouchers extends MailableOrder {
  family: 'VOUCHER';
  validity: string | null;
  howToUse: string | null;
}

const storeStatement = `
WITH ${purchaseToStore}, code AS (
  SELECT * FROM unnest($unit::integer[], $cardNumber::bytea[], $pinCode::bytea[], $claimUrl::bytea[],
                       $referenceNumber::bytea[], $expiresAt::timestamptz[], $codeHash::bytea[], $claimHash::bytea[])
    AS code (unit, card_number, pin_code, claim_url, reference_number, expires_at, code_hash, claim_hash)
), older AS (
  SELECT older.unit FROM unnest($olderUnit::integer[], $olderHash::bytea[]) AS older (unit, hash)
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

export const voucherStorage: FamilyStorage = {
  read: { columns: [], join: '' },
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
    const sealed = ofKind(units, 'voucher').map((unit) => sealVoucher(sealer, purchase, unit));
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
    const store = () => storeOnce(database, { statement: storeStatement, binds, hashes });
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
