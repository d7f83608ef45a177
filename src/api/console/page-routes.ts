/** The console's page and what it loads. docs/clients/console.md. */
import { Router, type Request, type Response } from 'express';
import { errors } from '../../domain/errors';
import type { Dependencies } from '../dependencies';
import { holds } from '../shared/kept-answers';
import type { ConsoleFile } from './files';

/** The page runs and loads what comes from here, and talks to nobody else. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** GET /, GET /assets/:file. */
export function consolePageRoutes({ consoleFiles }: Dependencies): Router {
  const router = Router();

  router.get('/', (request, response) => {
    response.set({
      'Cache-Control': 'no-cache',
      'Content-Security-Policy': CONTENT_SECURITY_POLICY,
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Referrer-Policy': 'no-referrer',
    });
    send(request, response, consoleFiles.page);
  });

  router.get('/assets/:file', (request, response) => {
    const file = consoleFiles.assets.get(request.params.file);
    if (!file) throw errors.notFound('Path');
    response.set('Cache-Control', 'public, max-age=31536000, immutable');
    send(request, response, file);
  });

  return router;
}

function send(request: Request, response: Response, { type, body, etag }: ConsoleFile): void {
  response.set({ 'Content-Type': type, ETag: etag });
  if (holds(request, etag)) response.status(304).end();
  else response.end(body);
}
