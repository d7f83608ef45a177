/** What the API says of itself. docs/developers/api-reference.md. */
import { Router } from 'express';
import { sendKept, serialised } from '../shared/kept-answers';
import { openApiDocument } from './document';
import { operations } from './operations';

/** GET /, without a token. */
export function documentRoutes(): Router {
  const document = serialised('no-cache', { data: openApiDocument(operations) });
  return Router().get('/', (request, response) => sendKept(request, response, document));
}
