import { useState } from 'preact/hooks';
import { api, list, send, type Page } from '../api';
import { moment, timeOfDay } from '../format';
import { useLive } from '../live';
import { useLoaded } from '../loading';
import {
  Action,
  Copyable,
  Dialog,
  Facts,
  Field,
  Figure,
  Form,
  Progress,
  Row,
  Status,
  Table,
} from '../parts/basics';
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
        <Progress of={endpoints} />
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
      {isAdding && <EndpointDialog close={() => setIsAdding(false)} saved={added} />}
      {eventId !== undefined && (
        <EventDialog key={eventId} id={eventId} endpoints={endpoints.data?.items ?? []} />
      )}
    </>
  );
}

function EndpointCard({ endpoint, changed }: { endpoint: Endpoint; changed: () => void }) {
  const { id, url, enabled } = endpoint;
  const [secret, setSecret] = useState<string>();
  const [isChanging, setIsChanging] = useState(false);
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
          ['Events', endpoint.event_types.length === 0 ? 'All but top-ups' : endpoint.event_types.join(', ')],
          ['Verified', moment(endpoint.verified_at)],
          ['Failing since', moment(endpoint.failing_since)],
          ['Disabled because', endpoint.disabled_reason],
          ['Secret', secret && <Copyable label="secret" text={secret} />],
        ]}
      />
      <div class="buttons">
        {enabled && <Action run={() => api(`${path}/test`, { method: 'POST' })}>Send test event</Action>}
        <button type="button" onClick={() => setIsChanging(true)}>
          Change
        </button>
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
        <Action
          run={rotate}
          confirm={{
            title: 'Rotate the secret?',
            text: `${url} gets a new secret. The old one also signs for 24 hours: give the new one to your receiver before.`,
          }}
        >
          Rotate secret
        </Action>
        <Action
          kind="danger"
          run={then(() => api(path, { method: 'DELETE' }))}
          confirm={{
            title: 'Delete the endpoint?',
            text: `${url} receives no event any more, and its secret is gone. This cannot be undone.`,
          }}
        >
          Delete
        </Action>
      </div>
      {isChanging && (
        <EndpointDialog
          endpoint={endpoint}
          close={() => setIsChanging(false)}
          saved={() => {
            setIsChanging(false);
            changed();
          }}
        />
      )}
    </>
  );
}

interface EndpointDialogProps {
  /** The endpoint to change; undefined to add one. */
  endpoint?: Endpoint;
  close: () => void;
  saved: () => void;
}

function EndpointDialog({ endpoint, close, saved }: EndpointDialogProps) {
  const [url, setUrl] = useState(endpoint?.url ?? '');
  const [description, setDescription] = useState(endpoint?.description ?? '');
  const [types, setTypes] = useState<readonly string[]>(endpoint?.event_types ?? []);
  const save = async () => {
    const path = endpoint ? `/webhooks/endpoints/${endpoint.id}` : '/webhooks/endpoints';
    const body = { url, description, event_types: types };
    await api(path, { method: endpoint ? 'PATCH' : 'POST', body });
    saved();
  };
  return (
    <Dialog title={endpoint ? 'Change endpoint' : 'Add endpoint'} close={close}>
      <Form submit={save} button={endpoint ? 'Save' : 'Add'}>
        <Field label="URL">
          {(ids) => (
            <input
              {...ids}
              type="url"
              required
              value={url}
              onInput={(event) => setUrl(event.currentTarget.value)}
            />
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
        <EventTypes chosen={types} choose={setTypes} />
      </Form>
    </Dialog>
  );
}

interface EventTypesProps {
  chosen: readonly string[];
  choose: (types: readonly string[]) => void;
}

/** The event types as a list to choose from. */
function EventTypes({ chosen, choose }: EventTypesProps) {
  const types = useLoaded(() => send<{ event_types: string[] }>('/api/event-types'), 'event-types');
  const toggle = (type: string) =>
    choose(chosen.includes(type) ? chosen.filter((each) => each !== type) : [...chosen, type]);
  return (
    <fieldset>
      <legend>Event types</legend>
      <p class="hint">Choose none to receive all but those of top-ups.</p>
      <Progress of={types} />
      <div class="choices">
        {(types.data?.event_types ?? []).map((type) => (
          <label key={type}>
            <input type="checkbox" checked={chosen.includes(type)} onChange={() => toggle(type)} /> {type}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** The event log. New events appear on top. */
function EventLog() {
  const live = useLive();
  const stored = useLoaded(() => list<ListedEvent>(`/webhooks/events?limit=${EVENTS}`), 'events', live.cutAt);
  const shown = stored.data ? newestFirst(stored.data, live.events) : [];
  return (
    <section aria-labelledby="events">
      <h2 id="events">Events</h2>
      <p class="quiet">New events and attempts appear by themselves.</p>
      <Progress of={stored} />
      <Table
        caption="Events, newest first"
        isCaptionHidden
        columns={['When', 'Event', 'Latest attempt', 'Details']}
      >
        {shown.map((event) => (
          <Row
            key={event.id}
            data-event={event.id}
            cells={[
              moment(event.created_at),
              event.type,
              <Attempt attempt={live.attempts.findLast(({ event_id: id }) => id === event.id)} />,
              <a href={hrefOf(`webhooks/${event.id}`)} aria-label={`Details of ${event.type} ${event.id}`}>
                Details
              </a>,
            ]}
          />
        ))}
      </Table>
    </section>
  );
}

type ListedEvent = Omit<LiveEvent, 'order_id'>;

/**
 * Returns the listed events and the newer ones of the stream by their time. The stream also reports events that are older
 * than the list.
 */
function newestFirst(stored: Page<ListedEvent>, live: readonly LiveEvent[]): ListedEvent[] {
  const known = new Set(stored.items.map(({ id }) => id));
  const oldest = stored.hasMore ? (stored.items.at(-1)?.created_at ?? '') : '';
  const fresh = live.filter(({ id, created_at: at }) => !known.has(id) && at >= oldest).reverse();
  const timeOf = ({ created_at: at }: ListedEvent) => Date.parse(at);
  return [...fresh, ...stored.items].sort((one, other) => timeOf(other) - timeOf(one));
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
function EventDialog({ id, endpoints }: { id: string; endpoints: readonly Endpoint[] }) {
  const { attempts } = useLive();
  const attemptCount = attempts.filter((attempt) => attempt.event_id === id).length;
  const event = useLoaded(() => api<EventDetail>(`/webhooks/events/${id}`), id, attemptCount);
  const urlOf = (endpointId: number) =>
    endpoints.find((endpoint) => endpoint.id === endpointId)?.url ?? `Deleted endpoint ${endpointId}`;
  const redeliver = async () => {
    await api(`/webhooks/events/${id}/redeliver`, { method: 'POST' });
    event.reload();
  };
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
          <Table
            caption="Attempts, newest first"
            columns={['When', 'Endpoint', 'Outcome', 'Response', 'Took']}
          >
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
          <Action kind="primary" run={redeliver}>
            Redeliver
          </Action>
        </>
      )}
    </Dialog>
  );
}
