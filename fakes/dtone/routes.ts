/** DT One's interface under `/v1`, with authentication, limits and errors, and the fake's control of eSIMs. */
import express, { Router, type Request, type RequestHandler } from 'express';
import { sendErrors } from '../kit/errors';
import { esimControl } from '../kit/esim-control';
import { memberOf } from '../kit/requests';
import { behindGateway } from '../kit/responses';
import { catalogueRoutes } from './catalogue-routes';
import { ApiError } from './errors';
import { changeEsim, esimChanges, viewBalances, viewEsimStatus } from './esims';
import { lookupRoutes } from './lookup-routes';
import type { Parts } from './parts';
import { callsPerSecond } from './rate-limit';
import { skuOf } from './products';
import { transactionRoutes } from './transaction-routes';

/** The routes of the fake: the calls that the adapter makes. */
export function createRoutes(parts: Parts): Router {
  const { modes } = parts.context;
  const api = Router();
  api.use(
    authenticated(parts),
    limited(parts),
    express.json(),
    behindGateway(modes, (request) => skuOfCall(parts, request)),
  );
  api.use(catalogueRoutes(parts), lookupRoutes(parts), transactionRoutes(parts));
  const routes = Router();
  routes.use('/control-esim', controlOfEsims(parts));
  routes.use('/v1', api);
  routes.use(() => {
    throw new ApiError(1000404);
  });
  routes.use(
    sendErrors(modes, {
      unreadable: (message) => new ApiError(1000400, message),
      internal: new ApiError(1009001),
    }),
  );
  return routes;
}

/** HTTP Basic, with the key as the user name and the secret as the password. */
function authenticated({ context: { settings } }: Parts): RequestHandler {
  const credentials = Buffer.from(`${settings.key}:${settings.secret}`).toString('base64');
  return (request, _response, next) => {
    const [scheme, shown] = (request.headers.authorization ?? '').split(' ');
    if (scheme?.toLowerCase() !== 'basic' || shown !== credentials) throw new ApiError(1000401);
    next();
  };
}

/** The response to a call above the limit does not say when to retry, because the documentation names no such header. */
function limited({ rateLimit }: Parts): RequestHandler {
  return (_request, response, next) => {
    const left = rateLimit.take();
    response.set('X-Ratelimit-Limit', String(callsPerSecond));
    response.set('X-Ratelimit-Remaining', String(left ?? 0));
    if (left === undefined) throw new ApiError(1000429);
    next();
  };
}

/** The SKU of the product that the call is about, as far as the fake can tell; otherwise an empty text. */
function skuOfCall({ transactions, esims }: Parts, { query, body }: Request): string {
  const productId = memberOf(body, 'product_id');
  if (typeof productId === 'number' || typeof productId === 'string') return String(productId);
  const party = memberOf(body, 'credit_party_identifier');
  const esim = esims.find(String(memberOf(party, 'account_number')));
  if (esim) return skuOf(esim.product);
  const externalId = query['external_id'];
  const [found] = typeof externalId === 'string' ? transactions.findExternal(externalId) : [];
  return found ? skuOf(found.product) : '';
}

/** `POST /control-esim/:iccid/:change`. */
function controlOfEsims({ esims }: Parts): Router {
  return esimControl(esims, esimChanges, (esim, change) => {
    changeEsim(esim, change);
    return { ...viewEsimStatus(esim), benefits: viewBalances(esim) };
  });
}
