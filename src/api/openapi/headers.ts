/** The headers of responses. docs/specification.md. */
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
      'The id of the request in our logs: your own `X-Request-Id` if it is printable and short, else a new one.',
    examples: ['2f6d9a4e-2c1b-4f1e-9d0a-6c3f5b7e8a90'],
  },
  'X-Page': digits('The page number, from 1; omitted with `before_id` and `after_id`.', '1'),
  'X-Per-Page': digits('The requested page size.', '50'),
  'X-Total-Count': digits('The number of items on all pages, whatever part of the list is read.', '1'),
  'X-Total-Pages': digits('The number of pages; omitted with `before_id` and `after_id`.', '1'),
  'X-Page-Size': digits('The number of items on this page.', '1'),
  'X-Has-More': {
    type: 'string',
    enum: ['true', 'false'],
    description: 'Whether more items follow: on the next page, or in the direction of `before_id` or `after_id`.',
    examples: ['false'],
  },
  RateLimit: {
    type: 'string',
    pattern: '^"[a-z_]+";r=\\d+;t=\\d+$',
    description:
      'The rate class of the call, the calls left in it (`r`), and the seconds until one more is admitted (`t`), such as `"reads";r=599;t=1`.',
  },
  'RateLimit-Policy': {
    type: 'string',
    pattern: '^"[a-z_]+";q=\\d+;w=\\d+$',
    description: 'The rate class of the call: `q` calls in `w` seconds, such as `"reads";q=600;w=60`.',
  },
  'Retry-After': digits('Seconds to wait before a retry.', '2'),
  'WWW-Authenticate': {
    type: 'string',
    enum: ['Bearer'],
    description: 'The authentication scheme.',
    examples: ['Bearer'],
  },
  Link: {
    type: 'string',
    pattern: '^</docs/errors#[a-z_]+>; rel="help"$',
    description: 'The page about the error code.',
  },
  Location: { type: 'string', pattern: '^/', description: 'The path of the resource, such as `/api/v1/orders/17`.' },
  'Idempotent-Replayed': {
    type: 'string',
    // No example: pages would show it in the response to a first request.
    pattern: '^true$',
    description:
      '`true` if an earlier request with the same `Idempotency-Key` created the order; otherwise the header is missing.',
  },
  ETag: {
    type: 'string',
    pattern: '^"[^"]+"$',
    description: 'The version of this content. Send it as `If-None-Match` to get 304 while nothing has changed.',
    examples: ['"Zm9vYmFy"'],
  },
  'Content-Disposition': {
    type: 'string',
    pattern: '^attachment; filename=',
    description: 'The name of the file.',
    examples: ['attachment; filename="orders-2026-11-01-2026-12-01.csv"'],
  },
  'Cache-Control': {
    type: 'string',
    description: 'Whether and how long the response may be cached.',
    examples: ['private, no-cache'],
  },
} as const satisfies Record<string, Schema>;

export type HeaderName = keyof typeof headers;

/** The headers of a page of a list. */
export const paginationHeaders = [
  'X-Page',
  'X-Per-Page',
  'X-Total-Count',
  'X-Total-Pages',
  'X-Page-Size',
  'X-Has-More',
] as const satisfies readonly HeaderName[];

/** The header of a request for a cacheable response. */
export const conditionalHeaders = {
  'If-None-Match': {
    type: 'string',
    description:
      'The `ETag` of the content that you have. The response is 304 while it has not changed. Several tags are separated by commas.',
    examples: ['"Zm9vYmFy"'],
  },
} as const satisfies Record<string, Schema>;

/** The headers of a cacheable response. */
export const cacheHeaders = ['ETag', 'Cache-Control'] as const satisfies readonly HeaderName[];

/** Headers that only some responses of a kind have. */
export const optionalHeaders: readonly HeaderName[] = ['Idempotent-Replayed', 'X-Page', 'X-Total-Pages'];
