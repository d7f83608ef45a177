/** The parameters of pages in the console's own lists. */
import Joi from 'joi';
import { pageSizes } from '../../domain/clients/page-sizes';
import { queryInteger } from '../shared/validation';

export const rowLimit = queryInteger(1, pageSizes.console.maxSize).default(pageSizes.console.defaultSize);

/** The number before which the page begins, in a list whose newest entry is first. */
export const before = Joi.string()
  .pattern(/^[1-9]\d{0,14}$/)
  .custom(Number);

/** A page of a list, and the number before which the next one begins; null after the last one. */
export interface Part<Item> {
  items: readonly Item[];
  next: number | null;
}

/** The entries that one read of a file returns. */
const ENTRIES_PER_READ = 500;

/** Every entry of a list as a line, read on demand. */
export async function* linesOf<Item>(
  read: (page: { before?: number | undefined; limit: number }) => Promise<Part<Item>>,
  lineOf: (item: Item) => object,
): AsyncGenerator<object> {
  for (let next: number | null | undefined; next !== null;) {
    const part: Part<Item> = await read({ before: next, limit: ENTRIES_PER_READ });
    yield* part.items.map(lineOf);
    next = part.next;
  }
}
