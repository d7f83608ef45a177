/** Has every request be the beginning of a trace, where traces are exported. docs/operators/metrics.md#traces. */
import { once } from 'node:events';
import type { RequestHandler, Router } from 'express';
import { inSpan, isTraced } from '../../tracing/spans';
import { routeTemplates } from './figures';

/** Whatever is done for a request belongs to its span, which is named by its route. */
export function traceRequests(mounts: ReadonlyMap<string, Router>): RequestHandler {
  if (!isTraced()) return (_request, _response, next) => next();
  const routeOf = routeTemplates(mounts);
  return (request, response, next) => {
    const { method, originalUrl } = request;
    const route = routeOf(method, originalUrl);
    const attributes = { 'http.request.method': method, 'http.route': route };
    void inSpan({ name: () => `${method} ${route}`, kind: 'server', attributes }, async (span) => {
      const closed = once(response, 'close');
      next();
      await closed;
      span.set({ 'http.response.status_code': response.statusCode });
    });
  };
}
