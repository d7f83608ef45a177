import { hrefOf, queryText } from '../route';
import type { Endpoint, EventPart, EventState, ListedEvent } from '../types';
import { At, Empty } from '../../../parts/src/basics';
import { filterIn, type FilterField } from './filters';
import { List } from './list';
import { useRows } from './rows';
import { SendEvent } from './send-event';

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
  const log = useRows({
    path: '/api/events',
    query: filter,
    by: 'before',
    itemsIn: (part: EventPart) => part.events,
    version,
  });
  return (
    <section aria-labelledby="events">
      <h2 id="events">Events</h2>
      <p class="quiet">New events and attempts appear after a moment.</p>
      <List
        name="events"
        caption="Events, newest first"
        fields={fields}
        filter={filter}
        hrefOf={(chosen) => hrefOf('webhooks', chosen)}
        loaded={log}
        items={log.data ?? []}
        keyOf={({ id }) => id}
        attributesOf={({ id }) => ({ 'data-event': id })}
        columns={columnsOf(log.reload)}
        hidden={['Id']}
        empty={<Empty what={log.more ? 'No event of the newest matches.' : 'No event matches.'} />}
        file={`events.csv?${queryText(filter)}`}
      />
    </section>
  );
}

const columnsOf = (changed: () => void) => ({
  When: ({ created_at: at }: ListedEvent) => <At time={at} />,
  Event: ({ id, type }: ListedEvent) => <a href={hrefOf(`webhooks/${id}`)}>{type}</a>,
  Order: ({ order_id: order }: ListedEvent) => order,
  State: (event: ListedEvent) => <State event={event} />,
  Id: ({ id }: ListedEvent) => <code>{id}</code>,
  Actions: ({ id, type, state }: ListedEvent) =>
    state !== 'NONE' && <SendEvent {...{ id, type, changed }} isDue={state === 'WAITING' || state === 'FAILED'} />,
});

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
      {next !== null && (
        <span class="quiet">
          next attempt <At time={next} />
        </span>
      )}
    </span>
  );
}
