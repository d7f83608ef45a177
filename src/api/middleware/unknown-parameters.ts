/** Tells developers, in the sandbox, of a query parameter that does not exist: every operation ignores such parameters. */
import type { RequestHandler } from 'express';
import type Joi from 'joi';
import { keyNames } from '../shared/validation';

/** More names would tell no more. */
const MAX_NAMES = 10;

/** Lists the ignored parameters in the header `Unknown-Parameters`, separated by commas and encoded as in a URL. */
export function nameUnknownParameters(query: Joi.ObjectSchema | undefined): RequestHandler {
  const known = query ? keyNames(query) : [];
  return (request, response, next) => {
    const unknown = Object.keys(request.query).filter((name) => !known.includes(name));
    if (unknown.length > 0)
      response.set('Unknown-Parameters', unknown.slice(0, MAX_NAMES).map(encodeURIComponent).join(', '));
    next();
  };
}
