/** The thread on which the vouchers of large orders are opened. It keeps no key: each job brings those of its moment. */
import { readlinkSync } from 'node:fs';
import { basename } from 'node:path';
import { constants, setPriority } from 'node:os';
import { move, transferableSymbol, valueSymbol } from 'piscina';
import { arrivedKeys, KeyRing, type KeySet } from '../../security/key-ring';
import { Sealer } from '../../security/sealing';
import { voucherViews } from './voucher-view';

export interface ViewJob {
  keys: Required<Pick<KeySet, 'seal'>>;
  orderId: number;
  /** As `VoucherOrderRow` has it. */
  vouchers: string;
}

export interface ViewedVouchers {
  /** The JSON that clients read, in UTF-8. */
  json: Uint8Array<ArrayBuffer>;
  /** The places of values that did not open, and why. */
  unreadable: { place: string; error: unknown }[];
}

/** Does one job; the bytes of its result are handed over instead of copied. */
export function viewOnThread({ keys, orderId, vouchers }: ViewJob) {
  const unreadable: ViewedVouchers['unreadable'] = [];
  const ring = new KeyRing({ seal: arrivedKeys(keys.seal) });
  const sealer = new Sealer(ring, (place, error) => unreadable.push({ place, error }));
  const json = new TextEncoder().encode(JSON.stringify(voucherViews(sealer, orderId, vouchers)));
  return move({ [transferableSymbol]: [json.buffer], [valueSymbol]: { json, unreadable } });
}

/** Linux gives each thread a priority of its own: where processors are few, small requests go first. */
function giveWay(): void {
  if (process.platform !== 'linux') return;
  setPriority(Number(basename(readlinkSync('/proc/thread-self'))), constants.priority.PRIORITY_BELOW_NORMAL);
}

giveWay();
