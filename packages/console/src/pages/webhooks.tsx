import { useState } from 'preact/hooks';
import { api, list } from '../api';
import { moment, timeOfDay } from '../format';
import { useLive } from '../live';
import { useLoaded } from '../loading';
import { Action, Copyable, Dialog, Facts, Failure, Field, Loading, Status, Table } from '../parts/basics';
import { go, hrefOf } from '../route';
import type { Endpoint, EventDetail, LiveAttempt, LiveEvent } from '../types';

const EVENTS = 50;

/** The endpoints and the live event log. */
export function WebhooksPage({ eventId }: { eventId: string | undefined }) {
  const endpoints = useLoaded(() => list<Endpoint>('/webhooks/endpoints?limit=500'), 'endpoints');
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
        <Failure text={endpoints.failure} />
        {!endpoints.data && !endpoints.failure && <Loading />}
        {endpoints.data?.items.length === 0 && <p class="quiet">No endpoints yet.</p>}
        <ul class="cards wide">
          {(endpoints.data?.items ?? []).map((endpoint) => (
            <li key={endpoint.id} class="card">
              <EndpointCard endpoint={endpoint} changed={endpoints.reload} />
            </li>
          ))}
        </ul>
      </section>
      <EventLog />
      {isAdding && <AddDialog close={() => setIsAdding(false)} added={added} />}
      {eventId !== undefined && <EventDialog id={eventId} />}
    </>
  );
}

function EndpointCard({ endpoint, changed }: { endpoint: Endpoint; changed: () => void }) {
  const { id, url, enabled } = endpoint;
  const [secret, setSecret] = useState<string>();
  const path = `/webhooks/endpoints/${id}`;
  const then = (call: () => Promise<unknown>) => async () => {
    await call();
    changed();
  };
  const readSecret = async () => setSecret((await api<{ secret: string }>(`${path}/secret`)).secret);
  const rotate = async () =>
    setSecret((await api<{ secret: string }>(`${path}/secret/rotate`, { method: 'POST' })).secret);
  return (
    <>
      <p class="card-head">
        <span class="cut">{url}</span> <Status of={enabled ? 'ENABLED' : 'DISABLED'} />
      </p>
      <Facts
        of={[
          ['Description', endpoint.description],
          ['Events', endpoint.event_types.length === 0 ? 'all but top-ups' : endpoint.event_types.join(', ')],
          ['Verified', moment(endpoint.verified_at)],
          ['Failing since', moment(endpoint.failing_since)],
          ['Disabled because', endpoint.disabled_reason],
          ['Secret', secret && <Copyable label="secret" text={secret} />],
        ]}
      />
      <div class="buttons">
        {enabled && <Action run={() => api(`${path}/test`, { method: 'POST' })}>Send a test</Action>}
        <Action run={then(() => api(path, { method: 'PATCH', body: { enabled: !enabled } }))}>
          {enabled ? 'Disable' : 'Enable'}
        </Action>
        {secret === undefined ? (
          <Action run={readSecret}>Show secret</Action>
        ) : (
          <button type="button" onClick={() => setSecret(undefined)}>
            Hide secret
          </button>
        )}
        <Action run={rotate}>Rotate secret</Action>
        <Action kind="danger" run={then(() => api(path, { method: 'DELETE' }))}>
          Delete
        </Action>
      </div>
    </>
  );
}

function AddDialog({ close, added }: { close: () => void; added: () => void }) {
  const [url, setUrl] = useState('');
  const [description, setDescription] = useState('');
  const [types, setTypes] = useState('');
  const add = async () => {
    const eventTypes = types.split(/[\s,]+/).filter((type) => type !== '');
    await api('/webhooks/endpoints', { method: 'POST', body: { url, description, event_types: eventTypes } });
    added();
  };
  return (
    <Dialog title="Add endpoint" close={close}>
      <Field label="URL">
        {(ids) => (
          <input {...ids} type="url" value={url} onInput={(event) => setUrl(event.currentTarget.value)} />
        )}
      </Field>
      <Field label="Description">
        {(ids) => (
          <input
            {...ids}
            value={description}
            onInput={(event) => setDescription(event.currentTarget.value)}
          />
        )}
      </Field>
      <Field label="Event types" hint="Separated by commas. Empty: all but those of top-ups.">
        {(ids) => <input {...ids} value={types} onInput={(event) => setTypes(event.currentTarget.value)} />}
      </Field>
      <Action kind="primary" run={add}>
        Add
      </Action>
    </Dialog>
  );
}

/** The event log. New events appear on top. */
function EventLog() {
  const live = useLive();
  const stored = useLoaded(
    () => list<Omit<LiveEvent, 'order_id'>>(`/webhooks/events?limit=${EVENTS}`),
    'events',
    live.cutAt,
  );
  const known = new Set((stored.data?.items ?? []).map(({ id }) => id));
  const fresh = live.events.filter(({ id }) => stored.data && !known.has(id)).reverse();
  const shown = [...fresh, ...(stored.data?.items ?? [])];
  return (
    <section aria-labelledby="events">
      <h2 id="events">Events</h2>
      <p class="quiet">New events and attempts appear by themselves.</p>
      <Failure text={stored.failure} />
      <Table
        caption="Events, newest first"
        isCaptionHidden
        columns={['When', 'Event', 'Latest attempt', 'Details']}
      >
        {shown.map((event) => (
          <tr key={event.id} data-event={event.id}>
            <td>{moment(event.created_at)}</td>
            <td>{event.type}</td>
            <td>
              <Attempt attempt={live.attempts.findLast(({ event_id: id }) => id === event.id)} />
            </td>
            <td>
              <a href={hrefOf(`webhooks/${event.id}`)} aria-label={`Details of ${event.type} ${event.id}`}>
                Details
              </a>
            </td>
          </tr>
        ))}
      </Table>
    </section>
  );
}

function Attempt({ attempt }: { attempt: LiveAttempt | undefined }) {
  if (!attempt) return null;
  const { success, response_status: status, error, attempted_at: at } = attempt;
  return (
    <>
      <Status of={success ? 'DELIVERED' : 'FAILED'} /> {status ?? error} at {timeOfDay(at)}
    </>
  );
}

/** An event with its deliveries. The dialog reads it again when the stream reports an attempt. */
function EventDialog({ id }: { id: string }) {
  const { attempts } = useLive();
  const attemptCount = attempts.filter((attempt) => attempt.event_id === id).length;
  const event = useLoaded(() => api<EventDetail>(`/webhooks/events/${id}`), id, attemptCount);
  const redeliver = async () => {
    await api(`/webhooks/events/${id}/redeliver`, { method: 'POST' });
    event.reload();
  };
  return (
    <Dialog title="Event" close={() => go(hrefOf('webhooks'))}>
      <Failure text={event.failure} />
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
          <Table caption="Deliveries" columns={['Endpoint', 'Status', 'Tries', 'Next try']}>
            {event.data.deliveries.map((delivery) => (
              <tr key={delivery.endpoint_id}>
                <td>{delivery.endpoint_id}</td>
                <td>
                  <Status of={delivery.status} />
                </td>
                <td>{delivery.tries}</td>
                <td>{moment(delivery.next_try_at)}</td>
              </tr>
            ))}
          </Table>
          <Table caption="Attempts, newest first" columns={['When', 'Endpoint', 'Outcome', 'Answer', 'Took']}>
            {event.data.attempts.map((attempt) => (
              <tr key={`${attempt.endpoint_id} ${attempt.attempted_at}`}>
                <td>{moment(attempt.attempted_at)}</td>
                <td>{attempt.endpoint_id}</td>
                <td>
                  <Status of={attempt.success ? 'DELIVERED' : 'FAILED'} />
                </td>
                <td>{attempt.response_status ?? attempt.error}</td>
                <td class="number">{attempt.duration_ms} ms</td>
              </tr>
            ))}
          </Table>
          <Action kind="primary" run={redeliver}>
            Redeliver
          </Action>
        </>
      )}
    </Dialog>
  );
}
