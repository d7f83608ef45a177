/** Reads long lists page by page. */

/** Reads rows after the id, in order of their ids, until a page is empty. */
export async function* pagesById<Row extends { orderId: number }>(
  read: (afterId: number, limit: number) => Promise<Row[]>,
  limit: number,
  after = 0,
): AsyncGenerator<Row[]> {
  for (let afterId = after; ;) {
    const page = await read(afterId, limit);
    const last = page.at(-1);
    if (!last) return;
    yield page;
    afterId = last.orderId;
  }
}

/** Groups items into pages. The last page is shorter, and may be empty. */
export async function* pagesOf<Item>(items: AsyncIterable<Item>, size: number): AsyncGenerator<Item[]> {
  let page: Item[] = [];
  for await (const item of items) {
    page.push(item);
    if (page.length < size) continue;
    yield page;
    page = [];
  }
  yield page;
}
