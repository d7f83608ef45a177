/** The OpenAPI document and the page that shows it. docs/developers/api-reference.md. */
import { gzipSync } from 'node:zlib';
import { pageFile, type PageFile } from '../../page-files/page-files';
import { sendFile } from '../../page-files/send-file';
import { pageRoutes } from '../server/page-routes';
import type { ApiRoutes, Routes } from '../server/route';
import { clientDocument } from './document';
import { cacheHeaders } from './headers';
import { json, type Operations } from './operation';
import { recordedExamples } from './recorded-examples';

/** The route of the document. `operations` returns every documented operation, this one included. */
export function documentRoutes(operations: () => Operations): ApiRoutes {
  return {
    'GET /openapi.json': {
      id: 'getOpenApiDocument',
      tag: 'Reference',
      summary: 'Read this document',
      access: 'open',
      scope: 'none',
      responses: {
        200: json(
          'This document (OpenAPI 3.1).',
          { type: 'object', description: 'An OpenAPI 3.1 document.' },
          { headers: cacheHeaders, example: { openapi: '3.1.1' } },
        ),
        304: { description: 'The cached copy is current.', headers: cacheHeaders },
      },
      handler: ({ config }) => {
        // Rendering takes a fifth of the CPU of a start, and most processes serve no document.
        let document: PageFile | undefined;
        return (request, response) => {
          document ??= documentFile(operations(), config.api.contact);
          response.set('Cache-Control', 'no-cache');
          sendFile(request, response, document);
        };
      },
    },
  };
}

function documentFile(operations: Operations, contact: string | undefined): PageFile {
  const body = Buffer.from(JSON.stringify(clientDocument(operations, recordedExamples(), contact)));
  return pageFile('application/json; charset=utf-8', body, { gzip: gzipSync(body) });
}

/** The page runs only its own scripts, and calls only this service. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  // The renderer writes style sheets into the page, and changes them with each release. A style sheet runs no script.
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
];

export const referencePageRoutes: Routes = pageRoutes(
  '/docs',
  ({ referenceFiles }) => referenceFiles,
  CONTENT_SECURITY_POLICY,
);
