import { useState } from 'preact/hooks';
import { Progress, Status, Tabs } from '../../../parts/src/basics';
import type { Values } from '../call';
import type { Row } from '../parts/cells';
import { Differences } from '../parts/differences';
import { Do } from '../parts/do';
import { Incidents, type Incident } from '../parts/incidents';
import { List, Rows } from '../parts/list';
import { OrderList } from '../parts/order-list';
import { useOperation } from '../office';
import { SupplierCharts, type Span, type SupplierStep } from '../parts/supplier-charts';
import { useReading } from '../reading';
import { hrefOf, hrefWith, useRoute } from '../route';
import { Balances, type TodayResult } from './today';

const supplier = ({ supplier: name }: Row): Values => ({ name: String(name) });

/** A pause of every family leaves nothing to pause. */
const ALL_FAMILIES = 'all';

/** The families for which the supplier is paused. */
const pausesOf = ({ paused }: Row): readonly unknown[] => (Array.isArray(paused) ? paused : []);

/** The tabs of the two spans, which the address has. */
function Spans({ over }: { over: Span }) {
  const { path } = useRoute();
  return (
    <Tabs
      label="Period"
      tabs={[
        { name: 'The last day', href: hrefOf(...path), isCurrent: over === 'day' },
        { name: 'The last 30 days', href: hrefWith({ over: 'month' }, ...path), isCurrent: over === 'month' },
      ]}
    />
  );
}

function useSpan(): Span {
  return useRoute().query.get('over') === 'month' ? 'month' : 'day';
}

/** How all suppliers deliver, or one. */
function Performance({ name }: { name?: string }) {
  const over = useSpan();
  const isOne = name !== undefined;
  const steps = useReading<SupplierStep[]>('reports suppliers', { over, ...(isOne && { supplier: name }) });
  return (
    <section aria-labelledby="performance">
      <div class="section-head">
        <h2 id="performance">{isOne ? 'How it delivers' : 'How they deliver'}</h2>
        <Spans over={over} />
      </div>
      <Progress of={steps} />
      {steps.data &&
        (isOne ? <SupplierCharts of={steps.data} over={over} /> : <Each {...{ steps: steps.data, over }} />)}
    </section>
  );
}

/** Each supplier with its state, its balances and its charts. */
function Each({ steps, over }: { steps: readonly SupplierStep[]; over: Span }) {
  const { data } = useReading<TodayResult>('today');
  return (
    <>
      {data?.suppliers.map((each) => (
        <section key={each.supplier} aria-label={each.supplier}>
          <h3 class="card-head">
            <a href={hrefOf('suppliers', each.supplier)}>{each.supplier}</a>
            <Status of={each.health} />
            <Balances of={each} />
          </h3>
          <SupplierCharts of={steps.filter(({ supplier: name }) => name === each.supplier)} over={over} />
        </section>
      ))}
    </>
  );
}

export function SuppliersPage() {
  return (
    <>
      {useOperation('reports suppliers') && <Performance />}
      <List
        title="Health and balances"
        operation="suppliers list"
        href={({ supplier: name }) => hrefOf('suppliers', String(name))}
        rowActions={[
          { operation: 'suppliers pause', given: supplier, fits: (row) => !pausesOf(row).includes(ALL_FAMILIES) },
          { operation: 'suppliers resume', given: supplier, fits: (row) => pausesOf(row).length > 0 },
          { operation: 'suppliers alert', given: supplier },
        ]}
      />
      <Differences given={{}} />
    </>
  );
}

export function SupplierPage({ name }: { name: string }) {
  const [changes, setChanges] = useState(0);
  const shown = useReading<readonly Row[]>('suppliers show', { name }, { version: changes });
  const incidents = useReading<Incident[]>('attention incidents', { supplier: name }, { version: changes });
  const changed = () => setChanges(changes + 1);
  if (!shown.data) return <Progress of={shown} />;
  const pauses = shown.data?.filter(({ what }) => what === 'paused');
  return (
    <>
      <div class="buttons" role="group" aria-label="Actions">
        {pauses?.every(({ of }) => of !== ALL_FAMILIES) && (
          <Do operation="suppliers pause" given={{ name }} done={changed} />
        )}
        {pauses && pauses.length > 0 && <Do operation="suppliers resume" given={{ name }} done={changed} />}
        <Do operation="suppliers alert" given={{ name }} done={changed} />
        <Do operation="orders retry" given={{ supplier: name }} label="Retry its open orders" done={changed} />
        <Do operation="catalogue sync" given={{ supplier: name }} done={changed} />
      </div>
      <Incidents of={incidents.data ?? []} changed={changed} />
      <Progress of={shown} />
      <section aria-labelledby="state">
        <h2 id="state">State</h2>
        {shown.data && (
          <Rows title="State" rows={shown.data} columns={['what', 'of', 'since', 'detail']} changed={changed} />
        )}
      </section>
      {useOperation('reports suppliers') && <Performance name={name} />}
      <Differences given={{ supplier: name }} />
      <List
        title="Offers to decide"
        operation="catalogue review"
        given={{ supplier: name }}
        filters={['state', 'family']}
        columns={['id', 'state', 'family', 'sku', 'name', 'reason', 'since']}
        href={({ id }) => hrefOf('catalogue', 'offers', Number(id))}
      />
      <OrderList title="Newest orders" given={{ supplier: name }} />
    </>
  );
}
