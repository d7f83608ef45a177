/** The document in the document. */
import { json, type Operations } from './operation';

export const documentOperations: Operations = {
  'GET /openapi.json': {
    id: 'getOpenApiDocument',
    tag: 'Reference',
    summary: 'Read this document',
    access: 'open',
    answers: {
      200: json(
        'This document (OpenAPI 3.1).',
        { type: 'object', description: 'An OpenAPI 3.1 document.' },
        { headers: ['ETag', 'Cache-Control'], example: { openapi: '3.1.1' } },
      ),
      304: { description: 'What you hold is still so.', headers: ['ETag', 'Cache-Control'] },
    },
  },
};
