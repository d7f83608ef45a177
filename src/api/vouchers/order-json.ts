/** A voucher order with its vouchers. docs/specification.md#voucher-order. */
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Response } from 'express';
import { Piscina } from 'piscina';
import type { VoucherOrderRow } from '../../data/purchases/families/voucher';
import { findOrder } from '../../data/orders/order-reads';
import { errors } from '../../domain/errors';
import { minute } from '../../domain/time';
import type { Dependencies } from '../dependencies';
import { clientOf } from '../middleware/caller';
import { scheduleLargeRead } from '../shared/large-reads';
import { voucherViews, type VoucherView } from './voucher-view';
import type { ViewedVouchers, ViewJob } from './voucher-view-thread';

type ReadDependencies = Pick<Dependencies, 'database' | 'sealer'>;

/** Decrypting 5,000 vouchers takes some 40 ms of CPU. In a thread it delays no other request. */
const openingThread = new Piscina<ViewJob, ViewedVouchers>({
  filename: join(__dirname, 'voucher-view-thread.js'),
  name: 'viewOnThread',
  minThreads: 0,
  maxThreads: 1,
  idleTimeout: minute,
  // The decrypted data is short-lived. Without a limit the heap of the thread grows by another 50 MB.
  resourceLimits: { maxYoungGenerationSizeMb: 6 },
});

/** The thread decrypts a piece while the previous piece is sent. */
const VOUCHERS_IN_PIECE = 500;

/**
 * The order as JSON: the result of `view`, and the delivered vouchers, even if the order failed. The vouchers of a large order are
 * read when it is the turn of the client, decrypted in a thread, and streamed.
 */
export async function orderJson(
  deps: ReadDependencies,
  response: Response,
  order: VoucherOrderRow,
  view: (order: VoucherOrderRow) => object,
): Promise<object | Readable> {
  const vouchers = fewVouchers(deps, order);
  if (vouchers) return Object.assign(view(order), { vouchers });
  return streamWhole(deps, response, order, (whole, pieces) => jsonText(view(whole), pieces));
}

/** The vouchers of the order, read and decrypted as for `orderJson`. */
export async function readVouchers(
  deps: ReadDependencies,
  response: Response,
  order: VoucherOrderRow,
): Promise<Iterable<VoucherView> | AsyncIterable<VoucherView>> {
  const vouchers = fewVouchers(deps, order);
  return vouchers ?? streamWhole(deps, response, order, (_whole, pieces) => oneByOne(pieces));
}

/** The vouchers of an order; undefined if the order is large, and therefore was read without its vouchers. */
function fewVouchers({ sealer }: ReadDependencies, order: VoucherOrderRow): VoucherView[] | undefined {
  const { id, status, deliveredQuantity, vouchers } = order;
  if (status === 'PENDING' || deliveredQuantity === 0) return [];
  return vouchers === null ? undefined : voucherViews(sealer, id, vouchers);
}

/** Reads the whole order when it is the turn of the client. Streams the result of `contentOf` for the order and its vouchers. */
function streamWhole(
  deps: ReadDependencies,
  response: Response,
  { id }: VoucherOrderRow,
  contentOf: (whole: VoucherOrderRow, pieces: AsyncIterable<Buffer>) => AsyncIterable<unknown>,
): Promise<Readable> {
  return scheduleLargeRead(response, async (stopIfClosed) => {
    const whole = await findOrder(deps.database, 'VOUCHER', clientOf(response).id, id, 'whole');
    if (!whole || whole.vouchers === null) throw errors.notFound('Order');
    stopIfClosed();
    const pieces = voucherPieces(deps, id, whole.vouchers.split('\n'));
    return Readable.from(contentOf(whole, pieces), { highWaterMark: 1 });
  });
}

/** The vouchers in pieces, each the JSON of an array in UTF-8. */
async function* voucherPieces(
  { sealer }: ReadDependencies,
  orderId: number,
  lines: readonly string[],
): AsyncGenerator<Buffer> {
  for (let first = 0; first < lines.length; first += VOUCHERS_IN_PIECE) {
    const piece = lines.slice(first, first + VOUCHERS_IN_PIECE).join('\n');
    const job = { keys: sealer.openingKeys(), orderId, vouchers: piece };
    const { json, unreadable } = await openingThread.run(job);
    for (const { place, error } of unreadable) sealer.reportUnreadable(place, error);
    yield Buffer.from(json.buffer);
  }
}

async function* jsonText(order: object, pieces: AsyncIterable<Buffer>): AsyncGenerator<string | Buffer> {
  let prefix = `${JSON.stringify(order).slice(0, -1)},"vouchers":[`;
  for await (const piece of pieces) {
    yield prefix;
    yield piece.subarray(1, -1);
    prefix = ',';
  }
  yield ']}';
}

async function* oneByOne(pieces: AsyncIterable<Buffer>): AsyncGenerator<VoucherView> {
  for await (const piece of pieces) yield* JSON.parse(piece.toString()) as VoucherView[];
}
