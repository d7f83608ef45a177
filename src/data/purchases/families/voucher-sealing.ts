/** Seals the vouchers of a purchase, each column as one value of the storing statement. */
import { move, transferableSymbol, valueSymbol } from 'piscina';
import type { VoucherGoods } from '../../../domain/orders/goods';
import { expiryOf } from '../../../domain/time';
import { Sealer } from '../../../security/sealing';
import { byteaArray } from '../../database/binds';
import type { VoucherRow } from '../../orders/order-rows';
import { sealCodes } from '../../orders/voucher-codes';
import { bucketsOf, type GoodUnit, type PurchaseKey } from './family-storage';
import { restoreKeys, KeyRing, type KeySet } from '../../../security/key-ring';

/** Separate memory, which can be transferred to another thread. */
export type Bytes = Uint8Array<ArrayBuffer>;

/** The values of the storing statement, by their names. */
export interface VoucherColumns {
  unit: number[];
  sealedCodes: Bytes;
  expiresAt: (Date | null)[];
  codeHash: Bytes;
  claimHash: Bytes;
  /** The hashes of codes and URLs under other keys, with their units. */
  olderUnit: number[];
  olderHash: Bytes;
}

export interface SealedVouchers {
  columns: VoucherColumns;
  /** For `storeOnce`. */
  buckets: number[];
}

/** Seals under the promoted keys. */
export function sealVouchers(
  sealer: Sealer,
  purchase: Pick<PurchaseKey, 'orderId' | 'firstUnit'>,
  units: readonly GoodUnit<VoucherGoods>[],
): SealedVouchers {
  const sealed = units.map((unit) => sealVoucher(sealer, purchase, unit));
  const older = sealed.flatMap(({ unit, codeHashes, claimHashes }) =>
    [...codeHashes.slice(1), ...claimHashes.slice(1)].map((hash) => ({ unit, hash })),
  );
  const columns = {
    unit: sealed.map(({ unit }) => unit),
    sealedCodes: byteaArray(sealed.map(({ sealedCodes }) => sealedCodes)),
    expiresAt: sealed.map(({ expiresAt }) => expiresAt),
    codeHash: byteaArray(sealed.map(({ codeHashes }) => codeHashes[0] ?? null)),
    claimHash: byteaArray(sealed.map(({ claimHashes }) => claimHashes[0] ?? null)),
    olderUnit: older.map(({ unit }) => unit),
    olderHash: byteaArray(older.map(({ hash }) => hash)),
  };
  const buckets = bucketsOf(sealed.flatMap(({ codeHashes, claimHashes }) => [codeHashes, claimHashes]));
  return { columns, buckets };
}

interface SealedVoucher extends VoucherRow {
  /** The hashes of its code and of its URL: one for each lookup key, the promoted one first. */
  codeHashes: Buffer[];
  claimHashes: Buffer[];
}

function sealVoucher(
  sealer: Sealer,
  { orderId, firstUnit }: Pick<PurchaseKey, 'orderId' | 'firstUnit'>,
  { position, goods }: GoodUnit<VoucherGoods>,
): SealedVoucher {
  const unit = firstUnit + position - 1;
  const { cardNumber, claimUrl } = goods;
  const hashesOf = (text: string | undefined) => (text === undefined ? [] : sealer.lookupHashes(text));
  return {
    unit,
    sealedCodes: sealCodes(sealer, { orderId, unit }, goods),
    expiresAt: goods.expiresAt === undefined ? null : (expiryOf(goods.expiresAt) ?? null),
    codeHashes: hashesOf(cardNumber),
    claimHashes: hashesOf(claimUrl),
  };
}

/** A job for the sealing thread. The thread keeps no keys: each job brings the current ones. */
export interface SealingJob {
  keys: Required<Pick<KeySet, 'seal' | 'lookup'>>;
  purchase: Pick<PurchaseKey, 'orderId' | 'firstUnit'>;
  units: readonly GoodUnit<VoucherGoods>[];
}

/** Does one job. The bytes of its result are transferred, not copied. */
export function sealOnThread({ keys: { seal, lookup }, purchase, units }: SealingJob) {
  const ring = new KeyRing({ seal: restoreKeys(seal), lookup: restoreKeys(lookup) });
  const sealed = sealVouchers(new Sealer(ring), purchase, units);
  const bytes = Object.values(sealed.columns).filter(isBytes);
  return move({ [transferableSymbol]: bytes.map(({ buffer }) => buffer), [valueSymbol]: sealed });
}

function isBytes(column: SealedVouchers['columns'][keyof SealedVouchers['columns']]): column is Bytes {
  return column instanceof Uint8Array;
}
