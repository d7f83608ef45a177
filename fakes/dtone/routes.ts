/** DT One's interface under `/v1`, with authentication, limits and errors, and the fake's control of eSIMs. */
import express, { Router, type Request, type RequestHandler } from 'express';
import { errorHandlers } from '../kit/errors';
import { esimControl } from '../kit/esim-control';
import { authenticated, memberOf } from '../kit/requests';
import { behindGateway } from '../kit/responses';
import { catalogueRoutes } from './catalogue-routes';
import { secondMs } from '../kit/times';
import { ApiError } from './errors';
import { changeEsim, esimChanges, viewBalances, viewEsimStatus } from './esims';
import { lookupRoutes } from './lookup-routes';
import type { Parts } from './parts';
import { skuOf } from './products';
import { transactionRoutes } from './transaction-routes';

/** The routes of the fake: the calls that the adapter makes. They authenticate with the key and the secret. */
export function createRoutes(parts: Parts): Router {
  const { modes, settings } = parts.context;
  const credentials = Buffer.from(`${settings.key}:${settings.secret}`).toString('base64');
  const api = Router();
  api.use(
    authenticated('Basic', (shown) => shown === credentials, new ApiError(1000401)),
    limited(parts),
    express.json(),
    behindGateway(modes, (request) => skuOfCall(parts, request)),
  );
  api.use(catalogueRoutes(parts), lookupRoutes(parts), transactionRoutes(parts));
  const routes = Router();
  routes.use('/control/esims', controlOfEsims(parts));
  routes.use('/v1', api);
  routes.use(
    errorHandlers(modes, {
      unknownPath: new ApiError(1000404),
      unreadable: (message) => new ApiError(1000400, message),
      internal: new ApiError(1009001),
    }),
  );
  return routes;
}

/** The limit on calls of one key pair. The documentation names headers and 429, but neither numbers nor a window. */
const callsPerSecond = 100;

/** The response to a call above the limit does not say when to retry, because the documentation names no such header. */
function limited({ limits }: Parts): RequestHandler {
  return (_request, response, next) => {
    const { left, waitMs } = limits.take('', callsPerSecond, secondMs);
    response.set('X-Ratelimit-Limit', String(callsPerSecond));
    response.set('X-Ratelimit-Remaining', String(left));
    if (waitMs !== undefined) throw new ApiError(1000429);
    next();
  };
}

/** The SKU of the product that the call is about, as far as the fake can tell; otherwise an empty text. */
function skuOfCall({ transactions, esims }: Parts, { query, body }: Request): string {
  const productId = memberOf(body, 'product_id');
  if (typeof productId === 'number' || typeof productId === 'string') return String(productId);
  const party = memberOf(body, 'credit_party_identifier');
  const esim = esims.get(String(memberOf(party, 'account_number')));
  if (esim) return skuOf(esim.product);
  const externalId = query['external_id'];
  const [found] = typeof externalId === 'string' ? transactions.withReference(externalId) : [];
  return found ? skuOf(found.product) : '';
}

/** `POST /control/esims/:iccid/:change`. */
function controlOfEsims({ esims }: Parts): Router {
  return esimControl(esims, esimChanges, (esim, change) => {
    changeEsim(esim, change);
    return { ...viewEsimStatus(esim), benefits: viewBalances(esim) };
  });
}
