/** Page numbers in, pagination headers out. Specification, "Endpoints". */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Response } from 'express';
import type Joi from 'joi';
import { MAX_ID, queryInteger } from './validation';

type SizeName = 'limit' | 'per_page';

interface PageLimits<Name extends SizeName> {
  /** What the specification calls the page size here; the other name is taken too. */
  sizeName: Name;
  defaultSize: number;
  maxSize: number;
}

/**
 * The Joi keys `page` (from 1) and page size of a list's query, the size under the endpoint's own name
 * whichever the client used; two sizes that disagree are invalid. Page x size stays below 2^53.
 */
export function pageQuery<Name extends SizeName>({
  sizeName,
  defaultSize,
  maxSize,
}: PageLimits<Name>): Record<'page' | Name, Joi.Schema<number>> {
  const otherName = sizeName === 'limit' ? 'per_page' : 'limit';
  const size = queryInteger(1, maxSize);
  const keys = {
    page: queryInteger(1, MAX_ID).default(1),
    // First, so that the other is read when this one is looked at.
    [otherName]: size,
    [sizeName]: size
      .custom((value: number, helpers) => {
        const [query] = helpers.state.ancestors as [Partial<Record<SizeName, number>>];
        return [undefined, value].includes(query[otherName]) ? value : helpers.error('any.invalid');
      })
      .default((query: Partial<Record<SizeName, number>>) => query[otherName] ?? defaultSize),
  };
  return keys as Record<'page' | Name, Joi.Schema<number>>;
}

export interface Page {
  page: number;
  /** The size asked for. */
  size: number;
  /** Items on all pages together. */
  total: number;
}

/** How many items come before the page. */
export function offsetOf({ page, size }: Pick<Page, 'page' | 'size'>): number {
  return (page - 1) * size;
}

/** Answers with the items of one page as an array, under the pagination headers. */
export function sendPage(response: Response, page: Page, items: readonly object[]): void {
  setHeaders(response, page, items.length);
  response.json(items);
}

/** Rows made into JSON in one turn of the event loop, so that a page of 10,000 delays no other request. */
const SHOWN_AT_ONCE = 250;

/** Like `sendPage`, for pages that may be large: shows the rows and writes them out a few at a time. */
export async function sendRows<Row>(
  response: Response,
  page: Page,
  rows: readonly Row[],
  view: (row: Row) => object,
): Promise<void> {
  const parts: Buffer[] = [];
  for (let start = 0; start < rows.length; start += SHOWN_AT_ONCE) {
    if (start > 0) await nextTurn();
    const shown = rows.slice(start, start + SHOWN_AT_ONCE).map((row) => JSON.stringify(view(row)));
    parts.push(Buffer.from(`${start > 0 ? ',' : ''}${shown.join(',')}`));
  }
  // Only now, when every row could be shown, does the answer begin.
  setHeaders(response, page, rows.length);
  response.type('json').send(Buffer.concat([Buffer.from('['), ...parts, Buffer.from(']')]));
}

function setHeaders(response: Response, { page, size, total }: Page, items: number): void {
  const pages = Math.ceil(total / size);
  response.set({
    'X-Page': String(page),
    'X-Per-Page': String(size),
    'X-Total-Count': String(total),
    'X-Total-Pages': String(pages),
    'X-Page-Size': String(items),
    'X-Has-More': String(page < pages),
  });
}
