import { useState } from 'preact/hooks';
import { api } from '../api';
import { dateTimeValue, DAY_MS, inWords, moment, zone } from '../../../parts/src/format';
import type { Endpoint, EventTypes, Feature, WaitingEvents } from '../types';
import { Action, Copyable, Dialog, Facts, Status } from '../../../parts/src/basics';
import { Field, Form } from '../../../parts/src/form';

interface EndpointCardProps {
  endpoint: Endpoint;
  /** Undefined until it is read, and for a disabled endpoint. */
  waiting: WaitingEvents | undefined;
  types: EventTypes | undefined;
  /** The families of the account. */
  features: readonly Feature[];
  changed: () => void;
}

/** An endpoint: its state, what waits for it, and what the user can do with it. */
export function EndpointCard({ endpoint, waiting, types, features, changed }: EndpointCardProps) {
  const { url, enabled } = endpoint;
  const [secret, setSecret] = useState<string>();
  return (
    <>
      <p class="card-head">
        <span class="cut">{url}</span> <Status of={stateOf(endpoint)} />
      </p>
      {enabled && endpoint.failing_since !== null && (
        <p class="failure">
          Failing since {moment(endpoint.failing_since)}. {waiting && waitingText(waiting)}
        </p>
      )}
      <Facts
        of={[
          ['Description', endpoint.description],
          ['Events', endpoint.event_types.length === 0 ? 'The standard types' : endpoint.event_types.join(', ')],
          ['Verified', moment(endpoint.verified_at)],
          ['Waiting events', waiting && countOf(waiting)],
          ['Disabled because', endpoint.disabled_reason && reasons[endpoint.disabled_reason]],
          ['Secret', secret && <Copyable label="secret" text={secret} />],
        ]}
      />
      {types && <LackedEvents {...{ endpoint, types, features, changed }} />}
      <div class="buttons">
        <Changes endpoint={endpoint} types={types} changed={changed} />
        <SecretActions endpoint={endpoint} isShown={secret !== undefined} show={setSecret} />
        <Action
          kind="danger"
          run={async () => {
            await api(pathOf(endpoint), { method: 'DELETE' });
            changed();
          }}
          confirm={{
            title: 'Delete the endpoint?',
            text: `${url} receives no event any more, and its secret is gone. This cannot be undone.`,
          }}
        >
          Delete
        </Action>
      </div>
    </>
  );
}

function pathOf({ id }: Endpoint): string {
  return `/webhooks/endpoints/${id}`;
}

/** The buttons that send events, and that change the endpoint. */
function Changes({ endpoint, types, changed }: Omit<EndpointCardProps, 'waiting' | 'features'>) {
  const { enabled } = endpoint;
  const [open, setOpen] = useState<'change' | 'replay'>();
  const close = () => setOpen(undefined);
  const saved = () => {
    close();
    changed();
  };
  const toggle = async () => {
    await api(pathOf(endpoint), { method: 'PATCH', body: { enabled: !enabled } });
    changed();
  };
  return (
    <>
      {enabled && <Action run={() => api(`${pathOf(endpoint)}/test`, { method: 'POST' })}>Send test event</Action>}
      {enabled && (
        <button type="button" onClick={() => setOpen('replay')}>
          Replay
        </button>
      )}
      <button type="button" onClick={() => setOpen('change')}>
        Change
      </button>
      <Action run={toggle}>{enabled ? 'Disable' : 'Enable'}</Action>
      {open === 'change' && <EndpointDialog endpoint={endpoint} types={types} close={close} saved={saved} />}
      {open === 'replay' && <ReplayDialog endpoint={endpoint} close={close} />}
    </>
  );
}

interface SecretActionsProps {
  endpoint: Endpoint;
  isShown: boolean;
  show: (secret: string | undefined) => void;
}

function SecretActions({ endpoint, isShown, show }: SecretActionsProps) {
  const path = `${pathOf(endpoint)}/secret`;
  const read = async () => show((await api<{ secret: string }>(path)).secret);
  const rotate = async () => show((await api<{ secret: string }>(`${path}/rotate`, { method: 'POST' })).secret);
  return (
    <>
      {isShown ? (
        <button type="button" onClick={() => show(undefined)}>
          Hide secret
        </button>
      ) : (
        <Action run={read}>Show secret</Action>
      )}
      <Action
        run={rotate}
        confirm={{
          title: 'Rotate the secret?',
          text: `${endpoint.url} gets a new secret. The old one also signs for 24 hours: give the new one to your receiver before.`,
        }}
      >
        Rotate secret
      </Action>
    </>
  );
}

function stateOf({ enabled, failing_since: since }: Endpoint): string {
  if (!enabled) return 'DISABLED';
  return since === null ? 'ENABLED' : 'FAILING';
}

const reasons = { FAILING: 'It failed for too long', GONE: 'It responded with 410 Gone' } as const;

function countOf({ waiting, is_more: isMore }: WaitingEvents): string {
  return `${waiting.toLocaleString('en')}${isMore ? ' or more' : ''}`;
}

function waitingText(waiting: WaitingEvents): string {
  const events = waiting.waiting === 1 && !waiting.is_more ? 'event waits' : 'events wait';
  const next = waiting.next_attempt_at === null ? '' : ` The next attempt is at ${moment(waiting.next_attempt_at)}.`;
  return `${countOf(waiting)} ${events}.${next}`;
}

/** The types that an endpoint receives only by name, in groups: what they are about, and the family that the account needs. */
const groups: readonly { name: string; of?: Feature; has: (type: string) => boolean }[] = [
  { name: 'top-ups', of: 'topups', has: (type) => /^topup\.(?!refunded)/.test(type) },
  { name: 'refunds', has: (type) => type.endsWith('.refunded') },
  { name: 'claims', has: (type) => type.startsWith('claim.') },
  { name: 'eSIM usage', of: 'esim', has: (type) => type === 'esim.usage' },
  { name: 'price changes', has: (type) => type.startsWith('catalogue.') },
];

/** What the endpoint does not receive although the account may have it, each with a button that adds it. */
function LackedEvents({
  endpoint,
  types: { event_types: all, only_by_name: byName },
  features,
  changed,
}: Pick<EndpointCardProps, 'endpoint' | 'features' | 'changed'> & { types: EventTypes }) {
  const { event_types: listed } = endpoint;
  const own = listed.length === 0 ? all.filter((type) => !byName.includes(type)) : listed;
  const lacked = groups.filter(
    ({ of, has }) => (of === undefined || features.includes(of)) && byName.some(has) && !own.some(has),
  );
  if (lacked.length === 0) return null;
  const add = (has: (type: string) => boolean) => async () => {
    const body = { event_types: all.filter((type) => own.includes(type) || has(type)) };
    await api(pathOf(endpoint), { method: 'PATCH', body });
    changed();
  };
  return (
    <div class="lacked">
      <p>It receives no {lacked.map(({ name }) => name).join(', no ')}.</p>
      <div class="buttons">
        {lacked.map(({ name, has }) => (
          <Action key={name} run={add(has)}>
            Add {name}
          </Action>
        ))}
      </div>
    </div>
  );
}

/** Sends the events since a moment again. */
function ReplayDialog({ endpoint: { id, url }, close }: { endpoint: Endpoint; close: () => void }) {
  const [since, setSince] = useState(() => dateTimeValue(new Date(Date.now() - DAY_MS)));
  const [count, setCount] = useState<number>();
  const replay = async () => {
    const body = { since: new Date(since).toISOString() };
    const path = `/webhooks/endpoints/${id}/replay`;
    setCount((await api<{ events: number }>(path, { method: 'POST', body })).events);
  };
  return (
    <Dialog title="Replay events" close={close}>
      <p>
        <span class="cut">{url}</span> receives every event since then that it takes, whether delivered before or not,
        the oldest first.
      </p>
      {count === undefined ? (
        <Form submit={replay} button="Replay">
          <Field name="since" label="Since" hint={`Time in ${zone()}`}>
            {(ids) => (
              <input
                {...ids}
                type="datetime-local"
                required
                value={since}
                onInput={(event) => setSince(event.currentTarget.value)}
              />
            )}
          </Field>
        </Form>
      ) : (
        <p role="status">{count === 1 ? '1 event is' : `${count.toLocaleString('en')} events are`} being sent again.</p>
      )}
    </Dialog>
  );
}

interface EndpointDialogProps {
  /** The endpoint to change; undefined to add one. */
  endpoint?: Endpoint;
  types: EventTypes | undefined;
  close: () => void;
  saved: () => void;
}

/** The form of an endpoint's settings. */
export function EndpointDialog({ endpoint, types: known, close, saved }: EndpointDialogProps) {
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
        <Field name="url" label="URL">
          {(ids) => (
            <input {...ids} type="url" required value={url} onInput={(event) => setUrl(event.currentTarget.value)} />
          )}
        </Field>
        <Field name="description" label="Description">
          {(ids) => (
            <input {...ids} value={description} onInput={(event) => setDescription(event.currentTarget.value)} />
          )}
        </Field>
        <TypeChoice known={known} chosen={types} choose={setTypes} />
      </Form>
    </Dialog>
  );
}

interface TypeChoiceProps {
  known: EventTypes | undefined;
  chosen: readonly string[];
  choose: (types: readonly string[]) => void;
}

/** The event types as a list to choose from. */
function TypeChoice({ known, chosen, choose }: TypeChoiceProps) {
  const toggle = (type: string) =>
    choose(chosen.includes(type) ? chosen.filter((each) => each !== type) : [...chosen, type]);
  return (
    <fieldset>
      <legend>Event types</legend>
      {known && <p class="hint">Choose none to receive all except {inWords(known.only_by_name)}.</p>}
      <div class="choices">
        {(known?.event_types ?? []).map((type) => (
          <label key={type}>
            <input type="checkbox" checked={chosen.includes(type)} onChange={() => toggle(type)} /> {type}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
