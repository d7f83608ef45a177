/** A list is whole only if it has all rows that any of its pages states. */
import { wholeList } from '../../src/suppliers/kit/limits';

/** Reads a list with pages of these totals; each page has a hundred rows. */
async function rowsOf(...pages: { totalRows: number; totalPages: number }[]): Promise<number> {
  let rows = 0;
  const list = wholeList(10, (page) => {
    const stated = pages[page - 1];
    if (!stated) throw new Error(`There is no page ${page}`);
    return Promise.resolve({ items: Array.from({ length: 100 }), rows: 100, ...stated });
  });
  for await (const items of list) rows += items.length;
  return rows;
}

test('When the pages state one total and have its rows, then the list is read', async () => {
  await expect(rowsOf({ totalRows: 200, totalPages: 2 }, { totalRows: 200, totalPages: 2 })).resolves.toBe(200);
});

test('When the last page states fewer rows than an earlier page, then the list is not whole', async () => {
  await expect(rowsOf({ totalRows: 300, totalPages: 3 }, { totalRows: 200, totalPages: 2 })).rejects.toThrow(
    'The list is not whole: 100 rows are missing',
  );
});
