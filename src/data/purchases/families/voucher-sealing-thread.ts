/** The thread on which the vouchers of large purchases are sealed. It keeps no key: each job brings those of its moment. */
import { move, transferableSymbol, valueSymbol } from 'piscina';
import type { VoucherGoods } from '../../../domain/orders/goods';
import { arrivedKeys, KeyRing, type KeySet } from '../../../security/key-ring';
import { Sealer } from '../../../security/sealing';
import type { GoodUnit, PurchaseKey } from './family-storage';
import { sealVouchers, type Bytes, type SealedVouchers } from './voucher-sealing';

export interface SealingJob {
  keys: Required<Pick<KeySet, 'seal' | 'lookup'>>;
  purchase: Pick<PurchaseKey, 'orderId' | 'firstUnit'>;
  units: readonly GoodUnit<VoucherGoods>[];
}

/** Does one job; the bytes of its result are handed over instead of copied. */
export function sealOnThread({ keys: { seal, lookup }, purchase, units }: SealingJob) {
  const ring = new KeyRing({ seal: arrivedKeys(seal), lookup: arrivedKeys(lookup) });
  const sealed = sealVouchers(new Sealer(ring), purchase, units);
  const bytes = Object.values(sealed.columns).filter(isBytes);
  return move({ [transferableSymbol]: bytes.map(({ buffer }) => buffer), [valueSymbol]: sealed });
}

function isBytes(column: SealedVouchers['columns'][keyof SealedVouchers['columns']]): column is Bytes {
  return column instanceof Uint8Array;
}
