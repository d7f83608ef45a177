/** Names each request of a process, for callers and in its log. */
import { randomUUID } from 'node:crypto';
import type { RequestHandler } from 'express';
import { runWithWork } from './current-work';

const acceptedId = /^[\x21-\x7e]{1,128}$/;

/**
 * Sets `X-Request-Id`: the caller's id if it is printable and short, else a new one. All log lines and supplier calls for the
 * request carry the id.
 */
export const requestId: RequestHandler = (request, response, next) => {
  const given = request.get('x-request-id');
  const id = given !== undefined && acceptedId.test(given) ? given : randomUUID();
  response.set('X-Request-Id', id);
  runWithWork({ requestId: id }, next);
};
