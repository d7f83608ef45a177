/** An API key can do what its scopes permit, whatever route it calls. docs/specification.md#scopes. */
import { sql } from '../../dev/testbed/sql';
import { scopes, type Scope } from '../../src/domain/clients/scopes';
import { newClient, newKey, useClient, useDatabase } from '../support/clients';
import { ConsoleSession } from '../support/console';
import { ended, orderOf, place } from '../support/orders';
import { routes, type Route } from '../support/route-table';
import { refusal, type ApiClient, type Json } from '../support/stack';
import { accepted, esimOrders } from '../support/variant-orders';
import { until } from '../../dev/testbed/waiting';

const database = useDatabase();
const client = useClient(database, { USD: 500 });
let orders: { voucher: number; esim: number };
/** A key with only that scope. */
const apis = new Map<Scope, ApiClient>();
const sessions = new Map<Scope, ConsoleSession>();

beforeAll(async () => {
  for (const scope of scopes) {
    const { api, credentials } = await newKey(database, client.id, { scopes: [scope] });
    apis.set(scope, api);
    sessions.set(scope, await ConsoleSession.begin(credentials));
  }
  const voucher = await place(client.api, orderOf('voucher_instant'));
  const esim = await accepted(client.api, esimOrders, orderOf('esim_instant'));
  orders = { voucher: Number(voucher.id), esim: Number(esim.id) };
});

const lacks = (scope: Scope) => refusal('FORBIDDEN', `API key lacks the scope ${scope}`);
const withToken = routes.filter(({ token, method }) => token && method !== 'HEAD');
const withSession = routes.filter(({ session, method }) => session && method !== 'HEAD');

/** The path of the route with ids that nobody has. */
const pathOf = ({ path }: Route) => path.replace(/:\w+/, '2147483646');

async function isLacking(answer: Promise<{ status: number; body: unknown }>, scope: Scope): Promise<boolean> {
  const { status, body } = await answer;
  const { message } = (body as { error?: { message: string } } | undefined)?.error ?? {};
  return status === 403 && message === `API key lacks the scope ${scope}`;
}

test('When a route needs no scope, then it is a control of the sandbox', () => {
  const unscoped = withToken.filter(({ scope }) => scope === 'none').map(({ path }) => path);
  expect(unscoped.filter((path) => !path.startsWith('/api/v1/sandbox/'))).toEqual([]);
  expect(withSession.filter(({ scope }) => scope === 'none')).toEqual([]);
});

test.each(scopes)(
  'When a key has only the scope %s, then it is rejected by exactly the routes that need another one',
  async (scope) => {
    const send = (route: Route) =>
      apis.get(scope)?.send(pathOf(route), { method: route.method }) as Promise<{ status: number; body: unknown }>;
    for (const route of withToken) {
      const isRejected = route.scope !== 'none' && route.scope !== scope;
      const name = `${route.method} ${route.path}`;
      expect([name, await isLacking(send(route), route.scope as Scope)]).toEqual([name, isRejected]);
    }
  },
);

test.each(scopes)(
  'When the console signs in with a key that has only the scope %s, then its data follow the scope',
  async (scope) => {
    for (const route of withSession) {
      const { status, text } = (await sessions.get(scope)?.file(pathOf(route), route.method)) as {
        status: number;
        text: string;
      };
      const message = `API key lacks the scope ${route.scope}`;
      const isRejected = status === 403 && text.includes(message);
      expect([route.path, isRejected]).toEqual([route.path, route.scope !== scope]);
    }
  },
);

describe('When a key lacks the scope codes', () => {
  const others = scopes.filter((scope) => scope !== 'codes');
  let api: ApiClient;
  let session: ConsoleSession;
  beforeAll(async () => {
    const key = await newKey(database, client.id, { scopes: others });
    api = key.api;
    session = await ConsoleSession.begin(key.credentials);
  });

  test('then the orders that it places and reads show no voucher and no activation code', async () => {
    const placed = await place(api, orderOf('voucher_instant'));
    expect(placed).toMatchObject({ status: 'DELIVERED' });
    const read = (await api.get(`/api/v1/orders/${orders.voucher}`)).body;
    const esim = (await api.get(`/api/v1/esim/orders/${orders.esim}`)).body;
    const created = await accepted(api, esimOrders, orderOf('esim_instant'));
    for (const body of [placed, read, esim, created] as Json[]) {
      expect(body).not.toHaveProperty('vouchers');
      expect(body).not.toHaveProperty('activation_code');
    }
    const whole = (await client.api.get(`/api/v1/orders/${orders.voucher}`)).body;
    expect(whole).toHaveProperty('vouchers');
    expect(await client.api.get(`/api/v1/esim/orders/${orders.esim}`)).toHaveProperty('body.activation_code');
  });

  test('then the installation of an eSIM shows only the steps', async () => {
    const { status, body } = await api.get(`/api/v1/esim/orders/${orders.esim}/installation`);
    expect([status, Object.keys(body)]).toEqual([200, ['instructions']]);
  });

  test('then neither a large order nor any list, statement, event or file of the console shows a code', async () => {
    const { id } = await place(client.api, orderOf('voucher_instant', { quantity: 6 }));
    const { vouchers } = await ended(client.api, id);
    const codes = vouchers.map(({ card_number: code }) => String(code));
    expect(codes).toHaveLength(6);
    const { body: esim } = await client.api.get<{ activation_code: string }>(`/api/v1/esim/orders/${orders.esim}`);
    const period = 'from=2026-01-01&to=2099-01-01';
    const paths = [
      `/orders/${id}`,
      '/orders',
      '/esim/orders',
      '/transactions',
      '/webhooks/events?per_page=500',
      `/statements/orders?${period}`,
      '/activity',
    ];
    const texts = await Promise.all(paths.map(async (path) => (await session.file(`/console/api/v1${path}`)).text));
    const own = ['/orders', '/orders.csv', `/orders/${id}/timeline`, `/orders/${id}/price`, '/requests', '/events'];
    texts.push(...(await Promise.all(own.map(async (path) => (await session.file(`/console/api${path}`)).text))));
    expect(texts.join('\n')).toContain(`${id}`);
    for (const code of [...codes, esim.activation_code]) expect(texts.join('\n')).not.toContain(code);
    expect(await session.file(`/console/api/orders/${id}/codes.csv`)).toMatchObject({
      status: 403,
      text: expect.stringContaining('API key lacks the scope codes'),
    });
  });
});

test('When a key lacks the scope webhooks, then the timeline of an order shows no URL of an endpoint', async () => {
  const session = sessions.get('read') as ConsoleSession;
  const { text } = await session.file(`/console/api/orders/${orders.voucher}/timeline`);
  const { events } = JSON.parse(text) as { events: { deliveries: unknown[]; attempts: unknown[] }[] };
  expect(events.length).toBeGreaterThan(0);
  for (const { deliveries, attempts } of events) expect([deliveries, attempts]).toEqual([[], []]);
});

test('When a key loses a scope, then a token that it got before loses it, and gets it back with the scope', async () => {
  const { api, credentials } = await newKey(database, client.id);
  const set = (names: readonly Scope[]) =>
    sql(database)`UPDATE api_keys SET scopes = ${names} WHERE api_key = ${credentials.api_key}`;
  expect((await api.get('/api/v1/wallets')).status).toBe(200);
  await set(['codes']);
  await until('the lost scope', async () => (await api.get('/api/v1/wallets')).status === 403);
  expect(await api.get('/api/v1/wallets')).toMatchObject(lacks('read'));
  expect(await api.post('/api/v1/orders', orderOf('voucher_instant'))).toMatchObject(lacks('orders:vouchers'));
  await set(scopes);
  await until('the scope', async () => (await api.get('/api/v1/wallets')).status === 200);
});

test('When a key lacks the scope and the address is not allowed, then the address is rejected first, and the scope before the feature', async () => {
  const own = await newClient(database);
  const { api } = await newKey(database, own.id, { scopes: ['read'] });
  await sql(database)`UPDATE clients SET allowed_cidrs = '{203.0.113.0/24}', features = '{}'
       WHERE id = ${own.id}`;
  const order = () => api.post('/api/v1/orders', {});
  expect(await order()).toMatchObject(refusal('FORBIDDEN', 'IP address not allowed'));
  await sql(database)`UPDATE clients SET allowed_cidrs = '{}' WHERE id = ${own.id}`;
  expect(await order()).toMatchObject(lacks('orders:vouchers'));
});

test('When the console signs in, then its session names the scopes that the key lacks', async () => {
  const session = sessions.get('read') as ConsoleSession;
  expect((await session.send('GET', '/console/session')).body).toMatchObject({
    missing_scopes: scopes.filter((scope) => scope !== 'read'),
  });
});

test('When a key loses the scope read, then an open stream of the console ends', async () => {
  const { credentials } = await newKey(database, client.id);
  const stream = await (await ConsoleSession.begin(credentials)).follow();
  await sql(database)`UPDATE api_keys SET scopes = '{codes}' WHERE api_key = ${credentials.api_key}`;
  await stream.ended;
});
