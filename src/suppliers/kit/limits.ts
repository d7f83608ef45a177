/** Limits of a supplier's responses: bytes of a body, pages and time of a list. docs/decisions/0031-seal-raw-supplier-responses.md. */
import { safeText } from '../../domain/safe-text';
import { minute } from '../../domain/time';
import { SupplierUnavailable } from '../../domain/suppliers/supplier-errors';

const KiB = 1_024;
const MiB = 1_024 * KiB;

/** The status of an eSIM, our balance, the result of a control. */
export const MAX_STATUS_BYTES = 64 * KiB;
/** One page of a list. */
export const MAX_PAGE_BYTES = MiB;
/** All plans of one eSIM product. */
export const MAX_PLANS_BYTES = 4 * MiB;

/** One purchase with its goods: far more than goods need, so that no purchase is unreadable because of its size. */
export function maxPurchaseBytes(units: number): number {
  return 64 * KiB + units * 32 * KiB;
}

/** The body is longer than its limit. The rest of it was not read. */
export class BodyTooLong extends Error {
  readonly code = 'RESPONSE_TOO_LONG';
}

/** The response to a call that buys nothing is longer than its limit. Another attempt would return the same. */
export class ResponseTooLong extends SupplierUnavailable {}

/** The text of the body. Throws `BodyTooLong` and closes the connection as soon as it exceeds `maxBytes`. */
export async function readResponseBody(body: AsyncIterable<Buffer>, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw new BodyTooLong();
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

/** Limit for reading a list: its reader may hold a database transaction or delay other suppliers. */
const LIST_LIMIT_MS = 10 * minute;

/** One page of a list, and the number of pages that the list has now. */
export interface SupplierPage<T> {
  items: T[];
  totalPages: number;
}

/**
 * Yields the items of every page, from page 1. The number of pages may change during the reading. Throws `SupplierUnavailable`
 * if there are more than `maxPages`, or if reading takes more than 10 minutes.
 */
export async function* allPages<T>(
  maxPages: number,
  readPage: (page: number) => Promise<SupplierPage<T>>,
): AsyncGenerator<T[]> {
  const beganAt = performance.now();
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    if (performance.now() - beganAt > LIST_LIMIT_MS)
      throw new SupplierUnavailable(safeText`Reading the list took too long: ${page - 1} of ${pages} pages`);
    const { items, totalPages } = await readPage(page);
    if (totalPages > maxPages)
      throw new SupplierUnavailable(safeText`The list has ${totalPages} pages, more than ${maxPages}`);
    yield items;
    pages = totalPages;
  }
}

/** One page of a list that states its number of rows. One row may be several items. */
export interface CountedSupplierPage<T> extends SupplierPage<T> {
  rows: number;
  totalRows: number;
}

/**
 * As `allPages`. Throws `SupplierUnavailable` at the end if the pages had fewer rows than any of them states: a page that states
 * fewer rows than an earlier one would otherwise hide the rest of the list.
 */
export async function* wholeList<T>(
  maxPages: number,
  readPage: (page: number) => Promise<CountedSupplierPage<T>>,
): AsyncGenerator<T[]> {
  let total = 0;
  let read = 0;
  yield* allPages(maxPages, async (number) => {
    const page = await readPage(number);
    read += page.rows;
    total = Math.max(total, page.totalRows);
    return page;
  });
  if (read < total) throw new SupplierUnavailable(safeText`The list is not whole: ${total - read} rows are missing`);
}

/**
 * Yields the pages without the rows that an earlier page has shown, because a row may move to a later page during the reading.
 * `seen`: the keys of rows that other lists have shown. These rows are left out, too.
 */
export async function* withoutRepeats<T>(
  pages: AsyncIterable<T[]>,
  keyOf: (row: T) => string,
  seen = new Set<string>(),
): AsyncGenerator<T[]> {
  for await (const page of pages) {
    const fresh = page.filter((row) => !seen.has(keyOf(row)));
    fresh.forEach((row) => seen.add(keyOf(row)));
    yield fresh;
  }
}
