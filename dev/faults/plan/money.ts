/** Money that arrives and moves besides orders, during the whole run. */
import type { Random } from '../random';
import type { PlannedDisturbance } from './disturbances';

/**
 * A client announces a transfer or converts money; people import the bank's statement, change a credit limit or close the past month.
 * Each of the last four happens twice at once.
 */
export const moneyActs = ['announce', 'import', 'convert', 'limit', 'close'] as const;
export type MoneyAct = (typeof moneyActs)[number];

const FIRST_MS = 3_000;
const SHORTEST_PAUSE_MS = 1_500;
const MAX_PAUSE_MS = 5_000;

/** The acts, in the order of their start. */
export function planMoney(random: Random, seconds: number): PlannedDisturbance[] {
  const planned: PlannedDisturbance[] = [];
  for (let at = FIRST_MS; at < seconds * 1_000; at += random.whole(SHORTEST_PAUSE_MS, MAX_PAUSE_MS)) {
    const act = random.pickWeighted<MoneyAct>([
      [4, 'announce'],
      [3, 'import'],
      [3, 'convert'],
      [1, 'limit'],
      [0.5, 'close'],
    ]);
    planned.push({ at, kind: 'money', act, choice: random.next() });
  }
  return planned;
}
