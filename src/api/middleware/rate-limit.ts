/** Rate limits of calls with a token. docs/specification.md#rate-limits. */
import type { RequestHandler, Response } from 'express';
import type { RateClass } from '../../domain/clients/rate-classes';
import { thenMaybe } from '../../async/promises';
import { classOf } from '../rate-limits/request-class';
import type { Caller, RateLimiter } from '../rate-limits/rate-limiter';
import { clientOf } from './authenticate';

/** A call that was admitted, and what counted it. */
interface CountedCall {
  limiter: RateLimiter;
  rateClass: RateClass;
  caller: Caller;
}

/** Counts a call of the client that `authenticate` found; 429 where it is one too many. */
export function limitClient(limiter: RateLimiter): RequestHandler {
  return (request, response, next) => {
    const { id, rateLimits } = clientOf(response);
    const caller = { key: String(id), overrides: rateLimits };
    const rateClass = classOf(request.method, request.path);
    return thenMaybe(limiter.admit(response, rateClass, caller), () => {
      response.locals.countedCall = { limiter, rateClass, caller } satisfies CountedCall;
      next();
    });
  };
}

/**
 * Counts the extra weight of an admitted call (`weightOfBody`, `weightOfRows`) and updates the `RateLimit` header, so it
 * must run before the response begins. A call that no limit applies to costs nothing.
 */
export function chargeCall(response: Response, extraWeight: number): void | Promise<void> {
  const call = response.locals.countedCall as CountedCall | undefined;
  if (!call || extraWeight === 0) return;
  return call.limiter.charge(response, call.rateClass, call.caller, extraWeight);
}
