/** What a dishonest operator tries, with a client as an accomplice, during the whole run. */
import type { Random } from '../random';
import type { PlannedDisturbance } from './disturbances';

/** The tricks, each of which would change a price or pay a client without a second person. */
export const tricks = [
  'remove a rate and set another',
  'lower a rate in steps',
  'split a discount',
  'chain replacements',
  'refund an amount, then the unit',
  'repeat a refund with its reference spelled differently',
] as const;
export type Trick = (typeof tricks)[number];

/** Before this time, few orders are delivered. */
const FIRST_MS = 7_000;
const SHORTEST_PAUSE_MS = 1_500;
const MAX_PAUSE_MS = 3_500;

/** Every trick in turn, in the order of their start. */
export function planFraud(random: Random, seconds: number): PlannedDisturbance[] {
  const planned: PlannedDisturbance[] = [];
  let next = random.whole(0, tricks.length - 1);
  for (let at = FIRST_MS; at < seconds * 1_000; at += random.whole(SHORTEST_PAUSE_MS, MAX_PAUSE_MS)) {
    const trick = tricks[next++ % tricks.length];
    if (trick) planned.push({ at, kind: 'fraud', trick, choice: random.next() });
  }
  return planned;
}
