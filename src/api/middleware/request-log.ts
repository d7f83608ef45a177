import { randomUUID } from 'node:crypto';
import type { RequestHandler } from 'express';
import type { Logger } from 'pino';
import { workingOn } from '../../current-work';

const saneId = /^[\x21-\x7e]{1,128}$/;

/**
 * Names the request in `X-Request-Id`: the caller's own id where it is printable and short, else a new one. What is done
 * for it belongs to it from now on.
 */
export const requestId: RequestHandler = (request, response, next) => {
  const given = request.get('x-request-id');
  const id = given !== undefined && saneId.test(given) ? given : randomUUID();
  response.set('X-Request-Id', id);
  workingOn({ requestId: id }, next);
};

/** Characters of a path that the log keeps: its caller writes what it likes there. */
const MAX_PATH = 256;

/** Logs each request when its answer is sent or its caller gone. The path cut, and without the query, which may hold phone numbers. */
export function requestLog(log: Logger): RequestHandler {
  return (request, response, next) => {
    const startedAt = performance.now();
    // Of a connection that is gone nobody knows any more where it came from.
    const address = request.ip;
    response.on('close', () => {
      log.info(
        {
          requestId: response.get('X-Request-Id'),
          clientId: (response.locals.client as { id: number } | undefined)?.id,
          apiKeyId: response.locals.apiKeyId as number | undefined,
          address,
          method: request.method,
          path: request.originalUrl.split('?', 1)[0]?.slice(0, MAX_PATH),
          status: response.writableFinished ? response.statusCode : 'aborted',
          ms: Math.round(performance.now() - startedAt),
        },
        'request',
      );
    });
    next();
  };
}
