import type { Request, RequestHandler, Response } from 'express';
import { thenMaybe } from '../../async/promises';
import { rateLimitOf, type RateClass, type ServiceMode } from '../../domain/clients/rate-classes';
import { errors } from '../../domain/errors';
import { clientOf, limitKeyOf } from '../middleware/caller';
import { matchOf, rateClassOf } from '../server/dispatch';
import { WINDOW_MS, type CallWindows, type WindowState } from './call-windows';

/** The key under which calls are counted together, and the limits that an operator set, by class. */
export interface LimitedCaller {
  key: string;
  overrides: Readonly<Record<string, number>>;
}

/** Calls a minute in a class, and how many would be admitted now. */
export interface ClassUsage {
  name: string;
  limit: number;
  remaining: number;
}

/** Counts calls, sets the `RateLimit` headers of every response, and rejects calls beyond the limit. */
export class RateLimiter {
  constructor(
    private readonly windows: CallWindows,
    private readonly mode: ServiceMode,
  ) {}

  /** Counts a call and sets the headers. Throws 429 beyond the limit; such a call does not count. */
  admit(response: Response, rateClass: RateClass, caller: LimitedCaller): void | Promise<void> {
    const limit = this.limitOf(rateClass, caller);
    return thenMaybe(this.windows.take(windowOf(rateClass, caller), limit), (state) => {
      announce(response, rateClass, limit, state);
      rejectUnlessAdmitted(state);
    });
  }

  /**
   * Counts the extra weight of an admitted call (`weightOfBody`, `weightOfRows`), also beyond the limit, and updates the headers.
   * Must run before the response begins. docs/decisions/0046-charge-rate-limits-by-cost.md.
   */
  addWeight(response: Response, rateClass: RateClass, caller: LimitedCaller, extra: number): void | Promise<void> {
    const limit = this.limitOf(rateClass, caller);
    return thenMaybe(this.windows.add(windowOf(rateClass, caller), limit, extra), (state) =>
      announce(response, rateClass, limit, state),
    );
  }

  /** Throws 429 with the headers if `admit` would. Otherwise it neither counts the call nor sets headers. */
  async check(response: Response, rateClass: RateClass, caller: LimitedCaller): Promise<void> {
    const limit = this.limitOf(rateClass, caller);
    const state = await this.windows.look(windowOf(rateClass, caller), limit);
    if (!state.isAdmitted) announce(response, rateClass, limit, state);
    rejectUnlessAdmitted(state);
  }

  /** The limit of the caller in each class, and its remaining calls. Counts nothing. */
  async usage(classes: readonly RateClass[], caller: LimitedCaller): Promise<ClassUsage[]> {
    return Promise.all(
      classes.map(async (rateClass) => {
        const limit = this.limitOf(rateClass, caller);
        const { remaining } = await this.windows.look(windowOf(rateClass, caller), limit);
        return { name: rateClass.name, limit, remaining };
      }),
    );
  }

  /** Counts a call that has already happened. Beyond the limit it does nothing. */
  async count(rateClass: RateClass, caller: LimitedCaller): Promise<void> {
    await this.windows.take(windowOf(rateClass, caller), this.limitOf(rateClass, caller));
  }

  private limitOf(rateClass: RateClass, { overrides }: LimitedCaller): number {
    return rateLimitOf(rateClass, this.mode, overrides);
  }
}

function windowOf({ name }: RateClass, { key }: LimitedCaller): string {
  return `${name}:${key}`;
}

/** Sets the headers of draft-ietf-httpapi-ratelimit-headers: `q` calls in `w` seconds, `r` left, one more in `t` seconds. */
function announce(response: Response, { name }: RateClass, limit: number, state: WindowState): void {
  response.set({
    'RateLimit-Policy': `"${name}";q=${limit};w=${WINDOW_MS / 1_000}`,
    RateLimit: `"${name}";r=${state.remaining};t=${secondsOf(state)}`,
  });
}

function rejectUnlessAdmitted(state: WindowState): void {
  if (!state.isAdmitted) throw errors.tooManyRequests(secondsOf(state));
}

/** Whole seconds, rounded up: a call after this time is admitted. */
function secondsOf({ nextInMs }: WindowState): number {
  return Math.max(1, Math.ceil(nextInMs / 1_000));
}

/** An admitted call, and its limiter. */
interface CountedCall {
  limiter: RateLimiter;
  rateClass: RateClass;
  caller: LimitedCaller;
}

declare module 'express-serve-static-core' {
  interface Locals {
    /** Absent for a call without a limit. */
    countedCall?: CountedCall;
  }
}

/** Counts a call of the authenticated client under `limitKeyOf`; 429 beyond its limit. docs/specification.md#rate-limits. */
export function limitClient(limiter: RateLimiter): RequestHandler {
  return (request, response, next) => {
    const call = callOf(request, response);
    return thenMaybe(limiter.admit(response, call.rateClass, call.caller), () => {
      response.locals.countedCall = { limiter, ...call };
      next();
    });
  };
}

/** Throws 429 if `limitClient` would, and counts nothing. */
export function checkClient(limiter: RateLimiter, request: Request, response: Response): Promise<void> {
  const { rateClass, caller } = callOf(request, response);
  return limiter.check(response, rateClass, caller);
}

function callOf(request: Request, response: Response): Omit<CountedCall, 'limiter'> {
  const caller = { key: limitKeyOf(response), overrides: clientOf(response).rateLimits };
  return { rateClass: rateClassOf(request.method, matchOf(response)), caller };
}

/** `RateLimiter.addWeight` for the call that `limitClient` admitted. Does nothing for a call without a limit. */
export function addWeight(response: Response, extraWeight: number): void | Promise<void> {
  const call = response.locals.countedCall;
  if (!call || extraWeight === 0) return;
  return call.limiter.addWeight(response, call.rateClass, call.caller, extraWeight);
}
