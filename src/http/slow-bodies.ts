/**
 * Bodies that may arrive slowly, because their sender is known and a file can be large. Every other request must arrive at once.
 * docs/decisions/0081-check-every-door-alike.md.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { errors } from '../domain/errors';
import { minute } from '../domain/time';

/** How slowly such a body may arrive: as long as it likes at first, then at this pace, and no longer than `maxMs`. */
const PACE = { freeMs: 30_000, bytesPerSecond: 64 * 1024, maxMs: 15 * minute, checkEveryMs: 1_000 };

export type BodyPace = typeof PACE;

/** The longest time in which a request may arrive. */
export const SLOWEST_REQUEST_MS = PACE.maxMs;

const allowed = new WeakSet<IncomingMessage>();

/** Lets the body of the request wait for its reader, who then uses `watchPace`. */
export function allowSlowBody(request: IncomingMessage): void {
  allowed.add(request);
}

/** Calls `reject` with 408 once the body arrives too slowly, from now on. Call the result when it is read. */
export function watchPace(
  { socket }: IncomingMessage,
  reject: (error: Error) => void,
  { freeMs, bytesPerSecond, maxMs, checkEveryMs }: BodyPace = PACE,
): () => void {
  const [began, readBefore] = [performance.now(), socket.bytesRead];
  const checks = setInterval(() => {
    const elapsed = performance.now() - began;
    const due = ((elapsed - freeMs) / 1_000) * bytesPerSecond;
    if (elapsed > maxMs || socket.bytesRead - readBefore < due) reject(errors.requestTimeout());
  }, checkEveryMs);
  return () => clearInterval(checks);
}

/** Reports each request that has not arrived in time, and may not be slow, like Node's own timeout. */
export function rejectLate(
  server: Server,
  inFlight: { all(): readonly ServerResponse[] },
  { requestMs, checkEveryMs }: { requestMs: number; checkEveryMs: number },
  ageOf: (request: IncomingMessage) => number,
): void {
  const check = () => {
    for (const { req: request } of inFlight.all()) {
      if (request.complete || allowed.has(request) || ageOf(request) <= requestMs) continue;
      const error = Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
      server.emit('clientError', error, request.socket);
    }
  };
  const checks = setInterval(check, checkEveryMs).unref();
  server.once('close', () => clearInterval(checks));
}
