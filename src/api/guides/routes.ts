/** The clients' pages: docs/clients, rendered by `dev/scripts/guides.mjs`. docs/developers/api-reference.md#client-guides. */
import type { RequestHandler } from 'express';
import { errors } from '../../domain/errors';
import { pageHeaders, sendFile } from '../server/page-routes';
import type { Routes } from '../server/route';

/** The pages run only their own script, which reads only the search index. */
const headers = pageHeaders([
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
]);

/** No page needs a token. `/docs/errors` is for people, `/docs/errors.md` for tools. */
export const guideRoutes: Routes = {
  'GET /docs/:page': {
    handler:
      ({ guideFiles }) =>
      (request, response) => {
        const name = String(request.params['page']);
        const file = guideFiles.get(name.endsWith('.md') ? name : `${name}.html`);
        if (!file) throw errors.notFound('Path');
        response.set(headers);
        sendFile(request, response, file);
      },
  },
  'GET /llms.txt': {
    handler:
      ({ guideFiles }) =>
      (request, response) => {
        const file = guideFiles.get('llms.txt');
        if (!file) throw errors.notFound('Path');
        response.set('Cache-Control', 'no-cache');
        sendFile(request, response, file);
      },
  },
};

/** Redirects browsers from `/` to the pages. Not a route, because for all other callers `/` is an unknown path. */
export const redirectBrowserToGuides: RequestHandler = (request, response, next) => {
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (request.path !== '/' || !isRead) return next();
  // Browsers accept HTML by name, programs any type.
  if (!/\btext\/html\b/i.test(request.get('Accept') ?? '')) return next();
  response.set('Vary', 'Accept').redirect(302, '/docs/guides');
};
