/** Price lists: every price that a client can order now. docs/specification.md#price-list. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { SingleFlight } from '../async/promises';
import { catalogueVersion } from '../data/catalogue/catalogue-versions';
import {
  countListedPrices,
  hasMarginFloor,
  listedPrices,
  servingSources,
  soldAmounts,
  type Chunk,
  type ListedPrice,
} from '../data/catalogue/listed-prices';
import type { Client } from '../data/clients/clients';
import { inSnapshot, type Database, type Transaction } from '../data/database/database';
import { findPricingAudience } from '../data/prices/pricing-audience';
import { findPaymentTerms, type PaymentTerms } from '../data/wallets/paying-wallet';
import type { Family } from '../domain/orders/families';
import { PricedProduct, type PriceRow, type ServedAmount } from './priced-products';

/** What a price list depends on besides its page. */
export interface PriceListScope {
  client: Pick<Client, 'id'>;
  families: readonly Family[];
  /** The wallet that the client named, if any. */
  walletId: number | undefined;
  /** Only products whose name contains the text. */
  search?: string | undefined;
}

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

/** The prices of one family of a list, as they are in a snapshot. `terms`: those that were read already. */
interface Reading {
  scope: PriceListScope;
  family: Family;
  hasFloor: boolean;
  terms: Map<string, PaymentTerms | undefined>;
  snapshot: Transaction;
}

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
  version({ client, families }: PriceListScope, snapshot?: Transaction): Promise<string> {
    return catalogueVersion(this.database, client.id, families, snapshot);
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
      const version = await this.version(scope, snapshot);
      let { offset, limit: left } = page;
      let total = 0;
      for (const family of scope.families) {
        const { chunks, hasFloor } = await this.summaryOf(scope, family, snapshot);
        const reading = { scope, family, hasFloor, terms: new Map(), snapshot };
        for (const chunk of chunks) {
          const count = Math.max(0, Math.min(left, chunk.count - offset));
          if (count > 0)
            for await (const slice of this.slices(reading, chunk, { offset, count })) await take(slice);
          left -= count;
          offset = Math.max(0, offset - chunk.count);
          total += chunk.count;
        }
      }
      return { version, total };
    });
  }

  /** All rows in slices, for a reader who may be slow: each slice is of a moment of its own. */
  async *rows(scope: PriceListScope): AsyncGenerator<readonly PriceRow[], void> {
    for (const family of scope.families) {
      const inOwn = <Result>(read: (snapshot: Transaction) => Promise<Result>) =>
        inSnapshot(this.database, read);
      const { chunks, hasFloor } = await inOwn((snapshot) => this.summaryOf(scope, family, snapshot));
      for (const chunk of chunks)
        yield await inOwn(async (snapshot) => {
          const reading = { scope, family, hasFloor, terms: new Map(), snapshot };
          const slices: PriceRow[] = [];
          for await (const slice of this.slices(reading, chunk)) slices.push(...slice);
          return slices;
        });
    }
  }

  /** What no source can sell to the client above its margin floor, paid from the wallet that an order would use. */
  async belowFloor(client: Pick<Client, 'id'>, family: Family): Promise<BelowFloor> {
    const scope = { client, families: [family], walletId: undefined };
    const known = this.summaries.get(await this.keyOf(scope, family));
    return (known ?? (await inSnapshot(this.database, (snapshot) => this.summary(scope, family, snapshot))))
      .below;
  }

  /** Those of a search are not remembered. */
  private summaryOf(scope: PriceListScope, family: Family, snapshot: Transaction): Promise<Summary> {
    return scope.search === undefined
      ? this.summary(scope, family, snapshot)
      : this.summarise(scope, family, snapshot);
  }

  /** Clients of one audience share it: for 10,000 prices with a floor, it takes a second. */
  private async summary(scope: PriceListScope, family: Family, snapshot: Transaction): Promise<Summary> {
    const key = await this.keyOf(scope, family, snapshot);
    const read = async () => {
      const summary = await this.summarise(scope, family, snapshot);
      this.summaries.set(key, summary);
      return summary;
    };
    return this.summaries.get(key) ?? this.flights.run(read, key);
  }

  /** Two lists of a family with the same key are equal. */
  private async keyOf(
    { client, walletId }: PriceListScope,
    family: Family,
    snapshot?: Transaction,
  ): Promise<string> {
    const audience = await findPricingAudience(this.database, client.id, walletId, snapshot);
    const owner = audience.isShared ? null : client.id;
    const version = await catalogueVersion(this.database, owner, [family], snapshot);
    return [audience.name, walletId !== undefined, family, version].join('/');
  }

  private async summarise(scope: PriceListScope, family: Family, snapshot: Transaction): Promise<Summary> {
    const { client, search } = scope;
    const chunks = await countListedPrices(this.database, { clientId: client.id, family, search }, snapshot);
    const hasFloor = await hasMarginFloor(this.database, client.id, family, snapshot);
    if (!hasFloor) return { chunks, hasFloor, below: nothing };
    return this.summariseAboveFloor({ scope, family, hasFloor, terms: new Map(), snapshot }, chunks);
  }

  /** Prices all rows to leave out those below the margin floor. */
  private async summariseAboveFloor(reading: Reading, counted: readonly Chunk[]): Promise<Summary> {
    const chunks: Chunk[] = [];
    const below = { products: new Set<number>(), variants: new Set<number>() };
    const sold = { products: new Set<number>(), variants: new Set<number>() };
    for (const chunk of counted) {
      let count = 0;
      for (const { product, price } of await this.pricesOf(reading, chunk)) {
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
      below: {
        productIds: without(below.products, sold.products),
        variantIds: without(below.variants, sold.variants),
      },
    };
  }

  /** The rows of a chunk that no margin floor leaves out, or some of them. */
  private async *slices(
    reading: Reading,
    chunk: Chunk,
    { offset, count }: { offset: number; count: number } = { offset: 0, count: Infinity },
  ): AsyncGenerator<PriceRow[], void> {
    const prices = await this.pricesOf(reading, chunk);
    const wanted = prices
      .filter(({ product, price }) => product.isAboveFloor(price))
      .slice(offset, offset + count);
    for (let start = 0; start < wanted.length; start += ROWS_PER_TURN) {
      if (start > 0) await nextTurn();
      yield wanted
        .slice(start, start + ROWS_PER_TURN)
        .map(({ product, price }) => product.row(reading.family, price));
    }
  }

  /** The prices of a chunk in the order of the list, each with its product. */
  private async pricesOf(
    { scope, family, hasFloor, terms, snapshot }: Reading,
    chunk: Chunk,
  ): Promise<{ product: PricedProduct; price: ListedPrice }[]> {
    const { client, walletId, search } = scope;
    const listed = { clientId: client.id, family, search };
    const prices = await listedPrices(this.database, listed, chunk, snapshot);
    for (const { currencyCode: productCurrency } of prices) {
      if (terms.has(productCurrency)) continue;
      const payment = { clientId: client.id, family, productCurrency, walletId };
      terms.set(productCurrency, await findPaymentTerms(this.database, payment, snapshot));
    }
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

const without = (ids: ReadonlySet<number>, others: ReadonlySet<number>) =>
  new Set([...ids].filter((id) => !others.has(id)));

function addTo<Key, Value>(groups: Map<Key, Value[]>, key: Key, value: Value): void {
  const group = groups.get(key);
  if (group) group.push(value);
  else groups.set(key, [value]);
}
