/** Rate limits of calls with a token. docs/specification.md#rate-limits. */
import type { RequestHandler } from 'express';
import { whenThere } from '../../domain/when-there';
import { classOf } from '../rate-limits/request-class';
import type { RateLimiter } from '../rate-limits/rate-limiter';
import { clientOf } from './authenticate';

/** Counts a call of the client that `authenticate` found; 429 where it is one too many. */
export function limitClient(limiter: RateLimiter): RequestHandler {
  return (request, response, next) => {
    const { id, rateLimits } = clientOf(response);
    const caller = { key: String(id), overrides: rateLimits };
    return whenThere(limiter.admit(response, classOf(request.method, request.path), caller), () => next());
  };
}
