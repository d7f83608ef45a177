import type { Response } from 'express';
import { errors } from '../../domain/errors';
import { rateLimitOf, type RateClass, type ServiceMode } from '../../domain/clients/rate-classes';
import { thenMaybe } from '../../async/promises';
import { WINDOW_MS, type CallWindows, type Taken } from './call-windows';

/** Whose calls are counted together, and what an operator set for them, by class. */
export interface Caller {
  key: string;
  overrides: Readonly<Record<string, number>>;
}

/** Calls a minute in a class, and how many would be admitted now. */
export interface ClassUsage {
  name: string;
  limit: number;
  remaining: number;
}

/** Counts calls, tells the caller on every answer what is left, and refuses what is too much. */
export class RateLimiter {
  constructor(
    private readonly windows: CallWindows,
    private readonly mode: ServiceMode,
  ) {}

  /** Counts a call and announces it. Throws 429 where the caller has none left; such a call is not counted. */
  admit(response: Response, rateClass: RateClass, caller: Caller): void | Promise<void> {
    const limit = rateLimitOf(rateClass, this.mode, caller.overrides);
    return thenMaybe(this.windows.take(windowOf(rateClass, caller), limit), (taken) => {
      announce(response, rateClass, limit, taken);
      refuseUnlessAdmitted(taken);
    });
  }

  /**
   * Counts what an admitted call costs beside the one it was admitted as, and announces what is left: which may be less
   * than nothing, and is announced as 0. Comes before the answer begins. docs/decisions/0046-weigh-calls-by-their-cost.md.
   */
  charge(response: Response, rateClass: RateClass, caller: Caller, extra: number): void | Promise<void> {
    const limit = rateLimitOf(rateClass, this.mode, caller.overrides);
    return thenMaybe(this.windows.add(windowOf(rateClass, caller), limit, extra), (taken) =>
      announce(response, rateClass, limit, taken),
    );
  }

  /** Throws 429 as `admit` would, without counting; announces nothing else. */
  async check(response: Response, rateClass: RateClass, caller: Caller): Promise<void> {
    const limit = rateLimitOf(rateClass, this.mode, caller.overrides);
    const taken = await this.windows.look(windowOf(rateClass, caller), limit);
    if (!taken.isAdmitted) announce(response, rateClass, limit, taken);
    refuseUnlessAdmitted(taken);
  }

  /** What the caller has in each class, and what is left of it. Counts nothing. */
  async usage(classes: readonly RateClass[], caller: Caller): Promise<ClassUsage[]> {
    return Promise.all(
      classes.map(async (rateClass) => {
        const limit = rateLimitOf(rateClass, this.mode, caller.overrides);
        const { remaining } = await this.windows.look(windowOf(rateClass, caller), limit);
        return { name: rateClass.name, limit, remaining };
      }),
    );
  }

  /** Counts what has happened already, whether too much or not. */
  async note(rateClass: RateClass, caller: Caller): Promise<void> {
    await this.windows.take(windowOf(rateClass, caller), rateLimitOf(rateClass, this.mode, caller.overrides));
  }
}

function windowOf({ name }: RateClass, { key }: Caller): string {
  return `${name}:${key}`;
}

/**
 * The fields of draft-ietf-httpapi-ratelimit-headers, version 8 and later: `q` calls in `w` seconds, of
 * which `r` are left, and `t` seconds until there is one more.
 */
function announce(response: Response, { name }: RateClass, limit: number, taken: Taken): void {
  response.set({
    'RateLimit-Policy': `"${name}";q=${limit};w=${WINDOW_MS / 1_000}`,
    RateLimit: `"${name}";r=${taken.remaining};t=${secondsOf(taken)}`,
  });
}

function refuseUnlessAdmitted(taken: Taken): void {
  if (!taken.isAdmitted) throw errors.tooManyRequests(secondsOf(taken));
}

/** Whole seconds, never too few: who waits so long is admitted. */
function secondsOf({ nextInMs }: Taken): number {
  return Math.max(1, Math.ceil(nextInMs / 1_000));
}
