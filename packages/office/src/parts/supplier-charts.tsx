/** How a supplier delivers, as charts: results, times and costs, over a day or a month. */
import { Empty } from '../../../parts/src/basics';
import { Chart } from '../../../parts/src/chart';
import { secondsText } from './cells';

export type Span = 'day' | 'month';

/** What a supplier did in an hour or a day. */
export interface SupplierStep {
  supplier: string;
  at: string;
  delivered: number;
  failed: number;
  p50: number | null;
  p95: number | null;
  /** In percent of the face value. Null if the supplier reports none, or if the role does not see costs. */
  cost_percent: number | null;
}

const percent = (value: number) => `${Math.round(value * 10) / 10} %`;

/** `of`: the steps of one supplier, the oldest first. */
export function SupplierCharts({ of, over }: { of: readonly SupplierStep[]; over: Span }) {
  if (of.length === 0) return <Empty what={`No order ended in the last ${over === 'day' ? 'day' : '30 days'}.`} />;
  const shared = {
    times: of.map(({ at }) => Date.parse(at)),
    step: over === 'day' ? 'hour' : 'day',
    isSmall: true,
  } as const;
  const successes = of.map(({ delivered, failed }) => (100 * delivered) / Math.max(delivered + failed, 1));
  const [delivered, failed] = [
    of.reduce((sum, step) => sum + step.delivered, 0),
    of.reduce((sum, step) => sum + step.failed, 0),
  ];
  const success = percent((100 * delivered) / Math.max(delivered + failed, 1));
  const slowest = Math.max(...of.map(({ p95 }) => p95 ?? 0));
  const costs = of.flatMap(({ cost_percent: cost }) => (cost === null ? [] : [cost]));
  const cost = costs.length === 0 ? undefined : percent(costs.reduce((sum, each) => sum + each, 0) / costs.length);
  return (
    <div class="charts small">
      <Chart
        {...shared}
        title="Success"
        summary={`${success} of ${delivered + failed} orders were delivered.`}
        format={percent}
        lines={[{ name: 'Delivered', ink: 'good', values: successes }]}
      >
        <span class="figure">{success}</span>
      </Chart>
      <Chart
        {...shared}
        title="Time"
        summary={`At most ${secondsText(slowest)} for 95 % of the orders.`}
        format={secondsText}
        lines={[
          { name: 'p50', ink: 'accent', values: of.map(({ p50 }) => p50) },
          { name: 'p95', ink: 'wait', values: of.map(({ p95 }) => p95) },
        ]}
      />
      {cost !== undefined && (
        <Chart
          {...shared}
          title="Cost against list"
          summary={`${cost} of the face value on average.`}
          format={percent}
          lines={[{ name: 'Of the face value', ink: 'accent', values: of.map(({ cost_percent: each }) => each) }]}
        >
          <span class="figure">{cost}</span>
        </Chart>
      )}
    </div>
  );
}
