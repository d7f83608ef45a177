/** The end of every request that no handler answered: whatever went wrong becomes the error envelope. */
import { isGrpcServiceError } from '@temporalio/client';
import type { ErrorRequestHandler, RequestHandler, Router } from 'express';
import type { Logger } from 'pino';
import { isDatabaseUnavailable } from '../../data/database/errors';
import { ApiError, errors } from '../../domain/errors';
import { SupplierUnavailable } from '../../suppliers/port';
import { createsOrder } from './creates-orders';
import { discardBody } from './discard-body';

/** gRPC codes of a Temporal server that is not there, or is too busy to answer. */
const unavailableCodes: readonly number[] = [
  4 /* DEADLINE_EXCEEDED */, 8 /* RESOURCE_EXHAUSTED */, 14 /* UNAVAILABLE */,
];

/**
 * Answers with the error's envelope and headers. What is not an `ApiError` is shown without detail: 503
 * where PostgreSQL, Temporal or a supplier cannot be reached, else 500, and 504 to a create. A 503 tells
 * a create that no order will come of it, so its handler lets connection errors through only while that is true.
 */
export function errorHandler(log: Logger): ErrorRequestHandler {
  return (error: unknown, request, response, _next) => {
    const shown = asApiError(error, createsOrder(response) ? errors.outcomeUnknown() : errors.internal());
    if (shown !== error && shown.status >= 500) {
      log.error({ err: error, requestId: response.get('X-Request-Id') }, 'request failed');
    }
    if (response.headersSent) {
      response.destroy();
      return;
    }
    discardBody(request, response);
    response.locals.refusal = shown.key;
    if (shown.status === 401) response.set('WWW-Authenticate', 'Bearer');
    response.status(shown.status).set(shown.headers).json(shown.envelope());
  };
}

function asApiError(error: unknown, unforeseen: ApiError): ApiError {
  if (error instanceof ApiError) return error;
  // Percent signs in the path that decode to nothing.
  if (error instanceof URIError) return errors.badRequest('Malformed path');
  return isUnavailable(error) ? errors.serviceUnavailable() : unforeseen;
}

function isUnavailable(error: unknown): boolean {
  if (error instanceof SupplierUnavailable || isDatabaseUnavailable(error)) return true;
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  return isGrpcServiceError(cause) && unavailableCodes.includes(cause.code);
}

/**
 * Answers what no route took: 400 where the path does not decode, 405 with `Allow` where a route has it for another
 * method, else 404.
 * `mounts`: each router by the path it is mounted at.
 */
export function noRoute(mounts: ReadonlyMap<string, Router>): RequestHandler {
  const routes = registeredRoutes(mounts).map(({ path, methods }) => ({
    path: new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}/?$`, 'i'),
    methods,
  }));
  return (request) => {
    assertDecodes(request.path);
    const methods = routes.filter((route) => route.path.test(request.path)).flatMap((route) => route.methods);
    if (methods.length === 0) throw errors.notFound('Path');
    throw errors.methodNotAllowed([...new Set(methods)].join(', '));
  };
}

/** Throws a `URIError` where percent signs of the path decode to nothing. Routes say the same of their parameters. */
function assertDecodes(path: string): void {
  decodeURIComponent(path);
}

/** A route by its whole path, with parameters as `:name`, and the methods it takes. */
export interface RegisteredRoute {
  path: string;
  methods: string[];
}

/** The routes of routers by the path each is mounted at. */
export function registeredRoutes(mounts: ReadonlyMap<string, Router>): RegisteredRoute[] {
  return [...mounts].flatMap(([prefix, router]) =>
    router.stack.flatMap(({ route }) => {
      if (!route) return [];
      const path = `${prefix}${route.path}`.replace(/\/+/g, '/').replace(/\/$/, '');
      const methods = [...new Set(route.stack.map((handler) => handler.method.toUpperCase()))];
      return { path, methods: methods.includes('GET') ? [...methods, 'HEAD'] : methods };
    }),
  );
}
