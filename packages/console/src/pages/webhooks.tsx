import { useState } from 'preact/hooks';
import { api, list, send } from '../api';
import { moment } from '../../../parts/src/format';
import { useLive, type Live } from '../live';
import { useChangeCount, useLoaded } from '../../../parts/src/loading';
import { Dialog, Empty, Facts, Figure, Progress, Row, Status, Table } from '../../../parts/src/basics';
import { EndpointCard, EndpointDialog } from '../parts/endpoint-card';
import { EventLog } from '../parts/event-log';
import { SendEvent } from '../parts/send-event';
import { go, hrefOf } from '../route';
import type { Endpoint, EventDetail, EventTypes, Session, WaitingEvents } from '../types';

interface WebhooksProps {
  eventId: string | undefined;
  query: URLSearchParams;
  session: Session;
}

/** The endpoints and the live event log. */
export function WebhooksPage({ eventId, query, session }: WebhooksProps) {
  const version = useChangeCount(latestOf(useLive()));
  const endpoints = useLoaded(() => list<Endpoint>('/webhooks/endpoints?limit=500'), 'endpoints', version);
  const waiting = useLoaded(() => send<{ endpoints: WaitingEvents[] }>('/api/endpoints'), 'waiting', version);
  const types = useLoaded(() => send<EventTypes>('/api/event-types'), 'event-types');
  const waitingOf = (id: number) => waiting.data?.endpoints.find((endpoint) => endpoint.id === id);
  const [isAdding, setIsAdding] = useState(false);
  const added = () => {
    setIsAdding(false);
    endpoints.reload();
  };
  return (
    <>
      <section aria-labelledby="endpoints">
        <div class="section-head">
          <h2 id="endpoints">Endpoints</h2>
          <button type="button" class="primary" onClick={() => setIsAdding(true)}>
            Add endpoint
          </button>
        </div>
        <Progress of={endpoints} />
        {endpoints.data?.items.length === 0 && (
          <Empty what="No endpoints yet.">Add one: it then receives an event when an order ends.</Empty>
        )}
        <ul class="cards wide">
          {(endpoints.data?.items ?? []).map((endpoint) => (
            <li key={endpoint.id} class="card">
              <EndpointCard
                endpoint={endpoint}
                waiting={waitingOf(endpoint.id)}
                types={types.data}
                features={session.features}
                changed={endpoints.reload}
              />
            </li>
          ))}
        </ul>
      </section>
      <EventLog
        query={query}
        types={types.data?.event_types ?? []}
        endpoints={endpoints.data?.items ?? []}
        version={version}
      />
      {isAdding && <EndpointDialog types={types.data} close={() => setIsAdding(false)} saved={added} />}
      {eventId !== undefined && <EventDialog key={eventId} id={eventId} endpoints={endpoints.data?.items ?? []} />}
    </>
  );
}

/** Changes with each event and attempt that the stream reports. */
function latestOf({ events, attempts, cutAt }: Live): string {
  const attempt = attempts.at(-1);
  return `${events.at(-1)?.id} ${attempt?.event_id} ${attempt?.endpoint_id} ${attempt?.attempted_at} ${cutAt}`;
}

/** An event with its deliveries. The dialog reads it again when the stream reports an attempt. */
function EventDialog({ id, endpoints }: { id: string; endpoints: readonly Endpoint[] }) {
  const { attempts } = useLive();
  const attemptCount = attempts.filter((attempt) => attempt.event_id === id).length;
  const event = useLoaded(() => api<EventDetail>(`/webhooks/events/${id}`), id, attemptCount);
  const urlOf = (endpointId: number) =>
    endpoints.find((endpoint) => endpoint.id === endpointId)?.url ?? `Deleted endpoint ${endpointId}`;
  return (
    <Dialog title="Event" close={() => go(hrefOf('webhooks'))}>
      <Progress of={event} />
      {event.data && (
        <>
          <Facts
            of={[
              ['Type', event.data.type],
              ['Id', event.data.id],
              ['When', moment(event.data.created_at)],
            ]}
          />
          <pre tabIndex={0}>{JSON.stringify(event.data.data, undefined, 2)}</pre>
          <Table caption="Deliveries" columns={['Endpoint', 'Status', 'Attempts', 'Next attempt']}>
            {event.data.deliveries.map((delivery) => (
              <Row
                key={delivery.endpoint_id}
                cells={[
                  urlOf(delivery.endpoint_id),
                  <Status of={delivery.status} />,
                  delivery.tries,
                  moment(delivery.next_try_at),
                ]}
              />
            ))}
          </Table>
          <Table caption="Attempts, newest first" columns={['When', 'Endpoint', 'Outcome', 'Response', 'Took']}>
            {event.data.attempts.map((attempt) => (
              <Row
                key={`${attempt.endpoint_id} ${attempt.attempted_at}`}
                cells={[
                  moment(attempt.attempted_at),
                  urlOf(attempt.endpoint_id),
                  <Status of={attempt.success ? 'DELIVERED' : 'FAILED'} />,
                  attempt.response_status ?? attempt.error,
                  <Figure>{attempt.duration_ms} ms</Figure>,
                ]}
              />
            ))}
          </Table>
          <p>
            <SendEvent
              id={id}
              type={event.data.type}
              isDue={event.data.deliveries.some(({ status }) => status !== 'DELIVERED')}
              changed={event.reload}
            />
          </p>
        </>
      )}
    </Dialog>
  );
}
