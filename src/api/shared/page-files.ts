/** Pages as they were built: each with what it loads. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { Router, type Request, type Response } from 'express';
import { errors } from '../../domain/errors';
import { holds } from './kept-answers';

export interface PageFile {
  type: string;
  body: Buffer;
  etag: string;
}

export interface PageFiles {
  page: PageFile;
  /** By name; each name holds a digest of what is in it, so that a browser keeps it for good. */
  assets: ReadonlyMap<string, PageFile>;
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Reads what `dev/scripts/build.mjs` made; it stays in memory. */
export function readPage(folder: string): PageFiles {
  const names = readdirSync(join(folder, 'assets'));
  return {
    page: readFile(join(folder, 'index.html')),
    assets: new Map(names.map((name) => [name, readFile(join(folder, 'assets', name))])),
  };
}

function readFile(path: string): PageFile {
  const body = readFileSync(path);
  const digest = createHash('sha256').update(body).digest('base64url');
  return { type: types[extname(path)] ?? 'application/octet-stream', body, etag: `"${digest}"` };
}

/** GET /, GET /assets/:file: the page under the policy of what it may load and talk to, and what it loads. */
export function pageRoutes(files: PageFiles, contentSecurityPolicy: readonly string[]): Router {
  const router = Router();

  router.get('/', (request, response) => {
    response.set({
      'Cache-Control': 'no-cache',
      'Content-Security-Policy': contentSecurityPolicy.join('; '),
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Referrer-Policy': 'no-referrer',
    });
    send(request, response, files.page);
  });

  router.get('/assets/:file', (request, response) => {
    const file = files.assets.get(request.params.file);
    if (!file) throw errors.notFound('Path');
    response.set('Cache-Control', 'public, max-age=31536000, immutable');
    send(request, response, file);
  });

  return router;
}

function send(request: Request, response: Response, { type, body, etag }: PageFile): void {
  response.set({ 'Content-Type': type, ETag: etag });
  if (holds(request, etag)) response.status(304).end();
  else response.end(body);
}
