/** A voucher order with its vouchers as the bytes that are sent. docs/specification.md#voucher-order. */
import { join } from 'node:path';
import type { Response } from 'express';
import { Piscina } from 'piscina';
import type { VoucherOrderRow } from '../../data/purchases/families/voucher';
import { findOrder } from '../../data/orders/order-reads';
import { errors } from '../../domain/errors';
import { minute } from '../../domain/time';
import type { Dependencies } from '../dependencies';
import { clientOf } from '../middleware/authenticate';
import { inTurn } from '../shared/large-reads';
import { voucherViews } from './voucher-view';
import type { ViewedVouchers, ViewJob } from './voucher-view-thread';

/** Opening 5,000 vouchers takes some 90 ms of a processor: beside the main thread it delays no other request. */
const openingThread = new Piscina<ViewJob, ViewedVouchers>({
  filename: join(__dirname, 'voucher-view-thread.js'),
  name: 'viewOnThread',
  minThreads: 0,
  maxThreads: 1,
  idleTimeout: minute,
  // What it opens lives shortly. Without a limit it gathers 50 MB more before it looks what can go.
  resourceLimits: { maxYoungGenerationSizeMb: 6 },
});

/**
 * The order as JSON: what `view` shows of it, and its vouchers. What is delivered stays readable, also where the rest of
 * the order failed. The vouchers of a large order are read when it is its client's turn, and opened on a thread.
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
  return inTurn(response, async (stopIfClosed) => {
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
