/** Sales by day and month with a chart, and margins. */
import { Fragment } from 'preact';
import { Progress } from '../../../parts/src/basics';
import { Chart } from '../../../parts/src/chart';
import { money, utcDay } from '../../../parts/src/format';
import { readText, type Values } from '../call';
import { useOperation } from '../office';
import { useKept } from '../kept';
import { textOf, type Row } from '../parts/cells';
import { Download } from '../parts/download';
import { Filters } from '../parts/filters';
import { List, Rows } from '../parts/list';
import { partsHref } from '../parts/parts-link';
import { useReading } from '../reading';

interface Sales {
  period: string;
  family: string;
  currency: string;
  orders: number;
  sold: string;
  margin: string | null;
  [column: string]: unknown;
}

/** Reports count in UTC, wherever the browser is. */
const thisMonth = () => new Date().toISOString().slice(0, 7);

export function ReportsPage() {
  const given = { month: thisMonth() };
  const { month } = { ...given, ...useKept('reports margin').filters };
  return (
    <>
      <SalesReport />
      <List
        title={`Margins of ${textOf(month)}`}
        operation="reports margin"
        href={(row) =>
          partsHref({ operation: 'reports margin', rows: '', sum: 'sold', on: [row], given: { month: textOf(month) } })
        }
        given={given}
        rowsIn={marginRows}
        filters={['month', 'by']}
        columns={[
          ...dimensions,
          'currency',
          'orders',
          'sold',
          'refunded',
          'redeemed',
          'cost',
          'margin',
          'margin_percent',
          'orders_with_unknown_cost',
        ]}
        more={['supplier_credits', 'sold_at_unknown_cost', 'cost_at_client_rates', 'currency_difference']}
      >
        <p class="quiet">Orders that kept nothing and cost nothing do not count here.</p>
      </List>
    </>
  );
}

/** The rows of the report. Sums of no known cost are 0, which would read as a cost. */
function marginRows(result: unknown): readonly Row[] {
  return (result as Row[]).map((row) => {
    const isUnknown = Number(row['orders_with_unknown_cost']) > 0 && row['sold_at_unknown_cost'] === row['sold'];
    return isUnknown && Number(row['cost']) === 0 ? { ...row, cost: 'unknown', margin: 'unknown' } : row;
  });
}

/** What a report of margins may have a row for. */
const dimensions = ['client', 'product', 'supplier', 'family', 'day'];

function SalesReport() {
  const operation = useOperation('reports sales');
  // The last 30 days, by day in UTC.
  const defaults: Values = { from: utcDay(30), by: 'day' };
  const { filters, filter } = useKept('reports sales', defaults);
  const values = { ...defaults, ...filters };
  const sales = useReading<Sales[]>('reports sales', values);
  if (!operation) return null;
  const { data } = sales;
  return (
    <section aria-labelledby="sales">
      <div class="section-head">
        <h2 id="sales">Sales</h2>
        <Download name="reports sales" type="text/csv" read={() => readText(operation, values, 'text/csv')}>
          CSV
        </Download>
      </div>
      <Filters view={operation} names={['from', 'to', 'by', 'family', 'client']} values={filters} apply={filter} />
      <Progress of={sales} />
      {data && (
        <div class="charts">
          {[...new Set(data.map(({ currency }) => currency))].map((currency) => (
            <Fragment key={currency}>
              <SalesChart what="Sold" currency={currency} sums={sumsOf(data, currency, 'sold')} />
              {data.some((row) => row.currency === currency && row.margin !== null) && (
                <SalesChart what="Margin" currency={currency} sums={sumsOf(data, currency, 'margin')} />
              )}
            </Fragment>
          ))}
        </div>
      )}
      <p class="quiet">
        An order counts on the day (UTC) on which it ended. One that replaces a unit counts in the cost only, so there
        are fewer orders here than today.
      </p>
      {data && (
        <Rows
          title="Sales"
          rows={data}
          href={(row) => partsHref({ operation: 'reports sales', rows: '', sum: 'sold', on: [row], given: values })}
          changed={() => undefined}
        />
      )}
    </section>
  );
}

interface Sum {
  period: string;
  value: number;
}

/** A bar for each day or month. */
function SalesChart({ what, currency, sums }: { what: string; currency: string; sums: readonly Sum[] }) {
  const values = sums.map(({ value }) => value);
  const amount = (value: number) => money(Math.round(value * 100) / 100, currency);
  const [first, last] = [sums[0]?.period ?? '', sums.at(-1)?.period ?? ''];
  return (
    <Chart
      title={`${what} in ${currency}`}
      summary={`From ${first} to ${last}. Highest ${amount(Math.max(...values, 0))}.`}
      times={sums.map(({ period }) => Date.parse(period))}
      step={first.length > 7 ? 'day' : 'month'}
      format={(value) =>
        value.toLocaleString('en', {
          maximumFractionDigits: 2,
          notation: Math.abs(value) >= 1e5 ? 'compact' : 'standard',
        })
      }
      lines={[{ name: what, ink: what === 'Margin' ? 'good' : 'accent', values, isBars: true }]}
    />
  );
}

/** The sums of each period, over all families. They are drawn, not booked: a binary fraction is exact enough. An unknown margin is none. */
function sumsOf(rows: readonly Sales[], currency: string, column: 'sold' | 'margin'): Sum[] {
  const sums = new Map<string, number>();
  for (const row of rows)
    if (row.currency === currency) sums.set(row.period, (sums.get(row.period) ?? 0) + Number(row[column]));
  return [...sums]
    .map(([period, value]) => ({ period, value }))
    .sort((one, other) => one.period.localeCompare(other.period));
}
