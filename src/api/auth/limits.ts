/**
 * Rate limits of login and refresh, which carry no access token.
 * docs/decisions/0029-count-calls-exactly.md.
 */
import { createHash, createHmac, randomBytes } from 'node:crypto';
import type { ErrorRequestHandler, Request, RequestHandler } from 'express';
import { LRUCache } from 'lru-cache';
import { ApiError } from '../../domain/errors';
import { networkOf } from '../../domain/clients/networks';
import { authFailures, type RateClass } from '../../domain/clients/rate-classes';
import type { Caller, RateLimiter } from '../rate-limits/rate-limiter';

/** Who the body says is calling, before anything is believed of it. */
export interface ClaimedCaller {
  /** The API key, or whatever else names one session or client; any text. */
  name: string;
  /** Whether the body proves it by a signature of ours, so that there is nothing to guess. */
  isGenuine: boolean;
  /** The secret that the body proves it by otherwise. */
  secret?: string | undefined;
  /** What an operator set for it, by class; nothing where there is no such caller. */
  rateLimits: () => Promise<Readonly<Record<string, number>>>;
}

/** An operator's setting counts after so long; so seldom is it read while somebody floods. */
const OVERRIDES_KEPT_MS = 1_000;
const MAX_KEPT = 10_000;

export class AuthLimits {
  private readonly overrides = new LRUCache<string, Caller['overrides']>({
    max: MAX_KEPT,
    ttl: OVERRIDES_KEPT_MS,
  });
  /**
   * Pairs of caller and address that were right before, with a keyed hash of the secret: others who guess, be it from the
   * same address, lock nobody out who has it.
   */
  private readonly proven = new LRUCache<string, string>({ max: MAX_KEPT });
  private readonly proofKey = randomBytes(32);

  constructor(private readonly limiter: RateLimiter) {}

  /**
   * Counts a call for the pair of caller and address; 429 where it is one too many. A caller with the secret that was
   * right before counts apart from those that guess. Of an address with too many failures, only callers pass that were
   * right before. A body that names nobody counts as a failure at once.
   */
  limit(rateClass: RateClass, claimed: (request: Request) => ClaimedCaller | undefined): RequestHandler {
    return async (request, response, next) => {
      const address = networkOf(request.ip);
      const caller = claimed(request);
      if (!caller) {
        await this.limiter.admit(response, authFailures, anyoneAt(address));
        return next();
      }
      const pair = `${digest(caller.name)}:${address}`;
      const proven = this.proven.get(pair);
      if (!caller.isGenuine && proven === undefined) {
        await this.limiter.check(response, authFailures, anyoneAt(address));
      }
      const overrides = await this.overridesOf(`${rateClass.name}:${digest(caller.name)}`, caller);
      const proof = this.proofOf(caller);
      const right = { key: `${pair}:right`, overrides };
      const isRight = proof !== undefined && proof === proven;
      await this.limiter.admit(response, rateClass, isRight ? right : { key: pair, overrides });
      response.locals.isCallerNamed = true;
      response.once('finish', () => {
        if (response.statusCode !== 200 || proof === undefined || isRight) return;
        this.proven.set(pair, proof);
        // The limit holds for all calls with the right secret, the first one included.
        void this.limiter.note(rateClass, right);
      });
      next();
    };
  }

  /** Comes after the handlers: counts what they refused as unauthorized and nobody has counted yet, before the answer. */
  readonly noteFailure: ErrorRequestHandler = async (error: unknown, request, response, next) => {
    if (error instanceof ApiError && error.status === 401 && response.locals.isCallerNamed === true) {
      await this.limiter.note(authFailures, anyoneAt(networkOf(request.ip)));
    }
    next(error);
  };

  private proofOf({ name, secret }: ClaimedCaller): string | undefined {
    if (secret === undefined) return undefined;
    return createHmac('sha256', this.proofKey).update(digest(name)).update(secret).digest('base64url');
  }

  private async overridesOf(key: string, { rateLimits }: ClaimedCaller): Promise<Caller['overrides']> {
    const kept = this.overrides.get(key);
    if (kept) return kept;
    const read = await rateLimits();
    this.overrides.set(key, read);
    return read;
  }
}

function anyoneAt(address: string): Caller {
  return { key: address, overrides: {} };
}

/** Callers write their names themselves, as long as they like. */
function digest(name: string): string {
  return createHash('sha256').update(name).digest('base64url');
}
