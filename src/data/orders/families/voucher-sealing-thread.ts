/** The thread on which the vouchers of large purchases are sealed. It keeps no key: each job brings those of its moment. */
import type { VoucherGoods } from '../../../domain/goods';
import { serveJobs } from '../../../domain/own-thread';
import { KeyRing, type Key, type KeySet } from '../../../security/key-ring';
import { Sealer } from '../../../security/sealing';
import type { GoodUnit, PurchaseKey } from './family-storage';
import { sealVouchers, type Bytes, type SealedVouchers } from './voucher-sealing';

export interface SealingJob {
  keys: Required<Pick<KeySet, 'seal' | 'lookup'>>;
  purchase: Pick<PurchaseKey, 'orderId' | 'firstUnit'>;
  units: readonly GoodUnit<VoucherGoods>[];
}

serveJobs<SealingJob, SealedVouchers>(
  ({ keys: { seal, lookup }, purchase, units }) => {
    const ring = new KeyRing({ seal: arrived(seal), lookup: arrived(lookup) });
    return sealVouchers(new Sealer(ring), purchase, units);
  },
  ({ columns }) =>
    Object.values(columns)
      .filter(isBytes)
      .map(({ buffer }) => buffer),
);

/** From one thread to another a buffer becomes an array of bytes. */
function arrived(keys: readonly Key[]): Key[] {
  return keys.map(({ id, secret }) => ({ id, secret: Buffer.from(secret) }));
}

function isBytes(column: SealedVouchers['columns'][keyof SealedVouchers['columns']]): column is Bytes {
  return column instanceof Uint8Array;
}
