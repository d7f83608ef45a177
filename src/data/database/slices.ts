/** Reads a page of a list in slices: a page of 10,000 rows read at once would block the process. */

/** The maximum number of rows that one statement reads. */
export const READ_AT_ONCE = 250;

export interface Slice {
  offset: number;
  limit: number;
  /** The id of the row after which the slice begins. */
  after?: number | undefined;
}

/** The rows of the page. Only the first slice skips `offset` rows: each further one begins after the last row that was read. */
export async function readInSlices<Row extends { id: number }>(
  { offset, limit, total }: { offset: number; limit: number; total: number },
  readSlice: (slice: Slice) => Promise<Row[]>,
): Promise<Row[]> {
  const page: Row[] = [];
  const wanted = Math.min(limit, total - offset);
  while (page.length < wanted) {
    const after = page.at(-1)?.id;
    const size = Math.min(READ_AT_ONCE, limit - page.length);
    const slice = await readSlice({ offset: after === undefined ? offset : 0, limit: size, after });
    page.push(...slice);
    if (slice.length < size) break;
  }
  return page;
}
