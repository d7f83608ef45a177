import { moment, money } from '../format';
import type { Transaction } from '../types';

const WIDTH = 720;
const HEIGHT = 200;
const EDGE = 8;

/** A balance after a movement. */
export interface Point {
  at: number;
  balance: number;
}

/** Returns the balance after each transaction, oldest first, from today's balance. `newest`: transactions, newest first. */
export function balancesOf(newest: readonly Transaction[], balance: number): Point[] {
  let after = balance;
  const points = newest.map((entry) => {
    const point = { at: Date.parse(entry.created_at), balance: after };
    after += entry.transaction_type === 'CREDIT' ? -entry.amount : entry.amount;
    return point;
  });
  return points.reverse();
}

/** The balance over time as steps. The caption gives the same in words. */
export function BalanceChart({ points, currency }: { points: readonly Point[]; currency: string }) {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) return <p class="quiet">No movements yet.</p>;
  const balances = points.map(({ balance }) => balance);
  const [lowest, highest] = [Math.min(...balances), Math.max(...balances)];
  const range = Math.max(highest - lowest, highest / 1_000, 1);
  const span = Math.max(last.at - first.at, 1);
  const x = (at: number) => EDGE + ((at - first.at) / span) * (WIDTH - 2 * EDGE);
  const y = (balance: number) => HEIGHT - 3 * EDGE - ((balance - lowest) / range) * (HEIGHT - 4 * EDGE);
  const steps = points.slice(1).map(({ at, balance }) => `H${x(at).toFixed(1)}V${y(balance).toFixed(1)}`);
  const line = `M${x(first.at)} ${y(first.balance).toFixed(1)}${steps.join('')}H${WIDTH - EDGE}`;
  const text =
    `From ${money(first.balance, currency)} on ${moment(new Date(first.at).toISOString())} ` +
    `to ${money(last.balance, currency)} now. Lowest ${money(lowest, currency)}, highest ${money(highest, currency)}.`;
  return (
    <figure class="chart">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={text} preserveAspectRatio="none">
        <path class="area" d={`${line}V${HEIGHT - EDGE}H${EDGE}Z`} />
        <path class="line" d={line} vector-effect="non-scaling-stroke" />
      </svg>
      <figcaption>{text}</figcaption>
    </figure>
  );
}
