/** The daily caps of a client, as operators give and read them. */
import type { DailyCap } from '../../../data/clients/accounts';

/** The cap as it is stored; undefined if nothing is capped. */
export function capOf({
  count: orders,
  value: amounts,
}: {
  count: number | undefined;
  value: readonly (readonly [string, string])[];
}): DailyCap | undefined {
  if (orders === undefined && amounts.length === 0) return undefined;
  return {
    ...(orders !== undefined && { count: orders }),
    ...(amounts.length > 0 && { value: Object.fromEntries(amounts) }),
  };
}

/** What a cap limits, by name: `5 orders`, `100 USD`. */
export function capsOf({ count: orders, value = {} }: DailyCap = {}): string[] {
  return [
    ...(orders === undefined ? [] : [`${orders} orders`]),
    ...Object.entries(value).map(([currency, amount]) => `${amount} ${currency}`),
  ];
}

/** The cap as arguments give it. */
export function presentCap({ count: orders, value = {} }: DailyCap = {}) {
  return { count: orders ?? null, value: Object.entries(value).map(([currency, amount]) => `${currency}=${amount}`) };
}
