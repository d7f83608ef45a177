/** The console's own reads beyond the contract: the list of all orders, codes, timelines and the log of requests. */
import { randomUUID } from 'node:crypto';
import { parse } from 'csv-parse/sync';
import { deleteOldApiRequests } from '../../src/data/clients/api-requests';
import { firstRow, rows } from '../../src/data/database/database';
import { newClient, stackDatabase, type OwnClient } from '../support/clients';
import { ConsoleSession } from '../support/console';
import { orderOf, place, reached } from '../support/orders';
import { Receiver, register } from '../support/receiver';
import { invalidQuery, notFound, type Json, type Resource } from '../support/stack';
import { accepted, esimOrders, topupOrders } from '../support/variant-orders';
import { until } from '../support/waiting';

type Line = Record<string, string>;
interface Listed {
  orders: (Resource & { family: string; status: string; placed_at: string })[];
  next: number | null;
}

const database = stackDatabase();
const run = randomUUID().slice(0, 8);
const linesOf = (csv: string) => parse<Line>(csv, { columns: true });
const unknownOrder = notFound('Order');

let client: OwnClient;
let session: ConsoleSession;
let stranger: ConsoleSession;
let receiver: Receiver;
let ids: { voucher: number; failed: number; topup: number; esim: number };

const listed = async (query = '') => (await session.send<Listed>('GET', `/console/api/orders${query}`)).body;
const idsOf = async (query: string) => (await listed(query)).orders.map(({ id }) => id);

beforeAll(async () => {
  client = await newClient(database, { USD: 500, EUR: 300 });
  receiver = await Receiver.listen();
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
afterAll(async () => {
  receiver.close();
  await database.close();
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
    expect((await stranger.send<Listed>('GET', '/console/api/orders')).body).toEqual({
      orders: [],
      next: null,
    });
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
      rows(database, 'UPDATE clients SET features = $value::text[] WHERE id = $id', { value, id: client.id });
    await features('{esim}');
    await until('the change', async () => ((await idsOf('')).length === 1 ? true : undefined));
    expect(await idsOf('')).toEqual([ids.esim]);
    expect(await idsOf('?family=vouchers')).toEqual([]);
    expect(await session.send('GET', `/console/api/orders/${ids.voucher}/timeline`)).toMatchObject(
      unknownOrder,
    );
    expect((await session.send('GET', `/console/api/orders/${ids.voucher}/codes.csv`)).status).toBe(400);
    await features('{vouchers,topups,esim}');
    await until('the change back', async () => ((await idsOf('')).length === 4 ? true : undefined));
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
    const shown = linesOf(text).map(({ card_number, pin_code, claim_url }) => [
      card_number,
      pin_code,
      claim_url,
    ]);
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

test('When an order has ended, then its timeline has its events, their deliveries and attempts', async () => {
  interface Timeline {
    placed_at: string;
    completed_at: string | null;
    events: { type: string; deliveries: Json[]; attempts: Json[] }[];
  }
  const read = async () =>
    (await session.send<Timeline>('GET', `/console/api/orders/${ids.voucher}/timeline`)).body;
  const timeline = await until('the attempt', async () => {
    const found = await read();
    return found.events.some(({ type, attempts }) => type === 'order.delivered' && attempts.length > 0)
      ? found
      : undefined;
  });
  expect(Date.parse(timeline.completed_at ?? '')).toBeGreaterThanOrEqual(Date.parse(timeline.placed_at));
  const delivered = timeline.events.find(({ type }) => type === 'order.delivered');
  expect(delivered?.attempts[0]).toMatchObject({ url: receiver.url, success: true, error: null });
  expect(delivered?.deliveries[0]).toMatchObject({ url: receiver.url });
  expect(JSON.stringify(timeline)).not.toMatch(/card_number|pin_code|iccid/);
});

test('When the console requests the event types, then it gets the types that an endpoint can list', async () => {
  const { body } = await session.send('GET', '/console/api/event-types');
  expect(body.event_types).toContain('order.delivered');
  expect(body.event_types).toContain('topup.failed');
  expect(body.event_types).not.toContain('webhook.test');
});

describe('The log of requests', () => {
  interface Log {
    requests: { id: number; route: string; method: string; status: number; request_id: string }[];
    next: number | null;
  }
  const logOf = async (owner: ConsoleSession, query = '') =>
    (await owner.send<Log>('GET', `/console/api/requests${query}`)).body;

  test('When a request ends, then the log has the route without values, and only the client of the request sees the entry', async () => {
    const id = `log-${run}`;
    await client.api.get(`/api/v1/orders/${ids.voucher}?secret=hidden`, { 'x-request-id': id });
    await client.api.get(`/api/v1/nowhere/${run}`, { 'x-request-id': `${id}-404` });
    const log = await until('the entries', async () => {
      const found = await logOf(session);
      return found.requests.some(({ request_id }) => request_id === `${id}-404`) ? found : undefined;
    });
    expect(log.requests.find(({ request_id }) => request_id === id)).toMatchObject({
      method: 'GET',
      route: '/api/v1/orders/:id',
      status: 200,
    });
    expect(log.requests.find(({ request_id }) => request_id === `${id}-404`)).toMatchObject({
      route: 'none',
      status: 404,
    });
    expect(JSON.stringify(log)).not.toContain('hidden');
    expect((await logOf(stranger)).requests).toEqual([]);
    const failed = await logOf(session, '?status=4xx');
    expect(failed.requests.map(({ request_id }) => request_id)).toContain(`${id}-404`);
    expect(failed.requests.every(({ status }) => status >= 400 && status < 500)).toBe(true);
    const older = await logOf(session, `?before=${String(log.requests[0]?.id)}&limit=1`);
    expect(older.requests[0]?.id).toBe(log.requests[1]?.id);
  });

  test('When the console orders, then the log has this request, and no other one of the console', async () => {
    const id = `console-${run}`;
    const headers = { 'x-request-id': id };
    await session.send('GET', '/console/api/v1/wallets', undefined, headers);
    await session.send('POST', '/console/api/v1/orders', orderOf('voucher_instant'), headers);
    const found = await until('the order', async () => {
      const { requests } = await logOf(session);
      const own = requests.filter(({ request_id }) => request_id === id);
      return own.length > 0 ? own : undefined;
    });
    expect(found).toMatchObject([{ method: 'POST', route: '/console/api/v1/orders', status: 200 }]);
  });

  test('When an entry is older than seven days, then maintenance deletes it and keeps newer entries', async () => {
    const age = `UPDATE api_requests SET at = now() - interval '169 hours'
                  WHERE id = (SELECT min(id) FROM api_requests) RETURNING id`;
    const old = await firstRow<{ id: number }>(database, age);
    await deleteOldApiRequests(database, 1_000);
    const left = await rows<{ id: number }>(database, 'SELECT id FROM api_requests');
    expect(left.map(({ id }) => id)).not.toContain(old?.id);
    expect(left.length).toBeGreaterThan(0);
  });
});
