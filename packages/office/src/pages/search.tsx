/** What the search of the header found. */
import { Progress, Row, Status, Table } from '../../../parts/src/basics';
import { moment, words } from '../../../parts/src/format';
import { useReading } from '../reading';
import { hrefOf, useRoute } from '../route';
import { searchedValue } from '../parts/search-box';

interface Found {
  by: string;
  kind: 'order' | 'client' | 'wallet';
  id: number;
  order: {
    id: number;
    status: string;
    product_name: string;
    client: string;
    placed_at: string;
  } | null;
  client: { id: number; name: string; status: string } | null;
  transaction: { id: number; wallet_id: number; kind: string; amount: string; currency: string } | null;
}

interface SearchResult {
  found: Found[];
  not_searched: { by: string; why: string }[];
}

export function SearchPage() {
  const { state } = useRoute();
  const number = state['search'];
  const value = searchedValue(number);
  if (value === undefined) return <p>Write what you look for into the search of the header.</p>;
  return <Results key={number} value={value} />;
}

function Results({ value }: { value: string }) {
  const results = useReading<SearchResult>('search', { value });
  const { data } = results;
  if (!data) return <Progress of={results} />;
  return (
    <>
      {data.found.length === 0 ? (
        <p role="status">
          Nothing has exactly <bdi>“{value}”</bdi> as its id, reference, address, number, code or key.
        </p>
      ) : (
        <Table caption="Found" columns={['What', 'Found by', 'State', 'About', 'Client', 'Placed']}>
          {data.found.map((found, index) => (
            <Row key={index} cells={cellsOf(found)} />
          ))}
        </Table>
      )}
      {data.not_searched.map(({ by, why }) => (
        <p key={by} class="quiet">
          Not searched: {by}. {why}
        </p>
      ))}
    </>
  );
}

function cellsOf({ by, kind, id, order, client, transaction }: Found) {
  // A wallet stands on the page of its client.
  const href = kind === 'order' ? hrefOf('orders', id) : client ? hrefOf('clients', client.id) : undefined;
  const name = `${words(kind)} ${id}`;
  return [
    href === undefined ? name : <a href={href}>{name}</a>,
    by,
    order ? <Status of={order.status} /> : kind === 'client' && client && <Status of={client.status} />,
    order?.product_name ??
      (transaction && `${words(transaction.kind)} of ${transaction.amount} ${transaction.currency}`),
    order?.client ?? (client && <a href={hrefOf('clients', client.id)}>{client.name}</a>),
    moment(order?.placed_at),
  ];
}
