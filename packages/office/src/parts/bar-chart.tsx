import { amountIn } from './cells';

export interface Bar {
  name: string;
  value: number;
}

const WIDTH = 720;
const HEIGHT = 160;
const GAP = 0.2;
/** A chart of few periods has narrow bars, too. */
const MAX_STEP = 60;

/** Bars of periods. A value below 0 has no bar. The table next to the chart has the same numbers. */
export function BarChart({ what, currency, bars }: { what: string; currency: string; bars: readonly Bar[] }) {
  const highest = Math.max(...bars.map(({ value }) => value));
  const top = highest > 0 ? highest : 1;
  const step = Math.min(WIDTH / Math.max(bars.length, 1), MAX_STEP);
  const amount = (value: number) => amountIn(currency, String(value));
  const [first, last] = [bars[0], bars.at(-1)];
  const period = first === last ? (first?.name ?? '') : `from ${first?.name ?? ''} to ${last?.name ?? ''}`;
  const caption = `${what} in ${currency}, ${period}. Highest ${amount(highest)}.`;
  return (
    <figure class="bars card">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={caption} preserveAspectRatio="none">
        {bars.map(({ name, value }, index) => {
          const height = (Math.max(value, 0) / top) * HEIGHT;
          return (
            <rect
              key={name}
              x={(index + GAP / 2) * step}
              y={HEIGHT - height}
              width={step * (1 - GAP)}
              height={height}
            >
              <title>{`${name}: ${amount(value)}`}</title>
            </rect>
          );
        })}
      </svg>
      <figcaption>{caption}</figcaption>
    </figure>
  );
}
