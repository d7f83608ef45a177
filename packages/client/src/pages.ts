/** Lists that come in pages. docs/specification.md#lists-and-pages. */

/** One page of a list. */
export interface Page<Item> {
  items: Item[];
  /** From 1. */
  page: number;
  totalCount: number;
  totalPages: number;
  hasMore: boolean;
}

/**
 * A list, read while it is walked through: `for await (const order of list)`. What is added meanwhile moves items to
 * later pages; each is given once all the same.
 */
export class List<Item> implements AsyncIterable<Item> {
  constructor(
    private readonly read: (page: number) => Promise<Page<Item>>,
    /** What tells an item from the others. */
    private readonly keyOf: (item: Item) => unknown,
  ) {}

  /** One page, with the totals of the list. One beyond the last is empty. */
  page(number = 1): Promise<Page<Item>> {
    return this.read(number);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    const given = new Set<unknown>();
    for (let number = 1; ; number++) {
      const { items, hasMore } = await this.read(number);
      for (const item of items) {
        const key = this.keyOf(item);
        if (given.has(key)) continue;
        given.add(key);
        yield item;
      }
      if (!hasMore) return;
    }
  }

  /** Everything at once: for lists that are known to be short. */
  async toArray(): Promise<Item[]> {
    const all: Item[] = [];
    for await (const item of this) all.push(item);
    return all;
  }
}

/** A page as its answer tells it, by the headers of lists. */
export function pageOf<Item>(items: Item[], headers: Headers): Page<Item> {
  const count = (name: string) => Number(headers.get(name) ?? 0);
  return {
    items,
    page: count('x-page'),
    totalCount: count('x-total-count'),
    totalPages: count('x-total-pages'),
    hasMore: headers.get('x-has-more') === 'true',
  };
}
