/** Decrypts the vouchers of large orders in a thread. Each job carries the current keys. */
import { move, transferableSymbol, valueSymbol } from 'piscina';
import { lowerThreadPriority } from '../../async/system-threads';
import { restoreKeys, KeyRing, type KeySet } from '../../security/key-ring';
import { Sealer } from '../../security/sealing';
import { voucherViewsJson } from './voucher-view';

export interface ViewJob {
  keys: Required<Pick<KeySet, 'seal'>>;
  orderId: number;
  /** As in a row of `readVoucherPages`. */
  vouchers: string;
}

export interface ViewedVouchers {
  /** The JSON that clients read, in UTF-8. */
  json: Uint8Array<ArrayBuffer>;
  /** The place of each value that could not be decrypted, and the error. */
  unreadable: { place: string; error: unknown }[];
}

/** Transfers the bytes of the result to the main thread instead of copying them. */
export function viewOnThread({ keys, orderId, vouchers }: ViewJob) {
  const unreadable: ViewedVouchers['unreadable'] = [];
  const ring = new KeyRing({ seal: restoreKeys(keys.seal) });
  const sealer = new Sealer(ring, (place, error) => unreadable.push({ place, error }));
  const json = new TextEncoder().encode(voucherViewsJson(sealer, orderId, vouchers));
  return move({ [transferableSymbol]: [json.buffer], [valueSymbol]: { json, unreadable } });
}

lowerThreadPriority();
