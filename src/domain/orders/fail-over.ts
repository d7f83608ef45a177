/**
 * When an order moves from one supplier to the next, and why. The SQL function `next_source` chooses that source.
 * docs/decisions/0051-fail-over-between-sources.md.
 * Rule: whether another supplier is asked after one rejected a purchase
 */
import type { FailureCode } from './failure-codes';
import type { Family } from './families';

/**
 * Why another purchase replaced one that bought nothing. `our-account`: the supplier blocks our account. `temporary`: it could
 * not sell at that moment. `not-here`: it does not sell the item. `refused`: it rejected the purchase for a reason that says
 * nothing about other suppliers. `unavailable`: nothing could be sent to it. `operator`: an operator moved the purchase.
 */
export type ReplacedBecause = 'our-account' | 'temporary' | 'not-here' | 'refused' | 'unavailable' | 'operator';

const replacements: Readonly<Record<ReplacedBecause, (supplier: string) => string>> = {
  'our-account': (supplier) => `${supplier} rejects our account`,
  temporary: (supplier) => `${supplier} could not sell at that moment`,
  'not-here': (supplier) => `${supplier} does not sell the item`,
  refused: (supplier) => `${supplier} rejected the purchase`,
  unavailable: (supplier) => `nothing could be sent to ${supplier}`,
  operator: (supplier) => `an operator moved the purchase from ${supplier}`,
};

/** Why a source was chosen, as a person reads it; null if there is nothing to say. `why`: as it is stored with the purchase. */
export function choiceInWords(why: string): string | null {
  const [, cost] = /^priority -?\d+, cost (\uE000[^\uE001]*\uE001)/.exec(why) ?? [];
  if (cost !== undefined) return `Its cost is ${cost}.`;
  const [, supplier = '', because = ''] = /^after (\S+) \(([a-z-]+)\): /.exec(why) ?? [];
  const text = Object.entries(replacements).find(([name]) => name === because)?.[1];
  return text ? `Chosen because ${text(supplier)}.` : null;
}

/** Failures that concern only this supplier: another one may sell the same item. */
const supplierFailures: readonly FailureCode[] = [
  'OPERATOR_UNAVAILABLE',
  'OPERATOR_LIMIT_EXCEEDED',
  'PRODUCT_UNAVAILABLE',
  'PRODUCT_OUT_OF_STOCK',
];

/**
 * Whether another supplier may sell an item after one supplier rejected the purchase for good. A rejection of the recipient or the
 * amount would recur. A top-up that was rejected for an unknown reason may have reached the recipient.
 */
export function maySellElsewhere(family: Family, code: FailureCode): boolean {
  return supplierFailures.includes(code) || (code === 'UNKNOWN' && family !== 'TOPUP');
}
