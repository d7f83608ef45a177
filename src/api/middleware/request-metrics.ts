/** Counts, times and traces every request by its route. docs/operators/metrics.md. */
import { once } from 'node:events';
import type { RequestHandler, Response } from 'express';
import type { RequestMetrics } from '../../metrics/request-metrics';
import { inSpan, isTraced } from '../../tracing/spans';
import { matchOf } from '../server/dispatch';
import { isOrderRequest, isRehearsed } from './order-admission';
import type { ApiRequestLog } from './api-request-log';
import { errorIn } from './errors';
import type { KeyUseLog } from './key-uses';
import { loggedRequest } from './logged-request';

declare module 'express-serve-static-core' {
  interface Locals {
    count: RequestCount;
    /** When the request arrived, by `performance.now()`. */
    arrivedAt: number;
  }
}

/** The label of requests without a route. */
const NO_ROUTE = 'none';

/** The route of a request as metrics and traces name it: its path with parameters as `:name`. */
function routeLabel(response: Response): string {
  return matchOf(response).route?.path ?? NO_ROUTE;
}

/** Counts every request from its arrival to the end of its response, or to the start of a stream, as a use of its API key. */
export function countRequests(counters: RequestCounters): RequestHandler {
  return (request, response, next) => {
    counters.metrics.began();
    const count = new RequestCount(counters, request.method, response);
    response.locals.count = count;
    response.on('close', () => count.end(response.writableFinished));
    next();
  };
}

/** Ends the count of a stream at its start, because the time for which a page stays open says nothing about the service. */
export function countStream(response: Response): void {
  response.locals.count.end(true);
}

interface RequestCounters {
  metrics: RequestMetrics;
  log: ApiRequestLog;
  keyUses: KeyUseLog;
}

/**
 * Counts one request. A class, not a closure: V8 would keep a closure in `response.locals`, and with it the whole request,
 * alive until a full garbage collection. That would cost a quarter of the CPU of a cheap read.
 */
class RequestCount {
  private isOver = false;

  constructor(
    private readonly counters: RequestCounters,
    private readonly method: string,
    private readonly response: Response,
  ) {}

  /** Later calls have no effect. */
  end(isAnswered: boolean): void {
    if (this.isOver) return;
    this.isOver = true;
    const { method, response, counters } = this;
    const durationMs = performance.now() - arrivalOf(response);
    const route = routeLabel(response);
    const rehearsed = isRehearsed(response);
    counters.metrics.ended({
      // Without a route, the caller chooses the method freely: as a label, it could create unlimited time series.
      labels: {
        route,
        method: route === NO_ROUTE ? 'any' : method,
        status: rehearsed ? 'rehearsed' : statusLabel(response, isAnswered),
      },
      seconds: durationMs / 1_000,
      errorKey: rehearsed ? undefined : errorIn(response)?.key,
      createsOrder: isOrderRequest(response),
    });
    const entry = loggedRequest(method, response, { isAnswered, durationMs: Math.round(durationMs) });
    if (entry) counters.log.add(entry);
    const { caller } = response.locals;
    if (caller && caller.apiKeyId !== null && !caller.hasEnded) counters.keyUses.add(caller.apiKeyId);
  }
}

/** The status class of the response; `aborted` if the caller left before it. */
function statusLabel({ statusCode }: Response, isAnswered: boolean): string {
  return isAnswered ? `${Math.floor(statusCode / 100)}xx` : 'aborted';
}

/** Records when the request arrived, before anything else runs. */
export const recordArrival: RequestHandler = (_request, response, next) => {
  response.locals.arrivedAt = performance.now();
  next();
};

/** When the request arrived, by `performance.now()`. */
export function arrivalOf(response: Response): number {
  return response.locals.arrivedAt;
}

/** Runs a request in a span that is named after its route. docs/operators/metrics.md#traces. */
export function traceRequests(): RequestHandler {
  if (!isTraced()) return (_request, _response, next) => next();
  return (request, response, next) => {
    const { method } = request;
    const route = routeLabel(response);
    const attributes = { 'http.request.method': method, 'http.route': route };
    void inSpan({ name: () => `${method} ${route}`, kind: 'server', attributes }, async (span) => {
      const closed = once(response, 'close');
      next();
      await closed;
      span.set({ 'http.response.status_code': response.statusCode });
    });
  };
}
