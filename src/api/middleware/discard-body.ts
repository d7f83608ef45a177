import type { Request, Response } from 'express';

/** How long the rest of a rejected body is thrown away, so that its sender comes to read the answer. */
const DISCARD_MS = 1_000;

/** Bytes of rejected bodies that are thrown away in each interval, those of all connections together: 20 MiB a second. */
const DISCARDED_AT_ONCE = 1024 * 1024;
const INTERVAL_MS = 50;

const discarded = { interval: 0, bytes: 0 };

/**
 * Throws away what is still sent of a rejected request, and hangs up on a sender that does not come to its end. Node would
 * read as fast as it is sent: a client beyond its rate limit would take a processor with bodies that nobody looks at.
 */
export function discardBody(request: Request, response: Response): void {
  if (request.complete) return;
  request.on('data', ({ length }: Buffer) => {
    if (!isWithinPace(length)) pause(request);
  });
  request.resume();
  response.once('finish', () => {
    if (request.complete) return;
    const hangUp = setTimeout(() => request.socket.destroy(), DISCARD_MS);
    request.once('close', () => clearTimeout(hangUp));
  });
}

function isWithinPace(bytes: number): boolean {
  const interval = Math.floor(performance.now() / INTERVAL_MS);
  if (interval !== discarded.interval) Object.assign(discarded, { interval, bytes: 0 });
  discarded.bytes += bytes;
  return discarded.bytes <= DISCARDED_AT_ONCE;
}

function pause(request: Request): void {
  request.pause();
  setTimeout(() => request.resume(), INTERVAL_MS);
}
