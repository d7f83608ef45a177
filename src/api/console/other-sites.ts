import type { RequestHandler } from 'express';
import { errors } from '../../domain/errors';
import { readMethods } from '../server/dispatch';

/**
 * Rejects requests that another site makes the browser send with the cookie: 403. `SameSite=Strict` does not stop
 * pages of a neighbouring host name. Writes must also carry a header that no form can send.
 * docs/operators/security.md#the-console.
 */
export const rejectOtherSites: RequestHandler = (request, _response, next) => {
  const site = request.get('sec-fetch-site');
  if (site !== undefined && site !== 'same-origin') throw errors.otherSite();
  if (!readMethods.includes(request.method)) {
    if (request.get('x-requested-with') !== 'console') throw errors.otherSite();
    // Browsers send this header only over secure or local connections.
    if (site === undefined && hostOf(request.get('origin')) !== request.host) throw errors.otherSite();
  }
  next();
};

function hostOf(origin: string | undefined): string | undefined {
  return origin !== undefined && URL.canParse(origin) ? new URL(origin).host : undefined;
}
