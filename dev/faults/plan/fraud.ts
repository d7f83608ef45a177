/** What a dishonest operator tries, with a client as an accomplice, during the whole run. */
import type { Random } from '../random';
import type { PlannedDisturbance } from './disturbances';
import { spaced } from './spaced';

/** The tricks, each of which would change a price or pay a client without a second person. */
export const tricks = [
  'remove a rate and set another',
  'lower a rate in steps',
  'give files of rates',
  'raise a spread in steps',
  'split a discount',
  'make a product redeemable',
  'widen a range',
  'put a product in the place of another',
  'chain replacements',
  'refund an amount, then the unit',
  'repeat a refund with its reference spelled differently',
] as const;
export type Trick = (typeof tricks)[number];

/** Before the first one, few orders are delivered. */
const spacing = { first: 7_000, shortestPause: 1_000, longestPause: 2_500 };

/** Every trick in turn, in the order of their start. */
export function planFraud(random: Random, seconds: number): PlannedDisturbance[] {
  let next = random.whole(0, tricks.length - 1);
  return spaced(random, seconds, spacing, () => ({
    kind: 'fraud' as const,
    trick: tricks[next++ % tricks.length] ?? tricks[0],
    choice: random.next(),
  }));
}
