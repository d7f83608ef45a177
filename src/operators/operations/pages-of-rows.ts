/** All rows of a list that reads a page at a time. */
import type { Given } from './arguments';
import type { DataOperation } from './operation';
import { propertyOf } from '../../domain/unknown-values';

const PAGE_SIZE = 1_000;

/** Above the number of rows of a list without pages. */
const NO_LIMIT = 2 ** 31 - 1;

/**
 * The results of the operation, on demand. A list with a default limit is read to its end, each page behind the last id of the page
 * before it. With a given limit, and without a default one, there is one result: a limit is a limit, and no limit means all rows.
 */
export async function* resultsByPage(
  { arguments: { after, limit } }: Pick<DataOperation, 'arguments'>,
  given: Given,
  read: (given: Given) => Promise<unknown>,
): AsyncGenerator<unknown, void> {
  const isCut = limit?.standard !== undefined && given['limit'] === undefined;
  if (!isCut || !after) {
    yield await read(isCut ? { ...given, limit: String(NO_LIMIT) } : given);
    return;
  }
  let next: Given = { ...given, limit: String(PAGE_SIZE) };
  for (;;) {
    const page = await read(next);
    yield page;
    const last = lastId(page);
    if (last === undefined) return;
    next = { ...next, after: last };
  }
}

/** The id of the last row of a full page. */
function lastId(page: unknown): string | undefined {
  if (!Array.isArray(page) || page.length < PAGE_SIZE) return undefined;
  const id = propertyOf(page.at(-1), 'id');
  if (typeof id !== 'string' && typeof id !== 'number')
    throw new Error('A row of a list has no id, which the next page begins behind.');
  return String(id);
}
