import { send } from '../api';
import { familiesOf, familyViews, mayOrder, statusesOf } from '../families';
import { dateValue, money, startOfDay, words, zone } from '../../../parts/src/format';
import { useLive, type Live } from '../live';
import { useLoaded } from '../../../parts/src/loading';
import { At, Empty, Figure, Progress, Row, Status, Table, Tabs } from '../../../parts/src/basics';
import { filterIn, Filters, type FilterField, type FilterValues } from '../parts/filters';
import { hrefOf, queryText } from '../route';
import type { Feature, LiveOrder, OrderPart, Session } from '../types';

const PER_PAGE = 25;

type Name = 'status' | 'search' | 'product' | 'from' | 'to';
type Filter = FilterValues<Name>;

function fieldsOf(feature: Feature | undefined): FilterField<Name>[] {
  return [
    { name: 'status', label: 'Status', options: statusesOf(feature).map((each) => [each, words(each)]) },
    {
      name: 'search',
      label: 'Order id or client reference',
      hint: 'The beginning of the reference is enough',
    },
    { name: 'product', label: 'Product', hint: 'A part of its name' },
    { name: 'from', label: 'From', hint: `Days in ${zone()}`, type: 'date' },
    { name: 'to', label: 'To', hint: `Today is ${dateValue(new Date())}`, type: 'date' },
  ];
}

interface OrdersProps {
  /** Undefined for the orders of every family. */
  feature: Feature | undefined;
  query: URLSearchParams;
  session: Session;
}

/** The orders of the account, kept current by the stream. */
export function OrdersPage({ feature, query, session }: OrdersProps) {
  const live = useLive();
  const fields = fieldsOf(feature);
  const filter = filterIn(fields, query);
  const after = query.get('after') ?? '';
  const wanted = wantedOf(feature, filter);
  const path = `/api/orders?${queryText({ ...wanted, after, limit: String(PER_PAGE) })}`;
  const orders = useLoaded(() => send<OrderPart>(path), path, live.cutAt);
  const shown = withLive(orders.data?.orders ?? [], live, { feature, filter, isFirst: after === '' });
  const isFiltered = Object.keys(wanted).length > 0;
  return (
    <>
      <div class="section-head">
        <Tabs label="Families" tabs={tabsOf(feature, filter, session)} />
        {mayOrder(session) && (
          <a class="button primary" href={hrefOf('new')}>
            New order
          </a>
        )}
      </div>
      <Filters
        fields={fields}
        filter={filter}
        hrefOf={(chosen) => hrefOf(pathOf(feature), chosen)}
        rejection={orders.rejection}
      />
      <Progress of={orders} />
      {orders.data && shown.length === 0 && (
        <NoOrders session={session} isFiltered={isFiltered || after !== ''} />
      )}
      {shown.length > 0 && <OrderTable orders={shown} />}
      <div class="buttons">
        <Pages feature={feature} filter={filter} after={after} next={orders.data?.next ?? null} />
        {shown.length > 0 && (
          <a href={`/console/api/orders.csv?${queryText(wanted)}`} download>
            Export {isFiltered ? 'the filtered orders' : 'all orders'} as CSV
          </a>
        )}
      </div>
    </>
  );
}

function tabsOf(current: Feature | undefined, filter: Filter, session: Session) {
  const families = familiesOf(session).map(({ feature, name }) => ({ feature, name }));
  return [{ feature: undefined, name: 'All' }, ...families].map(({ feature, name }) => ({
    name,
    href: hrefOf(pathOf(feature), filter),
    isCurrent: feature === current,
  }));
}

function pathOf(feature: Feature | undefined): string {
  return feature === undefined ? 'orders' : `orders/${feature}`;
}

function NoOrders({ isFiltered, session }: { isFiltered: boolean; session: Session }) {
  return isFiltered ? (
    <Empty what="No order matches the filter.">
      <a href={hrefOf('orders')}>Show all orders</a>
    </Empty>
  ) : (
    <Empty what="No orders yet.">
      {mayOrder(session) && <a href={hrefOf('new')}>Place the first one</a>}
    </Empty>
  );
}

function OrderTable({ orders }: { orders: readonly LiveOrder[] }) {
  return (
    <Table
      caption="Orders, newest first"
      numbers={['Amount']}
      columns={['Order', 'Family', 'Product', 'Status', 'Amount', 'Reference', 'Placed']}
    >
      {orders.map((order) => (
        <Row
          key={order.id}
          data-order={order.id}
          cells={[
            <a href={hrefOf(`orders/${order.family}/${order.id}`)}>{order.id}</a>,
            familyViews.find(({ feature }) => feature === order.family)?.one,
            order.product_name,
            <Status of={order.status} />,
            <Figure>{money(order.amount, order.currency)}</Figure>,
            order.client_reference !== undefined && <span class="cut">{order.client_reference}</span>,
            <At time={order.placed_at} />,
          ]}
        />
      ))}
    </Table>
  );
}

interface PagesProps {
  feature: Feature | undefined;
  filter: Filter;
  after: string;
  next: number | null;
}

function Pages({ feature, filter, after, next }: PagesProps) {
  if (after === '' && next === null) return null;
  return (
    <nav class="buttons" aria-label="Pages of orders">
      {after !== '' && <a href={hrefOf(pathOf(feature), filter)}>Newest</a>}
      {next !== null && <a href={hrefOf(pathOf(feature), { ...filter, after: next })}>Older</a>}
    </nav>
  );
}

/** The conditions as the API reads them, without empty ones. `to` includes its day. */
function wantedOf(feature: Feature | undefined, filter: Filter): Record<string, string> {
  const { status, search, product, from, to } = filter;
  const all = {
    family: feature ?? '',
    status,
    search: search.trim(),
    product: product.trim(),
    from: startOfDay(from)?.toISOString() ?? '',
    to: startOfDay(to, 1)?.toISOString() ?? '',
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''));
}

interface Listed {
  feature: Feature | undefined;
  filter: Filter;
  /** Whether the newest orders are shown. */
  isFirst: boolean;
}

/** Returns the rows with their current status. Before the newest rows, adds the orders that were placed since the list was read. */
function withLive(rows: readonly LiveOrder[], live: Live, listed: Listed): LiveOrder[] {
  const current = rows.map((row) => ({ ...row, status: live.orderById.get(row.id)?.status ?? row.status }));
  const newest = Math.max(0, ...rows.map(({ id }) => id));
  const added = [...live.orderById.values()]
    .filter((order) => listed.isFirst && order.id > newest && isListed(order, listed))
    .sort((one, other) => other.id - one.id);
  return [...added, ...current];
}

function isListed(order: LiveOrder, { feature, filter }: Listed): boolean {
  const { status, search, product } = filter;
  const [from, end] = [startOfDay(filter.from), startOfDay(filter.to, 1)];
  const placedAt = Date.parse(order.placed_at ?? '');
  return [
    feature === undefined || order.family === feature,
    status === '' || order.status === status,
    search.trim() === '' ||
      String(order.id) === search.trim() ||
      order.client_reference?.startsWith(search.trim()) === true,
    order.product_name.toLowerCase().includes(product.trim().toLowerCase()),
    from === undefined || placedAt >= from.getTime(),
    end === undefined || placedAt < end.getTime(),
  ].every(Boolean);
}
