import { familiesOf, familyViews, mayOrder, statusesOf } from '../families';
import { dateValue, money, startOfDay, words, zone } from '../../../parts/src/format';
import { useLive, type Live } from '../live';
import { At, Empty, Figure, Status, Tabs } from '../../../parts/src/basics';
import { filterIn, type FilterField, type FilterValues } from '../parts/filters';
import { List } from '../parts/list';
import { useRows } from '../parts/rows';
import { hrefOf, queryText } from '../route';
import type { Feature, LiveOrder, OrderPart, Session } from '../types';

type Name = 'status' | 'search' | 'product' | 'from' | 'to';
type Filter = FilterValues<Name>;

function fieldsOf(feature: Feature | undefined): FilterField<Name>[] {
  return [
    { name: 'status', label: 'Status', options: statusesOf(feature).map((each) => [each, words(each)]) },
    { name: 'search', label: 'Order id or client reference', isMain: true },
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
  const wanted = wantedOf(feature, filter);
  const orders = useRows({
    path: '/api/orders',
    query: wanted,
    by: 'after',
    itemsIn: (part: OrderPart) => part.orders,
    version: live.cutAt,
  });
  const shown = withLive(orders.data ?? [], live, { feature, filter });
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
      <List
        name="orders"
        caption="Orders, newest first"
        fields={fields}
        filter={filter}
        hrefOf={(chosen) => hrefOf(pathOf(feature), chosen)}
        loaded={orders}
        items={shown}
        keyOf={({ id }) => id}
        attributesOf={({ id }) => ({ 'data-order': id })}
        columns={columns}
        numbers={['Units', 'Amount']}
        hidden={['Units']}
        empty={<NoOrders session={session} isFiltered={isFiltered} />}
        file={`orders.csv?${queryText(wanted)}`}
        fileText={`Export ${isFiltered ? 'the filtered orders' : 'all orders'} as CSV`}
      />
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
    <Empty what="No orders yet.">{mayOrder(session) && <a href={hrefOf('new')}>Place the first one</a>}</Empty>
  );
}

const columns = {
  Order: ({ family, id }: LiveOrder) => <a href={hrefOf(`orders/${family}/${id}`)}>{id}</a>,
  Family: ({ family }: LiveOrder) => familyViews.find(({ feature }) => feature === family)?.one,
  Product: ({ product_name: name }: LiveOrder) => name,
  Status: ({ status }: LiveOrder) => <Status of={status} />,
  Units: ({ quantity, delivered_quantity: delivered }: LiveOrder) => `${delivered} of ${quantity}`,
  Amount: ({ amount, currency }: LiveOrder) => <Figure>{money(amount, currency)}</Figure>,
  Reference: ({ client_reference: reference }: LiveOrder) =>
    reference !== undefined && <span class="cut">{reference}</span>,
  Placed: ({ placed_at: placedAt }: LiveOrder) => <At time={placedAt} />,
};

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
}

/** Returns the rows with their current status. Before the newest rows, adds the orders that were placed since the list was read. */
function withLive(rows: readonly LiveOrder[], live: Live, listed: Listed): LiveOrder[] {
  const current = rows.map((row) => ({ ...row, status: live.orderById.get(row.id)?.status ?? row.status }));
  const newest = Math.max(0, ...rows.map(({ id }) => id));
  const added = [...live.orderById.values()]
    .filter((order) => order.id > newest && isListed(order, listed))
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
