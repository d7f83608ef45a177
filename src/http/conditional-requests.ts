/** Which ETags of a client count as ours. */
import type { Request } from 'express';

/**
 * Whether the client already has the content with this ETag. A tag that a proxy has changed counts as ours. Express would ignore
 * `If-None-Match` in a request with `Cache-Control: no-cache`, which every `fetch` with its own `If-None-Match` sends.
 * docs/specification.md#cached-responses.
 */
export function clientHolds(request: Request, etag: string): boolean {
  const tags = request.get('if-none-match')?.split(',') ?? [];
  return tags
    .map((tag) => tag.trim().replace(/^W\//, ''))
    .some((tag) => tag === '*' || tag === etag || tag.replace(COMPRESSED_BY_PROXY, '"') === etag);
}

/** What proxies that compress a response append to its ETag: Apache and Caddy one hyphen, Jetty two. */
const COMPRESSED_BY_PROXY = /-(?:gzip|br|zstd|-gzip)"$/;
