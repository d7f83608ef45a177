/**
 * Reads of many units or rows. They run one at a time for each client, so a client that reads much delays
 * only itself. docs/decisions/0060-serialise-large-reads.md.
 */
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';
import { errors } from '../../domain/errors';
import { ConcurrencyLimiter } from '../../async/concurrency-limiter';
import { limitKeyOf } from '../middleware/caller';
import { ageOf } from '../../http/http-server';
import { propertyOf } from '../../domain/unknown-values';

/** Of all clients together. Each read may hold a whole response, some 5 MB, in memory. */
const MAX_LARGE_READS = 8;
/**
 * The longest wait for a turn, from the arrival of the request on. It is at least `leastMs`, because a pipelined read also waits for
 * the pause after the previous read.
 */
const TURN_LIMIT = { ms: 30_000, leastMs: 2_000 };
/**
 * After a read, the client's next read waits `share` times as long as the read took, at most `maxMs`. A client that reads all
 * the time thus takes at most a third of a CPU, unless its reads take longer than 500 ms.
 */
const PAUSE = { share: 2, maxMs: 1_000 };
/** A page within these limits is read without a turn. The database has to skip the rows before it one by one. */
const MAX_AT_ONCE = { rows: 500, rowsBefore: 10_000 };

const turns = new ConcurrencyLimiter({ maxConcurrent: MAX_LARGE_READS, maxPerOwner: 1 });

/**
 * Runs the read when it is the turn of the client. The turn ends when the response is sent, so a client that does not
 * read its responses holds only one in memory. `stopIfClosed` throws if the connection has closed; the read calls it
 * between its steps. Throws 503 if the turn does not come within 30 s.
 */
export async function scheduleLargeRead<Result>(
  response: Response,
  read: (stopIfClosed: () => void) => Promise<Result>,
): Promise<Result> {
  const { permit, closed } = await takeTurn(turns, response);
  const stopIfClosed = () => {
    if (closed.aborted) stop();
  };
  stopIfClosed();
  const began = performance.now();
  let endedAt: number | undefined;
  response.once('close', () => {
    const tookMs = (endedAt ?? performance.now()) - began;
    setTimeout(() => permit.release(), Math.min(PAUSE.maxMs, PAUSE.share * tookMs)).unref();
  });
  const result = await read(stopIfClosed);
  // The read of a stream ends only with the response.
  if (!(result instanceof Readable)) endedAt = performance.now();
  return result;
}

declare module 'express-serve-static-core' {
  interface Locals {
    /** Of the application: aborted once the process stops. */
    stopping?: AbortSignal;
  }
}

/**
 * Waits until the limiter admits the client. Throws 503 after the turn limit, or at once if the process stops, and lets this response
 * close the connection. If the connection closes during the wait, `closed` is aborted and the permit released.
 */
export async function takeTurn(limiter: ConcurrencyLimiter, response: Response) {
  const closed = closeOf(response.req.socket);
  const { stopping } = response.app.locals;
  const flow = { owner: limitKeyOf(response) };
  const waitMs = Math.max(TURN_LIMIT.leastMs, TURN_LIMIT.ms - ageOf(response.req));
  const permit = await limiter.acquire(flow, waitMs, closed, stopping);
  if (!permit) {
    // If the connection stayed open, each pipelined request would wait its own 30 s, for a client that may read nothing.
    response.set('Connection', 'close');
    throw errors.serviceUnavailable();
  }
  // If the connection closed during the wait, `close` was emitted already, so the listener of the caller would release no permit.
  if (closed.aborted) permit.release();
  return { permit, closed };
}

/**
 * Sends the stream, reading it only as fast as the client reads the response. A failure breaks the connection off, so that the
 * client does not take the response for complete.
 */
export async function sendStream(stream: Readable, response: Response): Promise<void> {
  // With the listeners of the middleware, the pipeline adds more than the ten of which Node warns.
  response.setMaxListeners(20);
  await pipeline(stream, response).catch((error: unknown) => {
    if (!isConnectionClosed(error)) throw error;
  });
}

function isConnectionClosed(error: unknown): boolean {
  return propertyOf(error, 'code') === 'ERR_STREAM_PREMATURE_CLOSE';
}

/** Reads a small page near the beginning at once, and any other page when it is the turn of the client. */
export function schedulePage(
  response: Response,
  { offset, limit }: { offset: number; limit: number },
  read: () => Promise<void>,
): Promise<void> {
  const isLarge = limit > MAX_AT_ONCE.rows || offset > MAX_AT_ONCE.rowsBefore;
  return isLarge ? scheduleLargeRead(response, read) : read();
}

/** Ends a read whose connection is closed, so no client receives this error. */
function stop(): never {
  throw errors.serviceUnavailable();
}

/** One signal for all requests of a connection. A listener for each request would stay until the connection closes. */
const closes = new WeakMap<Socket, AbortSignal>();

/** The signal that aborts when the connection closes. */
function closeOf(socket: Socket): AbortSignal {
  const known = closes.get(socket);
  if (known) return known;
  const closing = new AbortController();
  if (socket.destroyed) closing.abort();
  else socket.once('close', () => closing.abort());
  closes.set(socket, closing.signal);
  return closing.signal;
}
