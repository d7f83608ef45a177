import { amountOnly, dayOf, moment, money, timeOfDay } from '../format';
import type { Transaction } from '../types';

const WIDTH = 720;
const HEIGHT = 200;
const EDGE = 8;
const DAY_MS = 86_400_000;

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

/** The balance over time as steps, with its axes. The caption gives the same in words. */
export function BalanceChart({ points, currency }: { points: readonly Point[]; currency: string }) {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) return <p class="quiet">No movements yet.</p>;
  const balances = points.map(({ balance }) => balance);
  const [lowest, highest] = [Math.min(...balances), Math.max(...balances)];
  const range = Math.max(highest - lowest, highest / 1_000, 1);
  const span = Math.max(last.at - first.at, 1);
  const x = (at: number) => EDGE + ((at - first.at) / span) * (WIDTH - 2 * EDGE);
  const y = (balance: number) => HEIGHT - 2 * EDGE - ((balance - lowest) / range) * (HEIGHT - 4 * EDGE);
  const steps = points.slice(1).map(({ at, balance }) => `H${x(at).toFixed(1)}V${y(balance).toFixed(1)}`);
  const line = `M${x(first.at)} ${y(first.balance).toFixed(1)}${steps.join('')}H${WIDTH - EDGE}`;
  const levels = [lowest + range, lowest + range / 2, lowest];
  const text =
    `From ${money(first.balance, currency)} on ${moment(new Date(first.at).toISOString())} ` +
    `to ${money(last.balance, currency)} now. Lowest ${money(lowest, currency)}, highest ${money(highest, currency)}.`;
  return (
    <figure class="chart">
      <div class="plot">
        <ol class="axis-y" aria-hidden="true">
          {levels.map((level) => (
            <li key={level}>{amountOnly(level, currency)}</li>
          ))}
        </ol>
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={text} preserveAspectRatio="none">
          <path class="area" d={`${line}V${HEIGHT - EDGE}H${EDGE}Z`} />
          {levels.map((level) => (
            <path
              key={level}
              class="grid"
              d={`M0 ${y(level).toFixed(1)}H${WIDTH}`}
              vector-effect="non-scaling-stroke"
            />
          ))}
          <path class="line" d={line} vector-effect="non-scaling-stroke" />
        </svg>
        <ol class="axis-x" aria-hidden="true">
          {[first.at, first.at + span / 2, last.at].map((at, index) => (
            <li key={index}>{tick(at, span)}</li>
          ))}
        </ol>
      </div>
      <figcaption>{text}</figcaption>
    </figure>
  );
}

/** The label of a moment on the axis: a time if the axis spans less than a day, else a day. */
function tick(at: number, span: number): string {
  return span < DAY_MS ? timeOfDay(new Date(at).toISOString()) : dayOf(at);
}
