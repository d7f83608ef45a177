/**
 * Rate limits of login and refresh, which carry no access token.
 * docs/decisions/0061-count-logins-by-key-and-address.md.
 */
import { createHash, createHmac, randomBytes } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import { LRUCache } from 'lru-cache';
import { ApiError } from '../../domain/errors';
import { networkOf } from '../../domain/clients/networks';
import { authFailures, type RateClass } from '../../domain/clients/rate-classes';
import type { LimitedCaller, RateLimiter } from '../rate-limits/rate-limiter';

/** The caller that a body claims to be, before it is verified. */
export interface ClaimedCaller {
  /** The API key of a login, which may be any text, or the client id of a refresh. */
  name: string;
  /** Whether a token with our signature proves the name. */
  isGenuine: boolean;
  /** Whether the session of the token has ended. Its calls count separately. */
  hasEnded?: () => Promise<boolean>;
  /** The secret that proves the name without a token. */
  secret?: string | undefined;
  /** The limits that an operator set for the caller, by class; empty for an unknown caller. */
  rateLimits: () => Promise<Readonly<Record<string, number>>>;
}

/** How long the limits that an operator set are cached. A flood of calls reads them once a second. */
const OVERRIDES_TTL_MS = 1_000;
const MAX_CACHED = 10_000;

export class AuthLimits {
  private readonly overrides = new LRUCache<string, LimitedCaller['overrides']>({
    max: MAX_CACHED,
    ttl: OVERRIDES_TTL_MS,
  });
  /**
   * The keyed hash of the last verified secret of each pair of caller and address. Calls with this secret count separately,
   * so an attacker who guesses from the same address does not lock the caller out.
   */
  private readonly verifiedHashes = new LRUCache<string, string>({ max: MAX_CACHED });
  private readonly hashKey = randomBytes(32);

  constructor(private readonly limiter: RateLimiter) {}

  /**
   * Wraps the handler in the limits, beyond which a call gets 429. A call counts for its pair of caller and address. It counts
   * as a failure of the address if its body names no caller, or if the handler rejects it with 401. After too many failures,
   * the address may call only with a token that we signed, or in the name of a caller whose secret was verified there before.
   */
  limited(
    rateClass: RateClass,
    claimedCallerOf: (request: Request) => ClaimedCaller | undefined,
    handler: (request: Request, response: Response) => Promise<void>,
  ): RequestHandler {
    return async (request, response) => {
      const address = networkOf(request.ip);
      const caller = claimedCallerOf(request);
      if (!caller) {
        await this.limiter.admit(response, authFailures, addressCaller(address));
        return handler(request, response);
      }
      await this.admit(rateClass, caller, address, response);
      try {
        await handler(request, response);
      } catch (error) {
        const isFailure = error instanceof ApiError && error.status === 401;
        if (isFailure) await this.limiter.count(authFailures, addressCaller(address));
        throw error;
      }
    };
  }

  private async admit(rateClass: RateClass, caller: ClaimedCaller, address: string, response: Response): Promise<void> {
    let pair = `${digest(caller.name)}:${address}`;
    const verifiedHash = this.verifiedHashes.get(pair);
    if (!caller.isGenuine && verifiedHash === undefined) {
      await this.limiter.check(response, authFailures, addressCaller(address));
    }
    const overrides = await this.overridesOf(`${rateClass.name}:${digest(caller.name)}`, caller);
    if (caller.hasEnded) {
      // Beyond the limit, a call does not cause a statement.
      await this.limiter.check(response, rateClass, { key: pair, overrides });
      if (await caller.hasEnded()) pair += ':ended';
    }
    const hash = this.secretHashOf(caller);
    const verifiedCaller = { key: `${pair}:verified`, overrides };
    const isVerified = hash !== undefined && hash === verifiedHash;
    await this.limiter.admit(response, rateClass, isVerified ? verifiedCaller : { key: pair, overrides });
    response.once('finish', () => {
      if (response.statusCode !== 200 || hash === undefined || isVerified) return;
      this.verifiedHashes.set(pair, hash);
      // The call was counted among the guesses, because its secret was not verified yet. It counts here, too.
      void this.limiter.count(rateClass, verifiedCaller);
    });
  }

  private secretHashOf({ name, secret }: ClaimedCaller): string | undefined {
    if (secret === undefined) return undefined;
    return createHmac('sha256', this.hashKey).update(digest(name)).update(secret).digest('base64url');
  }

  private async overridesOf(key: string, { rateLimits }: ClaimedCaller): Promise<LimitedCaller['overrides']> {
    const cached = this.overrides.get(key);
    if (cached) return cached;
    const read = await rateLimits();
    this.overrides.set(key, read);
    return read;
  }
}

function addressCaller(address: string): LimitedCaller {
  return { key: address, overrides: {} };
}

/** A digest of fixed length, for keys in memory: callers choose the text and the length of their names. */
function digest(name: string): string {
  return createHash('sha256').update(name).digest('base64url');
}
