/** Money that arrives and moves besides orders, during the whole run. */
import type { Random } from '../random';
import type { PlannedDisturbance } from './disturbances';
import { spaced } from './spaced';

/**
 * A client announces a transfer or converts money; people import the bank's statement, change a credit limit or close the past month.
 * Each of the last four happens twice at once.
 */
export const moneyActs = ['announce', 'import', 'convert', 'limit', 'close'] as const;
export type MoneyAct = (typeof moneyActs)[number];

const spacing = { first: 3_000, shortestPause: 1_500, longestPause: 5_000 };

/** The acts, in the order of their start. */
export function planMoney(random: Random, seconds: number): PlannedDisturbance[] {
  return spaced(random, seconds, spacing, () => {
    const act = random.pickWeighted<MoneyAct>([
      [4, 'announce'],
      [3, 'import'],
      [3, 'convert'],
      [1, 'limit'],
      [0.5, 'close'],
    ]);
    return { kind: 'money' as const, act, choice: random.next() };
  });
}
