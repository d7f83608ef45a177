/** Reads rows page by page from after that id, each page by the last id of the one before, until there are none left. */
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
