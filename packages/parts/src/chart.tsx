import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import uPlot from 'uplot';
import { Row, Table } from './basics';
import { dayOfYear, hourOf, monthOf } from './format';

/** The colours of lines. The legend has them from the style; the lines take them from the legend. */
export type Ink = 'accent' | 'bad' | 'before' | 'good' | 'wait';

export interface Line {
  name: string;
  ink: Ink;
  /** A value for each moment. Null: none is known. */
  values: readonly (number | null)[];
  isBars?: boolean;
}

type Step = 'hour' | 'day' | 'month';

/** Seconds. */
const lengths: Readonly<Record<Step, number>> = { hour: 3_600, day: 86_400, month: 30 * 86_400 };
const captions: Readonly<Record<Step, string>> = { hour: 'Hour', day: 'Day', month: 'Month' };
const texts: Readonly<Record<Step, (at: number) => string>> = { hour: hourOf, day: dayOfYear, month: monthOf };

interface ChartProps {
  title: string;
  /** What the chart shows, in a sentence, for readers who do not see it. */
  summary: string;
  /** The moments of the values, ascending (milliseconds). */
  times: readonly number[];
  step: Step;
  lines: readonly Line[];
  /** A value as people read it. */
  format: (value: number) => string;
  isSmall?: boolean;
  /** Stands beside the title, such as the newest value. */
  children?: ComponentChildren;
}

/** A chart over time, with a legend, and with its values as a table for readers who do not see it. */
export function Chart({ title, summary, times, step, lines, format, isSmall = false, children }: ChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const legend = useRef<HTMLSpanElement>(null);
  const [at, setAt] = useState<number>();
  const textOf = texts[step];
  const drawn = JSON.stringify([times, lines]);
  useEffect(() => {
    const [host, colours] = [place.current, legend.current];
    if (!host || !colours) return undefined;
    let plot: uPlot | undefined;
    const draw = () => {
      plot?.destroy();
      plot = drawing(host, { colours, times, lines, step, format, isSmall, look: setAt });
    };
    draw();
    const resized = new ResizeObserver(() => plot?.setSize({ width: host.clientWidth, height: host.clientHeight }));
    resized.observe(host);
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    scheme.addEventListener('change', draw);
    return () => {
      resized.disconnect();
      scheme.removeEventListener('change', draw);
      plot?.destroy();
    };
  }, [drawn]);
  const shown = (value: number | null | undefined) => (value === null || value === undefined ? '–' : format(value));
  return (
    <figure class="chart-card card">
      <figcaption>
        <span class="what">{title}</span>
        {children}
        <span ref={legend} class={`legend ${lines.length === 1 && at === undefined ? 'unseen' : ''}`}>
          {lines.map(({ name, ink, values }) => (
            <span key={name}>
              <i class={`ink-${ink}`} />
              {name}
              {at !== undefined && ` ${shown(values[at])}`}
            </span>
          ))}
          {at !== undefined && <span>{textOf(times[at] ?? 0)}</span>}
        </span>
      </figcaption>
      <div ref={place} class={`canvas ${isSmall ? 'small' : ''}`} role="img" aria-label={`${title}. ${summary}`} />
      <details>
        <summary>As a table</summary>
        <Table caption={title} isCaptionHidden columns={[captions[step], ...lines.map(({ name }) => name)]}>
          {times.map((time, index) => (
            <Row key={time} cells={[textOf(time), ...lines.map(({ values }) => shown(values[index]))]} />
          ))}
        </Table>
      </details>
    </figure>
  );
}

interface Drawn extends Pick<ChartProps, 'times' | 'lines' | 'step' | 'format' | 'isSmall'> {
  colours: HTMLElement;
  /** Called with the index of the moment under the pointer. */
  look: (index: number | undefined) => void;
}

/** 1, 2, 5, 10, 20 and so on. */
const wholeSteps = Array.from({ length: 30 }, (_, index) => ([1, 2, 5][index % 3] ?? 1) * 10 ** Math.floor(index / 3));

/** Draws the lines. uPlot sets styles by scripts alone, which the content security policy permits. */
function drawing(host: HTMLElement, { colours, times, lines, step, format, isSmall, look }: Drawn): uPlot {
  const { color: quiet, borderTopColor: grid } = getComputedStyle(host);
  const inks = [...colours.querySelectorAll('i')].map((each) => getComputedStyle(each).borderTopColor);
  const axis = {
    stroke: quiet,
    font: '11px system-ui, sans-serif',
    grid: { stroke: grid, width: 1 },
    ticks: { show: false },
  };
  const textOf = texts[step];
  /** Half a step (seconds): room for the first and the last bar. */
  const half = lengths[step] / 2;
  const [first = 0, last = first] = [times[0], times.at(-1)].map((time) => (time ?? 0) / 1_000);
  const isWhole = lines.every(({ values }) => values.every((value) => Number.isInteger(value ?? 0)));
  const bars = uPlot.paths.bars?.({ size: [0.6, 28], radius: 0.2 });
  return new uPlot(
    {
      width: host.clientWidth,
      height: host.clientHeight,
      legend: { show: false },
      cursor: { points: { size: 6 }, drag: { x: false, y: false }, y: false },
      padding: [8, 20, 0, 0],
      scales: {
        // uPlot gives a single moment a range of years.
        x: { time: true, range: () => [first - half, last + half] },
        y: { range: (_, min, max) => [Math.min(min, 0), max > 0 ? max * 1.1 : 1] },
      },
      hooks: { setCursor: [({ cursor: { idx } }) => look(idx ?? undefined)] },
      axes: [
        {
          ...axis,
          grid: { show: false },
          size: 24,
          space: 56,
          incrs: [1, 2, 3, 4, 6, 12, 24, 48].map((count) => count * lengths[step]),
          // A label says the moments until the next one.
          values: (_, at) =>
            at.map((each) => textOf(each * 1_000)).map((text, index, all) => (text === all[index - 1] ? '' : text)),
        },
        {
          ...axis,
          size: 52,
          space: isSmall ? 28 : 32,
          // Between whole numbers are none.
          ...(isWhole && { incrs: wholeSteps }),
          values: (_, values) => values.map(format),
        },
      ],
      series: [
        {},
        ...lines.map(({ name, ink, values, isBars = false }, index): uPlot.Series => {
          const stroke = inks[index] ?? quiet;
          return {
            label: name,
            stroke,
            width: ink === 'before' ? 1 : 2,
            spanGaps: true,
            // A line needs two values.
            points: { show: values.filter((value) => value !== null).length < 3 },
            ...(ink === 'before' && { dash: [4, 4] }),
            ...(isBars && { fill: stroke, width: 0, points: { show: false }, ...(bars && { paths: bars }) }),
          };
        }),
      ],
    },
    [times.map((time) => time / 1_000), ...lines.map(({ values }) => [...values])],
    host,
  );
}
