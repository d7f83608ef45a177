/** What the search of the header found. */
import { At, Progress, Row, Status, Table } from '../../../parts/src/basics';
import { money, words } from '../../../parts/src/format';
import { useReading } from '../reading';
import { hrefOf, useRoute } from '../route';
import { cardStateText, partText } from '../parts/card-states';
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
          Nothing begins with <bdi>“{value}”</bdi> as its id, reference, name or address, and nothing has exactly this
          as its recipient, number, reference, code or key. Order requests are found by their id for 30 days.
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
  const { by, kind, id, order, client } = found;
  const named = kind === 'client' ? client?.name : found.name;
  const title = isNamedByNumber(kind) ? undefined : named;
  return [
    <a class="short" href={hrefOfFound(found)}>
      {title ?? `${words(kind)} ${id}`}
    </a>,
    by,
    stateOf(found),
    aboutOf(found),
    order ? (
      <a href={hrefOf('clients', order.client)}>{order.client}</a>
    ) : (
      kind !== 'client' && client && <a href={hrefOf('clients', client.id)}>{client.name}</a>
    ),
    order && <At time={order.placed_at} />,
  ];
}

function aboutOf({ kind, name, order, transaction, unit, state }: Found) {
  if (transaction) return `${words(transaction.kind)} of ${money(transaction.amount, transaction.currency)}`;
  if (!order) return isNamedByNumber(kind) || kind === 'client' ? (name ?? words(kind)) : words(kind);
  return (
    <>
      {state !== null && (
        <>
          <strong>{partText(unit)}</strong>, {cardStateText(state)}:{' '}
        </>
      )}
      {order.product_name}
      {name !== null && `, ${name}`}
    </>
  );
}

const isNamedByNumber = (kind: Found['kind']) => ['order', 'wallet', 'claim', 'endpoint'].includes(kind);

/** The state of what is found. Of an order, the text about its card has that of the card. */
function stateOf({ kind, order, client, state }: Found) {
  const shown = order?.status ?? (kind === 'claim' ? state : kind === 'client' ? client?.status : undefined);
  return shown !== undefined && shown !== null && <Status of={shown} />;
}
