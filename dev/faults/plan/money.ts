/** Money that arrives and moves besides orders, during the whole run. */
import type { Random } from '../random';
import type { MoneyAct, PlannedDisturbance } from './disturbance';
import { spaced } from './spaced';

const spacing = { first: 2_000, shortestPause: 500, longestPause: 2_500 };

/** The acts, in the order of their start. */
export function planMoney(random: Random, seconds: number): PlannedDisturbance[] {
  return spaced(random, seconds, spacing, () => {
    const act = random.pickWeighted<MoneyAct>([
      [4, 'announce'],
      [1, 'pay-again'],
      [1, 'bounce'],
      [4, 'import'],
      [1.5, 'credit'],
      [1.5, 'take-back'],
      [3, 'convert'],
      [1, 'limit'],
      [0.5, 'close'],
    ]);
    return { kind: 'money' as const, act, choice: random.next() };
  });
}
