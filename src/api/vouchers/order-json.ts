/** A voucher order with its vouchers as JSON bytes. docs/specification.md#voucher-order. */
import { join } from 'node:path';
import type { Response } from 'express';
import { Piscina } from 'piscina';
import type { VoucherOrderRow } from '../../data/purchases/families/voucher';
import { findOrder } from '../../data/orders/order-reads';
import { errors } from '../../domain/errors';
import { minute } from '../../domain/time';
import type { Dependencies } from '../dependencies';
import { clientOf } from '../middleware/caller';
import { scheduleLargeRead } from '../shared/large-reads';
import { voucherViews } from './voucher-view';
import type { ViewedVouchers, ViewJob } from './voucher-view-thread';

/** Decrypting 5,000 vouchers takes some 90 ms of CPU. In a thread it delays no other request. */
const openingThread = new Piscina<ViewJob, ViewedVouchers>({
  filename: join(__dirname, 'voucher-view-thread.js'),
  name: 'viewOnThread',
  minThreads: 0,
  maxThreads: 1,
  idleTimeout: minute,
  // The decrypted data is short-lived. Without a limit the heap of the thread grows by another 50 MB.
  resourceLimits: { maxYoungGenerationSizeMb: 6 },
});

/**
 * The order as JSON: the result of `view`, and its vouchers. Delivered vouchers stay readable even if the order
 * failed. The vouchers of a large order are read when it is the turn of the client, and decrypted in a thread.
 */
export async function orderJson(
  { database, sealer }: Pick<Dependencies, 'database' | 'sealer'>,
  response: Response,
  order: VoucherOrderRow,
  view: (order: VoucherOrderRow) => object,
): Promise<Buffer> {
  const { id, status, deliveredQuantity, vouchers } = order;
  if (status === 'PENDING' || deliveredQuantity === 0) return withVouchers(view(order), '[]');
  if (vouchers !== null) {
    return withVouchers(view(order), JSON.stringify(voucherViews(sealer, id, vouchers)));
  }
  return scheduleLargeRead(response, async (stopIfClosed) => {
    const whole = await findOrder(database, 'VOUCHER', clientOf(response).id, id, 'whole');
    if (!whole || whole.vouchers === null) throw errors.notFound('Order');
    stopIfClosed();
    const job = { keys: sealer.openingKeys(), orderId: id, vouchers: whole.vouchers };
    const { json, unreadable } = await openingThread.run(job);
    for (const { place, error } of unreadable) sealer.reportUnreadable(place, error);
    return withVouchers(view(whole), json);
  });
}

function withVouchers(order: object, vouchers: string | Uint8Array): Buffer {
  const head = `${JSON.stringify(order).slice(0, -1)},"vouchers":`;
  return Buffer.concat([Buffer.from(head), Buffer.from(vouchers), Buffer.from('}')]);
}
