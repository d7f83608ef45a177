/** Clients manage their API keys, their allowed networks and see their activity. docs/specification.md#keys-networks-activity. */
import { storeKeyUses } from '../../src/data/clients/api-keys';
import { rows } from '../../src/data/database/database';
import { sql } from '../../dev/testbed/sql';
import { defaultScopes, scopes, type Scope } from '../../src/domain/clients/scopes';
import { newClient, newKey, useClient, useDatabase } from '../support/clients';
import { ConsoleSession } from '../support/console';
import { loggedIn, login, refresh, rejectedRefresh, unauthorized } from '../support/logins';
import { ops } from '../support/operator';
import { orderOf } from '../support/orders';
import { balanceOf, orderCount } from '../support/records';
import { ApiClient, notFound, refusal, validation, type Json } from '../support/stack';
import { loadStack } from '../../dev/testbed/loaded-stack';
import { ownMoment, timeAt } from '../../src/domain/time';

const database = useDatabase();
const path = '/api/v1/api-keys';
const client = useClient(database, { USD: 100 });

interface Key extends Json {
  id: number;
  api_key: string;
  api_secret: string;
  scopes: Scope[];
  expires_at: string | null;
}

const conflict = (message: string) => refusal('NOT_POSSIBLE_NOW', message);
const lacks = (scope: Scope) => refusal('FORBIDDEN', `API key lacks the scope ${scope}`);

async function created(body: Json = {}, api = client.api): Promise<Key> {
  const answer = await api.post<Key>(path, body);
  expect(answer.status).toBe(201);
  return answer.body;
}

/** The key with the id as the list shows it. */
async function listed(id: number): Promise<Json | undefined> {
  const { body } = await client.api.get<Json[]>(`${path}?per_page=500`);
  return body.find((key) => key['id'] === id);
}

const ownId = async (api_key: string) =>
  (await sql.first(database)<{ id: number }>`SELECT id FROM api_keys WHERE api_key = ${api_key}`)?.id as number;

const apiOf = (key: Key) => new ApiClient(loadStack().api_url, key);
const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1_000).toISOString();

/** Moves the end of a key into the past, as if its time had passed. */
const expire = (id: number) =>
  sql(database)`UPDATE api_keys SET expires_at = now() - interval '1 second' WHERE id = ${id}`;

describe('When a client creates a key', () => {
  test('without a body, then it has every scope but admin and no end, and its secret is shown only then', async () => {
    const key = await created();
    const { api_secret: secret, ...shown } = key;
    expect(key).toMatchObject({ label: null, scopes: defaultScopes, expires_at: null, last_used_at: null });
    expect(secret).toMatch(/^dgs_/);
    expect(await listed(key.id)).toEqual(shown);
    expect((await login(key)).status).toBe(200);
    expect(await apiOf(key).get(path)).toMatchObject(lacks('admin'));
  });

  test('with label, scopes and end, then it has these', async () => {
    const expires_at = inSeconds(3_600);
    const body = { label: ' Shop ', scopes: ['read', 'codes'], expires_at };
    expect(await created(body)).toMatchObject({ label: 'Shop', scopes: ['read', 'codes'], expires_at });
  });

  test.each([
    [{ label: 'x'.repeat(101) }, 'label is too long (max 100 characters)'],
    ...['a\0b', 'a\ud800b', 'a\nb', 'a\u009bb', 'a\u202eb'].map((label): [object, string] => [
      { label },
      'label is invalid',
    ]),
    [{ scopes: [] }, 'scopes must be a list of scopes'],
    [{ scopes: 'read' }, 'scopes must be a list of scopes'],
    [{ scopes: ['write'] }, 'scopes holds an unknown scope'],
    [{ scopes: ['read', 'read'] }, 'scopes holds a scope twice'],
    [{ expires_at: 'tomorrow' }, 'expires_at must be an RFC 3339 date and time'],
    [{ expires_at: '2020-01-01T00:00:00Z' }, 'expires_at must be in the future'],
  ])('with %j, then it is rejected', async (body, message) => {
    expect(await client.api.post(path, body)).toMatchObject(validation(message));
  });

  test('with a scope that the calling key lacks, then it is rejected, and so is the default', async () => {
    const { api } = await newKey(database, client.id, { scopes: ['admin', 'read'] });
    expect(await api.post(path, { scopes: ['read', 'codes'] })).toMatchObject(lacks('codes'));
    expect(await api.post(path, {})).toMatchObject(lacks('codes'));
    await created({ scopes: ['read'] }, api);
  });

  test('beyond 100 valid keys, then it is rejected until one has ended', async () => {
    const own = await newClient(database);
    await rows(
      database,
      `INSERT INTO api_keys (client_id, api_key, secret_hash, hash_key_id, scopes)
       SELECT $id::integer, 'many-' || $id::integer || '-' || n, '', 'none', '{read}' FROM generate_series(1, 99) n`,
      { id: own.id },
    );
    expect(await own.api.post(path, {})).toMatchObject(validation('No more than 100 valid keys are allowed'));
    await sql(database)`UPDATE api_keys SET revoked_at = now()
         WHERE api_key = 'many-' || ${own.id}::integer || '-7'`;
    await created({}, own.api);
  });
});

describe('When a client rolls a key', () => {
  const roll = (id: number, body?: Json, api = client.api) =>
    body === undefined
      ? api.send<Key>(`${path}/${id}/roll`, { method: 'POST' })
      : api.post<Key>(`${path}/${id}/roll`, body);

  test('then a key with the same label and scopes follows it, and the old key expires after a day', async () => {
    const old = await created({ label: 'Shop', scopes: ['read'] });
    const { status, body: successor } = await roll(old.id);
    expect(status).toBe(201);
    expect(successor).toMatchObject({ label: 'Shop', scopes: ['read'], expires_at: null });
    expect([successor.id === old.id, successor.api_key === old.api_key]).toEqual([false, false]);
    const { expires_at: end } = (await listed(old.id)) as unknown as Key;
    const hours = (ownMoment(String(end)).getTime() - Date.now()) / 3_600_000;
    expect(Math.abs(hours - 24)).toBeLessThan(0.1);
    for (const key of [old, successor]) expect((await login(key)).status).toBe(200);
  });

  test('without an overlap, then the old key has ended', async () => {
    const old = await created();
    const { refresh_token } = await loggedIn(old);
    const { body: successor } = await roll(old.id, { overlap_hours: 0 });
    expect(await login(old)).toMatchObject(unauthorized('Invalid credentials'));
    expect(await refresh(refresh_token)).toMatchObject(rejectedRefresh);
    expect((await login(successor)).status).toBe(200);
  });

  test('that expires, then its successor is valid for as long as it was', async () => {
    const old = await created({ expires_at: inSeconds(7_200) });
    const { body } = await roll(old.id, { overlap_hours: 168 });
    expect(Math.abs(ownMoment(String(body.expires_at)).getTime() - Date.now() - 7_200_000)).toBeLessThan(60_000);
    expect(await listed(old.id)).toMatchObject({ expires_at: old.expires_at });
  });

  test('that expires at the end of the year 9999, then its successor expires then, too', async () => {
    const end = '9999-12-31T23:59:59.999Z';
    const old = await created({ expires_at: end });
    const { status, body } = await roll(old.id);
    expect([status, body.expires_at]).toEqual([201, end]);
  });

  test('20 times at once, then one call succeeds, and the others find that it was rolled', async () => {
    const old = await created();
    const answers = await Promise.all(Array.from({ length: 20 }, () => roll(old.id)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    const others = answers.filter(({ status }) => status !== 201);
    for (const answer of others) expect(answer).toMatchObject(conflict('The API key was rolled already'));
    expect(await sql(database)`SELECT FROM api_keys WHERE replaces = ${old.id}`).toHaveLength(1);
  });

  test('itself, then it needs an overlap', async () => {
    const own = await created({ scopes });
    const api = apiOf(own);
    expect(await roll(own.id, { overlap_hours: 0 }, api)).toMatchObject(conflict('An API key cannot end itself'));
    expect((await roll(own.id, { overlap_hours: 1 }, api)).status).toBe(201);
  });

  test('with a scope that the calling key lacks, then it is rejected', async () => {
    const old = await created();
    const { api } = await newKey(database, client.id, { scopes: ['admin', 'read'] });
    expect(await roll(old.id, {}, api)).toMatchObject(lacks('codes'));
  });

  test.each([-1, 169, 1.5, '24'])('with an overlap of %j hours, then it is rejected', async (overlap_hours) => {
    const old = await created();
    expect(await roll(old.id, { overlap_hours })).toMatchObject(
      validation('overlap_hours must be a whole number from 0 to 168'),
    );
  });

  test('that has ended, then it is rejected', async () => {
    const old = await created();
    await expire(old.id);
    expect(await roll(old.id)).toMatchObject(conflict('The API key is revoked or has expired'));
  });
});

describe('When a client revokes a key', () => {
  const revoke = (id: number, api = client.api) => api.post(`${path}/${id}/revoke`, {});

  test('then its sessions end, and a repetition changes nothing', async () => {
    const key = await created();
    const { refresh_token, access_token } = await loggedIn(key);
    const first = await revoke(key.id);
    expect(first).toMatchObject({ status: 200, body: { id: key.id, revoked_at: expect.any(String) } });
    expect(await revoke(key.id)).toMatchObject({ status: 200, body: first.body });
    expect(await refresh(refresh_token)).toMatchObject(rejectedRefresh);
    const headers = { authorization: `Bearer ${access_token}` };
    expect(await client.api.post('/api/v1/orders', {}, headers)).toMatchObject(refusal('FORBIDDEN', 'API key revoked'));
  });

  test('that calls, then it is rejected', async () => {
    expect(await revoke(await ownId(client.credentials.api_key))).toMatchObject(
      conflict('An API key cannot end itself'),
    );
  });

  test('of another client, or none, then it is not found, and nothing changes', async () => {
    const stranger = await newClient(database);
    const id = await ownId(stranger.credentials.api_key);
    for (const unknown of [id, 2_000_000_000]) {
      expect(await revoke(unknown)).toMatchObject(notFound('Key'));
      expect(await client.api.post(`${path}/${unknown}/roll`, {})).toMatchObject(notFound('Key'));
    }
    expect((await login(stranger.credentials)).status).toBe(200);
    expect(await client.api.post(`${path}/x/revoke`, {})).toMatchObject(refusal('BAD_REQUEST', 'Invalid key ID'));
    const broken = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{' };
    expect(await client.api.send(`${path}/${id}/revoke`, broken)).toMatchObject(
      refusal('VALIDATION_FAILURE', 'Invalid request body'),
    );
  });
});

describe('When a key expires', () => {
  test('then it counts as revoked: no login, no refresh, no write, no page of the console', async () => {
    const key = await created({ scopes: [...scopes], expires_at: inSeconds(3_600) });
    const { refresh_token, access_token } = await loggedIn(key);
    const session = await ConsoleSession.begin(key);
    const headers = { authorization: `Bearer ${access_token}` };
    await expire(key.id);
    expect(await login(key)).toMatchObject(unauthorized('Invalid credentials'));
    expect(await refresh(refresh_token)).toMatchObject(rejectedRefresh);
    expect(await client.api.post(path, {}, headers)).toMatchObject(refusal('FORBIDDEN', 'API key revoked'));
    expect(await session.get('/wallets')).toMatchObject(unauthorized('API key revoked'));
    expect((await client.api.get('/api/v1/wallets', headers)).status).toBe(200);
  });

  test('while a client repeats an order request, then the repetition is rejected, and the order exists once', async () => {
    const own = await newClient(database, { USD: 100 });
    const { api, credentials } = await newKey(database, own.id, { expiresAt: new Date(Date.now() + 3_600_000) });
    const client_reference = 'expiring';
    const send = (fault?: string) =>
      api.post('/api/v1/orders', orderOf('voucher_instant', { client_reference }), {
        'idempotency-key': 'expiring',
        ...(fault && { 'sandbox-fault': fault }),
      });
    expect((await send('504-placed')).status).toBe(504);
    await expire(await ownId(credentials.api_key));
    expect(await send()).toMatchObject(refusal('FORBIDDEN', 'API key revoked'));
    expect(await orderCount(database, own.id)).toBe(1);
    const found = await api.get<Json[]>(`/api/v1/orders?client_reference=${client_reference}`);
    expect(found.body).toMatchObject([{ client_reference }]);
    expect(Number(await balanceOf(database, own.wallets['USD'] as number))).toBeLessThan(100);
  });

  test('then the operators’ CLI does not bring it back', async () => {
    const key = await created();
    await expire(key.id);
    await expect(ops`keys set ${key.api_key} --never-expires`).rejects.toThrow('There is no valid key');
  });
});

test('When the last uses of keys are stored, then the list shows the latest, and a locked key is stored later', async () => {
  const [one, other] = [await created(), await created()];
  const at = (second: number) => Date.UTC(2026, 0, 1, 0, 0, second);
  const uses = new Map([one, other].map(({ id }): [number, number] => [id, at(5)]));
  expect(await storeKeyUses(database, uses)).toEqual([]);
  expect(await storeKeyUses(database, new Map([[one.id, at(4)]]))).toEqual([]);
  expect(await listed(one.id)).toMatchObject({ last_used_at: timeAt(at(5)).toISOString() });
  const later = new Map([...uses.keys()].map((id): [number, number] => [id, at(9)]));
  const skipped = await database.transaction(async (transaction) => {
    await sql(database, transaction)`SELECT FROM api_keys WHERE id = ${one.id} FOR UPDATE`;
    return storeKeyUses(database, later);
  });
  expect(skipped).toEqual([one.id]);
  expect(await listed(other.id)).toMatchObject({ last_used_at: timeAt(at(9)).toISOString() });
});

describe('allowed networks', () => {
  const networks = '/api/v1/allowed-networks';
  const put = (body: unknown, api = client.api) =>
    api.send(networks, { method: 'PUT', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } });

  test('When a client sets its networks, then orders are accepted only from them, and it can always set them again', async () => {
    const own = await newClient(database, { USD: 100 });
    const elsewhere = { networks: ['203.0.113.0/24'], your_address: '127.0.0.1', your_address_is_allowed: false };
    expect(await put({ networks: elsewhere.networks }, own.api)).toMatchObject({ status: 200, body: elsewhere });
    expect(await own.api.get(networks)).toMatchObject({ status: 200, body: elsewhere });
    expect(await own.api.post('/api/v1/orders', orderOf('voucher_instant'))).toMatchObject(
      refusal('FORBIDDEN', 'IP address not allowed'),
    );
    expect(await put({ networks: [] }, own.api)).toMatchObject({ body: { your_address_is_allowed: true } });
    expect((await own.api.post('/api/v1/orders', orderOf('voucher_instant'))).status).toBe(200);
  });

  test.each([
    [{}, 'networks is required'],
    [{ networks: ['10/8'] }, 'networks must be a list of CIDRs, such as 203.0.113.0/24'],
    [{ networks: '10.0.0.0/8' }, 'networks must be a list of CIDRs, such as 203.0.113.0/24'],
    [{ networks: ['10.0.0.0/8', '10.0.0.0/8'] }, 'networks holds a network twice'],
    [{ networks: Array.from({ length: 101 }, (_, n) => `10.0.${n}.0/24`) }, 'No more than 100 networks are allowed'],
  ])('When the body is %j, then it is rejected', async (body, message) => {
    expect(await put(body)).toMatchObject(validation(message));
  });
});

test('When a client and an operator change its access, then the activity shows both, without the operator’s name', async () => {
  const own = await newClient(database);
  const caller = `api_key/${await ownId(own.credentials.api_key)}`;
  const key = await created({}, own.api);
  await own.api.post(`${path}/${key.id}/revoke`, {});
  await ops`clients set ${own.id} --cidrs 203.0.113.0/24`;
  const { body, headers } = await own.api.get<Json[]>('/api/v1/activity');
  expect(body.map(({ actor, action, object, address }) => [actor, action, object, address])).toEqual([
    ['operator', 'allowed_networks.changed', 'allowed_networks', null],
    [caller, 'api_key.revoked', `api_key/${key.id}`, '127.0.0.1'],
    [caller, 'api_key.created', `api_key/${key.id}`, '127.0.0.1'],
    [caller, 'session.started', expect.stringMatching(/^session\//), '127.0.0.1'],
  ]);
  expect(headers.get('x-total-count')).toBe('4');
});
