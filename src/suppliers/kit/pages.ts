/** Lists that a supplier gives page by page. */
import { safeText } from '../../domain/safe-text';
import { minute } from '../../domain/time';
import { SupplierUnavailable } from '../port';

/** A list that takes longer is given up: whoever reads it holds a database transaction or delays other suppliers. */
const LIST_LIMIT_MS = 10 * minute;

/**
 * Yields the items of every page, beginning with page 1; the number of pages may change while they are read. Throws
 * `SupplierUnavailable` if there are more than `maxPages`, or reading them takes more than 10 minutes.
 */
export async function* allPages<T>(
  maxPages: number,
  readPage: (page: number) => Promise<{ items: T[]; totalPages: number }>,
): AsyncGenerator<T[]> {
  const beganAt = performance.now();
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    if (performance.now() - beganAt > LIST_LIMIT_MS)
      throw new SupplierUnavailable(safeText`The list is not read after ${page - 1} of ${pages} pages`);
    const { items, totalPages } = await readPage(page);
    if (totalPages > maxPages)
      throw new SupplierUnavailable(safeText`The list has ${totalPages} pages, more than ${maxPages}`);
    yield items;
    pages = totalPages;
  }
}
