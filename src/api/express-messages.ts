import { IncomingMessage, ServerResponse } from 'node:http';
import type { Express } from 'express';
import type { Messages } from './http-server';

/**
 * What the server is to make its requests and responses of, so that they are the application's from the beginning.
 *
 * Express would give each of them another prototype once it is made. V8 then knows nothing of them any more, and all that
 * belongs to them outlives every collection but the full ones: a read answered from memory takes 0.14 ms instead of 0.05.
 */
export function messagesOf(app: Express): Messages {
  class AppRequest extends IncomingMessage {}
  class AppResponse<Of extends IncomingMessage> extends ServerResponse<Of> {}
  app.request = Object.setPrototypeOf(AppRequest.prototype, app.request) as Express['request'];
  app.response = Object.setPrototypeOf(AppResponse.prototype, app.response) as Express['response'];
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse };
}
