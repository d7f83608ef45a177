/** Every route counts its calls in its rate class, requires a token, and hides the resources of other clients. */
import { sql } from '../../dev/testbed/sql';
import { newClient, type OwnClient, useDatabase } from '../support/clients';
import { orderOf, ordersPath, place } from '../support/orders';
import { Receiver, register } from '../support/receiver';
import { routes, type Owned, type Route } from '../support/route-table';
import { ConsoleSession, fromConsole } from '../support/console';
import {
  apiWithoutToken,
  type Answer,
  type ApiClient,
  type ErrorBody,
  type Json,
  type Resource,
} from '../support/stack';
import { loadStack } from '../../dev/testbed/loaded-stack';
import { accepted, esimOrders, topupOrders } from '../support/variant-orders';

const database = useDatabase();
let owner: OwnClient;
let stranger: OwnClient;
let receiver: Receiver;
let sessions: { owner: ConsoleSession; stranger: ConsoleSession };
let own: Record<Owned, string>;

beforeAll(async () => {
  [owner, stranger] = await Promise.all([newClient(database, { USD: 500 }), newClient(database, { USD: 500 })]);
  receiver = await Receiver.listen();
  own = await resourcesOf(owner);
  sessions = {
    owner: await ConsoleSession.begin(owner.credentials),
    stranger: await ConsoleSession.begin(stranger.credentials),
  };
  // The stranger has resources of the same kinds, so only their owner makes a difference.
  await resourcesOf(stranger);
  await sql(database)`UPDATE clients SET conversions = true WHERE id = ${stranger.id}`;
});
afterAll(() => receiver.close());

async function resourcesOf({ api, wallets }: OwnClient): Promise<Record<Owned, string>> {
  const endpoint = await register(api, receiver);
  const voucher = await place(api, orderOf('voucher_instant'));
  const topup = await accepted(api, topupOrders, orderOf('topup_instant'));
  const esim = await accepted(api, esimOrders, orderOf('esim_instant'));
  const transactions = (await api.get<Resource[]>('/api/v1/transactions')).body;
  const events = (await api.get<{ id: string }[]>('/api/v1/webhooks/events')).body;
  const keys = (await api.get<Resource[]>('/api/v1/api-keys')).body;
  const report = { kind: 'INVALID_CODE', unit: 1, text: 'It has no value.' };
  const claim = (await api.post<Resource>(`/api/v1/orders/${voucher.id}/claims`, report)).body;
  const transfer = `/api/v1/wallets/${wallets['USD']}/funding-requests`;
  const funding = (await api.post<Resource>(transfer, { amount: 5 })).body;
  const invitation = { email: 'ann@shop.example', name: 'Ann', role: 'viewer' };
  const member = (await api.post<Resource>('/api/v1/members', invitation)).body;
  return {
    wallet: String(wallets['USD']),
    transaction: String(transactions[0]?.id),
    voucher: String(voucher.id),
    topup: String(topup.id),
    esim: String(esim.id),
    endpoint: String(endpoint.id),
    event: String(events[0]?.id),
    key: String(keys[0]?.id),
    member: String(member.id),
    claim: String(claim.id),
    funding: String(funding.id),
  };
}

/** A body that the route accepts if the resource belongs to the caller. */
function bodyOf({ method, path }: Route): Json | undefined {
  if (path.endsWith('/notification-email')) return { email: 'a@client.example' };
  if (path.endsWith('/replay')) return { since: '2026-01-01T00:00:00Z' };
  if (path.endsWith('/fund') || (path.endsWith('/funding-requests') && method === 'POST')) return { amount: 1 };
  if (path.endsWith('/conversions')) return { to_wallet_id: 1, amount: 1, reference: 'mine' };
  if (path.endsWith('/claims') && method === 'POST')
    return { kind: 'NOT_RECEIVED', text: 'Nothing came.', ...(path.startsWith(ordersPath) && { unit: 1 }) };
  if (path.includes('/wallets/') && method === 'PATCH') return { low_balance_threshold: 5 };
  if (path.startsWith('/console/api/confirmations/')) return { confirm_above: 5 };
  return method === 'PATCH' ? { description: 'changed' } : undefined;
}

/** The address of the route for the id, with the period that some reads need. */
function urlOf({ path }: Route, id: string): string {
  const filled = path.replace(/:\w+/, id);
  if (path.endsWith('/summary')) return `${filled}?by=day&bounds=2026-01-01,2026-01-02`;
  return /\b(statements?|balances)\b/.test(path) ? `${filled}?from=2026-01-01&to=2026-12-31` : filled;
}

function send(api: ApiClient, route: Route, id: string): Promise<Answer<ErrorBody>> {
  const body = bodyOf(route);
  return api.send(urlOf(route, id), {
    method: route.method,
    ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });
}

/** Calls the route as that client: with its token, or with its console session. */
async function call(as: 'owner' | 'stranger', route: Route, id: string): Promise<{ status: number; body: unknown }> {
  if (!route.session) return send({ owner, stranger }[as].api, route, id);
  const given = bodyOf(route);
  if (given) return sessions[as].send(route.method, urlOf(route, id), given);
  const { status, text } = await sessions[as].file(urlOf(route, id), route.method);
  return { status, body: status < 400 || text === '' ? undefined : JSON.parse(text) };
}

const named = (route: Route) => [`${route.method} ${route.path}`, route] as const;

test('When a route needs no token, then this list has the route', () => {
  const open = routes.filter(({ method, token }) => !token && method !== 'HEAD');
  expect(open.map(({ method, path }) => `${method} ${path}`).sort()).toEqual([
    'DELETE /console/session',
    'GET /console',
    'GET /console/api/activity',
    'GET /console/api/activity.csv',
    'GET /console/api/api-keys.csv',
    'GET /console/api/confirmations',
    'GET /console/api/endpoints',
    'GET /console/api/event-types',
    'GET /console/api/events',
    'GET /console/api/events.csv',
    'GET /console/api/first-steps',
    'GET /console/api/member-names',
    'GET /console/api/member-sessions',
    'GET /console/api/members.csv',
    'GET /console/api/orders',
    'GET /console/api/orders.csv',
    'GET /console/api/orders/:id/codes.csv',
    'GET /console/api/orders/:id/price',
    'GET /console/api/orders/:id/timeline',
    'GET /console/api/prices',
    'GET /console/api/prices.csv',
    'GET /console/api/requests',
    'GET /console/api/requests.csv',
    'GET /console/api/requests/errors',
    'GET /console/api/second-factor',
    'GET /console/api/summary',
    'GET /console/api/wallets/:id/balances',
    'GET /console/assets/:file',
    'GET /console/session',
    'GET /console/session/accounts',
    'GET /console/stream',
    'GET /docs',
    'GET /docs/:page',
    'GET /docs/assets/:file',
    'GET /downloads/:file',
    'GET /health',
    'GET /llms.txt',
    'GET /openapi.json',
    'GET /pictures/:file',
    'GET /ready',
    'POST /auth/login',
    'POST /auth/refresh',
    'POST /console/api/member-sessions/end',
    'POST /console/session',
    'POST /console/session/token',
    'POST /suppliers/:name/callbacks',
    'POST /suppliers/:name/callbacks/:secret',
    'PUT /console/api/confirmations/:id',
    'PUT /console/api/second-factor',
    'PUT /console/session',
    'PUT /console/session/account',
  ]);
});

test.each(routes.filter(({ token }) => token).map(named))(
  'When %s is called, then it counts in its class, and a call without a token gets 401',
  async (_name, route) => {
    const { headers } = await send(stranger.api, route, '2147483646');
    expect(headers.get('ratelimit-policy')).toMatch(new RegExp(`^"${route.rateClass}";q=1000000;w=60$`));
    const refused = await send(apiWithoutToken(), route, '1');
    expect([refused.status, refused.headers.get('ratelimit')]).toEqual([401, null]);
  },
);

test.each(routes.filter(({ token }) => !token).map(named))(
  'When %s is called, then it needs no token, and counts in the class of the route table',
  async (_name, route) => {
    const names = { username: 'table', password: 'x', api_key: 'table', api_secret: 'x', refresh_token: 'x' };
    const response = await fetch(loadStack().api_url + route.path.replace(/:\w+/, 'nobody'), {
      method: route.method,
      headers: { 'content-type': 'application/json', ...fromConsole },
      ...(route.method === 'POST' && { body: JSON.stringify(names) }),
    });
    // The service did not issue the token, so the refresh counts as a failure of the address instead of a client.
    const counted = route.rateClass === 'refresh' ? 'auth_failures' : route.rateClass;
    expect(response.headers.get('ratelimit')?.split('"')[1] ?? null).toBe(counted);
  },
);

test.each(routes.filter(({ session, method }) => session && method === 'GET').map(named))(
  "When %s is called, then it needs the console's session, and counts as a read",
  async (_name, route) => {
    const path = urlOf(route, (own as Record<string, string>)[route.names] ?? '');
    const { status, headers } = await sessions.owner.file(path, route.method);
    expect(status).toBe(200);
    expect(headers.get('ratelimit')).toMatch(/^"reads";/);
    const refused = await owner.api.send(path, { method: route.method, headers: fromConsole });
    expect(refused.status).toBe(401);
  },
);

const owned = routes.flatMap((route) =>
  route.names === 'nothing' || route.names === 'shared' ? [] : [[...named(route), route.names] as const],
);

test.each(owned)(
  "When %s names another client's resource, then it responds as if the resource did not exist",
  async (_name, route, kind) => {
    const never = kind === 'event' ? `evt_${'0'.repeat(32)}` : '2147483646';
    const [another, unknown] = [await call('stranger', route, own[kind]), await call('stranger', route, never)];
    expect([another.status, another.body]).toEqual([404, unknown.body]);
    expect(unknown.status).toBe(404);
  },
);

test('When the stranger has called every route, then the resources of the owner are unchanged', async () => {
  const reads = routes.filter(({ method, names }) => method === 'GET' && names in own);
  for (const route of reads) {
    expect([route.path, (await call('owner', route, own[route.names as Owned])).status]).toEqual([route.path, 200]);
  }
  expect((await owner.api.get(`/api/v1/wallets/${own.wallet}`)).body).toMatchObject({ low_balance_threshold: null });
  expect((await owner.api.get(`/api/v1/webhooks/endpoints/${own.endpoint}`)).body).toMatchObject({ enabled: true });
});
