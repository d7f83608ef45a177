import { api, send } from '../api';
import { moment } from '../../../parts/src/format';
import { useLoaded } from '../../../parts/src/loading';
import { useIsNarrow } from '../../../parts/src/narrow';
import { hrefOf, queryText } from '../route';
import type { Endpoint, EventPart, EventState, ListedEvent } from '../types';
import { Action, At, Empty, Progress, Row, Table } from '../../../parts/src/basics';
import { filterIn, Filters, type FilterField } from './filters';

/** Events of a page: fewer in a narrow window. */
const PER_PAGE = { wide: 50, narrow: 20 } as const;

type Name = 'type' | 'state' | 'endpoint' | 'order';

const states: Readonly<Record<EventState, string>> = {
  WAITING: 'Waiting',
  FAILED: 'Failed',
  DELIVERED: 'Delivered',
  SKIPPED: 'Skipped',
  NONE: 'No endpoint takes it',
};

function fieldsOf(types: readonly string[], endpoints: readonly Endpoint[]): FilterField<Name>[] {
  return [
    { name: 'state', label: 'State', options: Object.entries(states) },
    { name: 'type', label: 'Event type', options: [...types, 'webhook.test'].map((type) => [type, type]) },
    { name: 'endpoint', label: 'Endpoint', options: endpoints.map(({ id, url }) => [String(id), url]) },
    { name: 'order', label: 'Order', hint: 'The id of the order' },
  ];
}

interface EventLogProps {
  query: URLSearchParams;
  types: readonly string[];
  endpoints: readonly Endpoint[];
  /** Changes when the list must be read again. */
  version: number;
}

/** The event log with the state of each event. */
export function EventLog({ query, types, endpoints, version }: EventLogProps) {
  const fields = fieldsOf(types, endpoints);
  const filter = filterIn(fields, query);
  const before = query.get('before') ?? '';
  const wanted = Object.entries({ ...filter, before }).filter(([, value]) => value !== '');
  const path = `/api/events?${new URLSearchParams([...wanted, ['limit', String(PER_PAGE[useIsNarrow() ? 'narrow' : 'wide'])]]).toString()}`;
  const log = useLoaded(() => send<EventPart>(path), path, version);
  const next = log.data?.next ?? null;
  return (
    <section aria-labelledby="events">
      <h2 id="events">Events</h2>
      <p class="quiet">New events and attempts appear after a moment.</p>
      <Filters
        fields={fields}
        filter={filter}
        hrefOf={(chosen) => hrefOf('webhooks', chosen)}
        rejection={log.rejection}
      />
      <Progress of={log} />
      {log.data?.events.length === 0 && (
        <Empty what={next === null ? 'No event matches.' : 'No event of this page matches.'} />
      )}
      {log.data && log.data.events.length > 0 && <EventTable events={log.data.events} changed={log.reload} />}
      <nav class="buttons" aria-label="Pages of events">
        {before !== '' && <a href={hrefOf('webhooks', filter)}>Newest</a>}
        {next !== null && <a href={hrefOf('webhooks', { ...filter, before: next })}>Older</a>}
        <a href={`/console/api/events.csv?${queryText(filter)}`} download>
          Export as CSV
        </a>
      </nav>
    </section>
  );
}

function EventTable({ events, changed }: { events: readonly ListedEvent[]; changed: () => void }) {
  return (
    <Table
      caption="Events, newest first"
      isCaptionHidden
      columns={['When', 'Event', 'State', 'Details', 'Send again']}
    >
      {events.map((event) => (
        <Row
          key={event.id}
          data-event={event.id}
          cells={[
            <At time={event.created_at} />,
            event.type,
            <State event={event} />,
            <a href={hrefOf(`webhooks/${event.id}`)} aria-label={`Details of ${event.type} ${event.id}`}>
              Details
            </a>,
            event.state !== 'WAITING' && <Redelivery event={event} changed={changed} />,
          ]}
        />
      ))}
    </Table>
  );
}

function State({ event }: { event: ListedEvent }) {
  const { state, waiting, failed, delivered, next_attempt_at: next } = event;
  const parts = [
    waiting > 0 && `${waiting} waiting`,
    failed > 0 && `${failed} failed`,
    delivered > 0 && `${delivered} delivered`,
  ].filter((part) => part !== false);
  return (
    <span>
      <span class={`status status-${state.toLowerCase()}`}>{states[state]}</span>{' '}
      {parts.length > 1 && <span class="quiet">{parts.join(', ')}</span>}{' '}
      {next !== null && <span class="quiet">next attempt {moment(next)}</span>}
    </span>
  );
}

function Redelivery({ event: { id, type }, changed }: { event: ListedEvent; changed: () => void }) {
  const redeliver = async () => {
    await api(`/webhooks/events/${id}/redeliver`, { method: 'POST' });
    changed();
  };
  return (
    <Action run={redeliver}>
      Redeliver
      <span class="unseen">
        {' '}
        {type} {id}
      </span>
    </Action>
  );
}
