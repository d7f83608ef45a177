/** The headers that answers carry. docs/specification.md. */
import type { Schema } from './schema';

const digits = (description: string, example: string): Schema => ({
  type: 'string',
  pattern: '^\\d+$',
  description,
  examples: [example],
});

export const headers = {
  'X-Request-Id': {
    type: 'string',
    pattern: '^[\\x21-\\x7e]{1,128}$',
    description:
      'Names the request in our logs: your own `X-Request-Id` if it is printable and short, else a new one.',
    examples: ['2f6d9a4e-2c1b-4f1e-9d0a-6c3f5b7e8a90'],
  },
  'X-Page': digits('The page, from 1.', '1'),
  'X-Per-Page': digits('The size of a page that was asked for.', '50'),
  'X-Total-Count': digits('Items on all pages together.', '1'),
  'X-Total-Pages': digits('How many pages there are.', '1'),
  'X-Page-Size': digits('Items on this page.', '1'),
  'X-Has-More': {
    type: 'string',
    enum: ['true', 'false'],
    description: 'Whether there is a page after this one.',
    examples: ['false'],
  },
  RateLimit: {
    type: 'string',
    pattern: '^"[a-z_]+";r=\\d+;t=\\d+$',
    description:
      'The class the call counted in, calls left in it (`r`), and seconds until there is one more (`t`).',
    examples: ['"reads";r=599;t=1'],
  },
  'RateLimit-Policy': {
    type: 'string',
    pattern: '^"[a-z_]+";q=\\d+;w=\\d+$',
    description: 'The class the call counted in: `q` calls in `w` seconds.',
    examples: ['"reads";q=600;w=60'],
  },
  'Retry-After': digits('Seconds to wait before the request is sent again.', '2'),
  'WWW-Authenticate': {
    type: 'string',
    const: 'Bearer',
    description: 'How to prove who you are.',
    examples: ['Bearer'],
  },
  Location: {
    type: 'string',
    pattern: '^/',
    description: 'The path of the thing the answer speaks of.',
    examples: ['/api/v1/orders/17'],
  },
  'Idempotent-Replayed': {
    type: 'string',
    const: 'true',
    description: 'There where the order was made by an earlier request with the same `Idempotency-Key`.',
    examples: ['true'],
  },
  ETag: {
    type: 'string',
    pattern: '^"[^"]+"$',
    description:
      'Names this content. Sent back as `If-None-Match`, it is answered 304 while nothing has changed.',
    examples: ['"Zm9vYmFy"'],
  },
  'Content-Disposition': {
    type: 'string',
    pattern: '^attachment; filename=',
    description: 'What the file is called.',
    examples: ['attachment; filename="orders-2026-11-01-2026-12-01.csv"'],
  },
  'Cache-Control': {
    type: 'string',
    description: 'Whether and for how long the answer may be kept.',
    examples: ['private, no-cache'],
  },
} as const satisfies Record<string, Schema>;

export type HeaderName = keyof typeof headers;

/** Those of a list that pages. */
export const pageHeaders = [
  'X-Page',
  'X-Per-Page',
  'X-Total-Count',
  'X-Total-Pages',
  'X-Page-Size',
  'X-Has-More',
] as const satisfies readonly HeaderName[];

/** Those of an answer that may be kept. */
export const keptHeaders = ['ETag', 'Cache-Control'] as const satisfies readonly HeaderName[];

/** There in some answers of the kind and not in others. */
export const sometimes: readonly HeaderName[] = ['Idempotent-Replayed'];
