/** The start page: what needs a person, what goes wrong, and how the day goes. Any day before is one click away. */
import { BarRows } from '../../../parts/src/bar-rows';
import { Empty, Figure, Figures, Progress, Row, Status, Table, Tabs } from '../../../parts/src/basics';
import { Chart } from '../../../parts/src/chart';
import { DAY_MS, dayOf, dayOfYear, moment, money, utcDay, words } from '../../../parts/src/format';
import { useOperation } from '../office';
import { codeInWords, secondsText } from '../parts/cells';
import { pageText } from '../parts/page-text';
import { Sum } from '../parts/parts-link';
import { useReading, useTicks } from '../reading';
import { go, hrefOf, hrefWith } from '../route';
import { WaitingApprovals } from './approvals';

interface Money {
  currency: string;
  sold: string;
  cost: string | null;
  margin: string | null;
  margin_percent: string | null;
  orders_with_unknown_cost: number | null;
}

interface Numbers {
  /** Those that ended. */
  orders: number;
  delivered: number;
  failed: number;
  delivered_percent: string | number | null;
  median_seconds: number | null;
  money: Money[];
}

interface FamilyToday extends Numbers {
  family: string;
  open: number;
  cancelled: number;
}

export interface SupplierToday extends Numbers {
  supplier: string;
  environment: string | null;
  spend: { currency: string; amount: string }[];
  health: string;
  paused: string[];
  circuits_open: string[];
  blocked_since: string | null;
  failing_calls: string[];
  balances: { currency: string; amount: string; read_at: string; days_left: string | number | null; is_low: boolean }[];
}

export interface TodayResult {
  since: string;
  at: string;
  families: FamilyToday[];
  suppliers: SupplierToday[];
  attention: {
    entries: number;
    taken: number;
    oldest_since: string | null;
    by_kind: { kind: string; entries: number }[];
  };
  hidden: string[];
}

/** One hour of a day, with its orders. */
interface Hour {
  hour: string;
  orders: number;
  failed: number;
}

interface Counts {
  hours: Hour[];
  clients: {
    client_id: number | null;
    client: string | null;
    currency: string | null;
    orders: number;
    spent: string | null;
  }[];
  suppliers: { supplier: string; p50: number; p95: number; hours: { hour: string; p50: number; p95: number }[] }[];
}

interface DayReport {
  from: string;
  to: string;
  now: Counts;
  week_before: Counts;
}

const REFRESH_MS = 60_000;

const yesterday = () => utcDay(1);

/** Whether the text is a day before today, as the address has it. */
export function isDay(text: string | null): text is string {
  return text !== null && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) && text < utcDay(0);
}

export function dayTitle(day: string): string {
  return day === yesterday() ? 'Yesterday' : dayOf(Date.parse(`${day}T12:00:00`));
}

/** How today goes, or how another day went. */
export function TodayPage({ day }: { day?: string }) {
  const has = useOperation('today') !== undefined;
  return (
    <>
      <Days day={day} />
      {day === undefined && <WaitingApprovals />}
      {has && <Day day={day} />}
    </>
  );
}

/** The days before, each one click away. */
function Days({ day }: { day: string | undefined }) {
  return (
    <div class="section-head">
      <Tabs
        label="Days"
        tabs={[
          { name: 'Today', href: hrefOf(), isCurrent: day === undefined },
          ...Array.from({ length: 6 }, (_, index) => utcDay(index + 1)).map((each) => ({
            name: each === yesterday() ? 'Yesterday' : dayOfYear(Date.parse(`${each}T12:00:00`)),
            href: hrefWith({ day: each }),
            isCurrent: each === day,
          })),
        ]}
      />
      <label class="day">
        <span class="unseen">Another day</span>
        <input
          type="date"
          max={yesterday()}
          value={day ?? ''}
          onChange={({ currentTarget: { value } }) => {
            if (isDay(value)) go(hrefWith({ day: value }));
          }}
        />
      </label>
    </div>
  );
}

function Day({ day }: { day: string | undefined }) {
  const ticks = useTicks(REFRESH_MS);
  const values = day === undefined ? {} : { day };
  const today = useReading<TodayResult>('today', values, { ticks: day === undefined ? ticks : 0 });
  const { data } = today;
  return (
    <>
      <Progress of={today} />
      {data && day === undefined && <NeedsPerson attention={data.attention} />}
      {data && <GoesWrong today={data} isToday={day === undefined} />}
      <section aria-labelledby="how">
        <h2 id="how">{day === undefined ? 'How the day goes' : 'How the day went'}</h2>
        {data && <Headline today={data} isToday={day === undefined} />}
        <Course day={day} ticks={ticks} />
      </section>
      {data && (
        <>
          <Families today={data} isToday={day === undefined} />
          <Suppliers today={data} />
          {data.hidden.map((sentence) => (
            <p key={sentence} class="quiet">
              {sentence}
            </p>
          ))}
        </>
      )}
    </>
  );
}

/** What waits for a person, by kind, the most first. */
function NeedsPerson({
  attention: { entries, taken, oldest_since: oldest, by_kind: kinds },
}: Pick<TodayResult, 'attention'>) {
  return (
    <section aria-labelledby="person">
      <div class="section-head">
        <h2 id="person">Needs a person</h2>
        {entries > 0 && (
          <a class="button primary" href={hrefOf('attention')}>
            Work through {entries.toLocaleString('en')}
          </a>
        )}
      </div>
      {entries === 0 ? (
        <Empty what="Nothing needs a person.">What waits for a decision appears here.</Empty>
      ) : (
        <ul class="tiles">
          {kinds.map(({ kind, entries: count }) => (
            <li key={kind}>
              <a class="tile" href={hrefWith({ kind }, 'attention')}>
                <span class="figure">{count.toLocaleString('en')}</span>
                {words(kind)}
              </a>
            </li>
          ))}
        </ul>
      )}
      {oldest !== null && (
        <p class="quiet">
          The oldest waits since {moment(oldest)}.{' '}
          {taken === 0 ? 'None is taken.' : `${taken.toLocaleString('en')} ${taken === 1 ? 'is' : 'are'} taken.`}
        </p>
      )}
    </section>
  );
}

/** Suppliers that cannot sell as they should, and failed orders. */
function GoesWrong({ today: { families, suppliers, since, at }, isToday }: { today: TodayResult; isToday: boolean }) {
  const failed = families.reduce((sum, family) => sum + family.failed, 0);
  const troubled = isToday
    ? suppliers.filter(({ health, balances }) => health !== 'ok' || balances.some(({ is_low: isLow }) => isLow))
    : [];
  return (
    <section aria-labelledby="wrong">
      <h2 id="wrong">{isToday ? 'Goes wrong' : 'Went wrong'}</h2>
      {failed === 0 && troubled.length === 0 ? (
        <p class="status-line">
          <Status of="OK" /> No order failed{isToday && ', and every supplier works'}.
        </p>
      ) : (
        <ul class="wrong">
          {failed > 0 && (
            <li class="status-line">
              <Status of="FAILED" />
              <a href={hrefWith({ from: since, to: at, status: 'failed' }, 'parts')}>
                {failed === 1 ? '1 order' : `${failed.toLocaleString('en')} orders`}
              </a>
            </li>
          )}
          {troubled.map((each) => (
            <li key={each.supplier} class="status-line">
              <Status of={each.health} />
              <a href={hrefOf('suppliers', each.supplier)}>{each.supplier}</a>
              <span>{troublesOf(each).join('; ')}</span>
              <Balances of={{ balances: each.balances.filter(({ is_low: isLow }) => isLow) }} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** Clients that the chart shows. */
const MOST_CLIENTS = 8;

/** The charts of the day, each beside the same hours of a week before. */
function Course({ day, ticks }: { day: string | undefined; ticks: number }) {
  const values = day === undefined ? {} : { day };
  const report = useReading<DayReport>('reports day', values, { ticks: day === undefined ? ticks : 0 });
  if (useOperation('reports day') === undefined) return null;
  if (!report.data) return <Progress of={report} />;
  const { now, week_before: before } = report.data;
  const times = now.hours.map(({ hour }) => Date.parse(hour));
  const sum = (hours: readonly Hour[], of: 'orders' | 'failed') => hours.reduce((total, hour) => total + hour[of], 0);
  const count = (of: 'orders' | 'failed', title: string) => (
    <Chart
      title={title}
      summary={`${sum(now.hours, of)}, beside ${sum(before.hours, of)} in the same hours a week before.`}
      times={times}
      step="hour"
      format={(value) => value.toLocaleString('en', { maximumFractionDigits: 0 })}
      lines={[
        {
          name: day === undefined ? 'Today' : 'That day',
          ink: of === 'failed' ? 'bad' : 'accent',
          values: now.hours.map((hour) => hour[of]),
          isBars: true,
        },
        { name: 'Week before', ink: 'before', values: before.hours.map((hour) => hour[of]) },
      ]}
    />
  );
  return (
    <>
      <div class="charts">
        {count('orders', 'Ended orders')}
        {count('failed', 'Failed orders')}
      </div>
      <div class="charts">
        {now.suppliers.map(({ supplier, p50, p95, hours }) => {
          const earlier = before.suppliers.find((each) => each.supplier === supplier);
          const valuesOf = (
            of: readonly { hour: string; p50: number; p95: number }[],
            which: 'p50' | 'p95',
            shift = 0,
          ) => times.map((time) => of.find(({ hour }) => Date.parse(hour) === time - shift)?.[which] ?? null);
          return (
            <Chart
              key={supplier}
              title={`Delivery by ${supplier}`}
              summary={`Half within ${p50} s, 95 % within ${p95} s; a week before ${earlier?.p50 ?? '–'} s and ${earlier?.p95 ?? '–'} s.`}
              times={times}
              step="hour"
              isSmall
              format={secondsText}
              lines={[
                { name: 'p50', ink: 'accent', values: valuesOf(hours, 'p50') },
                { name: 'p95', ink: 'wait', values: valuesOf(hours, 'p95') },
                { name: 'p95 a week before', ink: 'before', values: valuesOf(earlier?.hours ?? [], 'p95', 7 * DAY_MS) },
              ]}
            />
          );
        })}
        {now.clients.length > 0 && <Spend of={report.data} />}
      </div>
    </>
  );
}

function Spend({ of }: { of: DayReport }) {
  const { now, week_before: before } = of;
  return (
    <BarRows
      title="Spend by client"
      columns={['Client', 'Spent', 'The same hours a week before']}
      rows={now.clients.slice(0, MOST_CLIENTS).map((one) => {
        const { client_id: id, client, currency, spent } = one;
        const earlier =
          before.clients.find((each) => each.client_id === id && each.currency === currency)?.spent ?? '0';
        return {
          key: `${id} ${currency}`,
          name: <a href={hrefOf('clients', id ?? '')}>{client}</a>,
          value: Number(spent),
          before: Number(earlier),
          text: (
            <Sum operation="reports day" rows="now.clients" sum="spent" on={[{ ...of }, { ...now }, { ...one }]}>
              {money(spent ?? '0', currency ?? '')}
            </Sum>
          ),
          beforeText: money(earlier, currency ?? ''),
        };
      })}
    />
  );
}

function Headline({ today: { families, since }, isToday }: { today: TodayResult; isToday: boolean }) {
  const sum = (of: (family: FamilyToday) => number) => families.reduce((total, family) => total + of(family), 0);
  const ended = sum(({ orders }) => orders);
  const [open, delivered] = [sum((family) => family.open), sum((family) => family.delivered)];
  const concluded = delivered + sum(({ failed }) => failed);
  const figures = [
    ['Ended orders', ended.toLocaleString('en'), `since ${moment(since)}, also those that replace a unit`],
    [
      'Delivered',
      concluded === 0 ? '–' : `${Math.floor((delivered * 1_000) / concluded) / 10} %`,
      'of the delivered and failed orders',
    ],
    ['Failed', sum(({ failed }) => failed).toLocaleString('en'), 'and refunded'],
    ...(isToday ? [['Open', open.toLocaleString('en'), 'placed and not ended'] as const] : []),
  ] as const;
  return <Figures of={figures} />;
}

const numbers = [
  'Balance',
  'Ended',
  'Open',
  'Delivered',
  'Failed',
  'Cancelled',
  'Median time',
  'Sold',
  'Spent',
  'Margin',
];

/** Open orders are those of now, so another day has none. */
function Families({ today, isToday }: { today: TodayResult; isToday: boolean }) {
  const link = (sum: 'orders' | 'open', of: FamilyToday) => sumLink('families', sum, today, of);
  return (
    <section aria-labelledby="families">
      <h2 id="families">By family</h2>
      <Table
        caption="Orders by family"
        isCaptionHidden
        numbers={numbers}
        columns={[
          'Family',
          'Ended',
          ...(isToday ? ['Open'] : []),
          'Delivered',
          'Failed',
          'Cancelled',
          'Median time',
          'Sold',
          'Spent',
          'Margin',
        ]}
      >
        {today.families.map((each) => (
          <Row
            key={each.family}
            cells={[
              words(each.family),
              link('orders', each),
              ...(isToday ? [link('open', each)] : []),
              share(each),
              <Figure>{each.failed}</Figure>,
              <Figure>{each.cancelled}</Figure>,
              seconds(each.median_seconds),
              sums(each.money.map(({ currency, sold }) => money(sold, currency))),
              sums(each.money.map(costOf)),
              margins(each.money),
            ]}
          />
        ))}
      </Table>
    </section>
  );
}

function Suppliers({ today }: { today: TodayResult }) {
  return (
    <section aria-labelledby="suppliers">
      <h2 id="suppliers">By supplier</h2>
      <Table
        caption="Orders by supplier"
        isCaptionHidden
        numbers={numbers}
        columns={['Supplier', 'Health', 'Balance', 'Ended', 'Delivered', 'Failed', 'Median time', 'Spent', 'Margin']}
      >
        {today.suppliers.map((each) => (
          <Row
            key={each.supplier}
            cells={[
              <a href={hrefOf('suppliers', each.supplier)}>{each.supplier}</a>,
              <Health of={each} />,
              each.balances.length === 0 ? '–' : <Balances of={each} />,
              sumLink('suppliers', 'orders', today, each),
              share(each),
              <Figure>{each.failed}</Figure>,
              seconds(each.median_seconds),
              sums(each.spend.map(({ currency, amount }) => money(amount, currency))),
              margins(each.money),
            ]}
          />
        ))}
      </Table>
    </section>
  );
}

function Health({ of }: { of: SupplierToday }) {
  return (
    <span class="lines">
      <Status of={of.health} />
      {troublesOf(of).map((trouble) => (
        <span key={trouble} class="quiet">
          {trouble}
        </span>
      ))}
    </span>
  );
}

/** Why the supplier does not sell as it should. */
function troublesOf({ paused, circuits_open: open, failing_calls: failing }: SupplierToday): string[] {
  return [
    paused.length > 0 && `paused: ${paused.map(codeInWords).join(', ')}`,
    open.length > 0 && `circuits open: ${open.map(codeInWords).join(', ')}`,
    failing.length > 0 && `failing: ${failing.map(pageText).join(', ')}`,
  ].filter((detail) => detail !== false);
}

export function Balances({ of: { balances } }: { of: Pick<SupplierToday, 'balances'> }) {
  return (
    <span class="lines">
      {balances.map(({ currency, amount, days_left: days, is_low: isLow }) => (
        <span key={currency}>
          <Figure>{money(amount, currency)}</Figure> {isLow && <span class="tag low">low</span>}
          {days !== null && <span class="quiet"> · {days} days</span>}
        </span>
      ))}
    </span>
  );
}

/** A sum in a row of today, which leads to its parts. */
function sumLink<Name extends string>(rows: string, sum: Name, today: TodayResult, row: { [name in Name]: number }) {
  return (
    <Sum operation="today" rows={rows} sum={sum} on={[{ ...today }, { ...row }]}>
      <Figure>{row[sum]}</Figure>
    </Sum>
  );
}

/** A dash if the role sees none of them: a column of dashes is not shown. */
function sums(of: readonly string[]) {
  if (of.every((sum) => sum === '–')) return '–';
  return (
    <span class="lines">
      {of.map((sum) => (
        <Figure key={sum}>{sum}</Figure>
      ))}
    </span>
  );
}

function share({ delivered, delivered_percent: percent }: Numbers) {
  return <Figure>{percent === null ? delivered : `${delivered} (${percent} %)`}</Figure>;
}

function seconds(median: number | null): string {
  return median === null ? '–' : `${median} s`;
}

/** What the margin says about unknown costs is not said twice. */
function costOf({ currency, cost }: Money): string {
  return cost === null ? '–' : money(cost, currency);
}

function margins(of: readonly Money[]) {
  if (of.every((money) => marginOf(money) === '–')) return '–';
  return (
    <span class="lines">
      {of.map((money) => (
        <span key={money.currency}>
          <Figure>{marginOf(money)}</Figure>
          {money.margin !== null && money.orders_with_unknown_cost ? (
            <span class="detail">without {money.orders_with_unknown_cost} of unknown cost</span>
          ) : null}
        </span>
      ))}
    </span>
  );
}

/** A role that sees no margins gets neither margins nor the number of unknown costs. */
function marginOf({ currency, margin, margin_percent: percent, orders_with_unknown_cost: unknown }: Money): string {
  if (margin === null) return unknown ? `cost unknown (${currency})` : '–';
  return `${money(margin, currency)}${percent === null ? '' : ` (${percent} %)`}`;
}
