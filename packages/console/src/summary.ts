/** What became of the orders of a day or of a product. */
import { decimalOf, minorUnitsOf } from './chart';
import type { OrderGroup } from './types';

/** The number of decimals that amounts have at most. */
const DECIMALS = 4;

export interface Totals {
  orders: number;
  open: number;
  delivered: number;
  /** Failed and cancelled orders. */
  failed: number;
  /** Debits less refunds, a decimal for each currency. */
  spend: { currency: string; amount: string }[];
  /** The failure codes, the most frequent first. */
  failures: { code: string; orders: number }[];
}

export function totalsOf(groups: readonly OrderGroup[]): Totals {
  const count = (matches: (group: OrderGroup) => boolean) =>
    groups.filter(matches).reduce((sum, { orders }) => sum + orders, 0);
  const isFailed = ({ status }: OrderGroup) => status === 'FAILED' || status === 'CANCELLED';
  return {
    orders: count(() => true),
    open: count(({ status }) => status === 'PENDING' || status === 'PARTIALLY_DELIVERED'),
    delivered: count(({ status }) => status === 'DELIVERED'),
    failed: count(isFailed),
    spend: spendOf(groups),
    failures: unique(groups.filter(isFailed).map(codeOf))
      .map((code) => ({ code, orders: count((group) => isFailed(group) && codeOf(group) === code) }))
      .sort((one, other) => other.orders - one.orders),
  };
}

/** A cancelled order has no failure code. */
function codeOf({ failure_code: code, status }: OrderGroup): string {
  return code ?? status;
}

function spendOf(groups: readonly OrderGroup[]): Totals['spend'] {
  return unique(groups.map(({ currency }) => currency)).map((currency) => {
    const own = groups.filter((group) => group.currency === currency);
    const units = own.reduce(
      (sum, { charged, refunded }) => sum + minorUnitsOf(charged, DECIMALS) - minorUnitsOf(refunded, DECIMALS),
      0n,
    );
    return { currency, amount: decimalOf(units, DECIMALS) };
  });
}

/** The share of the ended orders that were delivered, such as `97.5 %`; undefined while none has ended. Never rounded up. */
export function shareDelivered({ delivered, failed }: Totals): string | undefined {
  const ended = delivered + failed;
  return ended === 0 ? undefined : `${Math.floor((delivered * 1_000) / ended) / 10} %`;
}

/** The start of each of the last days in the zone of the browser, ascending, and the end of the last one. */
export function dayBounds(now: Date, days: number): Date[] {
  return Array.from(
    { length: days + 1 },
    (_, index) => new Date(now.getFullYear(), now.getMonth(), now.getDate() - days + 1 + index),
  );
}

function unique(values: readonly string[]): string[] {
  return [...new Set(values)];
}
