/** Zendit's interface under `/v1`, with authentication and errors, and the fake's control of eSIMs. */
import express, { Router, type Request } from 'express';
import { errorHandlers } from '../kit/errors';
import { esimControl } from '../kit/esim-control';
import { authenticated, memberOf } from '../kit/requests';
import { behindGateway } from '../kit/responses';
import { catalogueRoutes } from './catalogue-routes';
import { ApiError } from './errors';
import { esimRoutes } from './esim-routes';
import { changeEsim, esimChanges, viewPlans } from './esims';
import type { Parts } from './parts';
import { purchaseRoutes } from './purchase-routes';

/** The routes of the fake: the calls that the adapter makes, and the refund of an eSIM, with which tests reverse a purchase. */
export function createRoutes(parts: Parts): Router {
  const { modes, settings } = parts.context;
  const api = Router();
  api.use(
    authenticated('Bearer', (key) => key === settings.key, new ApiError('NOT_AUTHORIZED')),
    express.json(),
    behindGateway(modes, (request) => skuOfCall(parts, request)),
  );
  api.use(catalogueRoutes(parts), purchaseRoutes(parts), esimRoutes(parts));
  const routes = Router();
  routes.use('/control/esims', controlOfEsims(parts));
  routes.use('/v1', api);
  routes.use(
    errorHandlers(modes, {
      unknownPath: new ApiError('NOT_FOUND'),
      unreadable: (message) => new ApiError('INVALID_REQUEST', { message }),
      internal: new ApiError('SYSTEM_UNAVAILABLE'),
    }),
  );
  return routes;
}

/** The id of the offer that the call is about, as far as the fake can tell; otherwise an empty text. */
function skuOfCall({ purchases, esims }: Parts, { path, body }: Request): string {
  const offerId = memberOf(body, 'offerId');
  if (typeof offerId === 'string') return offerId;
  const [, iccid] = /^\/esim\/(\d+)\/plans$/.exec(path) ?? [];
  const [, transactionId] = /\/purchases\/([^/]+)/.exec(path) ?? [];
  const found = esims.get(iccid ?? '') ?? purchases.withReference(transactionId ?? '')[0];
  return found?.offer.offerId ?? '';
}

/** `POST /control/esims/:iccid/:change`. The documentation has no webhooks about these changes. */
function controlOfEsims({ esims }: Parts): Router {
  return esimControl(esims, esimChanges, (esim, change) => {
    changeEsim(esim, change);
    return viewPlans(esim, (digits) => digits);
  });
}
