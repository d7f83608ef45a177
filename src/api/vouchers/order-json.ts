/** A voucher order with its vouchers. docs/specification.md#voucher-order. */
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Response } from 'express';
import { Piscina } from 'piscina';
import type { VoucherOrderRow } from '../../data/purchases/families/voucher';
import { readVoucherPages } from '../../data/orders/order-reads';
import { minute } from '../../domain/time';
import type { Dependencies } from '../dependencies';
import { clientOf } from '../middleware/caller';
import { hasScope } from '../middleware/scope';
import { scheduleLargeRead } from '../shared/large-reads';
import { found } from '../shared/validation';
import { voucherViews, type VoucherView } from './voucher-view';
import type { ViewedVouchers, ViewJob } from './voucher-view-thread';

type ReadDependencies = Pick<Dependencies, 'database' | 'sealer' | 'shownCodes'>;

/** Decrypting 5,000 vouchers takes some 25 ms of CPU. In a thread it does not delay other requests. */
const openingThread = new Piscina<ViewJob, ViewedVouchers>({
  filename: join(__dirname, 'voucher-view-thread.js'),
  name: 'viewOnThread',
  minThreads: 0,
  maxThreads: 1,
  idleTimeout: minute,
  // The decrypted data is short-lived. Without a limit the heap of the thread grows by another 50 MB. With 6 MB, a read takes 5 ms
  // more to collect garbage.
  resourceLimits: { maxYoungGenerationSizeMb: 12 },
});

/**
 * The order as JSON: the result of `view`, and the delivered vouchers, even if the order failed. A key without the scope `codes` gets no
 * `vouchers`. The vouchers of a large order are read when it is the turn of the client, decrypted in a thread, and streamed.
 */
export async function orderJson(
  deps: ReadDependencies,
  response: Response,
  order: VoucherOrderRow,
  view: (order: VoucherOrderRow) => object,
): Promise<object | Readable> {
  if (!hasScope(response, 'codes')) return view(order);
  await recordShown(deps, response, order);
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
  await recordShown(deps, response, order);
  const vouchers = fewVouchers(deps, order);
  return vouchers ?? streamWhole(deps, response, order, (_whole, pieces) => oneByOne(pieces));
}

/** Audits the codes of a delivered order that a member gets. */
async function recordShown(
  { shownCodes }: ReadDependencies,
  response: Response,
  { id, status, deliveredQuantity }: VoucherOrderRow,
): Promise<void> {
  if (status !== 'PENDING' && deliveredQuantity > 0) await shownCodes.record(response, `order/${id}`);
}

/** The vouchers of an order; undefined if the order is large, and therefore was read without its vouchers. */
function fewVouchers({ sealer }: Pick<Dependencies, 'sealer'>, order: VoucherOrderRow): VoucherView[] | undefined {
  const { id, status, deliveredQuantity, vouchers } = order;
  if (status === 'PENDING' || deliveredQuantity === 0) return [];
  return vouchers === null ? undefined : voucherViews(sealer, id, vouchers);
}

/** Reads the whole order when it is the turn of the client. Streams the result of `contentOf` for the order and its vouchers. */
function streamWhole(
  deps: ReadDependencies,
  response: Response,
  { id }: VoucherOrderRow,
  contentOf: (order: VoucherOrderRow, pieces: AsyncIterable<Buffer>) => AsyncIterable<unknown>,
): Promise<Readable> {
  return scheduleLargeRead(response, async (stopIfClosed) => {
    const pages = await readVoucherPages(deps.database, clientOf(response).id, id);
    const order = found(pages[0], 'Order');
    stopIfClosed();
    return Readable.from(contentOf(order, voucherPieces(deps, pages)), { highWaterMark: 1 });
  });
}

/** The vouchers in pieces, each the JSON of an array in UTF-8. The thread decrypts a page while the previous one is sent. */
async function* voucherPieces({ sealer }: ReadDependencies, pages: readonly VoucherOrderRow[]): AsyncGenerator<Buffer> {
  for (const { id: orderId, vouchers } of pages) {
    if (vouchers === null) continue;
    const job = { keys: sealer.openingKeys(), orderId, vouchers };
    const { json, unreadable } = await openingThread.run(job);
    for (const { place, error } of unreadable) sealer.reportUnreadable(place, error);
    yield Buffer.from(json.buffer);
  }
}

/** Replaces the brackets of the pieces, so that together they are one array. */
async function* jsonText(order: object, pieces: AsyncIterable<Buffer>): AsyncGenerator<string | Buffer> {
  yield `${JSON.stringify(order).slice(0, -1)},"vouchers":`;
  let opening = '[';
  for await (const piece of pieces) {
    piece.write(opening);
    yield piece.subarray(0, -1);
    opening = ',';
  }
  yield ']}';
}

async function* oneByOne(pieces: AsyncIterable<Buffer>): AsyncGenerator<VoucherView> {
  for await (const piece of pieces) yield* JSON.parse(piece.toString()) as VoucherView[];
}
