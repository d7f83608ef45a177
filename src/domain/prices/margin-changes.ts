/** Changes of markups and of minimum margins, compared by the prices and costs that they permit. Percentages are decimal strings. */
import { Exact } from './money';
import type { PriceChange } from './price-changes';

/** The change of a markup, by the price in percent of the cost. A first markup is free: no price falls below the cost with it. */
export function markupChanges(what: string) {
  const priceOf = (markup: string) => new Exact(markup).plus(100).toFixed();
  return (before: string | null, after: string | null): PriceChange[] =>
    before === null ? [] : [{ what, before: priceOf(before), after: after && priceOf(after) }];
}

/** The fall of a minimum margin, by the highest cost in percent of the price. A rise is free: with it, no price falls and no cost rises. */
export function floorChanges(what: string) {
  const costOf = (floor: string) => new Exact(100).minus(floor);
  return (before: string | null, after: string | null): PriceChange[] => {
    if (before === null) return [];
    if (after === null) return [{ what, before: costOf(before).toFixed(), after: null }];
    const [from, to] = [costOf(before), costOf(after)];
    return to.greaterThan(from) ? [{ what, before: from.toFixed(), after: to.toFixed() }] : [];
  };
}

/** The changes of a client's minimum margins (`clientFloors`) by another group. A margin that no longer holds is removed. */
export function floorsChanges(clientId: number) {
  return (before: string | null, after: string | null): PriceChange[] => {
    const [from, to] = [floorsOf(before), floorsOf(after)];
    return Object.entries(from).flatMap(([scope, floor]) => {
      const what = `${scope} for client ${clientId}: highest cost in percent of the price`;
      return floorChanges(what)(floor, to[scope] ?? null);
    });
  };
}

function floorsOf(text: string | null): Readonly<Record<string, string | null>> {
  return text === null ? {} : (JSON.parse(text) as Record<string, string | null>);
}
