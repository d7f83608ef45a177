/** The prices of products, and how they differ from the confirmed ones. Amounts and percentages are decimal strings. */
import { bestDiscounts } from './best-discounts';
import { Exact } from './money';
import { endsOutside, type NewAmount } from './new-amounts';
import { pricePercentAfter, type PriceChange } from './price-changes';

/** The denominations of a voucher product, which may overlap: the highest discount applies. */
export interface DiscountedPrices {
  currency: string;
  denominations: readonly { min: string; max: string; discount: string }[];
}

/**
 * The changes of the prices in percent of the list price, at each amount at which one may differ. An amount without a confirmed price is
 * compared with the price without a discount. An amount that is no longer sold has no price to compare.
 */
export function discountedPriceChanges(confirmed: string | null, after: string | null): PriceChange[] {
  if (after === null) return [];
  const [from, to] = [readPrices(confirmed), readPrices(after)];
  const isOther = from !== undefined && from.currency !== to.currency;
  const currency = isOther ? [{ what: 'Currency', before: from.currency, after: to.currency }] : [];
  const points = pointsOf([...(from?.denominations ?? []), ...to.denominations]);
  const [known, prices] = [pricesAt(from, points), pricesAt(to, points)];
  const changed = points.flatMap((point) => {
    const [before, price] = [known.get(point), prices.get(point)];
    if (price === undefined) return [];
    const what = `Price in percent of the list price on ${point}`;
    return [
      before === undefined
        ? ({ what, before: '100', after: price, isFirst: true } as const)
        : { what, before, after: price },
    ];
  });
  return [...currency, ...changed].filter((change) => change.before !== change.after);
}

function readPrices(text: string): DiscountedPrices;
function readPrices(text: string | null): DiscountedPrices | undefined;
function readPrices(text: string | null): DiscountedPrices | undefined {
  return text === null ? undefined : (JSON.parse(text) as DiscountedPrices);
}

/** The different discounts of the prices, each with the confirmed one of the same amount: 0 if there is none. */
export function defaultDiscounts(confirmed: string | null, present: string): { confirmed: string; present: string }[] {
  const [from, to] = [readPrices(confirmed), readPrices(present)];
  const points = pointsOf([...(from?.denominations ?? []), ...to.denominations]);
  const [known, discounts] = [discountsAt(from, points), discountsAt(to, points)];
  const pairs = points.flatMap((point) => {
    const discount = discounts.get(point);
    return discount === undefined ? [] : [{ confirmed: known.get(point) ?? '0', present: discount }];
  });
  return [...new Map(pairs.map((pair) => [JSON.stringify(pair), pair])).values()].sort((a, b) =>
    new Exact(a.present).comparedTo(b.present),
  );
}

/** The bounds, and an amount between each two of them: the discount changes at bounds only. Decimal strings. */
function pointsOf(denominations: DiscountedPrices['denominations']): string[] {
  const bounds = denominations.flatMap(({ min, max }) => [min, max]);
  const edges = [...new Set(bounds)].map((bound) => new Exact(bound)).sort((a, b) => a.comparedTo(b));
  const points = edges.flatMap((edge, index) => {
    const next = edges[index + 1];
    return next ? [edge, edge.plus(next).div(2)] : [edge];
  });
  return points.map((point) => point.toFixed());
}

/** The highest discount at each amount that is sold. None without prices. */
function discountsAt(prices: DiscountedPrices | undefined, amounts: Iterable<string>): Map<string, string> {
  const sold = (prices?.denominations ?? []).map(({ min, max, discount }) => ({
    minAmount: min,
    maxAmount: max,
    discountPercent: new Exact(discount).toFixed(),
  }));
  return new Map(bestDiscounts(sold, amounts));
}

/** The price in percent of the list price at each amount that is sold. */
function pricesAt(prices: DiscountedPrices | undefined, amounts: Iterable<string>): Map<string, string> {
  const found = [...discountsAt(prices, amounts)];
  return new Map(found.map(([amount, discount]) => [amount, pricePercentAfter(discount)]));
}

/** The bounds of denominations at which a known product was not sold before. None of a product without confirmed prices. */
export function newDenominations(confirmed: string | null, after: string | null): NewAmount[] {
  if (confirmed === null || after === null) return [];
  const [from, to] = [readPrices(confirmed), readPrices(after)];
  const rangeOf = ({ min, max }: { min: string; max: string }) => ({
    fixedAmounts: min === max ? [min] : null,
    minAmount: min,
    maxAmount: max,
  });
  const ends = to.denominations.flatMap((denomination) =>
    endsOutside({ fixedAmounts: [], minAmount: null, maxAmount: null }, rangeOf(denomination)),
  );
  const amounts = ends.map(({ amount }) => amount);
  const [known, prices] = [discountsAt(from, amounts), pricesAt(to, amounts)];
  return ends
    .filter(({ amount }) => !known.has(amount))
    .map((end) => ({ ...end, itemId: null, isOfSource: false, pricePercent: prices.get(end.amount) ?? null }));
}

/**
 * The amounts of a variant of a top-up product: each fixed one, or the bounds of a range. An amount is its own list price. Variants with the
 * same `item` are one item for clients.
 */
export interface VariantAmounts {
  id: number;
  sku: string;
  item: string;
  productCurrency: string;
  currency: string;
  isRange: boolean;
  amounts: readonly string[];
}

/**
 * The changes of the variants with one SKU of their supplier. Amounts are compared by their rank if their number stays the same, and
 * otherwise the lowest. A new variant is compared with the one that had the SKU before; the first one of a SKU has no changes.
 */
export function amountChanges(confirmed: string | null, after: string | null): PriceChange[] {
  return comparedVariants(confirmed, after).flatMap(([before, variant]) => changesOfVariant(before, variant));
}

/** The amounts at which the SKU was not sold before. */
export function newVariantAmounts(confirmed: string | null, after: string | null): NewAmount[] {
  return comparedVariants(confirmed, after).flatMap(([before, variant]) =>
    endsOutside(amountsOf(before), amountsOf(variant)).map((end) => ({
      ...end,
      itemId: variant.id,
      isOfSource: false,
      pricePercent: '100',
    })),
  );
}

/** The ids of the variants that had the SKU before, and of those that get it. None if no variant had it. */
export function newVariants(confirmed: string | null, after: string | null): { known: number[]; taken: number[] } {
  if (confirmed === null || after === null) return { known: [], taken: [] };
  const [known, present] = [confirmed, after].map((json) => amountsIn(json).map(({ id }) => id));
  return { known: known ?? [], taken: (present ?? []).filter((id) => !known?.includes(id)) };
}

function comparedVariants(
  confirmed: string | null,
  after: string | null,
): [before: VariantAmounts, after: VariantAmounts][] {
  if (confirmed === null || after === null) return [];
  const known = amountsIn(confirmed);
  return amountsIn(after).flatMap((variant): [VariantAmounts, VariantAmounts][] => {
    const before = known.find(({ id }) => id === variant.id) ?? known[0];
    return before ? [[before, variant]] : [];
  });
}

const amountsIn = (json: string) => JSON.parse(json) as VariantAmounts[];

function amountsOf({ isRange, amounts }: VariantAmounts) {
  return {
    fixedAmounts: isRange ? null : [...amounts],
    minAmount: isRange ? (amounts[0] ?? null) : null,
    maxAmount: isRange ? (amounts[1] ?? null) : null,
  };
}

function changesOfVariant(before: VariantAmounts, variant: VariantAmounts): PriceChange[] {
  const { sku, currency, amounts } = variant;
  const what = `Variant ${sku}`;
  const isRanked = before.amounts.length === amounts.length && before.isRange === variant.isRange;
  const compared = isRanked ? amounts : amounts.slice(0, 1);
  const ranked = compared.map((after, index) => ({
    what: `${what}, ${isRanked ? `amount ${index + 1} of ${amounts.length}` : 'lowest amount'}`,
    before: before.amounts[index] ?? null,
    after,
  }));
  // Of a SKU that is a number, a small difference would be another item, too.
  const itemOf = ({ item }: VariantAmounts) => `item ${item}`;
  const all = [
    { what: `${what}, currency`, before: before.currency, after: currency },
    { what: `${what}, currency of the product`, before: before.productCurrency, after: variant.productCurrency },
    // Another product has items of its own.
    ...(before.id === variant.id ? [{ what: `${what}, item`, before: itemOf(before), after: itemOf(variant) }] : []),
    ...ranked,
  ];
  return all.filter((change) => change.before !== change.after);
}

/** The list price of an eSIM plan. */
export interface PlanPrice {
  amount: string;
  currency: string;
}

/** The change of a list price. A price in another currency is another one, whatever its amount. */
export function planPriceChanges(what: string) {
  return (before: string | null, after: string | null): PriceChange[] => {
    const [from, to] = [planPriceOf(before), planPriceOf(after)];
    if (from?.currency === to?.currency)
      return [{ what: `${what} in ${to?.currency}`, before: from?.amount ?? null, after: to?.amount ?? null }];
    return [{ what, before: planText(from), after: planText(to) }];
  };
}

function planPriceOf(text: string | null): PlanPrice | undefined {
  return text === null ? undefined : (JSON.parse(text) as PlanPrice);
}

function planText(price: PlanPrice | undefined): string | null {
  return price ? `${price.amount} ${price.currency}` : null;
}
