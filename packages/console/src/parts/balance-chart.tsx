import { decimalOf, levelsOf, minorUnitsOf, timeTicksOf } from '../chart';
import { amountOnly, DAY_MS, dayOfYear, hourOf, moment, money } from '../../../parts/src/format';
import type { BalanceHistory } from '../types';

const WIDTH = 720;
const HEIGHT = 200;

interface ChartProps {
  history: BalanceHistory;
  currency: string;
}

/** The balance over the period as steps, with its axes. The caption gives the same in words. */
export function BalanceChart({ history, currency }: ChartProps) {
  const { minor_unit: decimals, points } = history;
  const [from, to] = [Date.parse(history.from), Date.parse(history.to)];
  const opening = minorUnitsOf(history.opening_balance, decimals);
  const steps = points.map(({ at, balance }) => ({ at: Date.parse(at), units: minorUnitsOf(balance, decimals) }));
  const all = [opening, ...steps.map(({ units }) => units)];
  const [lowest, highest] = [min(all), max(all)];
  const levels = levelsOf(lowest, highest);
  const [bottom = 0n, top = 1n] = [levels[0], levels.at(-1)];
  const shareX = (at: number) => (at - from) / Math.max(to - from, 1);
  const shareY = (units: bigint) => Number(units - bottom) / Number(top - bottom);
  const x = (at: number) => (shareX(at) * WIDTH).toFixed(1);
  const y = (units: bigint) => ((1 - shareY(units)) * HEIGHT).toFixed(1);
  const line = `M0 ${y(opening)}${steps.map(({ at, units }) => `H${x(at)}V${y(units)}`).join('')}H${WIDTH}`;
  const text = (units: bigint) => money(decimalOf(units, decimals), currency);
  const summary =
    `From ${text(opening)} on ${moment(history.from)} to ${text(all.at(-1) ?? opening)} on ${moment(history.to)}. ` +
    `Lowest ${text(lowest)}, highest ${text(highest)}.`;
  return (
    <figure class="chart">
      <div class="plot">
        <ol class="axis-y" aria-hidden="true">
          {levels.map((level) => (
            <li key={String(level)} style={{ bottom: percent(shareY(level)) }}>
              {levelText(decimalOf(level, decimals), currency)}
            </li>
          ))}
        </ol>
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={summary} preserveAspectRatio="none">
          <path class="area" d={`${line}V${HEIGHT}H0Z`} />
          {levels.map((level) => (
            <path key={String(level)} class="grid" d={`M0 ${y(level)}H${WIDTH}`} vector-effect="non-scaling-stroke" />
          ))}
          <path class="line" d={line} vector-effect="non-scaling-stroke" />
        </svg>
        <ol class="axis-x" aria-hidden="true">
          {timeTicksOf(from, to).map((at) => (
            <li key={at} style={{ left: percent(shareX(at)) }}>
              {to - from > DAY_MS ? dayOfYear(at) : hourOf(at)}
            </li>
          ))}
        </ol>
      </div>
      <figcaption>
        {summary}
        {history.is_cut && ' Older movements of the period are left out.'}
      </figcaption>
    </figure>
  );
}

/** Levels are round: a level without a fraction is shown without its zeros. */
function levelText(level: string, currency: string): string {
  return amountOnly(level, currency).replace(/\.0+$/, '');
}

function percent(share: number): string {
  return `${(share * 100).toFixed(2)}%`;
}

function min(values: readonly bigint[]): bigint {
  return values.reduce((least, value) => (value < least ? value : least));
}

function max(values: readonly bigint[]): bigint {
  return values.reduce((most, value) => (value > most ? value : most));
}
