/**
 * Reads that return many units or rows: one at a time for each client, so that whoever reads much delays itself.
 * docs/decisions/0046-weigh-calls-by-their-cost.md.
 */
import type { Socket } from 'node:net';
import type { Response } from 'express';
import { errors } from '../../domain/errors';
import { ConcurrencyLimiter } from '../../async/concurrency-limiter';
import { clientOf } from '../middleware/authenticate';

/** Of all clients together: each holds its whole answer in memory, some 5 MB at most. */
const MAX_LARGE_READS = 8;
const TURN_LIMIT_MS = 30_000;
/**
 * After a read, the client's next one waits twice as long as the read took, but at most so long: a client that reads all
 * the time takes a third of a processor, and as many reads a minute as its rate limit admits.
 */
const REST = { share: 2, maxMs: 1_000 };
/** Rows of a list that are read at once. */
const MAX_ROWS_AT_ONCE = 500;

const turns = new ConcurrencyLimiter({
  maxConcurrent: MAX_LARGE_READS,
  maxPerOwner: 1,
  maxPerOwnerAmongOthers: 1,
});

/**
 * Runs the read when it is the client's turn, which lasts until the answer is taken: a client that leaves answers unread
 * holds no more than one. `stopIfClosed` throws once nobody waits for the answer any more; the read calls it between its
 * steps. Throws 503 where the turn does not come within 30 s.
 */
export async function inTurn<Result>(
  response: Response,
  read: (stopIfClosed: () => void) => Promise<Result>,
): Promise<Result> {
  const closed = closeOf(response.req.socket);
  const owner = clientOf(response).id;
  const permit = await turns.acquire({ owner, kind: 'large-reads' }, TURN_LIMIT_MS, closed);
  if (!permit) throw errors.serviceUnavailable();
  // It may have closed while it waited, and then does not do so again.
  if (closed.aborted) permit.release();
  const stopIfClosed = () => {
    if (closed.aborted) stop();
  };
  stopIfClosed();
  const began = performance.now();
  let endedAt: number | undefined;
  response.once('close', () => {
    const tookMs = (endedAt ?? performance.now()) - began;
    setTimeout(() => permit.release(), Math.min(REST.maxMs, REST.share * tookMs)).unref();
  });
  return read(stopIfClosed).finally(() => (endedAt = performance.now()));
}

/** Reads a page of so many rows: at once where it is small, else when it is the client's turn. */
export function pageInTurn(response: Response, size: number, read: () => Promise<void>): Promise<void> {
  return size > MAX_ROWS_AT_ONCE ? inTurn(response, read) : read();
}

/** Nobody reads what this is answered with. */
function stop(): never {
  throw errors.serviceUnavailable();
}

/** One signal for all requests of a connection. */
const closes = new WeakMap<Socket, AbortSignal>();

/** Aborts when the connection closes. */
function closeOf(socket: Socket): AbortSignal {
  const known = closes.get(socket);
  if (known) return known;
  const closing = new AbortController();
  if (socket.destroyed) closing.abort();
  else socket.once('close', () => closing.abort());
  closes.set(socket, closing.signal);
  return closing.signal;
}
