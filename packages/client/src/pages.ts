/** Paginated lists. docs/specification.md#lists-and-pages. */
import type { ConditionalOptions, NotModified, Read } from './conditional.ts';
import type { HttpHeaders } from './platform.ts';
import type { CallOptions } from './transport.ts';

/** One page of a list. */
export interface Page<Item> {
  items: Item[];
  /** The number of the page, from 1; 0 with `before_id` or `after_id`. */
  page: number;
  totalCount: number;
  /** 0 with `before_id` or `after_id`. */
  totalPages: number;
  /** Whether more items follow: on the next page, or in the direction of `before_id` or `after_id`. */
  hasMore: boolean;
}

/** The query parameter that names an item, beyond which a part of a list begins. */
export type PositionName = 'before_id' | 'after_id';

/** The parameters that select a part of a list. */
export type Place = { page: number } | { [Name in PositionName]?: unknown };

/** What an iteration knows about its list. */
interface Iteration<Item> {
  /** Returns the key that identifies an item. */
  keyOf: (item: Item) => unknown;
  /** The parameter that reads on from an item, if the list has one. */
  onwards?: PositionName | undefined;
}

/**
 * A list that reads its pages on demand: `for await (const order of list)`. The iteration yields each item once, also while new ones
 * appear. It yields the items in the sequence of the list, and with `after_id` the oldest first.
 */
export class List<Item> implements AsyncIterable<Item> {
  constructor(
    private readonly read: (place: Place, options?: ConditionalOptions) => Promise<Page<Item> | NotModified>,
    private readonly iteration: Iteration<Item>,
  ) {}

  /** Reads one page, with the totals of the list. A page after the last one is empty. */
  async page<Options extends ConditionalOptions = CallOptions>(
    number = 1,
    options?: Options,
  ): Promise<Read<Page<Item>, Options>> {
    return (await this.read({ page: number }, options)) as Read<Page<Item>, Options>;
  }

  [Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    const { onwards } = this.iteration;
    return onwards === undefined ? this.itemsOfPages() : this.itemsFromItem(onwards);
  }

  /** Each part begins beyond the last item of the one before, so new items move none. */
  private async *itemsFromItem(onwards: PositionName): AsyncGenerator<Item, void, undefined> {
    for (let place: Place = { page: 1 }; ;) {
      const { items, hasMore } = (await this.read(place)) as Page<Item>;
      const inSequence = onwards === 'before_id' ? items : [...items].reverse();
      yield* inSequence;
      const last = inSequence.at(-1);
      if (!hasMore || last === undefined) return;
      place = { [onwards]: this.iteration.keyOf(last) };
    }
  }

  /** New items move others to later pages. */
  private async *itemsOfPages(): AsyncGenerator<Item, void, undefined> {
    const given = new Set<unknown>();
    for (let number = 1; ; number++) {
      const { items, hasMore } = await this.page(number);
      for (const item of items) {
        const key = this.iteration.keyOf(item);
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
