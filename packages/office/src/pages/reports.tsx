/** Sales by day and month with a chart, and margins. */
import { useState } from 'preact/hooks';
import { Progress } from '../../../parts/src/basics';
import { dateValue } from '../../../parts/src/format';
import { readText, type Values } from '../call';
import { useOperation } from '../office';
import { BarChart, type Bar } from '../parts/bar-chart';
import { Download } from '../parts/download';
import { Filters } from '../parts/filters';
import { List, Rows } from '../parts/list';
import { useReading } from '../reading';

interface Sales {
  period: string;
  family: string;
  currency: string;
  orders: number;
  sold: string;
  [column: string]: unknown;
}

export function ReportsPage() {
  return (
    <>
      <SalesReport />
      <List
        title="Margins"
        operation="reports margin"
        given={{ month: dateValue(new Date()).slice(0, 7) }}
        filters={['month', 'by']}
        columns={[
          ...dimensions,
          'currency',
          'orders',
          'sold',
          'refunded',
          'cost',
          'margin',
          'margin_percent',
        ]}
        more={[
          'orders_with_unknown_cost',
          'sold_at_unknown_cost',
          'cost_at_client_rates',
          'currency_difference',
        ]}
      />
    </>
  );
}

/** What a report of margins may have a row for. */
const dimensions = ['client', 'product', 'supplier', 'family', 'day'];

const defaults: Values = { from: '30d', by: 'day' };

function SalesReport() {
  const operation = useOperation('reports sales');
  const [filter, setFilter] = useState<Values>(defaults);
  const values = { ...defaults, ...filter };
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
      <Filters
        view={operation}
        names={['from', 'to', 'by', 'family', 'client']}
        values={filter}
        apply={setFilter}
      />
      <Progress of={sales} />
      {data && (
        <div class="charts">
          {[...new Set(data.map(({ currency }) => currency))].map((currency) => (
            <BarChart key={currency} currency={currency} bars={barsOf(data, currency)} />
          ))}
        </div>
      )}
      {data && <Rows title="Sales" rows={data} changed={() => undefined} />}
    </section>
  );
}

/** A bar for each period, over all families. Bars are drawn, not booked: a binary fraction is exact enough. */
function barsOf(rows: readonly Sales[], currency: string): Bar[] {
  const sums = new Map<string, number>();
  for (const row of rows)
    if (row.currency === currency) sums.set(row.period, (sums.get(row.period) ?? 0) + Number(row.sold));
  return [...sums]
    .sort(([one], [other]) => one.localeCompare(other))
    .map(([name, value]) => ({ name, value }));
}
