import type { Response } from 'express';
import type { PageQuery } from './requests';

/**
 * Returns the rows of the page and sets the documented headers. A page after the last is empty.
 * The headers of the next and the previous page are absent where there is none.
 */
export function pageOf<Row>(response: Response, { page, per_page: size }: PageQuery, rows: readonly Row[]): Row[] {
  const pages = Math.ceil(rows.length / size);
  response.set({
    'X-Total': String(rows.length),
    'X-Total-Pages': String(pages),
    'X-Per-Page': String(size),
    'X-Page': String(page),
  });
  if (page < pages) response.set('X-Next-Page', String(page + 1));
  if (page > 1) response.set('X-Prev-Page', String(page - 1));
  return rows.slice((page - 1) * size, page * size);
}
