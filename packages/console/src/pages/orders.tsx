import { useState } from 'preact/hooks';
import { list } from '../api';
import { familyViews, statusesOf, type FamilyView } from '../families';
import { moment, money, words } from '../format';
import { useLive, type Live } from '../live';
import { useLoaded } from '../loading';
import { Failure, Field, Loading, Status, Table, Tabs } from '../parts/basics';
import { go, hrefOf } from '../route';
import type { ListedOrder, LiveOrder, Session } from '../types';

const PER_PAGE = 25;

/** A row of the table, from the list or from the stream. */
interface Row {
  id: number;
  product: string;
  reference: string;
  status: string;
  amount: string;
  placedAt: string;
}

/** The filter of the list; an empty text matches everything. */
interface Filter {
  status: string;
  reference: string;
  page: number;
}

interface OrdersProps {
  family: FamilyView;
  query: URLSearchParams;
  session: Session;
}

/** The orders of a family, kept current by the stream. */
export function OrdersPage({ family, query, session }: OrdersProps) {
  const live = useLive();
  const filter: Filter = {
    status: query.get('status') ?? '',
    reference: query.get('reference') ?? '',
    page: Number(query.get('page') ?? 1),
  };
  const path = `${family.orders}?${queryOf(filter)}`;
  const orders = useLoaded(() => list<ListedOrder>(path), path, live.cutAt);
  const rows = withLive((orders.data?.items ?? []).map(rowOf), live, family, filter);
  const families = familyViews.filter(({ feature }) => session.features.includes(feature));
  return (
    <>
      <Tabs
        label="Families"
        tabs={families.map(({ feature, name }) => ({
          name,
          href: hrefOf(`orders/${feature}`),
          isCurrent: feature === family.feature,
        }))}
      />
      <Filters key={family.feature} family={family} filter={filter} />
      <Failure text={orders.failure} />
      {!orders.data && !orders.failure && <Loading />}
      {orders.data && rows.length === 0 && (
        <p>
          No orders. <a href={hrefOf(`new/${family.feature}`)}>Place one</a>
        </p>
      )}
      {rows.length > 0 && <OrderTable family={family} rows={rows} />}
      <Pages family={family} filter={filter} total={orders.data?.totalCount ?? 0} />
    </>
  );
}

function OrderTable({ family, rows }: { family: FamilyView; rows: readonly Row[] }) {
  return (
    <Table
      caption={`${family.name}: orders`}
      columns={['Order', 'Product', 'Status', 'Amount', 'Reference', 'Placed']}
    >
      {rows.map((row) => (
        <tr key={row.id} data-order={row.id}>
          <td>
            <a href={hrefOf(`orders/${family.feature}/${row.id}`)}>{row.id}</a>
          </td>
          <td>{row.product}</td>
          <td>
            <Status of={row.status} />
          </td>
          <td class="number">{row.amount}</td>
          <td class="cut">{row.reference}</td>
          <td>{moment(row.placedAt)}</td>
        </tr>
      ))}
    </Table>
  );
}

function Filters({ family, filter }: { family: FamilyView; filter: Filter }) {
  const [text, setText] = useState(filter.reference);
  const show = (status: string) => go(hrefOf(`orders/${family.feature}`, { status, reference: text }));
  return (
    <form
      class="filters"
      onSubmit={(event) => {
        event.preventDefault();
        show(filter.status);
      }}
    >
      <Field label="Status">
        {(ids) => (
          <select {...ids} value={filter.status} onChange={(event) => show(event.currentTarget.value)}>
            <option value="">Any</option>
            {statusesOf(family).map((each) => (
              <option key={each} value={each}>
                {words(each)}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field label="Client reference">
        {(ids) => <input {...ids} value={text} onInput={(event) => setText(event.currentTarget.value)} />}
      </Field>
      <button>Filter</button>
    </form>
  );
}

function Pages({ family, filter, total }: { family: FamilyView; filter: Filter; total: number }) {
  const pages = Math.ceil(total / PER_PAGE);
  const { page, status, reference } = filter;
  const at = (wanted: number) => hrefOf(`orders/${family.feature}`, { status, reference, page: wanted });
  if (pages < 2) return null;
  return (
    <nav class="buttons" aria-label="Pages of orders">
      {page > 1 && <a href={at(page - 1)}>Newer</a>}
      <span>
        Page {page} of {pages}
      </span>
      {page < pages && <a href={at(page + 1)}>Older</a>}
    </nav>
  );
}

function queryOf({ status, reference, page }: Filter): string {
  const query = new URLSearchParams({ page: String(page), limit: String(PER_PAGE) });
  if (status !== '') query.set('status', status);
  if (reference !== '') query.set('client_reference', reference);
  return query.toString();
}

function rowOf(order: Omit<LiveOrder, 'family'> & { created_at?: string | undefined }): Row {
  return {
    id: order.id,
    product: order.product_name,
    reference: order.client_reference ?? '',
    status: order.status,
    amount: money(order.amount, order.currency),
    placedAt: order.placed_at ?? order.created_at ?? '',
  };
}

/** Returns the rows with their current status. The first page begins with orders placed since the list was read. */
function withLive(rows: readonly Row[], live: Live, family: FamilyView, filter: Filter): Row[] {
  const { status, reference, page } = filter;
  const current = rows.map((row) => ({ ...row, status: live.orderById.get(row.id)?.status ?? row.status }));
  const newest = Math.max(0, ...rows.map(({ id }) => id));
  const added = [...live.orderById.values()]
    .filter((order) => page === 1 && order.family === family.feature && order.id > newest)
    .filter((order) => status === '' || order.status === status)
    .filter((order) => reference === '' || order.client_reference === reference)
    .sort((one, other) => other.id - one.id)
    .map(rowOf);
  return [...added, ...current];
}
