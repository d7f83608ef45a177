/** The activity of an account in the console, and the files of its lists. docs/developers/console.md#data-of-the-console. */
import { parse } from 'csv-parse/sync';
import { newClient, newKey, useClient, useDatabase } from '../support/clients';
import { ConsoleSession } from '../support/console';
import { ops } from '../support/operator';
import { orderOf, place, reached } from '../support/orders';
import { invalidQuery, type Json } from '../support/stack';
import { until } from '../../dev/testbed/waiting';
import { useMade } from '../support/made';

interface Part {
  entries: { id: number; at: string; actor: string; action: string; object: string; address: string | null }[];
  next: number | null;
}

const database = useDatabase();
const client = useClient(database, { USD: 100 });
const session = useMade(() => ConsoleSession.begin(client.credentials));
const stranger = useMade(async () => ConsoleSession.begin((await newClient(database)).credentials));

beforeAll(async () => {
  for (const networks of [['10.0.0.0/8'], ['127.0.0.0/8'], []])
    await session.send('PUT', '/console/api/v1/allowed-networks', { networks });
  await newKey(database, client.id, { label: 'Ended', expiresAt: new Date(Date.now() - 60_000) });
  await ops`clients invite-admin ${client.id} ann.${client.id}@goods.example --name Ann`;
});

const activity = async (query: Record<string, string | number> = {}, owner = session) => {
  const text = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  );
  return (await owner.send<Part>('GET', `/console/api/activity?${text.toString()}`)).body;
};
const fileOf = async (path: string, owner = session) => {
  const { status, headers, text } = await owner.file(`/console/api/${path}`);
  expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
  return { header: text.split('\n')[0], rows: parse<Record<string, string>>(text, { columns: true }) };
};

test('When the activity is filtered, then it has the entries of the actor, the action and the days', async () => {
  const { entries, next } = await activity();
  expect(next).toBeNull();
  expect(entries.map(({ action }) => action)).toEqual(
    expect.arrayContaining(['session.started', 'allowed_networks.changed', 'member.created']),
  );
  const changes = entries.filter(({ action }) => action === 'allowed_networks.changed');
  expect(changes).toHaveLength(3);
  expect((await activity({ action: 'allowed_networks' })).entries).toEqual(changes);
  const actor = changes[0]?.actor ?? '';
  expect(actor).toMatch(/^api_key\//);
  expect((await activity({ actor })).entries).toEqual(entries.filter((entry) => entry.actor === actor));
  expect((await activity({ actor: 'operator' })).entries.map(({ action }) => action)).toContain('member.created');
  const since = changes[1]?.at ?? '';
  expect((await activity({ action: 'allowed', from: since })).entries).toEqual(changes.slice(0, 2));
  expect((await activity({ action: 'allowed', to: since })).entries).toEqual(changes.slice(2));
  expect(await session.send('GET', '/console/api/activity?actor=ann')).toMatchObject(invalidQuery);
});

test('When the activity is read in pages, then each entry is on one page, and another client has none of them', async () => {
  const whole = (await activity()).entries;
  const seen: Part['entries'] = [];
  for (let next: number | null = Number.MAX_SAFE_INTEGER % 1e15; next !== null;) {
    const part: Part = await activity({ before: next, limit: 2 });
    seen.push(...part.entries);
    next = part.next;
  }
  expect(seen).toEqual(whole);
  const foreign = (await activity({}, stranger)).entries;
  expect(foreign.filter(({ id }) => whole.some((entry) => entry.id === id))).toEqual([]);
});

test('When lists are saved as files, then the files have the rows of the filter, and a header without rows', async () => {
  const entries = await fileOf('activity.csv?action=allowed_networks');
  expect(entries.header).toBe('id,at,actor,action,object,address');
  expect(entries.rows).toHaveLength(3);
  expect((await fileOf('activity.csv?action=none')).rows).toEqual([]);
  expect((await fileOf('activity.csv?action=none')).header).toBe(entries.header);

  const keys = await fileOf('api-keys.csv');
  expect(keys.rows.map((row) => row['label'])).toEqual(['Ended', '']);
  expect(keys.rows[1]).toMatchObject({ api_key: client.credentials.api_key, revoked_at: '' });
  expect(JSON.stringify(keys)).not.toContain(client.credentials.api_secret);
  const members = await fileOf('members.csv');
  expect(members.rows).toMatchObject([{ name: 'Ann', role: 'admin', state: 'INVITED' }]);
  expect((await fileOf('members.csv', stranger)).rows).toEqual([]);
});

test('When requests and events are saved as files, then the files have those of the filter alone', async () => {
  const order = await place(client.api, orderOf('voucher_instant'));
  await reached(client.api, order.id, 'DELIVERED');
  const requests = await until('the request', async () => {
    const found = await fileOf(`requests.csv?order=${order.id}&method=POST`);
    return found.rows.length > 0 ? found : undefined;
  });
  expect(requests.rows).toMatchObject([{ method: 'POST', status: '200', order_id: String(order.id) }]);
  const { body } = await session.send<{ events: Json[] }>('GET', `/console/api/events?order=${order.id}`);
  const events = await fileOf(`events.csv?order=${order.id}`);
  expect(events.rows.map(({ id }) => id)).toEqual(body.events.map(({ id }) => id));
  expect(events.rows.length).toBeGreaterThan(0);
  expect((await fileOf(`events.csv?order=${order.id}`, stranger)).rows).toEqual([]);
  expect((await fileOf(`requests.csv?order=${order.id}`, stranger)).rows).toEqual([]);
});
