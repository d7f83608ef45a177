import type { Request, RequestHandler } from 'express';
import type { Logger } from 'pino';

/** The maximum number of logged characters of a path, whose length the caller chooses. */
const MAX_PATH = 256;

/**
 * Logs each request when its response is sent or its connection closed, with its id, which the entries in the audit have. A query is
 * not logged: it may hold a sign-in link, a code of the provider or a text about a customer.
 */
export function logOperatorRequests(
  log: Logger,
  personOf: (request: Request) => { id: string } | undefined,
): RequestHandler {
  return (request, response, next) => {
    const startedAt = performance.now();
    // Read now: a closed connection has no address any more, and routers change the path.
    const { ip: address, method, originalUrl } = request;
    response.on('close', () => {
      log.info(
        {
          requestId: response.get('X-Request-Id'),
          personId: personOf(request)?.id,
          address,
          method,
          path: originalUrl.split('?', 1)[0]?.slice(0, MAX_PATH),
          status: response.writableFinished ? response.statusCode : 'aborted',
          ms: Math.round(performance.now() - startedAt),
        },
        'request',
      );
    });
    next();
  };
}
