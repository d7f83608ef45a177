/** The records of sensitive calls: the log of requests and logins, and the audit table. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { rows } from '../../src/data/database/database';
import { sql } from '../../dev/testbed/sql';
import { newApiKey } from '../../src/security/api-secrets';
import { newClient, useClient, useDatabase } from '../support/clients';
import { rejectionOf } from '../../dev/testbed/ledger-rows';
import { ops, printedBy } from '../support/operator';
import { orderOf, place } from '../support/orders';
import { Receiver, register } from '../support/receiver';
import { apiWithoutToken, type Json } from '../support/stack';
import { loadStack, stackDirectory } from '../../dev/testbed/loaded-stack';
import { until } from '../../dev/testbed/waiting';
import { useMade } from '../support/made';

const database = useDatabase();
const endpoints = '/api/v1/webhooks/endpoints';
const client = useClient(database, { USD: 100 });
const receiver = useMade(() => Receiver.listen(), 'close');
let keyId: number;
beforeAll(async () => {
  const key = await sql.first(database)<{ id: number }>`SELECT id FROM api_keys
       WHERE client_id = ${client.id}`;
  keyId = (key as { id: number }).id;
});

/** The lines of the API's log that contain the text. */
function logged(text: string): Json[] {
  const log = readFileSync(stackDirectory().log('api'), 'utf8');
  const lines = log.split('\n').filter((line) => line.includes(text));
  return lines.map((line) => JSON.parse(line) as Json);
}

/** Waits for the log line with that message about the request, and returns the line. */
async function loggedOf(requestId: string, message: string): Promise<Json> {
  return until(`"${message}" of ${requestId}`, async () => logged(requestId).find(({ msg }) => msg === message));
}

const newId = () => `trace-${randomUUID()}`;
const entries = (...options: string[]) => ops`audit list --client ${client.id} ${options}`;

describe('the log', () => {
  test('When a client calls, then the log line names the address of the client and the key of the session', async () => {
    const requestId = newId();
    await client.api.get('/api/v1/wallets', { 'x-request-id': requestId });
    expect(await loggedOf(requestId, 'request')).toMatchObject({
      clientId: client.id,
      apiKeyId: keyId,
      address: '127.0.0.1',
    });
  });

  test('When a client refreshes its session, then the log lines of its calls still name the key', async () => {
    const { api_key: username, api_secret: password } = client.credentials;
    type Pair = { data: { refresh_token: string; access_token: string } };
    const nobody = apiWithoutToken();
    const first = await nobody.post<Pair>('/auth/login', { username, password });
    const { refresh_token } = first.body.data;
    const second = await nobody.post<Pair>('/auth/refresh', { refresh_token });
    const requestId = newId();
    const authorization = `Bearer ${second.body.data.access_token}`;
    await nobody.get('/api/v1/wallets', { authorization, 'x-request-id': requestId });
    expect(await loggedOf(requestId, 'request')).toMatchObject({ apiKeyId: keyId });
  });

  test('When a login fails, then the log has the caller’s address and the key, and no other input', async () => {
    const attempt = async (username: string, password: string) => {
      const requestId = newId();
      const body = { username, password };
      const answer = await apiWithoutToken().post('/auth/login', body, { 'x-request-id': requestId });
      expect(answer.status).toBe(401);
      return loggedOf(requestId, 'login rejected');
    };
    const { api_key, api_secret } = client.credentials;
    const wrong = await attempt(api_key, 'a wrong one');
    expect(wrong).toMatchObject({ address: '127.0.0.1', clientId: client.id, apiKeyId: keyId });
    expect(wrong).not.toHaveProperty('apiKey');

    const unknown = newApiKey();
    expect(await attempt(unknown, 'a wrong one')).toMatchObject({ address: '127.0.0.1', apiKey: unknown });

    for (const typed of [api_secret, `my password ${randomUUID()}`, `${unknown}${randomUUID()}`]) {
      expect(await attempt(typed, 'a wrong one')).not.toHaveProperty('apiKey');
      expect(logged(typed)).toEqual([]);
    }
    expect(logged('a wrong one')).toEqual([]);
  });

  test('When a suspended client logs in, then the log has the attempt', async () => {
    const suspended = await newClient(database);
    await ops`clients suspend ${suspended.id}`;
    const requestId = newId();
    const { api_key: username, api_secret: password } = suspended.credentials;
    await apiWithoutToken().post('/auth/login', { username, password }, { 'x-request-id': requestId });
    expect(await loggedOf(requestId, 'login rejected: no access')).toMatchObject({
      clientId: suspended.id,
      address: '127.0.0.1',
    });
  });

  test('When a refresh token is reused, then the log line names client, key and address', async () => {
    const { api_key: username, api_secret: password } = client.credentials;
    type Pair = { data: { refresh_token: string } };
    const nobody = apiWithoutToken();
    const first = (await nobody.post<Pair>('/auth/login', { username, password })).body.data;
    const second = (await nobody.post<Pair>('/auth/refresh', first)).body.data;
    await nobody.post('/auth/refresh', second);
    const requestId = newId();
    await nobody.post('/auth/refresh', first, { 'x-request-id': requestId });
    expect(await loggedOf(requestId, 'refresh token reused, session revoked')).toMatchObject({
      clientId: client.id,
      apiKeyId: keyId,
      address: '127.0.0.1',
    });
  });
});

describe('the audit table', () => {
  test('When a client makes sensitive calls, then operators read each call and its actor, newest first, without secrets', async () => {
    const begun = new Date().toISOString();
    const { id, secret } = await register(client.api, receiver);
    const path = `${endpoints}/${id}`;
    const object = `webhook_endpoint/${id}`;
    const requestId = newId();
    const headers = { 'x-request-id': requestId };
    await client.api.patch(path, { description: 'Shop', url: receiver.url }, headers);
    await client.api.patch(path, { description: 'Shop' });
    await client.api.patch(path, { url: receiver.url.replace('=value', '=other') });
    const shownUrl = receiver.url.replace('=value', '=…');
    await client.api.get(`${path}/secret`);
    const rotated = await client.api.post<{ secret: string }>(`${path}/secret/rotate`, {});
    const replay = await client.api.post(`${path}/replay`, { since: begun });
    const { body: events } = await client.api.get<{ id: string }[]>('/api/v1/webhooks/events');
    await client.api.post(`/api/v1/webhooks/events/${events[0]?.id}/redeliver`, {});
    await client.api.patch(`/api/v1/wallets/${client.wallets['USD']}`, { low_balance_threshold: 7 });
    await client.api.patch(`/api/v1/wallets/${client.wallets['USD']}`, { low_balance_threshold: 7 });
    const order = await place(client.api, orderOf('voucher_delayed'));
    const email = 'somebody@customer.example';
    await client.api.patch(`/api/v1/orders/${order.id}/notification-email`, { email });
    await client.api.send(path, { method: 'DELETE' });

    const found = await entries('--since', begun);
    expect(found.map(({ action, object, before, after }) => ({ action, object, before, after }))).toEqual([
      { action: 'webhook_endpoint.deleted', object, before: { url: shownUrl }, after: null },
      { action: 'notification_email.changed', object: `order/${order.id}`, before: null, after: null },
      {
        action: 'wallet_threshold.changed',
        object: `wallet/${client.wallets['USD']}`,
        before: { threshold: null },
        after: { threshold: expect.stringMatching(/^7(\.0+)?$/) },
      },
      {
        action: 'webhook_event.redelivered',
        object: `webhook_event/${events[0]?.id}`,
        before: null,
        after: { endpoint_ids: [id] },
      },
      {
        action: 'webhook_endpoint.replayed',
        object,
        before: null,
        after: { since: begun, events: replay.body['events'] },
      },
      { action: 'webhook_secret.rotated', object, before: null, after: null },
      { action: 'webhook_secret.shown', object, before: null, after: null },
      { action: 'webhook_endpoint.changed', object, before: { url: shownUrl }, after: { url: shownUrl } },
      { action: 'webhook_endpoint.changed', object, before: { description: '' }, after: { description: 'Shop' } },
      {
        action: 'webhook_endpoint.created',
        object,
        before: null,
        after: { url: shownUrl, description: '', event_types: [], enabled: true },
      },
    ]);
    expect(found.find(({ request_id }) => request_id === requestId)).toMatchObject({
      at: expect.any(String),
      actor: 'CLIENT',
      client_id: client.id,
      api_key: client.credentials.api_key,
      address: '127.0.0.1',
      action: 'webhook_endpoint.changed',
    });
    const text = JSON.stringify(found);
    for (const hidden of ['key=value', secret, rotated.body.secret, email, client.credentials.api_secret]) {
      expect(text).not.toContain(hidden);
    }
    expect(await entries('--since', begun, '--limit', '1')).toEqual(found.slice(0, 1));
  });

  test('When an order debits a wallet, then the audit of the wallet and the audit of the order show the debit', async () => {
    const buyer = await newClient(database, { USD: 100 });
    const order = await place(buyer.api, orderOf('voucher_instant'));
    const { body } = await buyer.api.get(`/api/v1/wallets/${buyer.wallets['USD']}`);
    const balance = Number(body['balance']);
    const debit = {
      actor: 'SERVICE',
      client_id: buyer.id,
      action: 'transaction.created',
      before: null,
      after: null,
      moved: { kind: 'ORDER', currency: 'USD', order_id: order.id, amount: expect.stringMatching(/^-\d+\.\d\d$/) },
    };
    const object = `wallet/${buyer.wallets['USD']}`;
    const moved = await ops`audit list --object ${object} --since 2h`;
    expect(moved).toMatchObject([debit, { moved: { kind: 'FUNDING', amount: '100.00', balance_after: '100.00' } }]);
    expect(Number((moved[0]?.['moved'] as Json)['balance_after'])).toBe(balance);
    expect(await ops`audit list --object ${object} --limit 1`).toEqual(moved.slice(0, 1));
    expect(await ops`audit list --object order/${order.id}`).toMatchObject([debit]);

    const printed = await printedBy(loadStack().database_url, 'audit', 'list', '--object', object);
    const lines = printed.split('\n');
    expect(lines[1]).toMatch(new RegExp(`Z  ORDER +-\\d+\\.\\d\\d USD +${balance}\\d* +Order ${order.id}$`));
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(100);
  });

  test('When a call is rejected, then the audit table gets no entry', async () => {
    const before = await entries();
    await client.api.get(`${endpoints}/999999/secret`);
    await client.api.patch(`${endpoints}/999999`, { description: 'x' });
    await client.api.send(`${endpoints}/999999`, { method: 'DELETE' });
    await client.api.patch(`/api/v1/wallets/${client.wallets['USD']}`, { low_balance_threshold: 0.001 });
    expect(await entries()).toEqual(before);
  });

  test('When the audit entry cannot be written, then the change is rolled back', async () => {
    const other = await newClient(database, { USD: 1 });
    const { id } = await register(other.api, receiver);
    const tooLong = `CHECK (client_id <> ${other.id} OR action <> 'webhook_endpoint.changed')`;
    await rows(database, `ALTER TABLE audit_entries ADD CONSTRAINT refused_by_test ${tooLong} NOT VALID`);
    try {
      const answer = await other.api.patch(`${endpoints}/${id}`, { description: 'unseen' });
      expect(answer.status).toBe(500);
    } finally {
      await sql(database)`ALTER TABLE audit_entries DROP CONSTRAINT refused_by_test`;
    }
    expect((await other.api.get(`${endpoints}/${id}`)).body).toMatchObject({ description: '' });
  });

  test('When a statement changes an audit entry, then the database rejects the statement', async () => {
    const change = `UPDATE audit_entries SET action = 'nothing' WHERE client_id = ${client.id}`;
    expect(await rejectionOf(database, change)).toContain('audit entries are never changed');
  });
});
