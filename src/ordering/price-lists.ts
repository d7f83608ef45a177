/** Price lists: every price that a client can order now. docs/specification.md#price-list. */
import { LRUCache } from 'lru-cache';
import { SingleFlight } from '../async/promises';
import { catalogueVersion } from '../data/catalogue/catalogue-versions';
import {
  countListedPrices,
  hasMarginFloor,
  listedPrices,
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
  /** Keys of prices. */
  keys: string[];
  /** The products and variants that have no other price. */
  productIds: ReadonlySet<number>;
  variantIds: ReadonlySet<number>;
}

/** Of one family. */
interface Summary {
  count: number;
  below: BelowFloor;
}

const nothing: BelowFloor = { keys: [], productIds: new Set(), variantIds: new Set() };

/** The most excluded prices of all remembered summaries. */
const MAX_REMEMBERED = 1_000_000;

/** Reads price lists, and remembers how long they are until their version changes. */
export class PriceLists {
  private readonly summaries = new LRUCache<string, Summary>({
    maxSize: MAX_REMEMBERED,
    sizeCalculation: ({ below }) => 1 + below.keys.length,
    // The version does not show the stock of the last minute.
    ttl: minute,
  });

  private readonly flights = new SingleFlight<Summary>();

  constructor(private readonly database: Database) {}

  /** Changes with everything that the list is computed from. Read it before the list. */
  version({ client, families }: PriceListScope): Promise<number> {
    return catalogueVersion(this.database, client.id, families);
  }

  /** The number of rows. */
  async count(scope: PriceListScope): Promise<number> {
    let count = 0;
    for (const family of scope.families) count += (await this.part(scope, family)).count;
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
      const { count, below } = await this.part(scope, family);
      const part = { offset: Math.min(skipped, count), limit: Math.min(left, Math.max(0, count - skipped)) };
      skipped -= part.offset;
      left -= part.limit;
      if (part.limit > 0) yield* this.pricedRows(scope, family, { ...part, excluded: below.keys });
    }
  }

  /** What no source can sell to the client above its margin floor, paid from the wallet that an order would use. */
  async belowFloor(client: Pick<Client, 'id'>, family: Family): Promise<BelowFloor> {
    return (await this.summary({ client, families: [family], walletId: undefined }, family)).below;
  }

  /** The part of the list with the family. */
  private async part(scope: PriceListScope, family: Family): Promise<Summary> {
    const { client, search } = scope;
    const summary = await this.summary(scope, family);
    if (search === undefined) return summary;
    const listed = { clientId: client.id, family, excluded: summary.below.keys, search };
    return { ...summary, count: await countListedPrices(this.database, listed) };
  }

  /** Clients of one audience share it: for 10,000 prices with a floor, it takes a second. */
  private async summary({ client, walletId }: PriceListScope, family: Family): Promise<Summary> {
    const audience = await findPricingAudience(this.database, client.id, walletId);
    const owner = audience.isShared ? null : client.id;
    const version = await catalogueVersion(this.database, owner, [family]);
    const key = [audience.name, walletId !== undefined, family, version].join('/');
    const scope = { client, families: [family], walletId };
    return this.summaries.get(key) ?? this.flights.run(() => this.summarize(scope, family, key), key);
  }

  private async summarize(scope: PriceListScope, family: Family, key: string): Promise<Summary> {
    const clientId = scope.client.id;
    const below = (await hasMarginFloor(this.database, clientId, family))
      ? await this.readBelowFloor(scope, family)
      : nothing;
    const listed = { clientId, family, excluded: below.keys };
    const summary = { count: await countListedPrices(this.database, listed), below };
    this.summaries.set(key, summary);
    return summary;
  }

  private async readBelowFloor(scope: PriceListScope, family: Family): Promise<BelowFloor> {
    const below: ListedPrice[] = [];
    const sold = { products: new Set<number>(), variants: new Set<number | null>() };
    for await (const slice of this.pricedSlices(scope, family, { onlyWithFloor: true }))
      for (const { listed, isBelowFloor } of slice)
        if (isBelowFloor) below.push(listed);
        else {
          sold.products.add(listed.productId);
          sold.variants.add(listed.variantId);
        }
    const variantIds = below.flatMap(({ variantId }) => variantId ?? []);
    return {
      keys: below.map(({ key }) => key),
      productIds: new Set(below.map(({ productId }) => productId).filter((id) => !sold.products.has(id))),
      variantIds: new Set(variantIds.filter((id) => !sold.variants.has(id))),
    };
  }

  private async *pricedRows(
    scope: PriceListScope,
    family: Family,
    part: { offset: number; limit: number; excluded: readonly string[] },
  ): AsyncGenerator<PriceRow[], void> {
    // A source may have fallen below the floor since the summary, because its stock counts later.
    for await (const slice of this.pricedSlices(scope, family, part))
      yield slice.filter(({ isBelowFloor }) => !isBelowFloor);
  }

  private async *pricedSlices(
    { client, walletId, search }: PriceListScope,
    family: Family,
    {
      excluded = [],
      ...part
    }: { offset?: number; limit?: number; excluded?: readonly string[]; onlyWithFloor?: boolean },
  ): AsyncGenerator<(PriceRow & { isBelowFloor: boolean })[], void> {
    const terms = new Map<string, PaymentTerms | undefined>();
    const scope = { clientId: client.id, family, excluded, search };
    for await (const slice of listedPrices(this.database, scope, part)) {
      for (const productCurrency of new Set(slice.map(({ currencyCode }) => currencyCode)))
        if (!terms.has(productCurrency)) {
          const payment = { clientId: client.id, family, productCurrency, walletId };
          terms.set(productCurrency, await findPaymentTerms(this.database, payment));
        }
      yield slice.map((listed) => rowOf(family, listed, terms.get(listed.currencyCode)));
    }
  }
}

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
