/** Checks of requests that the doors share. docs/decisions/0081-check-every-door-alike.md. */
import type { Request, RequestHandler } from 'express';
import { ConcurrencyLimiter, type Permit } from '../async/concurrency-limiter';
import { networkOf } from '../domain/clients/networks';
import { errors } from '../domain/errors';

/** HTTP/1.1 requires Host, once (RFC 9112, section 3.2). */
export const requireHost: RequestHandler = (request, _response, next) => {
  // Names and values of headers alternate.
  const isHost = (text: string, index: number) => index % 2 === 0 && text.toLowerCase() === 'host';
  const hosts = request.rawHeaders.filter(isHost).length;
  if (hosts > 1 || (hosts === 0 && request.httpVersion === '1.1')) throw errors.malformedRequest();
  next();
};

interface RunningLimits {
  /** Calls that run at once. */
  maxConcurrent: number;
  /** Those of one caller. */
  maxPerOwner: number;
  /** How long another call waits for its turn. */
  waitMs: number;
}

/** The calls that run at a door. One caller never takes all of them, and waiting callers take turns. */
export class RunningCalls {
  private readonly limiter: ConcurrencyLimiter;

  constructor(private readonly limits: RunningLimits) {
    this.limiter = new ConcurrencyLimiter(limits);
  }

  /** Waits for the turn of the owner's call. Throws 503 with `Retry-After` if it does not come in time. */
  async begin(owner: string): Promise<Permit> {
    const permit = await this.limiter.acquire({ owner }, this.limits.waitMs);
    if (!permit) throw errors.tooManyCalls();
    return permit;
  }
}

/** Runs the handlers that follow when the owner of the request has a turn, which ends with the response. */
export function limitRunning(limits: RunningLimits, ownerOf: (request: Request) => string): RequestHandler {
  const running = new RunningCalls(limits);
  return async (request, response, next) => {
    const turn = await running.begin(ownerOf(request));
    if (response.destroyed) return turn.release();
    response.once('close', () => turn.release());
    next();
  };
}

/** The network of a caller who has not signed in. */
export function networkOfCaller({ ip }: Request): string {
  return networkOf(ip ?? '');
}

/** Headers of every response, because responses contain codes and tokens. Cacheable responses override `Cache-Control`. */
export function safeHeaders(mode: 'production' | 'sandbox'): Readonly<Record<string, string>> {
  return {
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
    // Production has TLS in front. Preload lists of browsers require a year.
    ...(mode === 'production' && { 'Strict-Transport-Security': 'max-age=31536000' }),
  };
}
