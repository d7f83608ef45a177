/** Airalo's interface under `/v2`, with tokens, limits and errors, and the fake's own controls. */
import express, { Router, type Request, type RequestHandler } from 'express';
import { errorHandlers } from '../kit/errors';
import { esimControl } from '../kit/esim-control';
import { authenticated, memberOf } from '../kit/requests';
import { behindGateway, sendJson } from '../kit/responses';
import { minuteMs } from '../kit/times';
import { checkLimit, statusError } from './errors';
import { esimRoutes } from './esim-routes';
import { changeEsim, esimChanges, planStatusOf, statusOf } from './esims';
import { notifyChange } from './low-data';
import { orderRoutes } from './order-routes';
import { packageRoutes } from './package-routes';
import type { Parts } from './parts';
import { fieldsOf, tokenBody, validated } from './requests';
import { checkSignature } from './signatures';

/** The routes of the fake: the calls that the adapter makes. */
export function createRoutes(parts: Parts): Router {
  const { context, tokens } = parts;
  const { modes } = context;
  const api = Router();
  api.use(express.raw({ type: () => true, limit: '1mb' }), withFields);
  api.use(behindGateway(modes, (request) => skuOfCall(parts, request)));
  api.post('/token', tokenRoute(parts));
  api.use(authenticated('Bearer', (token) => tokens.isValid(token), statusError(401)));
  api.use(packageRoutes(parts), orderRoutes(parts), esimRoutes(parts));
  const routes = Router();
  routes.use(controls(parts));
  routes.use('/v2', api);
  routes.use(
    errorHandlers(modes, {
      unknownPath: statusError(404),
      unreadable: (message, status) => statusError(status, message),
      internal: statusError(500),
    }),
  );
  return routes;
}

/** Replaces the raw body by its fields. */
const withFields: RequestHandler = async (request, _response, next) => {
  request.body = await fieldsOf(request);
  next();
};

/** `POST /v2/token`. At most three requests a minute are allowed, whether they succeed or not. */
function tokenRoute({ context: { settings, modes }, limits, tokens }: Parts): RequestHandler {
  return (request, response) => {
    checkLimit(limits, 'token', 3, minuteMs);
    const { client_id: id, client_secret: secret } = validated(tokenBody, request.body);
    checkSignature(request, settings.secret);
    if (id !== settings.key || secret !== settings.secret) throw statusError(401);
    const body = { data: tokens.issue(), meta: { message: 'success' } };
    sendJson(response, 200, body, modes.of(''));
  };
}

/** The package that the call is about, as far as the fake can tell; otherwise an empty text. */
function skuOfCall({ orders, esims }: Parts, { path, query, body }: Request): string {
  const packageId = memberOf(body, 'package_id');
  if (typeof packageId === 'string') return packageId;
  const esim = esims.get(/^\/sims\/(\d+)/.exec(path)?.[1] ?? '');
  const description = query['filter[description]'];
  const byReference = typeof description === 'string' ? orders.first(description) : undefined;
  return (esim?.order ?? byReference)?.pkg.id ?? '';
}

/**
 * `POST /control/esims/:iccid/:change` moves an eSIM as a device would. `POST /control/tokens/expire` ends every token.
 * Neither needs authentication.
 */
function controls(parts: Parts): Router {
  const { esims, tokens } = parts;
  const routes = Router();
  const control = esimControl(esims, esimChanges, (esim, change) => {
    changeEsim(esim, change);
    notifyChange(parts, esim, change);
    return { status: statusOf(esim), package: planStatusOf(esim.plan) };
  });
  routes.use('/control/esims', control);
  routes.post('/control/tokens/expire', (_request, response) => {
    tokens.clear();
    response.status(204).end();
  });
  return routes;
}
