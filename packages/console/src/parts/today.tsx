import { useState } from 'preact/hooks';
import { send } from '../api';
import { dateValue, dayOf, money, words } from '../../../parts/src/format';
import { useLive } from '../live';
import { useChangeCount, useLoaded } from '../../../parts/src/loading';
import { MoreRows } from '../../../parts/src/more-rows';
import { useIsNarrow } from '../../../parts/src/narrow';
import { hrefOf } from '../route';
import { dayBounds, shareDelivered, totalsOf, type Totals } from '../summary';
import type { OrderGroup, OrderSummary } from '../types';
import { Figure, Figures, Progress, Row, Table } from '../../../parts/src/basics';

const DAYS = 7;

const numbers = ['Orders', 'Delivered', 'Spent'];

const summaryOf = (bounds: readonly Date[], by: 'day' | 'product') =>
  send<OrderSummary>(`/api/summary?by=${by}&bounds=${bounds.map((bound) => bound.toISOString()).join()}`);

/** How today is: the orders of a day with their results, by day and by product. `day`: the shown day; today by default. */
export function Today({ day }: { day: string }) {
  const latest = useLive().orders.at(-1);
  const version = useChangeCount(`${latest?.id} ${latest?.status}`);
  const bounds = dayBounds(new Date(), DAYS);
  const starts = bounds.slice(0, -1);
  const days = useLoaded(() => summaryOf(bounds, 'day'), dateValue(new Date()), version);
  const asked = starts.findIndex((each) => dateValue(each) === day);
  const shown = asked === -1 ? DAYS - 1 : asked;
  const start = starts[shown] ?? new Date();
  const end = bounds[shown + 1] ?? start;
  const products = useLoaded(() => summaryOf([start, end], 'product'), dateValue(start), version);
  const ofDay = (index: number) => (days.data?.groups ?? []).filter((group) => group.day === index);
  const nameOf = (index: number) => (index === DAYS - 1 ? 'Today' : dayOf((starts[index] ?? start).getTime()));
  // Today, and the days with orders, the latest first.
  const listed = starts
    .map((_, index) => index)
    .filter((index) => index === DAYS - 1 || ofDay(index).length > 0)
    .reverse();
  return (
    <section aria-labelledby="today">
      <h2 id="today">{nameOf(shown)}</h2>
      <Progress of={days} />
      {days.data && <Headline totals={totalsOf(ofDay(shown))} day={dateValue(start)} />}
      {products.data && products.data.groups.length > 0 && (
        <Products groups={products.data.groups} day={dateValue(start)} />
      )}
      {days.data && (
        <Table
          caption={`The days with orders of the last ${DAYS} days`}
          numbers={numbers}
          columns={['Day', 'Orders', 'Delivered', 'Spent', 'Failed or cancelled']}
        >
          {listed.map((index) => {
            const date = dateValue(starts[index] ?? start);
            return (
              <Row
                key={index}
                cells={[
                  <a href={hrefOf('', { day: date })} aria-current={index === shown ? 'true' : undefined}>
                    {nameOf(index)}
                  </a>,
                  ...cellsOf(totalsOf(ofDay(index)), { from: date, to: date }),
                ]}
              />
            );
          })}
        </Table>
      )}
      {(days.data?.is_cut || products.data?.is_cut) && <p class="quiet">Only the newest 50,000 orders are counted.</p>}
    </section>
  );
}

function Headline({ totals, day }: { totals: Totals; day: string }) {
  const { orders, open, failed } = totals;
  const figures = [
    [
      'Orders',
      <a href={hrefOf('orders', { from: day, to: day })}>{orders.toLocaleString('en')}</a>,
      open > 0 ? `${open.toLocaleString('en')} open` : '',
    ],
    ['Delivered', shareDelivered(totals) ?? '–', 'of the ended orders'],
    ['Spent', <Spend totals={totals} />, 'debits less refunds'],
    ['Failed or cancelled', failed.toLocaleString('en'), <Failures totals={totals} dates={{ from: day, to: day }} />],
  ] as const;
  return <Figures of={figures} />;
}

/** The products that a narrow window shows at first. */
const ON_A_PHONE = 4;

function Products({ groups, day }: { groups: readonly OrderGroup[]; day: string }) {
  const [isWhole, setIsWhole] = useState(false);
  const isShort = useIsNarrow() && !isWhole;
  const all = [...new Set(groups.map(({ family, product_id: id }) => `${family} ${id}`))];
  const keys = isShort ? all.slice(0, ON_A_PHONE) : all;
  return (
    <>
      <Table
        caption="By product, the most orders first"
        numbers={numbers}
        columns={['Product', 'Orders', 'Delivered', 'Spent', 'Failed or cancelled']}
      >
        {keys.map((key) => {
          const own = groups.filter(({ family, product_id: id }) => `${family} ${id}` === key);
          const { product_name: name } = own[0] ?? {};
          const [family, id] = key.split(' ');
          return (
            <Row
              key={key}
              cells={[
                <a href={hrefOf(`products/${family}/${id}`)}>{name}</a>,
                ...cellsOf(totalsOf(own), { from: day, to: day, product: name ?? '' }),
              ]}
            />
          );
        })}
      </Table>
      {keys.length < all.length && <MoreRows isEndless={false} show={() => setIsWhole(true)} />}
    </>
  );
}

type Dates = Readonly<Record<string, string>>;

function cellsOf(totals: Totals, dates: Dates) {
  return [
    <Figure>{totals.orders.toLocaleString('en')}</Figure>,
    shareDelivered(totals) ?? '–',
    <Spend totals={totals} />,
    <Failures totals={totals} dates={dates} />,
  ];
}

function Spend({ totals: { spend } }: { totals: Totals }) {
  if (spend.length === 0) return <>–</>;
  return (
    <span class="lines">
      {spend.map(({ currency, amount }) => (
        <Figure key={currency}>{money(amount, currency)}</Figure>
      ))}
    </span>
  );
}

/** The failure codes with their numbers of orders, and a link to the failed orders. */
function Failures({ totals: { failures }, dates }: { totals: Totals; dates: Dates }) {
  if (failures.length === 0) return <>none</>;
  return (
    <span class="lines">
      {failures.map(({ code, orders }) => (
        <a key={code} href={hrefOf('orders', { ...dates, status: code === 'CANCELLED' ? 'CANCELLED' : 'FAILED' })}>
          {words(code)}: {orders.toLocaleString('en')}
        </a>
      ))}
    </span>
  );
}
