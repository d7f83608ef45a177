import { useState } from 'preact/hooks';
import { api, list } from '../api';
import { words } from '../../../parts/src/format';
import { useLoaded } from '../../../parts/src/loading';
import { Action, At, Copyable, Dialog, Empty, Facts, Progress, Status } from '../../../parts/src/basics';
import { Field, Form } from '../../../parts/src/form';
import { filterIn, type FilterField, type FilterValues } from '../parts/filters';
import { List } from '../parts/list';
import { hrefOf } from '../route';
import type { ApiKey, CreatedApiKey, Networks } from '../types';

const scopes: readonly ApiKey['scopes'][number][] = [
  'read',
  'codes',
  'orders:vouchers',
  'orders:topups',
  'orders:esims',
  'wallets',
  'webhooks',
  'admin',
];

/** The API keys of the account, and the networks from which it orders. */
export function AccessPage({ query }: { query: URLSearchParams }) {
  const keys = useLoaded(() => list<ApiKey>('/api-keys?per_page=500'), 'keys');
  const networks = useLoaded(() => api<Networks>('/allowed-networks'), 'networks');
  const filter = filterIn(fields, query);
  const [isCreating, setIsCreating] = useState(false);
  const [created, setCreated] = useState<CreatedApiKey>();
  const show = (key: CreatedApiKey) => {
    setIsCreating(false);
    setCreated(key);
    keys.reload();
  };
  return (
    <>
      <section aria-labelledby="keys">
        <div class="section-head">
          <h2 id="keys">API keys</h2>
          <button type="button" class="primary" onClick={() => setIsCreating(true)}>
            Create a key
          </button>
        </div>
        <p class="quiet">Give each program a key of its own, with only the scopes that it needs.</p>
        {created && <NewSecret of={created} close={() => setCreated(undefined)} />}
        <List
          name="keys"
          caption="API keys, newest first"
          fields={fields}
          filter={filter}
          hrefOf={(chosen) => hrefOf('account/access', chosen)}
          loaded={keys}
          items={matching(keys.data?.items ?? [], filter)}
          keyOf={({ id }) => id}
          columns={columnsOf({ rolled: show, changed: keys.reload })}
          hidden={['Created']}
          sortedBy={sortedBy}
          empty={<Empty what="No key matches." />}
          file="api-keys.csv"
          fileText="Export all keys as CSV"
        />
        {isCreating && <KeyDialog close={() => setIsCreating(false)} created={show} />}
      </section>
      <section aria-labelledby="networks">
        <h2 id="networks">Allowed networks</h2>
        <Progress of={networks} />
        {networks.data && (
          <div class="card">
            <NetworksForm key={networks.data.networks.join()} of={networks.data} saved={networks.reload} />
          </div>
        )}
      </section>
    </>
  );
}

/** The only time that the secret is shown. */
function NewSecret({ of: { api_key: key, api_secret: secret }, close }: { of: CreatedApiKey; close: () => void }) {
  return (
    <div class="card" role="status">
      <p>Copy the secret now: it is shown only this once.</p>
      <Facts
        of={[
          ['API key', <Copyable label="key" text={key} />],
          ['Secret', <Copyable label="secret" text={secret} />],
        ]}
      />
      <button type="button" onClick={close}>
        Done
      </button>
    </div>
  );
}

type Name = 'state' | 'scope' | 'search';

const fields: readonly FilterField<Name>[] = [
  { name: 'state', label: 'State', options: ['ACTIVE', 'EXPIRED', 'REVOKED'].map((each) => [each, words(each)]) },
  { name: 'scope', label: 'Scope', options: scopes.map((scope) => [scope, scope]) },
  { name: 'search', label: 'Name or key', isMain: true },
];

/** The keys that the filter wants. They are few: an account has at most 100 valid ones. */
function matching(keys: readonly ApiKey[], { state, scope, search }: FilterValues<Name>): ApiKey[] {
  const text = search.trim().toLowerCase();
  return keys.filter(
    (key) =>
      (state === '' || stateOf(key) === state) &&
      (scope === '' || key.scopes.some((each) => each === scope)) &&
      `${key.label ?? ''} ${key.api_key}`.toLowerCase().includes(text),
  );
}

const sortedBy = {
  Key: ({ label, api_key: name }: ApiKey) => label ?? name,
  State: (key: ApiKey) => stateOf(key),
  'Last used': ({ last_used_at: at }: ApiKey) => at,
  Expires: ({ expires_at: at }: ApiKey) => at,
  Created: ({ created_at: at }: ApiKey) => at,
};

interface KeyActionsProps {
  rolled: (key: CreatedApiKey) => void;
  changed: () => void;
}

const columnsOf = (actions: KeyActionsProps) => ({
  Key: ({ label, api_key: name }: ApiKey) => (
    <span class="lines">
      {label !== null && <span>{label}</span>}
      <code class="wrapped">{name}</code>
    </span>
  ),
  State: (key: ApiKey) => <Status of={stateOf(key)} />,
  Scopes: ({ scopes: own }: ApiKey) => <span class="wrapped">{own.join(', ')}</span>,
  'Last used': ({ last_used_at: at }: ApiKey) => <At time={at} />,
  Expires: ({ expires_at: at }: ApiKey) => <At time={at} />,
  Created: ({ created_at: at }: ApiKey) => <At time={at} />,
  Actions: (key: ApiKey) => stateOf(key) === 'ACTIVE' && <KeyActions of={key} {...actions} />,
});

function stateOf({ revoked_at: revoked, expires_at: expires }: ApiKey): string {
  if (revoked !== null) return 'REVOKED';
  return expires !== null && Date.parse(expires) <= Date.now() ? 'EXPIRED' : 'ACTIVE';
}

function KeyActions({ of: { id, api_key: name }, rolled, changed }: KeyActionsProps & { of: ApiKey }) {
  const revoke = async () => {
    await api(`/api-keys/${id}/revoke`, { method: 'POST' });
    changed();
  };
  return (
    <span class="buttons">
      <Action
        run={async () => rolled(await api<CreatedApiKey>(`/api-keys/${id}/roll`, { method: 'POST' }))}
        confirm={{
          title: 'Replace the key?',
          text: `You get a new key with the same scopes. ${name} stays valid for 24 hours.`,
        }}
      >
        Roll
      </Action>
      <Action
        kind="danger"
        run={revoke}
        confirm={{ title: 'Revoke the key?', text: `Programs that use ${name} stop at once. This cannot be undone.` }}
      >
        Revoke
      </Action>
    </span>
  );
}

function KeyDialog({ close, created }: { close: () => void; created: (key: CreatedApiKey) => void }) {
  const [label, setLabel] = useState('');
  const [chosen, setChosen] = useState<readonly string[]>(scopes.filter((scope) => scope !== 'admin'));
  const [expires, setExpires] = useState('');
  const toggle = (scope: string, isChosen: boolean) =>
    setChosen(scopes.filter((each) => (each === scope ? isChosen : chosen.includes(each))));
  const submit = async () => {
    if (chosen.length === 0) throw new Error('Choose at least one scope.');
    const expires_at = expires === '' ? null : new Date(expires).toISOString();
    created(await api<CreatedApiKey>('/api-keys', { method: 'POST', body: { label, scopes: chosen, expires_at } }));
  };
  return (
    <Dialog title="Create a key" close={close}>
      <Form submit={submit} button="Create">
        <Field label="Name" name="label" hint="Such as the program that uses it.">
          {(ids) => <input {...ids} value={label} onInput={(event) => setLabel(event.currentTarget.value)} />}
        </Field>
        <fieldset>
          <legend>Scopes</legend>
          {scopes.map((scope) => (
            <label key={scope} class="check">
              <input
                type="checkbox"
                checked={chosen.includes(scope)}
                onChange={(event) => toggle(scope, event.currentTarget.checked)}
              />{' '}
              {scope}
            </label>
          ))}
        </fieldset>
        <Field label="Expires" name="expires_at" hint="Empty: never.">
          {(ids) => (
            <input
              {...ids}
              type="datetime-local"
              value={expires}
              onInput={(event) => setExpires(event.currentTarget.value)}
            />
          )}
        </Field>
      </Form>
    </Dialog>
  );
}

function NetworksForm({ of, saved }: { of: Networks; saved: () => void }) {
  const [text, setText] = useState(of.networks.join('\n'));
  const submit = async () => {
    const networks = text.split(/[\s,]+/).filter((part) => part !== '');
    await api('/allowed-networks', { method: 'PUT', body: { networks } });
    saved();
  };
  return (
    <Form submit={submit} button="Save">
      <Field
        label="Networks from which orders are accepted"
        name="networks"
        hint="One CIDR in each line, such as 203.0.113.0/24. Empty accepts every address."
      >
        {(ids) => <textarea {...ids} rows={4} value={text} onInput={(event) => setText(event.currentTarget.value)} />}
      </Field>
      <p class={of.your_address_is_allowed ? 'quiet' : 'failure'}>
        Your address is {of.your_address}: orders from it are {of.your_address_is_allowed ? '' : 'not '}
        accepted.
      </p>
    </Form>
  );
}
