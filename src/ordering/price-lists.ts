/** Price lists: every price that a client can order now. docs/specification.md#price-list. */
import { LRUCache } from 'lru-cache';
import { SingleFlight } from '../async/promises';
import { catalogueVersion } from '../data/catalogue/catalogue-versions';
import {
  countListedPrices,
  hasMarginFloor,
  listedPrices,
  type Chunk,
  type ListedPrice,
} from '../data/catalogue/listed-prices';
import type { Client } from '../data/clients/clients';
import type { Database } from '../data/database/database';
import { findPricingAudience } from '../data/prices/pricing-audience';
import { findPaymentTerms, type PaymentTerms } from '../data/wallets/paying-wallet';
import type { Family } from '../domain/orders/families';
import { profitableSources } from '../domain/orders/sources';
import { Exact } from '../domain/prices/money';
import { minute } from '../domain/time';
import type { Pricing } from '../domain/prices/pricing';
import { priceByTerms } from './placement/quotes';

/** What a price list depends on besides its page. */
export interface PriceListScope {
  client: Pick<Client, 'id'>;
  families: readonly Family[];
  /** The wallet that the client named, if any. */
  walletId: number | undefined;
  /** Only products whose name contains the text. */
  search?: string | undefined;
}

export interface PriceRow {
  family: Family;
  listed: ListedPrice;
  /** Null if no wallet can pay. */
  payableCurrency: string | null;
  /** The prices of one unit of each end; null where an order would be rejected. Equal for a fixed price. */
  min: Pricing | null;
  max: Pricing | null;
}

/** What no source can sell above the client's margin floor. */
export interface BelowFloor {
  /** The products and variants that have no other price. */
  productIds: ReadonlySet<number>;
  variantIds: ReadonlySet<number>;
}

/** Of one family. */
interface Summary {
  /** The number of rows in each chunk. */
  chunks: readonly Chunk[];
  below: BelowFloor;
}

/** How products of a currency are paid; undefined if no wallet can pay. */
type TermsByCurrency = Map<string, PaymentTerms | undefined>;

const nothing: BelowFloor = { productIds: new Set(), variantIds: new Set() };

/** The most numbers in all remembered summaries. */
const MAX_REMEMBERED = 1_000_000;

/** Reads price lists, and remembers how long they are until their version changes. */
export class PriceLists {
  private readonly summaries = new LRUCache<string, Summary>({
    maxSize: MAX_REMEMBERED,
    sizeCalculation: ({ chunks, below }) => 1 + chunks.length + below.productIds.size + below.variantIds.size,
    // The version does not show the stock of the last minute.
    ttl: minute,
  });

  private readonly flights = new SingleFlight<Summary>();

  constructor(private readonly database: Database) {}

  /** Changes with everything that the list is computed from. Read it before the list. */
  version({ client, families }: PriceListScope): Promise<string> {
    return catalogueVersion(this.database, client.id, families);
  }

  /** The number of rows. */
  async count(scope: PriceListScope): Promise<number> {
    let count = 0;
    for (const family of scope.families) count += sumOf(await this.chunksOf(scope, family));
    return count;
  }

  /** The rows from `offset` on, in a stable order, in slices. */
  async *rows(
    scope: PriceListScope,
    { offset, limit }: { offset: number; limit: number },
  ): AsyncGenerator<PriceRow[], void> {
    let skipped = offset;
    let left = limit;
    for (const family of scope.families) {
      const terms: TermsByCurrency = new Map();
      for (const chunk of await this.chunksOf(scope, family)) {
        if (left <= 0) return;
        if (skipped >= chunk.count) {
          skipped -= chunk.count;
          continue;
        }
        const priced = await this.pricedRows(scope, family, chunk, terms);
        const slice = priced.filter(({ isBelowFloor }) => !isBelowFloor).slice(skipped, skipped + left);
        skipped = 0;
        left -= slice.length;
        yield slice;
      }
    }
  }

  /** What no source can sell to the client above its margin floor, paid from the wallet that an order would use. */
  async belowFloor(client: Pick<Client, 'id'>, family: Family): Promise<BelowFloor> {
    return (await this.summary({ client, families: [family], walletId: undefined }, family)).below;
  }

  /** The parts of the list with the family. Those of a search are not remembered. */
  private async chunksOf(scope: PriceListScope, family: Family): Promise<readonly Chunk[]> {
    const { search } = scope;
    const { chunks } = await (search === undefined ? this.summary(scope, family) : this.read(scope, family));
    return chunks;
  }

  /** Clients of one audience share it: for 10,000 prices with a floor, it takes a second. */
  private async summary({ client, walletId }: PriceListScope, family: Family): Promise<Summary> {
    const audience = await findPricingAudience(this.database, client.id, walletId);
    const owner = audience.isShared ? null : client.id;
    const version = await catalogueVersion(this.database, owner, [family]);
    const key = [audience.name, walletId !== undefined, family, version].join('/');
    const scope = { client, families: [family], walletId };
    const read = async () => {
      const summary = await this.read(scope, family);
      this.summaries.set(key, summary);
      return summary;
    };
    return this.summaries.get(key) ?? this.flights.run(read, key);
  }

  private async read(scope: PriceListScope, family: Family): Promise<Summary> {
    const { client, search } = scope;
    const chunks = await countListedPrices(this.database, { clientId: client.id, family, search });
    const hasFloor = await hasMarginFloor(this.database, client.id, family);
    return hasFloor ? this.aboveFloor(scope, family, chunks) : { chunks, below: nothing };
  }

  /** Prices all rows to leave out those below the margin floor. */
  private async aboveFloor(
    scope: PriceListScope,
    family: Family,
    counted: readonly Chunk[],
  ): Promise<Summary> {
    const chunks: Chunk[] = [];
    const terms: TermsByCurrency = new Map();
    const below = { products: new Set<number>(), variants: new Set<number>() };
    const sold = { products: new Set<number>(), variants: new Set<number>() };
    for (const { chunk } of counted) {
      const priced = await this.pricedRows(scope, family, { chunk }, terms);
      for (const { listed, isBelowFloor } of priced) {
        const { products, variants } = isBelowFloor ? below : sold;
        products.add(listed.productId);
        if (listed.variantId !== null) variants.add(listed.variantId);
      }
      chunks.push({ chunk, count: priced.filter(({ isBelowFloor }) => !isBelowFloor).length });
    }
    return {
      chunks,
      below: {
        productIds: without(below.products, sold.products),
        variantIds: without(below.variants, sold.variants),
      },
    };
  }

  private async pricedRows(
    { client, walletId, search }: PriceListScope,
    family: Family,
    chunk: Pick<Chunk, 'chunk'>,
    terms: TermsByCurrency,
  ): Promise<(PriceRow & { isBelowFloor: boolean })[]> {
    const prices = await listedPrices(this.database, { clientId: client.id, family, search }, chunk);
    for (const { currencyCode: productCurrency } of prices) {
      if (terms.has(productCurrency)) continue;
      const payment = { clientId: client.id, family, productCurrency, walletId };
      terms.set(productCurrency, await findPaymentTerms(this.database, payment));
    }
    return prices.map((listed) => rowOf(family, listed, terms.get(listed.currencyCode)));
  }
}

const without = (ids: ReadonlySet<number>, others: ReadonlySet<number>) =>
  new Set([...ids].filter((id) => !others.has(id)));
const sumOf = (chunks: readonly Chunk[]) => chunks.reduce((sum, { count }) => sum + count, 0);

/** Prices one unit of each end. `isBelowFloor`: the margin alone keeps the ends that can be ordered from being sold. */
function rowOf(
  family: Family,
  listed: ListedPrice,
  terms: PaymentTerms | undefined,
): PriceRow & { isBelowFloor: boolean } {
  const min = priceOfEnd(listed, listed.minAmount, terms);
  const max = listed.maxAmount === listed.minAmount ? min : priceOfEnd(listed, listed.maxAmount, terms);
  return {
    family,
    listed,
    payableCurrency: terms?.walletCurrency ?? null,
    min: typeof min === 'string' ? null : min,
    max: typeof max === 'string' ? null : max,
    isBelowFloor: [min, max].every((end) => end === 'below-floor' || end === 'not-orderable'),
  };
}

function priceOfEnd(
  { ends, currencyCode, gstPercent, minMarginPercent }: ListedPrice,
  amount: string,
  terms: PaymentTerms | undefined,
): Pricing | 'not-orderable' | 'unpriced' | 'below-floor' {
  const end = ends.find((one) => one.amount === amount);
  if (!end) return 'not-orderable';
  if (!terms) return 'unpriced';
  const offer = {
    currencyCode,
    faceValue: new Exact(amount),
    discountPercent: new Exact(end.discountPercent),
    gstPercent: new Exact(gstPercent),
    minMarginPercent: minMarginPercent === null ? null : new Exact(minMarginPercent),
  };
  const priced = priceByTerms(offer, terms, 1);
  if (typeof priced === 'string') return 'unpriced';
  const { pricing, unit } = priced;
  return unit.floor && profitableSources(end.sources ?? [], unit).length === 0 ? 'below-floor' : pricing;
}
