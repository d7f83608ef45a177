/** Turns every error into the error envelope. */
import type { ErrorRequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import { ApiError, errors } from '../../domain/errors';
import { discardBody } from '../../http/body-limits';
import { isUnavailable } from '../../ordering/unavailable';
import { isOrderRequest } from './order-admission';

declare module 'express-serve-static-core' {
  interface Locals {
    error?: ApiError;
  }
}

/**
 * Responds with the error's envelope and headers. Other errors than `ApiError` show no detail: 503 if PostgreSQL, Temporal or
 * a supplier is unreachable, else 504 for an order request and 500 for any other. A 503 guarantees that no order results, so
 * an order request throws connection errors only while no order can result.
 */
export function errorHandler(log: Logger): ErrorRequestHandler {
  return (error: unknown, request, response, _next) => {
    const shown = asApiError(error, isOrderRequest(response) ? errors.outcomeUnknown() : errors.internal());
    if (shown !== error && shown.status >= 500) {
      log.error({ err: error, requestId: response.get('X-Request-Id') }, 'request failed');
    }
    if (response.headersSent) {
      response.destroy();
      return;
    }
    discardBody(request, response);
    response.locals.error = shown;
    if (shown.status === 401) response.set('WWW-Authenticate', 'Bearer');
    response.status(shown.status).set('Link', shown.helpLink).set(shown.headers).json(shown.envelope());
  };
}

/** The error with which the service responded; undefined if it responded with none. */
export function errorIn(response: Response): ApiError | undefined {
  return response.locals.error;
}

function asApiError(error: unknown, unexpected: ApiError): ApiError {
  if (error instanceof ApiError) return error;
  // The path has invalid percent-encoding.
  if (error instanceof URIError) return errors.badRequest('Malformed path');
  return isUnavailable(error) ? errors.serviceUnavailable() : unexpected;
}
