/** The clients' pages and downloads, made by `dev/scripts/guides.mjs`. docs/developers/api-reference.md#client-guides. */
import { gzipSync } from 'node:zlib';
import type { Request, RequestHandler, Response } from 'express';
import { LRUCache } from 'lru-cache';
import { errors } from '../../domain/errors';
import { pageFile, type PageFile } from '../../page-files/page-files';
import { originOf } from '../server/origin';
import { pageHeaders, sendFile } from '../../page-files/send-file';
import type { Dependencies } from '../dependencies';
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

/** The address of the service in the sources of the pages. */
const SOURCE_ORIGIN = 'http://127.0.0.1:3000';

/**
 * No page needs a token. `/docs/errors` is for people, `/docs/errors.md` for tools. Pages and text files name the service by the
 * address at which the caller reads them, so that their commands work unchanged.
 */
export const guideRoutes: Routes = {
  'GET /docs/:page': {
    scope: 'none',
    handler:
      ({ guideFiles }) =>
      (request, response) => {
        const name = String(request.params['page']);
        const file = found(guideFiles, name.endsWith('.md') ? name : `${name}.html`);
        response.set(headers);
        sendAtOrigin(request, response, file);
      },
  },
  'GET /llms.txt': {
    scope: 'none',
    handler:
      ({ guideFiles }) =>
      (request, response) => {
        const file = found(guideFiles, 'llms.txt');
        response.set('Cache-Control', 'no-cache');
        sendFile(request, response, file);
      },
  },
  'GET /downloads/:file': {
    scope: 'none',
    handler:
      ({ downloads }) =>
      async (request, response) => {
        const name = String(request.params['file']);
        const file = await downloads.find(name);
        response.set('Cache-Control', 'no-cache');
        if (!file && PYTHON_PACKAGE.test(name)) return response.redirect(302, PYTHON_GUIDE);
        sendAtOrigin(request, response, known(file));
      },
  },
};

/** A build without Python does not make the Python package. The guide says how to generate it. */
const PYTHON_PACKAGE = /^digital_goods_client-.*\.whl$/;
const PYTHON_GUIDE = '/docs/generated-clients#python';

function found(files: ReadonlyMap<string, PageFile>, name: string): PageFile {
  return known(files.get(name));
}

function known(file: PageFile | undefined): PageFile {
  if (!file) throw errors.notFound('Path');
  return file;
}

/** Sends the file. In a text file, the address of this request replaces that of the sources. */
function sendAtOrigin(request: Request, response: Response, file: PageFile): void {
  const origin = file.type.endsWith('charset=utf-8') ? originOf(request) : undefined;
  sendFile(request, response, origin === undefined ? file : fileAt(origin, file));
}

/** The files as they were sent last. Most processes have one address, so they make each file once. */
const filesAtOrigins = new LRUCache<string, PageFile>({ max: 100 });

function fileAt(origin: string, { type, body: source, etag }: PageFile): PageFile {
  const key = `${origin} ${etag}`;
  const known = filesAtOrigins.get(key);
  if (known) return known;
  const body = Buffer.from(source.toString().replaceAll(SOURCE_ORIGIN, origin));
  const file = pageFile(type, body, { gzip: gzipSync(body) });
  filesAtOrigins.set(key, file);
  return file;
}

/**
 * Redirects browsers from `/` to the list of the pages, and from `/docs/guides/<page>` to the page. These are no routes, because for all
 * other callers they are unknown paths.
 */
export function redirectBrowserToGuides({ guideFiles }: Pick<Dependencies, 'guideFiles'>): RequestHandler {
  const targetOf = (path: string): string | undefined => {
    if (path === '/') return '/docs/guides';
    const [, page = ''] = /^\/docs\/guides\/([\w-]+)$/.exec(path) ?? [];
    return guideFiles.has(`${page}.html`) ? `/docs/${page}` : undefined;
  };
  return (request, response, next) => {
    const target = targetOf(request.path);
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (target === undefined || !isRead) return next();
    // Browsers accept HTML by name, programs any type.
    if (!/\btext\/html\b/i.test(request.get('Accept') ?? '')) return next();
    response.set('Vary', 'Accept').redirect(302, target);
  };
}
