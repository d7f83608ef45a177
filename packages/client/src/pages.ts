/** Paginated lists. docs/specification.md#lists-and-pages. */
import type { ConditionalOptions, NotModified, Read } from './conditional.ts';
import type { HttpHeaders } from './platform.ts';
import type { CallOptions } from './transport.ts';

/** One page of a list. */
export interface Page<Item> {
  items: Item[];
  /** The number of the page, from 1. */
  page: number;
  totalCount: number;
  totalPages: number;
  hasMore: boolean;
}

/**
 * A list that reads its pages on demand: `for await (const order of list)`. New items move others to later pages; the
 * iteration still yields each item once.
 */
export class List<Item> implements AsyncIterable<Item> {
  constructor(
    private readonly read: (page: number, options?: ConditionalOptions) => Promise<Page<Item> | NotModified>,
    /** Returns the key that identifies an item. */
    private readonly keyOf: (item: Item) => unknown,
  ) {}

  /** Reads one page, with the totals of the list. A page after the last one is empty. */
  async page<Options extends ConditionalOptions = CallOptions>(
    number = 1,
    options?: Options,
  ): Promise<Read<Page<Item>, Options>> {
    return (await this.read(number, options)) as Read<Page<Item>, Options>;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    const given = new Set<unknown>();
    for (let number = 1; ; number++) {
      const { items, hasMore } = await this.page(number);
      for (const item of items) {
        const key = this.keyOf(item);
        if (given.has(key)) continue;
        given.add(key);
        yield item;
      }
      if (!hasMore) return;
    }
  }

  /** Reads all pages. Use it for short lists. */
  async toArray(): Promise<Item[]> {
    const all: Item[] = [];
    for await (const item of this) all.push(item);
    return all;
  }
}

/** Returns the page that a response holds; the totals come from its headers. */
export function pageOf<Item>(items: Item[], headers: HttpHeaders): Page<Item> {
  const count = (name: string) => Number(headers.get(name) ?? 0);
  return {
    items,
    page: count('x-page'),
    totalCount: count('x-total-count'),
    totalPages: count('x-total-pages'),
    hasMore: headers.get('x-has-more') === 'true',
  };
}
