/** The stream of the console: its messages, their recipients, and its end. docs/clients/console.md. */
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from '../../dev/testbed/sql';
import { fund } from '../../dev/testbed/clients';
import { newClient, type OwnClient, useDatabase } from '../support/clients';
import { ConsoleSession, cookieOf, Followed } from '../support/console';
import { ops } from '../support/operator';
import { orderOf, place, reached } from '../support/orders';
import { Receiver, register } from '../support/receiver';
import { startApiProcess } from '../support/service-process';
import { loadStack } from '../../dev/testbed/loaded-stack';
import type { Json } from '../support/stack';
import { until } from '../../dev/testbed/waiting';

const database = useDatabase();
const open: AbortController[] = [];
afterEach(() => open.splice(0).forEach((page) => page.abort()));

/** Opens a page of the session. Returns once the page has the current state. */
async function pageOf(session: ConsoleSession): Promise<Followed & { close: () => void }> {
  const page = new AbortController();
  open.push(page);
  const followed = await session.follow(page.signal);
  if (followed.response.status === 200) {
    await until('the current state', async () => followed.messages.find(({ event }) => event === 'state'));
  }
  return Object.assign(followed, { close: () => page.abort() });
}

async function openPage(client: OwnClient): Promise<Followed & { close: () => void }> {
  return pageOf(await ConsoleSession.begin(client.credentials));
}

/** Waits until the page gets a message about that part with all of `wanted`. */
function untilShown(page: Followed, part: string, wanted: Json): Promise<Json> {
  return until(`${part} ${JSON.stringify(wanted)}`, async () =>
    page.of<Json>(part).find((each) => Object.entries(wanted).every(([key, value]) => each[key] === value)),
  );
}

test('When a page opens, then it gets the current state', async () => {
  const client = await newClient(database, { USD: 100, EUR: 5 });
  const order = await place(client.api, orderOf('voucher_instant'));
  const page = await openPage(client);
  expect(page.response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  expect(page.response.headers.get('cache-control')).toBe('no-store');
  const [{ event, data } = { event: '', data: {} }] = page.messages;
  expect(event).toBe('state');
  expect(data).toMatchObject({
    wallets: [
      { id: client.wallets['USD'], currency_code: 'USD', balance: 90.2 },
      { id: client.wallets['EUR'], currency_code: 'EUR', balance: 5 },
    ],
    orders: [{ id: order.id, family: 'vouchers', status: 'DELIVERED', amount: 10, currency: 'USD' }],
    events: [{ type: 'wallet.credited' }, { type: 'wallet.credited' }, {}, {}],
  });
});

test('When an order progresses, then the page gets order, wallet, events and attempts without polling', async () => {
  const client = await newClient(database, { USD: 100 });
  const receiver = await Receiver.listen();
  await register(client.api, receiver);
  const page = await openPage(client);
  const order = await place(client.api, orderOf('voucher_delayed'));
  await untilShown(page, 'orders', { id: order.id, status: 'PENDING' });
  const { charged_amount: charged } = order as Json;
  await untilShown(page, 'wallets', {
    id: client.wallets['USD'],
    balance: 100 - Number(charged),
    available: 100 - Number(charged),
  });
  await reached(client.api, order.id, 'DELIVERED');
  await untilShown(page, 'orders', { id: order.id, status: 'DELIVERED' });
  const delivered = await untilShown(page, 'events', { type: 'order.delivered', order_id: order.id });
  await untilShown(page, 'attempts', { event_id: delivered.id, success: true });
  // The page gets each event once.
  const ids = page.of<{ id: string }>('events').map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(JSON.stringify(page.messages)).not.toMatch(/card_number|pin_code|iccid|LPA:/);
  receiver.close();
});

test('When a page stays open, then it does not count against the rate limits, and it shows their usage', async () => {
  const client = await newClient(database, { USD: 100 }, { reads: 50 });
  const page = await openPage(client);
  const readsLeft = () =>
    page
      .of<Json>('usage')
      .filter(({ name }) => name === 'reads')
      .at(-1)?.remaining;
  const atFirst = readsLeft();
  await sleep(3_500);
  expect(readsLeft()).toBe(atFirst);
  expect((await client.api.get('/api/v1/wallets')).headers.get('ratelimit')).toMatch(
    `"reads";r=${Number(atFirst) - 1};`,
  );
  await untilShown(page, 'usage', { name: 'reads', limit: 50, remaining: Number(atFirst) - 1 });
});

test('When a page stays open, then its stream is timed until it begins and is not counted as in flight', async () => {
  const client = await newClient(database, { USD: 1 });
  const series = (name: string, labels = '') => `${name}{${labels}route="/console/stream",method="GET",status="2xx"}`;
  const all = series('digital_goods_http_request_seconds_count');
  const quick = series('digital_goods_http_request_seconds_bucket', 'le="2.5",');
  const before = await figures();
  const page = await openPage(client);
  const during = await figures();
  expect(during(all) - before(all)).toBe(1);
  expect(during(quick) - before(quick)).toBe(1);
  page.close();
  await page.ended;
  expect((await figures())(all)).toBe(during(all));
});

/** The API's metrics: the value of a series by its name. */
async function figures(): Promise<(series: string) => number> {
  const text = await (await fetch(loadStack().api_metrics_url)).text();
  return (series) =>
    Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${series} `))
        ?.split(' ')[1] ?? 0,
    );
}

test("When another client's account changes, then the page gets no message", async () => {
  const [client, other] = [await newClient(database, { USD: 1 }), await newClient(database, { USD: 100 })];
  const page = await openPage(client);
  const watching = await openPage(other);
  const order = await place(other.api, orderOf('voucher_instant'));
  await untilShown(watching, 'orders', { id: order.id, status: 'DELIVERED' });
  expect(page.of('orders')).toEqual([]);
  expect(page.of('events')).toHaveLength(1);
});

test('When an event is committed after a later one, then the page still gets it', async () => {
  const client = await newClient(database, { USD: 1 });
  const page = await openPage(client);
  await database.transaction(async (transaction) => {
    await sql(database, transaction)`INSERT INTO events (client_id, type, data)
         VALUES (${client.id}, 'webhook.test', '{}')`;
    await fund(database, client.wallets['USD'] as number, 5);
    await until(
      'the later one',
      async () => page.of<Json>('events').filter(({ type }) => type === 'wallet.credited').length === 2,
    );
  });
  await untilShown(page, 'events', { type: 'webhook.test' });
});

describe('The end of a stream', () => {
  test.each<[string, (client: OwnClient, session: ConsoleSession) => Promise<unknown>]>([
    ['the user signs out', (_client, session) => session.send('DELETE', '/console/session')],
    ['the key is revoked', ({ credentials }) => ops`keys revoke ${credentials.api_key}`],
    ['the client is suspended', ({ id }) => ops`clients suspend ${id}`],
  ])('When %s, then the stream ends', async (_what, end) => {
    const client = await newClient(database, { USD: 1 });
    const session = await ConsoleSession.begin(client.credentials);
    const page = await pageOf(session);
    await end(client, session);
    await page.ended;
    expect((await session.follow()).response.status).toBe(401);
  });

  test('When the token expires, then the stream ends', async () => {
    const client = await newClient(database, { USD: 1 });
    const session = await ConsoleSession.begin(client.credentials);
    await sql(database)`UPDATE refresh_tokens SET expires_at = now() + interval '3 seconds'
        WHERE family_id = (SELECT id FROM token_families WHERE client_id = ${client.id})`;
    const page = await pageOf(session);
    await page.ended;
    expect((await session.follow()).response.status).toBe(401);
  });

  test('When the session is renewed, then the stream continues', async () => {
    const client = await newClient(database, { USD: 1 });
    const session = await ConsoleSession.begin(client.credentials);
    const page = await pageOf(session);
    session.cookie = cookieOf((await session.send('PUT', '/console/session')).headers);
    await fund(database, client.wallets['USD'] as number, 5);
    await untilShown(page, 'wallets', { balance: 6 });
  });

  test('When the API stops, then it does not wait for the stream', async () => {
    const client = await newClient(database, { USD: 1 });
    const api = await startApiProcess();
    const session = await ConsoleSession.begin(client.credentials, api.url);
    const page = await session.follow();
    await until('the current state', async () => page.messages[0]);
    const began = performance.now();
    await Promise.all([api.stop(), page.ended]);
    // Without a stream, the API stops after the 1.5 s in which it still answers requests in flight.
    expect(performance.now() - began).toBeLessThan(2_900);
  });
});

test('When a client opens many pages, then the excess is rejected until a page closes', async () => {
  const client = await newClient(database, { USD: 1 });
  const session = await ConsoleSession.begin(client.credentials);
  const pages = await Promise.all(Array.from({ length: 10 }, () => pageOf(session)));
  expect(pages.map(({ response }) => response.status)).toEqual(Array<number>(10).fill(200));
  const refused = await session.follow();
  expect([refused.response.status, refused.response.headers.get('retry-after')]).toEqual([429, '15']);
  pages[0]?.close();
  await until('room', async () => {
    const { response } = await pageOf(session);
    return response.status === 200;
  });
});
