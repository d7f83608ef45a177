/** An order: what it waits for, its money, what can be done, and its story. */
import { useState } from 'preact/hooks';
import { Facts, Figure, Progress, Row, Status, Table } from '../../../parts/src/basics';
import { Fold } from '../../../parts/src/fold';
import { moment, money, words } from '../../../parts/src/format';
import { PriceLine, type PriceStep } from '../../../parts/src/price-line';
import { featureOf } from '../families';
import { Entries, type AttentionEntry } from '../parts/attention-entries';
import { ClaimList } from '../parts/claim-list';
import { pageText } from '../parts/page-text';
import { Do } from '../parts/do';
import type { Action } from '../parts/offered';
import { useSaid } from '../parts/said';
import { useReading, useTicks } from '../reading';
import { hrefOf, hrefWith } from '../route';

interface Story {
  order: {
    id: number;
    workflow_id: string;
    family: string;
    status: string;
    client_id: number;
    client: string;
    client_reference: string | null;
    product_id: number;
    product_name: string;
    country_code: string | null;
    quantity: number;
    delivered_quantity: number;
    wallet_id: number;
    failure_code: string | null;
    placed_at: string;
    completed_at: string | null;
    api_key: string | null;
    request_id: string | null;
    replaces_order_id: number | null;
    recharges_order_id: number | null;
    recharge_order_ids: number[];
    replaces_unit: number | null;
  };
  waits_for: string | null;
  money: Money;
  hidden: string[];
  timeline: StoryEntry[];
  purchases: Purchase[];
  attention: AttentionEntry[];
  actions: Action[];
}

interface Money {
  currency: string;
  /** Where the money is now. */
  now: string;
  /** Empty for an order that replaces a unit. */
  steps: PriceStep[];
  terms: { step: PriceStep['step']; text: string; audit: { object: string; since: string; until: string } | null }[];
  debited: string;
  redeemed: string | null;
  refunded: string;
  kept: string | null;
  refund_due: string | null;
  entries: { kind: string; amount: string; currency: string; at: string }[];
  cost: string | null;
  margin: string | null;
  currency_difference: string | null;
}

interface StoryEntry {
  at: string;
  kind: string;
  text: string;
  detail: string | null;
  changed: string | null;
  by: string | null;
}

interface Purchase {
  reference: string;
  supplier: string;
  sku: string;
  state: string;
  units: number;
  stored: number;
  cost: string | null;
  cost_currency: string | null;
  why: string | null;
  supplier_order_id: string | null;
  failure_code: string | null;
}

/** How often the page of an open order is read again. */
const REFRESH_MS = 10_000;

/** The same while an action of the person goes on, and for some time after it: what it began may take seconds. */
const WATCH_MS = 1_000;
const WATCHED_FOR_MS = 30_000;

/** How long the page of an order that has ended is read again: what a person did is in the audit a minute later. */
const AUDITED_AFTER_MS = 120_000;

export function OrderPage({ id }: { id: number }) {
  const [changes, setChanges] = useState(0);
  const { isBusy } = useSaid();
  const [watchedUntil, setWatchedUntil] = useState(0);
  const ticks = useTicks(isBusy || Date.now() < watchedUntil ? WATCH_MS : REFRESH_MS);
  const [isOver, setIsOver] = useState(false);
  const story = useReading<Story>('orders story', { order: id }, { version: changes, ticks: isOver ? 0 : ticks });
  const { data } = story;
  if (!data) return <Progress of={story} />;
  const { order, waits_for: wait, hidden, purchases, attention, timeline } = data;
  const ended = Date.parse(order.completed_at ?? order.placed_at);
  const isDone = wait === null && Date.now() - ended > AUDITED_AFTER_MS;
  if (isOver !== isDone) setIsOver(isDone);
  const changed = () => {
    setChanges((before) => before + 1);
    setWatchedUntil(Date.now() + WATCHED_FOR_MS);
  };
  return (
    <>
      <p class="status-line">
        <Status of={order.status} /> <span>{waitText(wait, attention.length > 0)}</span>
      </p>
      <Actions story={data} changed={changed} />
      {attention.length > 0 && (
        <section aria-labelledby="needs">
          <h2 id="needs">Needs a person</h2>
          <Entries entries={attention} changed={changed} />
        </section>
      )}
      <div class="story">
        <div class="side">
          <OrderFacts order={order} />
          <MoneyFacts money={data.money} hidden={hidden} />
        </div>
        <Timeline entries={timeline} />
      </div>
      {purchases.length > 0 && <Purchases purchases={purchases} />}
      {order.delivered_quantity > 0 && (
        <ClaimList title="Claims" given={{ order: id }} actions={['claims open']} onChanged={changed} />
      )}
    </>
  );
}

/** What role and state allow, and the links to what the order is elsewhere. */
function Actions({ story: { order, actions }, changed }: { story: Story; changed: () => void }) {
  const given = { order: order.id };
  return (
    <div class="buttons" role="group" aria-label="Actions">
      {actions.map(({ operation, arguments: values, choices }) => (
        <Do key={operation} operation={operation} given={values} choices={choices} done={changed} />
      ))}
      {order.family === 'ESIM' && order.delivered_quantity > 0 && <Do operation="esims show" given={given} />}
      <Do operation="orders show" given={given} />
      <a class="button" href={hrefOf('workflows', order.workflow_id)} target="_blank" rel="noopener">
        Workflow in the Temporal UI
      </a>
    </div>
  );
}

function OrderFacts({ order }: { order: Story['order'] }) {
  return (
    <div class="card">
      <Facts
        of={[
          [
            'Product',
            <a href={hrefOf('catalogue', 'products', featureOf(order.family), order.product_id)}>
              {order.product_name}
            </a>,
          ],
          ['Country', order.country_code],
          ['Replaces', replaced(order)],
          ['Recharges', order.recharges_order_id && orderLink(order.recharges_order_id)],
          ['Recharged by', order.recharge_order_ids.map(orderLink)],
          ['Units delivered', `${order.delivered_quantity} of ${order.quantity}`],
          ['Client', <a href={hrefOf('clients', order.client_id)}>{order.client}</a>],
          ['Client reference', order.client_reference],
          ['Failure', order.failure_code && words(order.failure_code)],
          ['Placed', moment(order.placed_at)],
          ['Completed', moment(order.completed_at)],
          ['API key', order.api_key],
          ['Request', order.request_id],
        ]}
      />
    </div>
  );
}

const orderLink = (id: number) => (
  <a key={id} href={hrefOf('orders', id)}>
    order {id}{' '}
  </a>
);

/** Why the order waits. What needs a person is on the page with its reason. */
function waitText(wait: string | null, needsPerson: boolean): string {
  if (wait === null) return 'Nothing is left to do.';
  return needsPerson ? 'Waits for a person: see below.' : pageText(wait);
}

/** The unit that the order replaces. */
function replaced({ replaces_order_id: replacedId, replaces_unit: unit }: Story['order']) {
  if (replacedId === null) return undefined;
  return (
    <>
      {unit === null ? 'The unit' : `Unit ${unit}`} of <a href={hrefOf('orders', replacedId)}>order {replacedId}</a>
    </>
  );
}

/** How the price was made and by whom, where the money is, and what the order left. */
function MoneyFacts({ money: of, hidden }: { money: Money; hidden: readonly string[] }) {
  const amount = (value: string | null) => (value === null ? undefined : money(value, of.currency));
  const entryOf = (step: PriceStep['step']) => {
    const audit = of.terms.find((term) => term.step === step)?.audit;
    return audit ? hrefWith({ ...audit }, 'audit') : undefined;
  };
  return (
    <section aria-labelledby="money">
      <h2 id="money">Money</h2>
      <div class="card">
        {of.steps.length > 0 && <PriceLine steps={of.steps} hrefOf={entryOf} />}
        {of.terms.map(({ step, text }) => (
          <p key={step} class="quiet">
            {pageText(text)}
          </p>
        ))}
        <p>
          <strong>{pageText(of.now)}</strong>
        </p>
        <Facts
          of={[
            ['Paid by a voucher of', amount(of.redeemed)],
            ['Charged', amount(of.debited)],
            ['Refunded', amount(of.refunded)],
            ['Refund that is due', amount(of.refund_due)],
            ['Kept', amount(of.kept)],
            ['Cost', amount(of.cost)],
            ['Margin', amount(of.margin)],
            ['Currency difference', amount(of.currency_difference)],
          ]}
        />
        {of.entries.length > 0 && (
          <Fold title="Entries of the ledger">
            <Facts
              of={of.entries.map((entry) => [
                `${words(entry.kind)}, ${moment(entry.at)}`,
                <Figure>{money(entry.amount, entry.currency)}</Figure>,
              ])}
            />
          </Fold>
        )}
        {hidden.map((sentence) => (
          <p key={sentence} class="quiet">
            {sentence}
          </p>
        ))}
      </div>
    </section>
  );
}

function Timeline({ entries }: { entries: readonly StoryEntry[] }) {
  return (
    <section aria-labelledby="timeline">
      <h2 id="timeline">What happened</h2>
      <ol class="timeline card">
        {entries.map(({ at, kind, text, detail, changed, by }, index) => (
          <li key={index} data-kind={kind}>
            <time dateTime={at}>{moment(at)}</time>
            <span>
              {pageText(text)}
              {by !== null && !text.startsWith(by) && !text.endsWith(` by ${by}.`) && (
                <span class="quiet"> · {by}</span>
              )}
              {detail !== null && <span class="detail quiet">{pageText(detail)}</span>}
              {changed !== null && <span class="detail quiet">{pageText(changed)}</span>}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

const costOf = ({ cost, cost_currency: currency }: Purchase) =>
  cost !== null && currency !== null && money(String(cost), currency);

function Purchases({ purchases }: { purchases: readonly Purchase[] }) {
  return (
    <Table
      caption="Purchases"
      numbers={['Units', 'Cost']}
      columns={['Our reference', 'State', 'Supplier', 'SKU', 'Units', 'Cost', "Supplier's id", 'Failure', 'Why']}
    >
      {purchases.map((each) => (
        <Row
          key={each.reference}
          cells={[
            <code>{each.reference}</code>,
            <Status of={each.state} />,
            <a href={hrefOf('suppliers', each.supplier)}>{each.supplier}</a>,
            each.sku,
            <Figure>
              {each.stored} of {each.units}
            </Figure>,
            each.cost !== null && <Figure>{costOf(each)}</Figure>,
            each.supplier_order_id,
            each.failure_code !== null && words(each.failure_code),
            each.why !== null && pageText(each.why),
          ]}
        />
      ))}
    </Table>
  );
}
