import { send } from '../api';
import { moment } from '../format';
import { useLoaded } from '../loading';
import { Field, Figure, Progress, Row, Table } from '../parts/basics';
import { go, hrefOf } from '../route';
import type { LoggedRequest, RequestPart } from '../types';

const PER_PAGE = 50;

const outcomes = [
  ['', 'Any'],
  ['2xx', '2xx: success'],
  ['3xx', '3xx: not modified'],
  ['4xx', '4xx: rejected'],
  ['5xx', '5xx: failed'],
] as const;

/** The log of the account's API requests. */
export function RequestsPage({ query }: { query: URLSearchParams }) {
  const [status, before] = [query.get('status') ?? '', query.get('before') ?? ''];
  const wanted = Object.entries({ status, before }).filter(([, value]) => value !== '');
  const path = `/api/requests?${new URLSearchParams([...wanted, ['limit', String(PER_PAGE)]]).toString()}`;
  const log = useLoaded(() => send<RequestPart>(path), path);
  const next = log.data?.next ?? null;
  return (
    <>
      <p class="quiet">
        Requests with your API keys in the last seven days, without their queries and bodies. A request
        appears after about a second. Under heavy load some are left out.
      </p>
      <div class="filters">
        <Field label="Status">
          {(ids) => (
            <select
              {...ids}
              value={status}
              onChange={(event) => go(hrefOf('requests', { status: event.currentTarget.value }))}
            >
              {outcomes.map(([value, name]) => (
                <option key={value} value={value}>
                  {name}
                </option>
              ))}
            </select>
          )}
        </Field>
        <button type="button" onClick={log.reload}>
          Refresh
        </button>
      </div>
      <Progress of={log} />
      {log.data?.requests.length === 0 && <p>No request matches.</p>}
      {log.data && log.data.requests.length > 0 && <RequestTable requests={log.data.requests} />}
      <nav class="buttons" aria-label="Pages of requests">
        {before !== '' && <a href={hrefOf('requests', { status })}>Newest</a>}
        {next !== null && <a href={hrefOf('requests', { status, before: next })}>Older</a>}
      </nav>
    </>
  );
}

function RequestTable({ requests }: { requests: readonly LoggedRequest[] }) {
  return (
    <Table
      caption="API requests, newest first"
      columns={['When', 'Method', 'Route', 'Status', 'Took', 'Request id']}
    >
      {requests.map((request) => (
        <Row
          key={request.id}
          cells={[
            moment(request.at),
            request.method,
            request.route === 'none' ? 'unknown path' : <code>{request.route}</code>,
            <Outcome status={request.status} />,
            <Figure>{request.duration_ms} ms</Figure>,
            <code>{request.request_id}</code>,
          ]}
        />
      ))}
    </Table>
  );
}

function Outcome({ status }: Pick<LoggedRequest, 'status'>) {
  if (status === null) return <span class="status status-failed">No response sent</span>;
  return <span class={`status ${status < 400 ? 'status-delivered' : 'status-failed'}`}>{status}</span>;
}
