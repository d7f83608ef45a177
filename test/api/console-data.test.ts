/** The console's own reads beyond the contract: the list of all orders, codes, timelines and the log of requests. */
import { randomUUID } from 'node:crypto';
import { parse } from 'csv-parse/sync';
import { deleteOldApiRequests } from '../../src/data/clients/api-requests';
import { rows } from '../../src/data/database/database';
import { sql } from '../../dev/testbed/sql';
import { newClient, useClient, useDatabase } from '../support/clients';
import { ConsoleSession } from '../support/console';
import { orderOf, place, reached } from '../support/orders';
import { Receiver, register } from '../support/receiver';
import { invalidQuery, notFound, type Json, type Resource } from '../support/stack';
import { accepted, esimOrders, topupOrders } from '../support/variant-orders';
import { until } from '../../dev/testbed/waiting';
import { ownMoment } from '../../src/domain/time';
import { useMade } from '../support/made';

type Line = Record<string, string>;
interface Listed {
  orders: (Resource & { family: string; status: string; placed_at: string })[];
  next: number | null;
}

const database = useDatabase();
const run = randomUUID().slice(0, 8);
const linesOf = (csv: string) => parse<Line>(csv, { columns: true });
const unknownOrder = notFound('Order');

const client = useClient(database, { USD: 500, EUR: 300 });
let session: ConsoleSession;
let stranger: ConsoleSession;
const receiver = useMade(() => Receiver.listen(), 'close');
let ids: { voucher: number; failed: number; topup: number; esim: number };

const listed = async (query = '') => (await session.send<Listed>('GET', `/console/api/orders${query}`)).body;
const idsOf = async (query: string) => (await listed(query)).orders.map(({ id }) => id);

beforeAll(async () => {
  await register(client.api, receiver);
  const reference = (name: string) => ({ client_reference: `${run}-${name}` });
  const voucher = await place(client.api, orderOf('voucher_instant', { ...reference('b'), quantity: 2 }));
  const failed = await place(client.api, orderOf('voucher_out_of_stock', { client_reference: `=${run}` }));
  const topup = await accepted(client.api, topupOrders, orderOf('topup_instant', reference('a')));
  const esim = await accepted(client.api, esimOrders, orderOf('esim_instant'));
  await reached(client.api, failed.id, 'FAILED');
  ids = { voucher: voucher.id, failed: failed.id, topup: topup.id, esim: esim.id };
  session = await ConsoleSession.begin(client.credentials);
  stranger = await ConsoleSession.begin((await newClient(database, { USD: 1 })).credentials);
});

describe('The list of all orders', () => {
  test('When there is no filter, then the list has the orders of every family, newest first', async () => {
    const { orders, next } = await listed();
    expect(orders.map(({ id, family }) => [id, family])).toEqual([
      [ids.esim, 'esim'],
      [ids.topup, 'topups'],
      [ids.failed, 'vouchers'],
      [ids.voucher, 'vouchers'],
    ]);
    expect(next).toBeNull();
    expect((await stranger.send<Listed>('GET', '/console/api/orders')).body).toEqual({ orders: [], next: null });
  });

  test('When a limit is given, then each page continues after the previous page', async () => {
    const first = await listed('?limit=3');
    expect(first.orders.map(({ id }) => id)).toEqual([ids.esim, ids.topup, ids.failed]);
    expect(first.next).toBe(ids.failed);
    const second = await listed(`?limit=3&after=${String(first.next)}`);
    expect([second.orders.map(({ id }) => id), second.next]).toEqual([[ids.voucher], null]);
    const foreign = await stranger.send<Listed>('GET', `/console/api/orders?after=${ids.esim}`);
    expect(foreign.body.orders).toEqual([]);
  });

  test('When family, status, product, id, prefix or dates are given, then every filter applies', async () => {
    expect(await idsOf('?family=topups')).toEqual([ids.topup]);
    expect(await idsOf('?status=FAILED')).toEqual([ids.failed]);
    expect(await idsOf(`?search=${ids.esim}`)).toEqual([ids.esim]);
    expect(await idsOf(`?search=${run}-`)).toEqual([ids.topup, ids.voucher]);
    expect(await idsOf(`?search=${run}-&family=vouchers&status=DELIVERED`)).toEqual([ids.voucher]);
    expect(await idsOf(`?search=${run}-&limit=1&after=${ids.topup}`)).toEqual([ids.voucher]);
    expect(await idsOf('?search=none-of-these')).toEqual([]);
    const { orders } = await listed(`?search=${ids.topup}`);
    const [topup] = orders as [Listed['orders'][0]];
    const part = String(topup.product_name).slice(1, 6).toUpperCase();
    expect(await idsOf(`?product=${encodeURIComponent(part)}`)).toEqual([ids.topup]);
    expect(await idsOf('?product=%25')).toEqual([]);
    expect(await idsOf('?to=2020-01-01')).toEqual([]);
    expect(await idsOf('?from=2020-01-01&family=esim')).toEqual([ids.esim]);
    expect(await idsOf(`?from=${topup.placed_at}&family=vouchers`)).toEqual([]);
  });

  test('When the filter is invalid, then the response is 400', async () => {
    for (const query of ['family=cars', 'status=GONE', 'from=yesterday', 'after=x', 'limit=101', 'limit=0']) {
      const answer = await session.send('GET', `/console/api/orders?${query}`);
      expect([query, answer]).toMatchObject([query, invalidQuery]);
    }
  });

  test('When a client lacks the feature of a family, then the list omits the orders of that family', async () => {
    const features = (value: string) =>
      sql(database)`UPDATE clients SET features = ${value}::text[] WHERE id = ${client.id}`;
    await features('{esim}');
    await until('the change', async () => (await idsOf('')).length === 1);
    expect(await idsOf('')).toEqual([ids.esim]);
    expect(await idsOf('?family=vouchers')).toEqual([]);
    expect(await session.send('GET', `/console/api/orders/${ids.voucher}/timeline`)).toMatchObject(unknownOrder);
    expect((await session.send('GET', `/console/api/orders/${ids.voucher}/codes.csv`)).status).toBe(400);
    await features('{vouchers,topups,esim}');
    await until('the change back', async () => (await idsOf('')).length === 4);
  });

  test('When the filtered list is exported, then the file has these orders, exact amounts and no formula', async () => {
    const { status, headers, text } = await session.file('/console/api/orders.csv?family=vouchers');
    expect(status).toBe(200);
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename=orders-\dT?\d*/);
    const lines = linesOf(text);
    expect(lines.map(({ line, id }) => [line, id])).toEqual([
      ['ORDER', String(ids.failed)],
      ['ORDER', String(ids.voucher)],
      ['END', ''],
    ]);
    expect(lines[0]).toMatchObject({ client_reference: `'=${run}`, status: 'FAILED' });
    expect(lines[0]?.['charged_amount']).toMatch(/^\d+\.\d\d$/);
    expect(lines[0]?.['refunded_amount']).toBe(lines[0]?.['charged_amount']);
    const foreign = await stranger.file('/console/api/orders.csv');
    expect(linesOf(foreign.text).map(({ line }) => line)).toEqual(['END']);
  });
});

describe('The codes of an order', () => {
  test('When a client exports the codes, then the file has the exact values', async () => {
    const { status, headers, text } = await session.file(`/console/api/orders/${ids.voucher}/codes.csv`);
    expect(status).toBe(200);
    expect(headers.get('content-disposition')).toBe(`attachment; filename=codes-${ids.voucher}.csv`);
    expect(headers.get('cache-control')).toBe('no-store');
    const { body } = await client.api.get<{ vouchers: Json[] }>(`/api/v1/orders/${ids.voucher}`);
    const shown = linesOf(text).map(({ card_number, pin_code, claim_url }) => [card_number, pin_code, claim_url]);
    const exact = body.vouchers.map((voucher) =>
      [voucher.card_number, voucher.pin_code, voucher.claim_url].map((value) => value ?? ''),
    );
    expect(shown).toEqual(exact);
    expect(shown.length).toBe(2);
  });

  test('When the order has no codes, then the file is empty, but an order that is no voucher order of this client is not found', async () => {
    const none = await session.file(`/console/api/orders/${ids.failed}/codes.csv`);
    expect([none.status, linesOf(none.text)]).toEqual([200, []]);
    for (const [owner, id] of [
      [session, ids.topup],
      [stranger, ids.voucher],
      [session, 'x'],
    ] as const) {
      const { status, text } = await owner.file(`/console/api/orders/${id}/codes.csv`);
      expect({ status, body: JSON.parse(text) as Json }).toMatchObject(unknownOrder);
    }
  });
});

test('When a client asks how a price was made, then it reads each step of its own order, and nothing of how we set the terms', async () => {
  const path = `/console/api/orders/${ids.voucher}/price`;
  const { body } = await session.send<{ steps: Record<string, unknown>[] }>('GET', path);
  expect(body.steps).toEqual([
    { step: 'UNITS', quantity: 2, unit_amount: '10.00', amount: '20.00', currency: 'USD' },
    { step: 'DISCOUNT', less: '0.40', percent: '2', amount: '19.60', currency: 'USD' },
  ]);
  expect(await stranger.send('GET', path)).toMatchObject(unknownOrder);
});

test('When an order has ended, then its timeline has its events, their deliveries and attempts', async () => {
  interface Timeline {
    placed_at: string;
    completed_at: string | null;
    events: { type: string; deliveries: Json[]; attempts: Json[] }[];
  }
  const read = async () => (await session.send<Timeline>('GET', `/console/api/orders/${ids.voucher}/timeline`)).body;
  const timeline = await until('the attempt', async () => {
    const found = await read();
    return found.events.some(({ type, attempts }) => type === 'order.delivered' && attempts.length > 0)
      ? found
      : undefined;
  });
  expect(ownMoment(timeline.completed_at ?? '').getTime()).toBeGreaterThanOrEqual(
    ownMoment(timeline.placed_at).getTime(),
  );
  const delivered = timeline.events.find(({ type }) => type === 'order.delivered');
  expect(delivered?.attempts[0]).toMatchObject({ url: receiver.url, success: true, error: null });
  expect(delivered?.deliveries[0]).toMatchObject({ url: receiver.url });
  expect(JSON.stringify(timeline)).not.toMatch(/card_number|pin_code|iccid/);
});

test('When a client sets the sum above which the console asks, then its wallet has it, and the audit has the change', async () => {
  const path = `/console/api/confirmations/${client.wallets['USD']}`;
  const sums = async () =>
    (await session.send<{ confirmations: Json[] }>('GET', '/console/api/confirmations')).body.confirmations;
  expect((await sums()).map(({ confirm_above: above }) => above)).toEqual([null, null]);
  expect((await session.send('PUT', path, { confirm_above: 250.5 })).body).toEqual({ confirm_above: 250.5 });
  expect(await sums()).toContainEqual({ wallet_id: client.wallets['USD'], confirm_above: 250.5 });
  for (const wrong of [{}, { confirm_above: -1 }, { confirm_above: '5' }])
    expect((await session.send('PUT', path, wrong)).body['error']).toMatchObject({
      message: 'confirm_above must be a number from 0 to 1e15, or null',
    });
  expect(await stranger.send('PUT', path, { confirm_above: 1 })).toMatchObject(notFound('Wallet'));
  const entries = await rows<Json>(database, `SELECT action, before, after FROM audit_entries WHERE object = $object`, {
    object: `wallet/${client.wallets['USD']}`,
  });
  expect(entries.filter(({ action }) => action === 'wallet_threshold.changed')).toEqual([
    { action: 'wallet_threshold.changed', before: { confirm_above: null }, after: { confirm_above: '250.5000' } },
  ]);
});

test('When a client goes its first steps, then the console ticks them', async () => {
  const steps = async (of: ConsoleSession) => (await of.send<Json>('GET', '/console/api/first-steps')).body;
  expect(await steps(stranger)).toEqual({
    has_key: true,
    has_order: false,
    has_program_order: false,
    has_endpoint: false,
    has_refund_events: false,
    has_rehearsal: false,
    has_networks: false,
    has_thresholds: false,
  });
  const { wallets } = client;
  for (const id of Object.values(wallets))
    await session.send('PATCH', `/console/api/v1/wallets/${id}`, { low_balance_threshold: 5 });
  await until('the order in the log', async () => (await steps(session)).has_program_order || undefined);
  expect(await steps(session)).toMatchObject({ has_order: true, has_endpoint: true, has_thresholds: true });
});

test('When the console requests the event types, then it gets the types that an endpoint can list', async () => {
  const { body } = await session.send('GET', '/console/api/event-types');
  expect(body.event_types).toContain('order.delivered');
  expect(body.event_types).toContain('topup.failed');
  expect(body.event_types).not.toContain('webhook.test');
});

describe('The log of requests', () => {
  interface Entry {
    id: number;
    path: string;
    method: string;
    channel: string;
    api_key: string;
    status: number;
    error_code: string | null;
    error_message: string | null;
    order_id: number | null;
    order_family: string | null;
    client_reference: string | null;
    idempotency_key: string | null;
    request_id: string;
  }
  interface Log {
    requests: Entry[];
    next: number | null;
  }
  const logOf = async (owner: ConsoleSession, query: Record<string, string | number> = {}) => {
    const text = new URLSearchParams(
      Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
    );
    return (await owner.send<Log>('GET', `/console/api/requests?${text.toString()}`)).body;
  };
  /** The entry of the request with that id, once it is stored. */
  const entryOf = (id: string) =>
    until('the entry', async () => (await logOf(session, { request_id: id })).requests[0]);

  test('When a request ends, then the log has the route without values, and only the client of the request sees the entry', async () => {
    const id = `log-${run}`;
    await client.api.get(`/api/v1/orders/${ids.voucher}?secret=hidden`, { 'x-request-id': id });
    await client.api.get(`/api/v1/nowhere/${run}`, { 'x-request-id': `${id}-404` });
    expect(await entryOf(`${id}-404`)).toMatchObject({
      path: 'none',
      status: 404,
      error_code: 'NOT_FOUND',
      error_message: 'Path not found',
    });
    expect(await entryOf(id)).toMatchObject({
      method: 'GET',
      path: '/api/v1/orders/:id',
      channel: 'api',
      api_key: client.credentials.api_key,
      status: 200,
      error_code: null,
      error_message: null,
      order_id: ids.voucher,
      order_family: 'vouchers',
      client_reference: `${run}-b`,
    });
    const log = await logOf(session);
    expect(JSON.stringify(log)).not.toContain('hidden');
    expect((await logOf(stranger, { request_id: id })).requests).toEqual([]);
    const failed = await logOf(session, { status: '4xx' });
    expect(failed.requests.map(({ request_id }) => request_id)).toContain(`${id}-404`);
    expect(failed.requests.every(({ status }) => status >= 400 && status < 500)).toBe(true);
    const older = await logOf(session, { before: log.requests[0]?.id ?? 0, limit: 1 });
    expect(older.requests[0]?.id).toBe(log.requests[1]?.id);
  });

  test('When a request quotes text of the client, then the log stores nothing of it except the request id', async () => {
    const text = `mine${randomUUID().slice(0, 8)}`;
    const paths = ['/api/v1/orders', '/api/v1/topups/orders', '/api/v1/esim/orders'];
    const topup = orderOf('topup_instant');
    const bodies = [
      { [text]: text },
      { ...orderOf('voucher_instant'), client_reference: `é${text}` },
      { ...orderOf('voucher_instant'), email: text, redeem_voucher_code: text },
      { ...topup, input_data: { [text]: text } },
      { ...topup, input_data: { phone_number: text } },
      { url: text, description: text, event_types: [text] },
    ];
    for (const path of [...paths, '/api/v1/webhooks/endpoints']) {
      for (const body of bodies) await client.api.post(path, body, { 'idempotency-key': text });
    }
    for (const path of ['/api/v1/orders', '/api/v1/products', '/api/v1/webhooks/events']) {
      await client.api.get(`${path}?${text}=${text}&search=${text}&status=${text}`);
      await client.api.get(`${path}/${text}/${text}`);
      await client.api.get(`${path}/${text}`, { 'x-request-id': `end-${run}` });
    }
    await entryOf(`end-${run}`);
    await until('every entry', async () => (await logOf(session, { request_id: `end-${run}` })).requests.length === 3);
    const stored = await sql(database)<{ entry: string }>`SELECT to_json(entry)::text AS entry
         FROM api_requests entry WHERE client_id = ${client.id}`;
    expect(stored.length).toBeGreaterThan(30);
    expect(stored.filter(({ entry }) => entry.includes(text))).toEqual([]);
    const quoted = await logOf(session, { message: 'Unknown input field' });
    expect(quoted.requests[0]).toMatchObject({ error_code: 'VALIDATION_FAILURE', path: '/api/v1/topups/orders' });
  });

  test('When an order request is rejected, then the client finds it by code, message, method, path, order, reference and key', async () => {
    const [reference, key] = [`why-${run}`, `key-${run}`];
    const body = orderOf('voucher_instant', { client_reference: reference });
    const order = async (id: string, more: object = {}, headers = {}) =>
      client.api.post('/api/v1/orders', { ...body, ...more }, { 'x-request-id': `${id}-${run}`, ...headers });
    await order('a', { denomination: 0.01 }, { 'idempotency-key': key });
    const placed = await order('b', {}, { 'idempotency-key': key });
    await order('c');
    const [invalid, , duplicate] = [await entryOf(`a-${run}`), await entryOf(`b-${run}`), await entryOf(`c-${run}`)];
    expect(invalid).toMatchObject({ error_code: 'VALIDATION_FAILURE', order_id: null });
    expect(duplicate).toMatchObject({
      error_code: 'DUPLICATE_CLIENT_REFERENCE',
      error_message: 'Duplicate client_reference',
      order_id: (placed.body as Resource).id,
      client_reference: reference,
    });
    const found = async (query: Record<string, string | number>) =>
      (await logOf(session, query)).requests
        .map(({ request_id: id }) => id)
        .filter((id) => /^[abc]-/.test(id) && id.endsWith(run));
    const all = [`c-${run}`, `b-${run}`, `a-${run}`];
    expect(await found({ reference })).toEqual(all);
    expect(await found({ key })).toEqual(all.slice(1));
    expect(await found({ order: (placed.body as Resource).id })).toEqual(all.slice(0, 2));
    expect(await found({ code: 'DUPLICATE_CLIENT_REFERENCE' })).toEqual([`c-${run}`]);
    expect(await found({ message: 'Duplicate client_reference' })).toEqual([`c-${run}`]);
    expect(await found({ reference, status: '2xx', method: 'POST', path: '/orders' })).toEqual([`b-${run}`]);
    expect(await found({ reference, method: 'GET' })).toEqual([]);
    expect(await found({ reference, api_key: client.credentials.api_key })).toEqual(all);
    expect(await found({ reference, api_key: 'another' })).toEqual([]);
    expect(await found({ reference, channel: 'console' })).toEqual([]);
    expect((await entryOf(`b-${run}`)).idempotency_key).toBe(key);
    expect((await logOf(stranger, { reference })).requests).toEqual([]);
  });

  test('When errors differ only in numbers, then the console groups them, and finds each of them', async () => {
    const reference = `group-${run}`;
    for (let index = 0; index < 3; index += 1) {
      await client.api.get('/api/v1/wallets/0', { 'x-request-id': `${reference}-${index}` });
    }
    await entryOf(`${reference}-2`);
    await sql(database)`UPDATE api_requests
         SET error_message = 'Retry after ' || right(request_id, 1) || ' seconds'
                   WHERE request_id LIKE ${reference} || '-%'`;
    const { body } = await session.send<{ errors: Json[] }>('GET', '/console/api/requests/errors');
    expect(body.errors.find(({ path }) => path === '/api/v1/wallets/:id')).toMatchObject({
      method: 'GET',
      error_code: 'BAD_REQUEST',
      error_message: 'Retry after 2 seconds',
      count: 3,
      latest_request_id: `${reference}-2`,
    });
    expect((await logOf(session, { message: 'Retry after 1 seconds' })).requests).toHaveLength(3);
  });

  test('When the console calls the API, then the log has the call, but not the console reading its own data', async () => {
    const id = `console-${run}`;
    const headers = { 'x-request-id': id };
    await session.send('GET', '/console/api/v1/wallets', undefined, headers);
    await session.send('GET', '/console/api/requests', undefined, headers);
    await session.send('GET', '/console/api/orders', undefined, headers);
    await session.send('GET', '/console/session', undefined, headers);
    await session.send('POST', '/console/api/v1/orders', orderOf('voucher_instant'), headers);
    const found = await until('the calls', async () => {
      const { requests } = await logOf(session, { request_id: id });
      return requests.length > 1 ? requests : undefined;
    });
    expect(found).toMatchObject([
      { method: 'POST', path: '/api/v1/orders', channel: 'console', status: 200, order_family: 'vouchers' },
      { method: 'GET', path: '/api/v1/wallets', channel: 'console', status: 200, order_id: null },
    ]);
  });

  test('When an entry is older than seven days, then maintenance deletes it and keeps newer entries', async () => {
    const old = await sql.first(database)<{ id: number }>`UPDATE api_requests
         SET at = now() - interval '169 hours'
                  WHERE id = (SELECT min(id) FROM api_requests) RETURNING id`;
    await deleteOldApiRequests(database, 1_000);
    const left = await sql(database)<{ id: number }>`SELECT id FROM api_requests`;
    expect(left.map(({ id }) => id)).not.toContain(old?.id);
    expect(left.length).toBeGreaterThan(0);
  });
});
