/** The start page: who one is, and how today goes. */
import { Facts, Figure, Progress, Row, Status, Table } from '../../../parts/src/basics';
import { moment, words } from '../../../parts/src/format';
import { useOffice, useOperation } from '../office';
import { amountIn, codeInWords } from '../parts/cells';
import { useReading, useTicks } from '../reading';
import { hrefOf } from '../route';
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

interface SupplierToday extends Numbers {
  supplier: string;
  environment: string | null;
  spend: { currency: string; amount: string }[];
  health: string;
  paused: string[];
  circuits_open: string[];
  blocked_since: string | null;
  failing_calls: string[];
  balances: {
    currency: string;
    amount: string;
    read_at: string;
    days_left: string | number | null;
    is_low: boolean;
  }[];
}

interface TodayResult {
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

const REFRESH_MS = 60_000;

export function TodayPage() {
  return (
    <>
      <WhoAmI />
      <WaitingApprovals />
      {useOperation('today') && <Today />}
    </>
  );
}

function Today() {
  const today = useReading<TodayResult>('today', {}, { ticks: useTicks(REFRESH_MS) });
  const { data } = today;
  return (
    <>
      <Progress of={today} />
      {data && (
        <>
          <Headline today={data} />
          <Families families={data.families} />
          <Suppliers suppliers={data.suppliers} />
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

function WhoAmI() {
  const { person, roleMeaning } = useOffice();
  return (
    <section class="card" aria-labelledby="who">
      <h2 id="who">{person.name}</h2>
      <Facts
        of={[
          ['Email address', person.email],
          ['Role', person.role],
          ['What it permits', roleMeaning],
          ['Second factor', person.hasSecondFactor ? 'set up' : 'not set up'],
        ]}
      />
      <div class="buttons">
        <a class="button" href="/temporal/">
          Temporal UI
        </a>
        <a class="button" href="/identity/">
          Sessions and second factor
        </a>
      </div>
    </section>
  );
}

function Headline({ today: { families, attention, since } }: { today: TodayResult }) {
  const sum = (of: (family: FamilyToday) => number) =>
    families.reduce((total, family) => total + of(family), 0);
  const ended = sum(({ orders }) => orders);
  const [open, delivered] = [sum((family) => family.open), sum((family) => family.delivered)];
  const concluded = delivered + sum(({ failed }) => failed);
  const figures = [
    ['Ended orders', ended.toLocaleString('en'), `since ${moment(since)}`],
    [
      'Delivered',
      concluded === 0 ? '–' : `${Math.floor((delivered * 1_000) / concluded) / 10} %`,
      'of the delivered and failed orders',
    ],
    ['Open', open.toLocaleString('en'), 'placed and not ended'],
    [
      'Attention',
      <a href={hrefOf('attention')}>{attention.entries.toLocaleString('en')}</a>,
      attention.oldest_since === null ? 'nothing waits' : `oldest since ${moment(attention.oldest_since)}`,
    ],
  ] as const;
  return (
    <dl class="figures">
      {figures.map(([name, value, more]) => (
        <div key={name} class="card">
          <dt>{name}</dt>
          <dd class="figure">{value}</dd>
          <dd class="quiet">{more}</dd>
        </div>
      ))}
    </dl>
  );
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

function Families({ families }: { families: readonly FamilyToday[] }) {
  return (
    <section aria-labelledby="families">
      <h2 id="families">By family</h2>
      <Table
        caption="Today by family"
        isCaptionHidden
        numbers={numbers}
        columns={[
          'Family',
          'Ended',
          'Open',
          'Delivered',
          'Failed',
          'Cancelled',
          'Median time',
          'Sold',
          'Spent',
          'Margin',
        ]}
      >
        {families.map((each) => (
          <Row
            key={each.family}
            cells={[
              words(each.family),
              <Figure>{each.orders}</Figure>,
              <Figure>{each.open}</Figure>,
              share(each),
              <Figure>{each.failed}</Figure>,
              <Figure>{each.cancelled}</Figure>,
              seconds(each.median_seconds),
              <Sums of={each.money.map(({ currency, sold }) => amountIn(currency, sold))} />,
              <Sums of={each.money.map(costOf)} />,
              <Sums of={each.money.map(marginOf)} />,
            ]}
          />
        ))}
      </Table>
    </section>
  );
}

function Suppliers({ suppliers }: { suppliers: readonly SupplierToday[] }) {
  return (
    <section aria-labelledby="suppliers">
      <h2 id="suppliers">By supplier</h2>
      <Table
        caption="Today by supplier"
        isCaptionHidden
        numbers={numbers}
        columns={[
          'Supplier',
          'Health',
          'Balance',
          'Ended',
          'Delivered',
          'Failed',
          'Median time',
          'Spent',
          'Margin',
        ]}
      >
        {suppliers.map((each) => (
          <Row
            key={each.supplier}
            cells={[
              <a href={hrefOf('suppliers', each.supplier)}>{each.supplier}</a>,
              <Health of={each} />,
              <Balances of={each} />,
              <Figure>{each.orders}</Figure>,
              share(each),
              <Figure>{each.failed}</Figure>,
              seconds(each.median_seconds),
              <Sums of={each.spend.map(({ currency, amount }) => amountIn(currency, amount))} />,
              <Sums of={each.money.map(marginOf)} />,
            ]}
          />
        ))}
      </Table>
    </section>
  );
}

function Health({
  of: { health, paused, circuits_open: open, failing_calls: failing },
}: {
  of: SupplierToday;
}) {
  const details = [
    paused.length > 0 && `paused: ${paused.map(codeInWords).join(', ')}`,
    open.length > 0 && `circuits open: ${open.map(codeInWords).join(', ')}`,
    failing.length > 0 && `failing: ${failing.join(', ')}`,
  ].filter((detail) => detail !== false);
  return (
    <span class="lines">
      <Status of={health} />
      {details.map((detail) => (
        <span key={detail} class="quiet">
          {detail}
        </span>
      ))}
    </span>
  );
}

function Balances({ of: { balances } }: { of: SupplierToday }) {
  if (balances.length === 0) return <>–</>;
  return (
    <span class="lines">
      {balances.map(({ currency, amount, days_left: days, is_low: isLow }) => (
        <span key={currency}>
          <Figure>{amountIn(currency, amount)}</Figure> {isLow && <span class="tag low">low</span>}
          {days !== null && <span class="quiet"> · {days} days</span>}
        </span>
      ))}
    </span>
  );
}

function Sums({ of }: { of: readonly string[] }) {
  if (of.length === 0) return <>–</>;
  return (
    <span class="lines">
      {of.map((sum) => (
        <Figure key={sum}>{sum}</Figure>
      ))}
    </span>
  );
}

function share({ delivered, delivered_percent: percent }: Numbers): string {
  return percent === null ? String(delivered) : `${delivered} (${percent} %)`;
}

function seconds(median: number | null): string {
  return median === null ? '–' : `${median} s`;
}

/** What the margin says about unknown costs is not said twice. */
function costOf({ currency, cost }: Money): string {
  return cost === null ? '–' : amountIn(currency, cost);
}

/** A role that sees no margins gets neither margins nor the number of unknown costs. */
function marginOf({
  currency,
  margin,
  margin_percent: percent,
  orders_with_unknown_cost: unknown,
}: Money): string {
  if (margin === null) return unknown ? `cost unknown (${currency})` : '–';
  const known = `${amountIn(currency, margin)}${percent === null ? '' : ` (${percent} %)`}`;
  return unknown ? `${known}, without ${unknown} of unknown cost` : known;
}
