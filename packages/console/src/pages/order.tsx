import { useState } from 'preact/hooks';
import { api, send } from '../api';
import { mayOrder, type FamilyView } from '../families';
import { moment, money, words } from '../../../parts/src/format';
import { useLive } from '../live';
import { useLoaded } from '../../../parts/src/loading';
import { PriceLine, type PriceStep } from '../../../parts/src/price-line';
import { Action, Copyable, Facts, Progress, Row, Status, Table } from '../../../parts/src/basics';
import { Profile } from '../parts/esim-profile';
import { Recharge } from '../parts/esim-recharge';
import { UsedData } from '../parts/esim-usage';
import { Field, Form } from '../../../parts/src/form';
import { OrderTimeline } from '../parts/order-timeline';
import { Refunds } from '../parts/refunds';
import { Claims } from '../parts/claims';
import { hrefOf } from '../route';
import type { Order, Session, Voucher } from '../types';

/** The vouchers that the page shows first. */
const FIRST_VOUCHERS = 25;

/** One order. The page reads the order again when the stream reports one of its events. */
export function OrderPage({ family, id, session }: { family: FamilyView; id: number; session: Session }) {
  const { events, attempts, cutAt } = useLive();
  const own = new Set(events.filter((event) => event.order_id === id).map((event) => event.id));
  const attemptCount = attempts.filter((attempt) => own.has(attempt.event_id)).length;
  const [changeCount, setChangeCount] = useState(0);
  const changed = () => setChangeCount((before) => before + 1);
  const version = own.size + cutAt + changeCount;
  const path = `${family.orders}/${id}`;
  const order = useLoaded(() => api<Order>(path), path, version);
  const { data } = order;
  if (!data) return <Progress of={order} />;
  const isEsim = family.feature === 'esim' && data.status === 'DELIVERED';
  return (
    <>
      <p class="status-line">
        <Status of={data.status} /> <span>{data.message ?? data.status_text}</span>
      </p>
      {data.vouchers && data.vouchers.length > 0 && <Vouchers id={id} vouchers={data.vouchers} />}
      {isEsim && <Profile order={data} />}
      {isDelivered(data) && (
        <Claims family={family} order={data} version={version} canFile={mayOrder(session, [family])} />
      )}
      <OrderFacts order={data} family={family} />
      {!data.replaces && <Price id={id} />}
      {data.refunded_amount > 0 && <Refunds order={path} version={version} />}
      {isEsim && data.is_installed && mayOrder(session, [family]) && <Recharge family={family} order={data} />}
      {isEsim && <UsedData order={data} version={version} />}
      {session.mode === 'sandbox' && <SandboxControls family={family} order={data} changed={changed} />}
      <OrderTimeline id={id} version={own.size + attemptCount + cutAt + changeCount} changed={changed} />
      <p>
        <a href={hrefOf('orders')}>All orders</a>
      </p>
    </>
  );
}

/** Whether the order may have goods to claim. A failed order may have delivered vouchers. */
function isDelivered({ status, vouchers }: Order): boolean {
  return status === 'DELIVERED' || (vouchers?.length ?? 0) > 0;
}

function OrderFacts({ order, family }: { order: Order; family: FamilyView }) {
  const { charged_currency: currency, denomination } = order;
  const input = Object.entries(order.input_data ?? {}).map(([name, value]) => [words(name), value] as const);
  return (
    <div class="card">
      <Facts
        of={[
          ['Product', <ProductLink order={order} family={family} />],
          ['Variant', order.variant_name],
          ['Quantity', order.quantity],
          ['Face value', denomination && money(denomination, order.base_currency ?? currency)],
          ...input,
          ['Charged', money(order.charged_amount, currency)],
          ['Refunded', order.refunded_amount > 0 ? money(order.refunded_amount, currency) : undefined],
          ['Replaces', order.replaces && <OrderLink id={order.replaces.order_id} family={family} />],
          [
            'Replaced by',
            order.replacements?.map(({ order_id: other }) => <OrderLink key={other} id={other} family={family} />),
          ],
          ['Recharges', order.recharges && <OrderLink id={order.recharges.order_id} family={family} />],
          [
            'Recharged by',
            order.recharged_by?.map(({ order_id: other }) => <OrderLink key={other} id={other} family={family} />),
          ],
          ['Why it failed', order.failure_reason],
          ['Failure code', order.failure_code],
          ['What to do', remedyOf(order)],
          ['Client reference', order.client_reference],
          ['Transaction', order.transaction_id],
          ['Notification email', order.email],
          ['Placed', moment(order.placed_at ?? order.created_at)],
          ['Completed', moment(order.completed_at)],
        ]}
      />
    </div>
  );
}

/** How the price was made. */
function Price({ id }: { id: number }) {
  const path = `/api/orders/${id}/price`;
  const { data } = useLoaded(() => send<{ steps: PriceStep[] }>(path), path);
  if (!data) return null;
  return (
    <section aria-labelledby="price">
      <h2 id="price">How the price was made</h2>
      <PriceLine steps={data.steps} />
    </section>
  );
}

function OrderLink({ id, family }: { id: number; family: FamilyView }) {
  return <a href={hrefOf(`orders/${family.feature}/${id}`)}>Order {id} </a>;
}

function ProductLink({ order, family }: { order: Order; family: FamilyView }) {
  const { product_id: id, product_name: name } = order;
  return id === undefined ? <>{name}</> : <a href={hrefOf(`products/${family.feature}/${id}`)}>{name}</a>;
}

function remedyOf({ is_user_fixable: isFixable }: Order): string | undefined {
  if (isFixable === undefined) return undefined;
  return isFixable ? 'The customer can correct it and order again' : 'The customer cannot correct it';
}

function Vouchers({ id, vouchers }: { id: number; vouchers: readonly Voucher[] }) {
  const [areShown, setAreShown] = useState(false);
  const [areAll, setAreAll] = useState(false);
  const listed = areAll ? vouchers : vouchers.slice(0, FIRST_VOUCHERS);
  const secret = (text: string | null, label: string) => {
    if (text === null) return null;
    return areShown ? <Copyable label={label} text={text} /> : 'Hidden';
  };
  return (
    <section aria-labelledby="vouchers">
      <div class="section-head">
        <h2 id="vouchers">Vouchers</h2>
        <div class="buttons">
          <a href={`/console/api/orders/${id}/codes.csv`} download>
            Download the codes as CSV
          </a>
          <button type="button" onClick={() => setAreShown(!areShown)}>
            {areShown ? 'Hide codes' : 'Show codes'}
          </button>
        </div>
      </div>
      <Table
        caption="Vouchers of the order"
        isCaptionHidden
        columns={['No.', 'Code', 'PIN', 'Link', 'Expires', 'Reference']}
      >
        {listed.map((voucher, index) => (
          <Row
            key={index}
            cells={[
              index + 1,
              secret(voucher.card_number, `code ${index + 1}`),
              secret(voucher.pin_code, `PIN ${index + 1}`),
              secret(voucher.claim_url, `link ${index + 1}`),
              moment(voucher.expires_at),
              voucher.voucher_reference_number,
            ]}
          />
        ))}
      </Table>
      {listed.length < vouchers.length && (
        <button type="button" onClick={() => setAreAll(true)}>
          Show all {vouchers.length}
        </button>
      )}
    </section>
  );
}

const profileChanges = [
  { change: 'install', name: 'Install', from: 'NOT_INSTALLED' },
  { change: 'deplete', name: 'Use up', from: 'ACTIVE' },
  { change: 'expire', name: 'End the validity', from: 'ACTIVE' },
];

interface SandboxControlsProps {
  family: FamilyView;
  order: Order;
  changed: () => void;
}

/** Buttons for what the customer or the supplier does in production. */
function SandboxControls({ family, order, changed }: SandboxControlsProps) {
  const post = (path: string, body?: object) => async () => {
    await api(path, { method: 'POST', ...(body && { body }) });
    changed();
  };
  const isOpen = ['PENDING', 'PARTIALLY_DELIVERED'].includes(order.status);
  const changes = profileChanges.filter(({ from }) => family.feature === 'esim' && from === order.activation_status);
  if (!isOpen && changes.length === 0) return null;
  return (
    <section aria-labelledby="sandbox">
      <h2 id="sandbox">Sandbox</h2>
      {family.feature === 'esim' && order.activation_status === 'ACTIVE' && (
        <DataUse use={(megabytes) => post(`/sandbox/esims/${order.id}/use`, { megabytes })()} />
      )}
      <div class="buttons">
        {changes.map(({ change, name }) => (
          <Action key={change} run={post(`/sandbox/esims/${order.id}/${change}`)}>
            {name}
          </Action>
        ))}
        {isOpen && (
          <Action
            kind="danger"
            run={post(`/sandbox/orders/${order.id}/cancel`)}
            confirm={{
              title: `Cancel order ${order.id}?`,
              text: 'The order ends, and what is not delivered is refunded. This cannot be undone.',
            }}
          >
            Cancel the order
          </Action>
        )}
      </div>
    </section>
  );
}

/** Uses data as the device of the customer would. */
function DataUse({ use }: { use: (megabytes: number) => Promise<void> }) {
  const [text, setText] = useState('100');
  return (
    <Form class="filters" kind="plain" button="Use data" submit={() => use(Number(text))}>
      <Field name="megabytes" label="Megabytes">
        {(ids) => (
          <input {...ids} inputMode="numeric" value={text} onInput={(event) => setText(event.currentTarget.value)} />
        )}
      </Field>
    </Form>
  );
}
