/** Lists that a supplier gives page by page. */

/** Yields the items of every page, beginning with page 1; the number of pages may change while they are read. */
export async function* allPages<T>(
  readPage: (page: number) => Promise<{ items: T[]; totalPages: number }>,
): AsyncGenerator<T[]> {
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const { items, totalPages } = await readPage(page);
    yield items;
    pages = totalPages;
  }
}
