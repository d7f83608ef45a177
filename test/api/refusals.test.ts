/** What surrounds the operations refuses at each of them as the document says. docs/specification.md#errors. */
import { errorsOf } from '../../src/api/openapi/operation-object';
import { operations } from '../../src/api/openapi/operations';
import type { Operation } from '../../src/api/openapi/operation';
import { rows } from '../../src/data/database/database';
import { rateClasses } from '../../src/domain/clients/rate-classes';
import { newClient, stackDatabase, type OwnClient } from '../support/clients';
import { ops } from '../support/operator';
import { orderOf } from '../support/orders';
import { Receiver, register } from '../support/receiver';
import { apiAsNobody, validation, type ApiClient, type ErrorBody } from '../support/stack';

const database = stackDatabase();
let receiver: Receiver;
let client: OwnClient;
let endpoint: number;
beforeAll(async () => {
  receiver = await Receiver.listen();
  client = await newClient(database, { USD: 10 });
  endpoint = (await register(client.api, receiver)).id;
});
afterAll(async () => {
  receiver.close();
  await database.close();
});

interface Route {
  method: string;
  path: string;
  operation: Operation;
}

const routes: Route[] = Object.entries(operations).map(([route, operation]) => {
  const [method = '', path = ''] = route.split(' ');
  return { method, path, operation };
});

/** The routes at which an error with the message is documented, for `test.each`. */
function refusing(message: string | RegExp): [string, Route][] {
  return routes
    .filter(({ method, operation }) =>
      errorsOf(method, operation).some((error) => error.message.match(message) !== null),
    )
    .map((route) => [route.operation.id, route]);
}

async function send(api: ApiClient, { method, path }: Route, query = '', body = '{}'): Promise<string> {
  const named = path
    .replace('/endpoints/:id', `/endpoints/${endpoint}`)
    .replace('/events/:id', `/events/evt_${'0'.repeat(32)}`)
    .replace(/:\w+/, '1');
  const answer = await api.send<ErrorBody>(`${named}${query}`, {
    method,
    ...(method !== 'GET' && { body, headers: { 'content-type': 'application/json' } }),
  });
  return `${answer.status} ${answer.body?.error?.message}`;
}

const callerOf = ({ operation }: Route): ApiClient =>
  operation.access === 'open' ? apiAsNobody() : client.api;

const ids = (message: RegExp) =>
  refusing(message).filter(([, { path }]) => path.includes(':') && !path.includes('/events/'));

test.each(ids(/^(Invalid \w+ ID|No Matching Result Found!)$/))(
  'When the id in the path of %s is none, then it is 400',
  async (_id, { method, path }) => {
    const { status } = await client.api.send(path.replace(/:\w+/, 'x'), {
      method,
      ...(method !== 'GET' && { body: '{}', headers: { 'content-type': 'application/json' } }),
    });
    expect(status).toBe(400);
  },
);

/** Bodies that would be taken if the thing were there. */
const wellFormed: Readonly<Record<string, unknown>> = {
  ...Object.fromEntries(routes.map(({ operation }) => [operation.id, operation.body?.example ?? {}])),
};

test.each(ids(/ not found$/))(
  'When nothing has the id in the path of %s, then it is 404',
  async (name, { method, path, operation }) => {
    const query = operation.query ? '?from=2026-01-01&to=2026-01-02' : '';
    const { status } = await client.api.send(`${path.replace(/:\w+/, '2147483646')}${query}`, {
      method,
      ...(method !== 'GET' && {
        body: JSON.stringify(wellFormed[name]),
        headers: { 'content-type': 'application/json' },
      }),
    });
    expect(status).toBe(404);
  },
);

test.each(refusing('Invalid query parameters'))(
  'When the query of %s does not hold, then it is 400',
  async (_id, route) => {
    expect(await send(client.api, route, '?x[]=1')).toBe('400 Invalid query parameters');
  },
);

test('When what a supplier pushes cannot be decoded, then it is 400', async () => {
  const answer = await apiAsNobody().post(
    '/suppliers/simulator/callbacks',
    {},
    { 'content-encoding': 'rot13' },
  );
  expect(answer).toMatchObject(validation('Invalid request body'));
});

test.each(refusing('Invalid request body').filter(([, { operation }]) => operation.body))(
  'When the body of %s is no JSON object, then it is 400',
  async (_id, route) => {
    expect(await send(callerOf(route), route, '', '[]')).toBe('400 Invalid request body');
  },
);

const tooLarge = JSON.stringify({ text: 'x'.repeat(1 << 20) });

test.each(refusing('Request body is too large'))(
  'When the body of %s is too large, then it is 413',
  async (_id, route) => {
    expect(await send(callerOf(route), route, '', tooLarge)).toBe('413 Request body is too large');
  },
);

describe('A client without features', () => {
  let without: OwnClient;
  beforeAll(async () => {
    without = await newClient(database);
    await rows(database, `UPDATE clients SET features = '{}' WHERE id = $id`, { id: without.id });
  });

  test.each(refusing('feature is not enabled').filter(([, { operation }]) => operation.feature))(
    'When it calls %s, then it is 400',
    async (_id, route) => {
      expect(await send(without.api, route)).toBe('400 The requested feature is not enabled for this client');
    },
  );
});

describe('A suspended client', () => {
  let suspended: OwnClient;
  beforeAll(async () => {
    suspended = await newClient(database);
    await suspended.api.accessToken();
    await ops('clients', 'suspend', suspended.id);
  });

  test.each(refusing('Client is suspended').filter(([, { operation }]) => operation.access !== 'open'))(
    'When it calls %s, then it is 403',
    async (_id, route) => {
      expect(await send(suspended.api, route)).toBe('403 Client is suspended');
    },
  );
});

describe('A client with one call a minute', () => {
  let limited: OwnClient;
  beforeAll(async () => {
    const one = Object.fromEntries(rateClasses.map(({ name }): [string, number] => [name, 1]));
    limited = await newClient(database, {}, one);
  });

  test.each(refusing(/^Rate limit/).filter(([, { operation }]) => operation.access !== 'open'))(
    'When it calls %s twice, then the second is 429',
    async (_id, route) => {
      await send(limited.api, route);
      expect(await send(limited.api, route)).toMatch(/^429 Rate limit exceeded\. Retry after \d+ seconds\.$/);
    },
  );
});

test('When a caller holds whatever there is of what may not be kept, then it is answered all the same', async () => {
  const answer = await client.api.get('/api/v1/wallets', { 'if-none-match': '*' });
  expect([answer.status, answer.body]).toEqual([200, expect.any(Array)]);
});

test.each(routes.filter(({ operation }) => 304 in operation.answers).map((route) => [route.path, route]))(
  'When what %s answers is held already, then it is 304',
  async (_path, { path }) => {
    // Other tests add to lists meanwhile: to one that nothing is in they add nothing.
    const named = path.includes(':id') ? path.replace(':id', await idFor(path)) : `${path}?search=nothing`;
    const { headers } = await client.api.get(named);
    const again = await client.api.get(named, { 'if-none-match': headers.get('etag') ?? '' });
    expect([again.status, again.body]).toEqual([304, undefined]);
  },
);

/** The id of something that the path can name, and that no other test changes. */
async function idFor(path: string): Promise<string> {
  const [, family] = /^\/api\/v1\/(?:(topups|esim)\/)?(?:products|variants)/.exec(path) ?? [];
  const scenario = { topups: 'topup_instant', esim: 'esim_instant' }[family ?? ''] ?? 'voucher_instant';
  if (!/products|variants/.test(path)) return '1';
  const product = String(orderOf(scenario)['product_id']);
  if (!path.includes('/variants/')) return product;
  const variants = await client.api.get<{ id: number }[]>(`/api/v1/${family}/products/${product}/variants`);
  return String(variants.body[0]?.id);
}
