/** The HTTP API: every route of the service and what surrounds it. */
import express, { type Express, type RequestHandler, type Router } from 'express';
import { errors } from '../domain/errors';
import { familyIds, ordersPath, type Family } from '../domain/orders/families';
import { AuthLimits } from './auth/limits';
import { authRoutes } from './auth/routes';
import { consolePageRoutes } from './console/page-routes';
import { refuseOtherSites } from './console/same-origin';
import { authenticateSession } from './console/session';
import { consoleSessionRoutes } from './console/session-routes';
import { consoleStreamRoutes } from './console/stream-routes';
import type { Dependencies } from './dependencies';
import { byPath, inTurn, mounted } from './dispatch';
import { esimOrderRoutes } from './esim/order-routes';
import { esimCatalogueRoutes } from './esim/catalogue-routes';
import { noteArrival } from './middleware/arrival';
import { authenticate, refuseEndedAccess } from './middleware/authenticate';
import { errorHandler, noRoute } from './middleware/errors';
import { countRequests } from './middleware/figures';
import { jsonBody } from './middleware/json-body';
import { limitClient } from './middleware/rate-limit';
import { requestId, requestLog } from './middleware/request-log';
import { traceRequests } from './middleware/tracing';
import { voucherOrderRoutes } from './vouchers/order-routes';
import { referencePageRoutes } from './openapi/page-routes';
import { documentRoutes } from './openapi/routes';
import { probeRoutes } from './probes';
import { voucherCatalogueRoutes } from './vouchers/catalogue-routes';
import { referenceRoutes } from './reference/routes';
import { safeHeaders } from './safe-headers';
import { sandboxRoutes } from './sandbox/routes';
import { statementRoutes } from './statements/routes';
import { supplierRoutes } from './suppliers/routes';
import { topupOrderRoutes } from './topups/order-routes';
import { topupCatalogueRoutes } from './topups/catalogue-routes';
import { transactionRoutes } from './transactions/routes';
import { walletRoutes } from './wallets/routes';
import { webhookEndpointRoutes } from './webhooks/endpoint-routes';
import { webhookEventRoutes } from './webhooks/event-routes';

const orderRoutes: Readonly<Record<Family, (deps: Dependencies) => Router>> = {
  VOUCHER: voucherOrderRoutes,
  TOPUP: topupOrderRoutes,
  ESIM: esimOrderRoutes,
};

/** Whoever has no token gets little memory. docs/specification.md#limits. */
const MAX_BODY_BYTES = { withoutToken: 16 * 1024, withToken: 1024 * 1024 };

const API = '/api/v1';
const CONSOLE_API = '/console/api/v1';
const CONSOLE_SESSION = '/console/session';
const CONSOLE_STREAM = '/console/stream';

/** Every router by the path it is mounted at. Routers inside them are not known: mount them here. */
export function mountsOf(deps: Dependencies): ReadonlyMap<string, Router> {
  // One for both ways to log in: an address that is proven by one counts as proven for the other.
  const authLimits = new AuthLimits(deps.rateLimiter);
  return new Map<string, Router>([
    ['/', probeRoutes(deps)],
    ['/openapi.json', documentRoutes()],
    ['/docs', referencePageRoutes(deps)],
    ['/auth', authRoutes(deps, authLimits)],
    ['/api/v1', referenceRoutes(deps)],
    ['/api/v1/wallets', walletRoutes(deps)],
    ['/api/v1/transactions', transactionRoutes(deps)],
    ['/api/v1/statements', statementRoutes(deps)],
    ['/api/v1/products', voucherCatalogueRoutes(deps)],
    ...familyIds.map((id): [string, Router] => [ordersPath(id), orderRoutes[id](deps)]),
    ['/api/v1/topups', topupCatalogueRoutes(deps)],
    ['/api/v1/esim', esimCatalogueRoutes(deps)],
    ['/api/v1/webhooks/endpoints', webhookEndpointRoutes(deps)],
    ['/api/v1/webhooks/events', webhookEventRoutes(deps)],
    ...sandboxOf(deps),
    ['/suppliers', supplierRoutes(deps)],
    ['/console', consolePageRoutes(deps)],
    [CONSOLE_SESSION, consoleSessionRoutes(deps, authLimits)],
    [CONSOLE_STREAM, consoleStreamRoutes(deps)],
  ]);
}

/** Production has nothing there: the paths are as unknown as any other. */
function sandboxOf(deps: Dependencies): [string, Router][] {
  const { sandboxControls } = deps;
  return sandboxControls ? [['/api/v1/sandbox', sandboxRoutes({ ...deps, sandboxControls })]] : [];
}

/** The same routers once more, where the console calls them: by its cookie. */
function mountsOfConsole(mounts: ReadonlyMap<string, Router>): [string, Router][] {
  return [...mounts]
    .filter(([prefix]) => prefix.startsWith(API))
    .map(([prefix, router]) => [CONSOLE_API + prefix.slice(API.length), router]);
}

/** Builds the application. It holds no state of its own: all of it is in what it is given. */
export function createApp(deps: Dependencies): Express {
  const own = mountsOf(deps);
  const mounts = new Map([...own, ...mountsOfConsole(own)]);
  const app = express();
  app.disable('x-powered-by').disable('etag');
  // Answers that may be kept say themselves who holds them (`kept-answers.ts`). Of the others Express would answer 304 to
  // `If-None-Match: *`, and the caller would have nothing.
  Object.defineProperty(app.request, 'fresh', { value: false });
  // The caller's address is taken from X-Forwarded-For only where one of these proxies wrote it.
  app.set('trust proxy', deps.config.api.trustedProxies);

  const before = checksBefore(deps);
  const handlers = [...mounts].map(([path, router]): [string, RequestHandler] => [
    path,
    inTurn([...before(path), mounted(path, router)]),
  ]);
  app.use(
    inTurn([
      noteArrival,
      requestId,
      traceRequests(mounts),
      countRequests(deps.requestFigures, mounts),
      safeDefaults(deps.config),
      hasHost,
      byPath(new Map(handlers)),
    ]),
    noRoute(mounts),
    errorHandler(deps.log),
  );
  return app;
}

/** What a request goes through before the routes that are mounted at a path. */
function checksBefore(deps: Dependencies): (path: string) => readonly RequestHandler[] {
  const log = requestLog(deps.log);
  const limits = limitClient(deps.rateLimiter);
  const session = [log, refuseOtherSites, authenticateSession(deps), limits];
  const change = [refuseEndedAccess(deps), jsonBody(MAX_BODY_BYTES.withToken)];
  const strangersBody = jsonBody(MAX_BODY_BYTES.withoutToken);
  // Of those that are the beginning of the path the first one counts.
  const checks: readonly [string, readonly RequestHandler[]][] = [
    ['/auth', [log, strangersBody]],
    [API, [log, authenticate(deps), limits, ...change]],
    ['/suppliers', [log]],
    [CONSOLE_API, [...session, ...change]],
    [CONSOLE_STREAM, session],
    [CONSOLE_SESSION, [log, refuseOtherSites, strangersBody]],
    ['/console', [log]],
    ['/', []],
  ];
  return (path) => checks.find(([beginning]) => path.startsWith(beginning))?.[1] ?? [];
}

/** HTTP/1.1 requires Host, once (RFC 9112, section 3.2). */
const hasHost: RequestHandler = (request, _response, next) => {
  const isName = (text: string, index: number) => index % 2 === 0 && text.toLowerCase() === 'host';
  const hosts = request.rawHeaders.filter(isName).length;
  if (hosts > 1 || (hosts === 0 && request.httpVersion === '1.1')) throw errors.malformedRequest();
  next();
};

function safeDefaults({ mode }: Dependencies['config']): RequestHandler {
  const headers = safeHeaders(mode);
  return (_request, response, next) => {
    response.set(headers);
    next();
  };
}
