/** Zendit's interface under `/v1`, with authentication and errors, and the fake's control of eSIMs. */
import express, { Router, type Request, type RequestHandler } from 'express';
import { sendErrors } from '../kit/errors';
import { esimControl } from '../kit/esim-control';
import { memberOf } from '../kit/requests';
import { behindGateway } from '../kit/responses';
import { catalogueRoutes } from './catalogue-routes';
import { ApiError } from './errors';
import { esimRoutes } from './esim-routes';
import { changeEsim, esimChanges, viewPlans } from './esims';
import { Lookups } from './lookups';
import type { Parts } from './parts';
import { purchaseRoutes } from './purchase-routes';

/** The routes of the fake: the calls that the adapter makes, and the refund of an eSIM, with which tests reverse a purchase. */
export function createRoutes(parts: Parts): Router {
  const { modes } = parts.context;
  const lookups = new Lookups(modes, parts.purchases);
  const api = Router();
  api.use(
    authenticated(parts),
    express.json(),
    behindGateway(modes, (request) => skuOfCall(parts, request)),
  );
  api.use(catalogueRoutes(parts), purchaseRoutes(parts, lookups), esimRoutes(parts, lookups));
  const routes = Router();
  routes.use('/control-esim', controlOfEsims(parts));
  routes.use('/v1', api);
  routes.use(() => {
    throw new ApiError('NOT_FOUND');
  });
  routes.use(
    sendErrors(modes, {
      unreadable: (message) => new ApiError('INVALID_REQUEST', { message }),
      internal: new ApiError('SYSTEM_UNAVAILABLE'),
    }),
  );
  return routes;
}

/** `Authorization: Bearer <key>`. */
function authenticated({ context: { settings } }: Parts): RequestHandler {
  return (request, _response, next) => {
    const [scheme, shown] = (request.headers.authorization ?? '').split(' ');
    if (scheme?.toLowerCase() !== 'bearer' || shown !== settings.key) throw new ApiError('NOT_AUTHORIZED');
    next();
  };
}

/** The id of the offer that the call is about, as far as the fake can tell; otherwise an empty text. */
function skuOfCall({ purchases, esims }: Parts, { path, body }: Request): string {
  const offerId = memberOf(body, 'offerId');
  if (typeof offerId === 'string') return offerId;
  const [, iccid] = /^\/esim\/(\d+)\/plans$/.exec(path) ?? [];
  const [, transactionId] = /\/purchases\/([^/]+)/.exec(path) ?? [];
  const found = esims.find(iccid ?? '') ?? purchases.findAll(transactionId ?? '')[0];
  return found?.offer.offerId ?? '';
}

/** `POST /control-esim/:iccid/:change`. The documentation has no webhooks about these changes. */
function controlOfEsims({ esims }: Parts): Router {
  return esimControl(esims, esimChanges, (esim, change) => {
    changeEsim(esim, change);
    return viewPlans(esim, (digits) => digits);
  });
}
