/** The prices of products in price lists, for the client who reads them. docs/specification.md#price-list. */
import type { ListedPrice, SoldAmount } from '../data/catalogue/listed-prices';
import type { PaymentTerms } from '../data/wallets/paying-wallet';
import type { Family } from '../domain/orders/families';
import { profitableSources, type SellingSource } from '../domain/orders/sources';
import { bestDiscounts } from '../domain/prices/best-discounts';
import { Exact } from '../domain/prices/money';
import type { Pricing } from '../domain/prices/pricing';
import { firstAtLeast } from '../domain/prices/sorted-amounts';
import { priceByTerms } from './placement/quotes';

export interface PriceRow {
  family: Family;
  listed: ListedPrice;
  /** Of a fixed price, the highest discount on its amount; of a range, its own. */
  discountPercent: string;
  /** Null if no wallet can pay. */
  payableCurrency: string | null;
  /** The prices of one unit of each end; null where an order would be rejected. Equal for a fixed price. */
  min: Pricing | null;
  max: Pricing | null;
}

/** How products of a currency are paid; undefined if no wallet can pay. */
export type TermsByCurrency = ReadonlyMap<string, PaymentTerms | undefined>;

/** An amount that can be ordered, with the sources that serve it. */
export interface ServedAmount extends Pick<SoldAmount, 'variantId' | 'amount'> {
  sources: readonly SellingSource[];
}

/** All prices of one product that can be ordered: each may give its discount to the amounts of another. */
export class PricedProduct {
  private discounts: ReadonlyMap<string, string> | undefined;
  private readonly sourcesOf: ReadonlyMap<string, readonly SellingSource[]>;
  /** The amounts of each variant that a source sells above the margin floor, sorted. */
  private readonly profitable = new Map<number | null, Exact[]>();

  /** `amounts`: those by which the margins can be judged, the lowest first; only needed with a margin floor. */
  constructor(
    readonly prices: readonly ListedPrice[],
    private readonly terms: TermsByCurrency,
    private readonly amounts: readonly ServedAmount[] = [],
  ) {
    this.sourcesOf = new Map(amounts.map((served) => [keyOf(served.variantId, served.amount), served.sources]));
    const ofVariant = new Map(prices.map((price) => [price.variantId, price]));
    for (const { variantId, amount } of amounts) {
      const price = ofVariant.get(variantId);
      if (!price || this.judge(price, amount) === 'below-floor') continue;
      const sold = this.profitable.get(variantId) ?? [];
      sold.push(new Exact(amount));
      this.profitable.set(variantId, sold);
    }
  }

  /** Whether some amount of the price is sold above the margin floor. */
  isAboveFloor({ variantId, minAmount, maxAmount, minMarginPercent }: ListedPrice): boolean {
    if (minMarginPercent === null) return true;
    const sold = this.profitable.get(variantId) ?? [];
    return sold[firstAtLeast(sold, new Exact(minAmount))]?.lessThanOrEqualTo(maxAmount) === true;
  }

  row(family: Family, listed: ListedPrice): PriceRow {
    const { minAmount, maxAmount, sellsMin, sellsMax } = listed;
    const isFixed = minAmount === maxAmount;
    const min = sellsMin ? this.judge(listed, minAmount) : 'not-sold';
    const max = isFixed ? min : sellsMax ? this.judge(listed, maxAmount) : 'not-sold';
    return {
      family,
      listed,
      discountPercent: isFixed ? this.discountOn(minAmount) : listed.discountPercent,
      payableCurrency: this.terms.get(listed.currencyCode)?.walletCurrency ?? null,
      min: typeof min === 'string' ? null : min,
      max: typeof max === 'string' ? null : max,
    };
  }

  /** The price of one unit of the amount, or why it has none: `unpriced` for its wallet, rate or rounding. */
  private judge(
    { variantId, currencyCode, gstPercent, minMarginPercent }: ListedPrice,
    amount: string,
  ): Pricing | 'unpriced' | 'below-floor' {
    const terms = this.terms.get(currencyCode);
    if (!terms) return 'unpriced';
    const offer = {
      currencyCode,
      faceValue: new Exact(amount),
      discountPercent: new Exact(this.discountOn(amount)),
      gstPercent: new Exact(gstPercent),
      minMarginPercent: minMarginPercent === null ? null : new Exact(minMarginPercent),
    };
    const priced = priceByTerms(offer, terms, 1);
    if (typeof priced === 'string') return 'unpriced';
    const sources = this.sourcesOf.get(keyOf(variantId, amount)) ?? [];
    const isBelow = priced.unit.floor && profitableSources(sources, priced.unit).length === 0;
    return isBelow ? 'below-floor' : priced.pricing;
  }

  /** The highest discount on the amount; 0 for an amount that no price has. */
  private discountOn(amount: string): string {
    this.discounts ??= bestDiscounts(this.prices, [
      ...this.prices.flatMap(({ minAmount, maxAmount }) => [minAmount, maxAmount]),
      ...this.amounts.map((served) => served.amount),
    ]);
    return this.discounts.get(amount) ?? '0';
  }
}

function keyOf(variantId: number | null, amount: string): string {
  return `${variantId}/${amount}`;
}
