import { send } from '../api';
import { useLoaded } from '../../../parts/src/loading';
import { At, Empty, Figure, Progress, Row, Table } from '../../../parts/src/basics';
import { filterIn, type FilterField } from '../parts/filters';
import { List } from '../parts/list';
import { useRows } from '../parts/rows';
import { hrefOf, queryText } from '../route';
import type { ErrorGroup, LoggedRequest, RequestPart } from '../types';

type Name =
  | 'status'
  | 'code'
  | 'message'
  | 'method'
  | 'path'
  | 'order'
  | 'reference'
  | 'key'
  | 'api_key'
  | 'channel'
  | 'request_id';

interface Errors {
  errors: ErrorGroup[];
  /** Every code that a response can have. */
  codes: string[];
}

const outcomes = [
  ['2xx', '2xx: success'],
  ['3xx', '3xx: not modified'],
  ['4xx', '4xx: rejected'],
  ['5xx', '5xx: failed'],
] as const;

const channels = [
  ['api', 'API'],
  ['console', 'Console'],
] as const;

const same = (value: string) => [value, value] as const;

function fieldsOf(codes: readonly string[]): FilterField<Name>[] {
  return [
    { name: 'request_id', label: 'X-Request-Id', isMain: true },
    { name: 'status', label: 'Status', options: outcomes },
    { name: 'code', label: 'Error code', options: codes.map(same) },
    { name: 'message', label: 'Error message', hint: 'The whole message; its numbers do not matter' },
    { name: 'method', label: 'Method', options: ['GET', 'POST', 'PATCH', 'DELETE'].map(same) },
    { name: 'path', label: 'Path', hint: 'A part of it, as in the list' },
    { name: 'order', label: 'Order', hint: 'The id of the order' },
    { name: 'reference', label: 'Client reference', hint: 'The whole reference' },
    { name: 'key', label: 'Idempotency-Key', hint: 'The whole key' },
    { name: 'api_key', label: 'API key' },
    { name: 'channel', label: 'Through', options: channels },
  ];
}

/** The log of the account's API requests. */
export function RequestsPage({ query }: { query: URLSearchParams }) {
  const groups = useLoaded(() => send<Errors>('/api/requests/errors'), 'errors');
  const fields = fieldsOf(groups.data?.codes ?? []);
  const filter = filterIn(fields, query);
  const log = useRows({
    path: '/api/requests',
    query: filter,
    by: 'before',
    itemsIn: (part: RequestPart) => part.requests,
  });
  const reload = () => {
    groups.reload();
    log.reload();
  };
  return (
    <>
      <p class="quiet">
        The requests of the last seven days, without their queries and bodies. A request appears after about a second.
        Under heavy load some are left out.
      </p>
      <section aria-labelledby="errors">
        <div class="section-head">
          <h2 id="errors">Errors of the last 24 hours</h2>
          <button type="button" onClick={reload}>
            Refresh
          </button>
        </div>
        <Progress of={groups} />
        {groups.data && <ErrorGroups groups={groups.data.errors} />}
      </section>
      <section aria-labelledby="log">
        <h2 id="log">Requests</h2>
        <List
          name="requests"
          caption="Requests, newest first"
          fields={fields}
          filter={filter}
          hrefOf={(chosen) => hrefOf('requests', chosen)}
          loaded={log}
          items={log.data ?? []}
          keyOf={({ id }) => id}
          columns={columns}
          empty={<Empty what={log.more ? 'No request of the newest matches.' : 'No request matches.'} />}
          file={`requests.csv?${queryText(filter)}`}
        />
      </section>
    </>
  );
}

function ErrorGroups({ groups }: { groups: readonly ErrorGroup[] }) {
  if (groups.length === 0) return <p class="quiet">No request failed.</p>;
  return (
    <Table
      caption="Errors, the most frequent first"
      isCaptionHidden
      columns={['Requests', 'Error', 'Request', 'Latest', 'Show']}
    >
      {groups.map((group) => {
        const { method, path, error_code: code, error_message: message } = group;
        return (
          <Row
            key={`${method} ${path} ${code} ${message}`}
            cells={[
              <Figure>{group.count}</Figure>,
              <ErrorText code={code} message={message} />,
              <Endpoint method={method} path={path} />,
              <At time={group.latest_at} />,
              <a
                href={hrefOf('requests', { code, message, method, path })}
                aria-label={`Show the requests with ${message}`}
              >
                Requests
              </a>,
            ]}
          />
        );
      })}
    </Table>
  );
}

const columns = {
  When: ({ at }: LoggedRequest) => <At time={at} />,
  Request: (request: LoggedRequest) => <Sender request={request} />,
  Result: (request: LoggedRequest) => <Result request={request} />,
  Order: (request: LoggedRequest) => <OrderNames request={request} />,
  'Request id': ({ request_id: id }: LoggedRequest) => <code>{id}</code>,
};

function Endpoint({ method, path }: Pick<LoggedRequest, 'method' | 'path'>) {
  return (
    <span>
      {method} {path === 'none' ? 'unknown path' : <code class="path">{path}</code>}
    </span>
  );
}

/** The error with a link to its entry in the guide. */
function ErrorText({ code, message }: { code: string; message: string | null }) {
  return (
    <span>
      <a href={`/docs/errors#${code.toLowerCase()}`}>{code}</a> {message}
    </span>
  );
}

function Result({ request }: { request: LoggedRequest }) {
  const { error_code: code, error_message: message, duration_ms: took } = request;
  return (
    <span>
      <Outcome status={request.status} /> <Figure>{took} ms</Figure>
      {code !== null && (
        <>
          <br />
          <ErrorText code={code} message={message} />
        </>
      )}
    </span>
  );
}

function Outcome({ status }: Pick<LoggedRequest, 'status'>) {
  if (status === null) return <span class="status status-failed">No response sent</span>;
  return <span class={`status ${status < 400 ? 'status-delivered' : 'status-failed'}`}>{status}</span>;
}

/** The order of the request, with the names that the client gave it. */
function OrderNames({ request }: { request: LoggedRequest }) {
  const { order_id: id, order_family: family, client_reference: reference, idempotency_key: key } = request;
  if (id === null) return null;
  return (
    <span class="lines">
      {family === null ? <span>{id}</span> : <a href={hrefOf(`orders/${family}/${id}`)}>{id}</a>}
      {reference !== null && <span class="wrapped">{reference}</span>}
      {key !== null && <span class="wrapped quiet">Key {key}</span>}
    </span>
  );
}

/** The request and who sent it. */
function Sender({ request }: { request: LoggedRequest }) {
  return (
    <span class="lines">
      <Endpoint method={request.method} path={request.path} />
      <span class="quiet">
        {request.channel === 'console' ? 'Console' : 'API'},{' '}
        {request.member ?? (
          <>
            key <code>{request.api_key}</code>
          </>
        )}
      </span>
    </span>
  );
}
