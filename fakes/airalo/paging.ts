/** Pages of lists. */
import type { Request } from 'express';

export interface PageQuery {
  page: number;
  limit?: number;
}

/** One page of rows, with `links` and `meta`. The documentation does not name their fields, so they have Laravel's. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly links: object;
  readonly meta: object;
}

/** Returns the page. A page after the last is empty. */
export function pageOf<Row>(
  { protocol, host, baseUrl, path }: Request,
  { page, limit }: PageQuery,
  rows: readonly Row[],
): Page<Row> {
  const size = limit ?? Math.max(1, rows.length);
  const last = Math.max(1, Math.ceil(rows.length / size));
  const first = (page - 1) * size;
  const url = `${protocol}://${host}${baseUrl}${path}`;
  const link = (to: number): string | null => (to >= 1 && to <= last ? `${url}?page=${to}` : null);
  return {
    rows: rows.slice(first, first + size),
    links: { first: link(1), last: link(last), prev: link(page - 1), next: link(page + 1) },
    meta: { message: 'success', current_page: page, last_page: last, path: url, per_page: size, total: rows.length },
  };
}
