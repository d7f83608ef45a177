/** The discounts of amounts that several prices of a product contain. docs/specification.md#voucher-products-and-charges. */
import { Exact } from './money';
import { firstAtLeast } from './sorted-amounts';

/** A fixed price (both amounts are equal) or a range, with its discount in percent. Decimal strings. */
export interface DiscountedPrice {
  minAmount: string;
  maxAmount: string;
  discountPercent: string;
}

/**
 * For each amount that a price contains, the highest discount among the prices that contain it. However the prices overlap, the work is
 * little more than that of sorting prices and amounts.
 */
export function bestDiscounts(
  prices: readonly DiscountedPrice[],
  amounts: Iterable<string>,
): ReadonlyMap<string, string> {
  const sorted = [...new Set(amounts)]
    .map((text) => ({ text, value: new Exact(text) }))
    .sort((a, b) => a.value.comparedTo(b.value));
  const values = sorted.map(({ value }) => value);
  const highestFirst = prices
    .map((price) => ({ ...price, discount: new Exact(price.discountPercent) }))
    .sort((a, b) => b.discount.comparedTo(a.discount));
  const found = new Map<string, string>();
  const free = new FreePositions(sorted.length);
  for (const { minAmount, maxAmount, discountPercent } of highestFirst) {
    const max = new Exact(maxAmount);
    let position = free.firstFrom(firstAtLeast(values, new Exact(minAmount)));
    for (let amount = sorted[position]; amount?.value.lessThanOrEqualTo(max); amount = sorted[position]) {
      found.set(amount.text, discountPercent);
      position = free.take(position);
    }
  }
  return found;
}

/** The positions of a list that are not taken yet. */
class FreePositions {
  /** For each position, one at which the next free position may be; itself for a free one. */
  private readonly next: number[];

  constructor(length: number) {
    this.next = Array.from({ length: length + 1 }, (_, position) => position);
  }

  /** The first free position from this one on; the length of the list if all are taken. */
  firstFrom(position: number): number {
    const passed: number[] = [];
    let at = position;
    for (let next = this.next[at]; next !== undefined && next !== at; next = this.next[at]) {
      passed.push(at);
      at = next;
    }
    for (const one of passed) this.next[one] = at;
    return at;
  }

  /** Takes the position. Returns the next free one. */
  take(position: number): number {
    this.next[position] = position + 1;
    return this.firstFrom(position);
  }
}
