/** Has every request counted and timed by the route that takes it. docs/operators/metrics.md. */
import type { RequestHandler, Response, Router } from 'express';
import type { RequestFigures } from '../../metrics/request-figures';
import { arrivalOf } from './arrival';
import { createsOrder } from './creates-orders';
import { registeredRoutes } from './errors';

/** Of paths that no route takes. */
const NO_ROUTE = 'none';

/** Counts every request from its arrival to the end of its answer, or to the beginning of an answer without end. */
export function countRequests(figures: RequestFigures, mounts: ReadonlyMap<string, Router>): RequestHandler {
  const routeOf = routeTemplates(mounts);
  return (request, response, next) => {
    figures.began();
    const { method, originalUrl: url } = request;
    const count = new RequestCount(figures, routeOf, { method, url }, response);
    response.locals.count = count;
    response.on('close', () => count.end(response.writableFinished));
    next();
  };
}

/** Has a stream counted as answered now that it has begun: how long a page stays open tells nothing of the service. */
export function countStream(response: Response): void {
  (response.locals.count as RequestCount).end(true);
}

/**
 * The count of one request. It is an object of a class because of what V8 makes of a function that is kept in the locals
 * instead: all that belongs to the request outlives every collection but the full ones, a quarter of a cheap read's CPU.
 */
class RequestCount {
  private isOver = false;

  constructor(
    private readonly figures: RequestFigures,
    private readonly routeOf: (method: string, url: string) => string,
    private readonly request: { method: string; url: string },
    private readonly response: Response,
  ) {}

  /** Counts the request, the first time that it is called. */
  end(isAnswered: boolean): void {
    if (this.isOver) return;
    this.isOver = true;
    const { response } = this;
    const { method, url } = this.request;
    const route = this.routeOf(method, url);
    const status = isAnswered ? `${Math.floor(response.statusCode / 100)}xx` : 'aborted';
    this.figures.ended({
      // Methods are words of the caller's.
      labels: { route, method: route === NO_ROUTE ? 'any' : method, status },
      seconds: (performance.now() - arrivalOf(response)) / 1_000,
      refusal: response.locals.refusal as string | undefined,
      createsOrder: createsOrder(response),
    });
  }
}

/** Tells the route that takes a request, as `/api/v1/orders/:id`. */
export function routeTemplates(mounts: ReadonlyMap<string, Router>): (method: string, url: string) => string {
  const byShape = new Map<string, { path: string; pattern: RegExp }[]>();
  for (const { path, methods } of registeredRoutes(mounts)) {
    const pattern = new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}/?$`, 'i');
    for (const method of methods) {
      const shape = shapeOf(method, path);
      byShape.set(shape, [...(byShape.get(shape) ?? []), { path, pattern }]);
    }
  }
  return (method, url) => {
    const path = url.split('?', 1)[0] ?? '';
    const candidates = byShape.get(shapeOf(method, path.replace(/\/$/, ''))) ?? [];
    return candidates.find(({ pattern }) => pattern.test(path))?.path ?? NO_ROUTE;
  };
}

/** Few routes have the same. */
function shapeOf(method: string, path: string): string {
  return `${method} ${path.split('/').length}`;
}
