/** The routes of a built page. */
import type { Request, Response } from 'express';
import { errors } from '../../domain/errors';
import type { Dependencies } from '../dependencies';
import { clientHolds } from '../shared/response-cache';
import type { PageFile, PageFiles } from './page-files';
import type { Routes } from './route';

/** The routes of the page at the path, and of its assets. The policy restricts what the page may load and call. */
export function pageRoutes(
  path: string,
  filesOf: (deps: Dependencies) => PageFiles,
  contentSecurityPolicy: readonly string[],
): Routes {
  const headers = pageHeaders(contentSecurityPolicy);
  return {
    [`GET ${path}`]: {
      scope: 'none',
      handler: (deps) => (request, response) => {
        response.set(headers);
        sendFile(request, response, filesOf(deps).page);
      },
    },
    [`GET ${path}/assets/:file`]: {
      scope: 'none',
      handler: (deps) => (request, response) => {
        const file = filesOf(deps).assets.get(String(request.params['file']));
        if (!file) throw errors.notFound('Path');
        response.set('Cache-Control', 'public, max-age=31536000, immutable');
        sendFile(request, response, file);
      },
    },
  };
}

export function pageHeaders(contentSecurityPolicy: readonly string[]): Readonly<Record<string, string>> {
  return {
    'Cache-Control': 'no-cache',
    'Content-Security-Policy': contentSecurityPolicy.join('; '),
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Referrer-Policy': 'no-referrer',
  };
}

/**
 * Sends the file, compressed if the caller accepts that, or 304 if the caller has it. Only files are compressed: a response with codes and
 * tokens would reveal its content by its length. docs/operators/production.md#compression.
 */
export function sendFile(request: Request, response: Response, { type, body, gzip, etag }: PageFile): void {
  const isCompressed = gzip !== undefined && request.acceptsEncodings('gzip') !== false;
  // Each encoding is a representation of its own (RFC 9110, section 8.8.3.3).
  const ownEtag = isCompressed ? etag.replace(/"$/, '-gzip"') : etag;
  response.set({ 'Content-Type': type, ETag: ownEtag, Vary: 'Accept-Encoding' });
  if (clientHolds(request, ownEtag)) return void response.status(304).end();
  if (isCompressed) response.set('Content-Encoding', 'gzip');
  response.end(isCompressed ? gzip : body);
}
