/** Zendit's interface under `/v1`, with authentication and errors, and the fake's control of eSIMs. */
import express, { Router, type ErrorRequestHandler, type Request, type RequestHandler } from 'express';
import { esimControl } from '../kit/esim-control';
import { sendJson, sentGatewayPage } from '../kit/responses';
import { catalogueRoutes } from './catalogue-routes';
import { ApiError } from './errors';
import { esimRoutes } from './esim-routes';
import { changeEsim, esimChanges, viewPlans } from './esims';
import { Lookups } from './lookups';
import type { Parts } from './parts';
import { purchaseRoutes } from './purchase-routes';
import { walletRoutes } from './wallet-routes';

/** The routes of the fake. Reports and bills are missing, because the documentation does not have their fields. */
export function createRoutes(parts: Parts): Router {
  const lookups = new Lookups(parts.context.modes, parts.purchases, parts.timeScale);
  const api = Router();
  api.use(authenticated(parts), express.json(), behindGateway(parts));
  api.use(catalogueRoutes(parts), purchaseRoutes(parts, lookups));
  api.use(esimRoutes(parts, lookups), walletRoutes(parts, lookups));
  const routes = Router();
  routes.use('/control-esim', controlOfEsims(parts));
  routes.use('/v1', api);
  routes.use(() => {
    throw new ApiError('NOT_FOUND');
  });
  routes.use(sendError(parts));
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

function behindGateway(parts: Parts): RequestHandler {
  return (request, response, next) => {
    if (!sentGatewayPage(response, parts.context.modes, skuOfCall(parts, request))) next();
  };
}

/** The id of the offer that the call is about, as far as the fake can tell; otherwise an empty text. */
function skuOfCall({ purchases, esims }: Parts, { path, body }: Request): string {
  const given: unknown = body;
  const offerId = isObject(given) ? given['offerId'] : undefined;
  if (typeof offerId === 'string') return offerId;
  const [, inPath] = /^\/(?:topups|vouchers|esim)\/offers\/([^/]+)$/.exec(path) ?? [];
  if (inPath !== undefined) return inPath;
  const [, iccid] = /^\/esim\/(\d+)\/plans$/.exec(path) ?? [];
  const [, transactionId] = /\/(?:purchases|transactions)\/([^/]+)/.exec(path) ?? [];
  const found = esims.find(iccid ?? '') ?? purchases.findAll(transactionId ?? '')[0];
  return found?.offer.offerId ?? '';
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** `POST /control-esim/:iccid/:change`. The documentation has no webhooks about these changes. */
function controlOfEsims({ esims }: Parts): Router {
  return esimControl(esims, esimChanges, (esim, change) => {
    changeEsim(esim, change);
    return viewPlans(esim, (digits) => digits);
  });
}

/** `{errorCode, message, fields}` for everything that was thrown. */
function sendError({ context: { modes } }: Parts): ErrorRequestHandler {
  return (thrown: unknown, _request, response, next) => {
    if (response.headersSent) return next(thrown);
    const error = asApiError(thrown);
    sendJson(response, error.status, error.body, modes.of('').additional_field ?? false);
  };
}

function asApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown;
  // Express and its body parser mark the caller's errors, e.g. broken JSON.
  if (thrown instanceof Error && 'status' in thrown && Number(thrown.status) < 500) {
    return new ApiError('INVALID_REQUEST', { message: thrown.message });
  }
  console.error(thrown);
  return new ApiError('SYSTEM_UNAVAILABLE');
}
