/** What a dishonest operator tries, with a client as an accomplice, during the whole run. */
import type { Random } from '../random';
import { tricks, type PlannedDisturbance } from './disturbance';
import { spaced } from './spaced';

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
