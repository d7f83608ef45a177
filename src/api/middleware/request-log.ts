import type { Request, RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import { matchOf } from '../server/dispatch';

/** The maximum number of logged characters of a path, whose length the caller chooses. */
const MAX_PATH = 256;

/**
 * The path without its query, cut to `MAX_PATH`. The path of a supplier's callback may hold a secret, so its route is logged
 * instead. Percent-encoding may hide such a path.
 */
function loggedPath({ originalUrl }: Request, response: Response): string {
  const [path = ''] = originalUrl.split('?', 1);
  if (!/suppliers|%/i.test(path)) return path.slice(0, MAX_PATH);
  return matchOf(response).endpoint?.path ?? '/suppliers/...';
}

/**
 * Logs each request of which `isLogged`, when its response is sent or its connection closed. A query is not logged: it may contain
 * phone numbers.
 */
export function requestLog(log: Logger, isLogged: (response: Response) => boolean = () => true): RequestHandler {
  return (request, response, next) => {
    const startedAt = performance.now();
    // Read now: a closed connection has no address any more.
    const address = request.ip;
    response.on('close', () => {
      if (!isLogged(response)) return;
      const { caller } = response.locals;
      log.info(
        {
          requestId: response.get('X-Request-Id'),
          clientId: caller?.client.id,
          apiKeyId: caller?.apiKeyId ?? undefined,
          memberId: caller?.memberId ?? undefined,
          address,
          method: request.method,
          path: loggedPath(request, response),
          status: response.writableFinished ? response.statusCode : 'aborted',
          ms: Math.round(performance.now() - startedAt),
        },
        'request',
      );
    });
    next();
  };
}
