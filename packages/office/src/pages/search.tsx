/** What the search of the header found. */
import { At, Progress, Row, Status, Table } from '../../../parts/src/basics';
import { money, words } from '../../../parts/src/format';
import { useReading } from '../reading';
import { hrefOf, useRoute } from '../route';
import { hrefOfFound, type Found, type SearchResult } from '../parts/found';
import { searchedValue } from '../parts/search-box';

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
          Nothing begins with <bdi>“{value}”</bdi> as its id, reference, name or address, and nothing has
          exactly this as its recipient, number, code or key.
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

function cellsOf(found: Found) {
  const { by, kind, id, name, order, client, transaction } = found;
  const named = kind === 'client' ? client?.name : name;
  const title = named ?? (id === null ? words(kind) : `${words(kind)} ${id}`);
  return [
    <a class="short" href={hrefOfFound(found)}>
      {title}
    </a>,
    by,
    order ? <Status of={order.status} /> : kind === 'client' && client && <Status of={client.status} />,
    order?.product_name ??
      (transaction
        ? `${words(transaction.kind)} of ${money(transaction.amount, transaction.currency)}`
        : named && words(kind)),
    order ? (
      <a href={hrefOf('clients', order.client)}>{order.client}</a>
    ) : (
      kind !== 'client' && client && <a href={hrefOf('clients', client.id)}>{client.name}</a>
    ),
    order && <At time={order.placed_at} />,
  ];
}
