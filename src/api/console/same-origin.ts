import type { RequestHandler } from 'express';
import { errors } from '../../domain/errors';
import { reads } from '../middleware/authenticate';

/**
 * Refuses what another site has the browser send with the console's cookie: 403. `SameSite=Strict` keeps the cookie
 * from most of it, but not from the pages of a neighbouring host name. What may change something must also carry a header
 * that no form can send. docs/operators/security.md#the-console.
 */
export const refuseOtherSites: RequestHandler = (request, _response, next) => {
  const site = request.get('sec-fetch-site');
  if (site !== undefined && site !== 'same-origin') throw errors.otherSite();
  if (!reads.includes(request.method)) {
    if (request.get('x-requested-with') !== 'console') throw errors.otherSite();
    // Browsers tell the site only where the connection is secure or local.
    if (site === undefined && hostOf(request.get('origin')) !== request.host) throw errors.otherSite();
  }
  next();
};

function hostOf(origin: string | undefined): string | undefined {
  return origin !== undefined && URL.canParse(origin) ? new URL(origin).host : undefined;
}
