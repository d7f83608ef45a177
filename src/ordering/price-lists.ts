/** Price lists: every price that a client can order now. docs/specification.md#price-list. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { SingleFlight } from '../async/promises';
import { catalogueVersion, readListVersions, type ListVersions } from '../data/catalogue/catalogue-versions';
import {
  countListedPrices,
  hasMarginFloor,
  servingSources,
  soldAmounts,
  type Chunk,
  type ListedPrice,
} from '../data/catalogue/listed-prices';
import type { Client } from '../data/clients/clients';
import { inSnapshot, type Database, type Transaction } from '../data/database/database';
import type { Family } from '../domain/orders/families';
import { PricedProduct, type PriceRow, type ServedAmount } from './priced-products';
import { readParts, type PagePart, type PriceListScope, type ReadPagePart } from './price-list-parts';

/** What no source can sell above the client's margin floor. */
export interface BelowFloor {
  /** The products and variants that have no other price. */
  productIds: ReadonlySet<number>;
  variantIds: ReadonlySet<number>;
}

/** Of one family. */
interface Summary {
  /** With the number of rows in each. */
  chunks: readonly Chunk[];
  hasFloor: boolean;
  below: BelowFloor;
}

const whole = { offset: 0, count: Infinity } as const;

const nothing: BelowFloor = { productIds: new Set(), variantIds: new Set() };

/** The most numbers in all remembered summaries. */
const MAX_REMEMBERED = 1_000_000;
const NUMBERS_OF_CHUNK = 3;
/** The rows that are priced, and the products whose margins are judged, in one turn of the event loop. */
const ROWS_PER_TURN = 250;
const PRODUCTS_PER_TURN = 50;

/** Reads price lists, and remembers how long they are in each version. */
export class PriceLists {
  private readonly summaries = new LRUCache<string, Summary>({
    maxSize: MAX_REMEMBERED,
    sizeCalculation: ({ chunks, below }) =>
      1 + chunks.length * NUMBERS_OF_CHUNK + below.productIds.size + below.variantIds.size,
  });

  private readonly flights = new SingleFlight<Summary>();

  constructor(private readonly database: Database) {}

  /** Changes with everything that the list is computed from. */
  version({ client, families }: PriceListScope): Promise<string> {
    return catalogueVersion(this.database, client.id, families);
  }

  /**
   * Passes on the rows of a page, in a stable order and in slices. Returns the version and the number of rows of the whole list. These and
   * the rows are of one moment, so all pages of a version fit together, whichever process reads them.
   */
  page(
    scope: PriceListScope,
    page: { offset: number; limit: number },
    take: (slice: readonly PriceRow[]) => Promise<void>,
  ): Promise<{ version: string; total: number }> {
    return inSnapshot(this.database, async (snapshot) => {
      const versions = await this.versionsOf(scope, snapshot);
      let { offset, limit: left } = page;
      let total = 0;
      const parts: PagePart[] = [];
      for (const family of scope.families) {
        const { chunks, hasFloor } = await this.summaryOf(scope, family, versions, snapshot);
        for (const chunk of chunks) {
          const count = Math.max(0, Math.min(left, chunk.count - offset));
          if (count > 0) parts.push({ family, hasFloor, chunk, offset, count });
          left -= count;
          offset = Math.max(0, offset - chunk.count);
          total += chunk.count;
        }
      }
      for (const part of await readParts(this.database, scope, parts, snapshot))
        for await (const slice of this.slices(scope, part, snapshot)) await take(slice);
      return { version: versions.version, total };
    });
  }

  /** All rows in slices, for a reader who may be slow: each slice is of a moment of its own. */
  async *rows(scope: PriceListScope): AsyncGenerator<readonly PriceRow[], void> {
    for (const family of scope.families) {
      const inOwn = <Result>(read: (snapshot: Transaction) => Promise<Result>) => inSnapshot(this.database, read);
      const { chunks, hasFloor } = await inOwn(async (snapshot) =>
        this.summaryOf(scope, family, await this.versionsOf(scope, snapshot), snapshot),
      );
      for (const chunk of chunks)
        yield await inOwn(async (snapshot) => {
          const slices: PriceRow[] = [];
          for (const part of await readParts(this.database, scope, [{ family, hasFloor, chunk, ...whole }], snapshot))
            for await (const slice of this.slices(scope, part, snapshot)) slices.push(...slice);
          return slices;
        });
    }
  }

  /** What no source can sell to the client above its margin floor, paid from the wallet that an order would use. */
  async belowFloor(client: Pick<Client, 'id'>, family: Family): Promise<BelowFloor> {
    const scope = { client, families: [family], walletId: undefined };
    const versions = await this.versionsOf(scope);
    const known = this.summaries.get(keyOf(scope, family, versions));
    if (known) return known.below;
    const { below } = await inSnapshot(this.database, async (snapshot) =>
      this.summary(scope, family, await this.versionsOf(scope, snapshot), snapshot),
    );
    return below;
  }

  private versionsOf({ client, families, walletId }: PriceListScope, snapshot?: Transaction) {
    return readListVersions(this.database, { clientId: client.id, families, walletId }, snapshot);
  }

  /** Those of a search are not remembered. */
  private summaryOf(
    scope: PriceListScope,
    family: Family,
    versions: ListVersions,
    snapshot: Transaction,
  ): Promise<Summary> {
    return scope.search === undefined
      ? this.summary(scope, family, versions, snapshot)
      : this.summarise(scope, family, snapshot);
  }

  /** Clients of one audience share it: for 10,000 prices with a floor, it takes a second. */
  private async summary(
    scope: PriceListScope,
    family: Family,
    versions: ListVersions,
    snapshot: Transaction,
  ): Promise<Summary> {
    const key = keyOf(scope, family, versions);
    const read = async () => {
      const summary = await this.summarise(scope, family, snapshot);
      this.summaries.set(key, summary);
      return summary;
    };
    return this.summaries.get(key) ?? this.flights.run(read, key);
  }

  private async summarise(scope: PriceListScope, family: Family, snapshot: Transaction): Promise<Summary> {
    const { client, search } = scope;
    const chunks = await countListedPrices(this.database, { clientId: client.id, family, search }, snapshot);
    const hasFloor = await hasMarginFloor(this.database, client.id, family, snapshot);
    if (!hasFloor) return { chunks, hasFloor, below: nothing };
    return this.summariseAboveFloor(scope, family, chunks, snapshot);
  }

  /** Prices all rows to leave out those below the margin floor. */
  private async summariseAboveFloor(
    scope: PriceListScope,
    family: Family,
    counted: readonly Chunk[],
    snapshot: Transaction,
  ): Promise<Summary> {
    const chunks: Chunk[] = [];
    const below = { products: new Set<number>(), variants: new Set<number>() };
    const sold = { products: new Set<number>(), variants: new Set<number>() };
    for (const chunk of counted) {
      let count = 0;
      const [part] = await readParts(this.database, scope, [{ family, hasFloor: true, chunk, ...whole }], snapshot);
      for (const { product, price } of part ? await this.pricesOf(scope, part, snapshot) : []) {
        const isSold = product.isAboveFloor(price);
        const { products, variants } = isSold ? sold : below;
        products.add(price.productId);
        if (price.variantId !== null) variants.add(price.variantId);
        if (isSold) count += 1;
      }
      chunks.push({ ...chunk, count });
    }
    return {
      chunks,
      hasFloor: true,
      below: { productIds: without(below.products, sold.products), variantIds: without(below.variants, sold.variants) },
    };
  }

  /** The rows of a part that no margin floor leaves out. */
  private async *slices(
    scope: PriceListScope,
    part: ReadPagePart,
    snapshot: Transaction,
  ): AsyncGenerator<PriceRow[], void> {
    const { family, offset, count } = part;
    const prices = await this.pricesOf(scope, part, snapshot);
    const wanted = prices.filter(({ product, price }) => product.isAboveFloor(price)).slice(offset, offset + count);
    for (let start = 0; start < wanted.length; start += ROWS_PER_TURN) {
      if (start > 0) await nextTurn();
      yield wanted.slice(start, start + ROWS_PER_TURN).map(({ product, price }) => product.row(family, price));
    }
  }

  /** The prices of a part's chunk in the order of the list, each with its product. */
  private async pricesOf(
    { client, search }: PriceListScope,
    { family, hasFloor, chunk, prices, terms }: ReadPagePart,
    snapshot: Transaction,
  ): Promise<{ product: PricedProduct; price: ListedPrice }[]> {
    const listed = { clientId: client.id, family, search };
    const amounts = hasFloor ? await this.servedAmounts(listed, chunk, snapshot) : undefined;
    const products = new Map<number, ListedPrice[]>();
    for (const price of prices) addTo(products, price.productId, price);
    const found = [];
    for (const [index, [id, ofProduct]] of [...products].entries()) {
      if (amounts && index % PRODUCTS_PER_TURN === 0) await nextTurn();
      const product = new PricedProduct(ofProduct, terms, amounts?.get(id));
      found.push(...ofProduct.map((price) => ({ product, price })));
    }
    return found;
  }

  /** The amounts by which the margins of a chunk's products can be judged, by product. */
  private async servedAmounts(
    listed: { clientId: number; family: Family; search: string | undefined },
    chunk: Chunk,
    snapshot: Transaction,
  ): Promise<ReadonlyMap<number, ServedAmount[]>> {
    const amounts = await soldAmounts(this.database, listed, chunk, snapshot);
    const ids = [...new Set(amounts.flatMap(({ sourceIds }) => sourceIds))];
    const found = await servingSources(this.database, listed.family, ids, snapshot);
    const sources = new Map(found.map((source) => [source.id, source]));
    const served = new Map<number, ServedAmount[]>();
    for (const { productId, sourceIds, ...amount } of amounts)
      addTo(served, productId, { ...amount, sources: sourceIds.flatMap((id) => sources.get(id) ?? []) });
    return served;
  }
}

/** Two lists of a family with the same key are equal. */
const keyOf = (
  { walletId }: Pick<PriceListScope, 'walletId'>,
  family: Family,
  { audience, ofFamilies }: ListVersions,
): string => [audience, walletId !== undefined, family, ofFamilies[family]].join('/');

const without = (ids: ReadonlySet<number>, others: ReadonlySet<number>) =>
  new Set([...ids].filter((id) => !others.has(id)));

function addTo<Key, Value>(groups: Map<Key, Value[]>, key: Key, value: Value): void {
  const group = groups.get(key);
  if (group) group.push(value);
  else groups.set(key, [value]);
}
