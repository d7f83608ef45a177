/**
 * Each error at each operation or family that documents it: errors common to all operations, and rejections of order
 * requests and reads in every family. Tests of a family cover errors of that family only. docs/specification.md#errors.
 */
import { randomUUID } from 'node:crypto';
import { errorsOf } from '../../src/api/openapi/operation-object';
import { recordedExamples } from '../../src/api/openapi/recorded-examples';
import { apiOperations } from '../../src/api/routes';
import { isForOperators, type ApiOperation } from '../../src/api/openapi/operation';
import { sql } from '../../dev/testbed/sql';
import { rateClasses } from '../../src/domain/clients/rate-classes';
import { families, type Feature } from '../../src/domain/orders/families';
import { newClient, type OwnClient, useClient, useDatabase } from '../support/clients';
import { ops } from '../support/operator';
import { orderOf, ordersPath } from '../support/orders';
import { Receiver, register } from '../support/receiver';
import { balanceOf, orderCount } from '../support/records';
import {
  apiWithoutToken,
  invalidQuery,
  notFound,
  refusal,
  validation,
  type ApiClient,
  type ErrorBody,
  type Json,
} from '../support/stack';
import { accepted, esimOrders, topupOrders } from '../support/variant-orders';
import { useMade } from '../support/made';

const database = useDatabase();
const receiver = useMade(() => Receiver.listen(), 'close');
const client = useClient(database, { USD: 10 });
let endpoint: number;
beforeAll(async () => {
  endpoint = (await register(client.api, receiver)).id;
  await sql(database)`UPDATE clients SET conversions = true WHERE id = ${client.id}`;
});

const allFeatures = Object.values(families).map(({ feature }) => feature);

interface Route {
  method: string;
  path: string;
  operation: ApiOperation;
}

const routes: Route[] = Object.entries(apiOperations).map(([route, operation]) => {
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

const callerOf = ({ operation }: Route): ApiClient => (operation.access === 'open' ? apiWithoutToken() : client.api);

const ids = (message: RegExp) =>
  refusing(message).filter(([, { path }]) => path.includes(':') && !path.includes('/events/'));

const invalidId = /^(Invalid \w+ ID|No Matching Result Found!)$/;

test.each(ids(invalidId))(
  'When the id in the path of %s is malformed, then the response is 400',
  async (_id, { method, path, operation }) => {
    const documented = errorsOf(method, operation).find(({ message }) => invalidId.test(message));
    for (const id of ['x', '0', '-1', '1.5', '1e3', '%00']) {
      const answer = await client.api.send<ErrorBody>(path.replace(/:\w+/, id), {
        method,
        ...(method !== 'GET' && { body: '{}', headers: { 'content-type': 'application/json' } }),
      });
      expect([answer.status, answer.body.error.message]).toEqual([400, documented?.message]);
    }
  },
);

/** Bodies that the operation would accept if the resource existed. */
const { calls: recorded } = recordedExamples();

test.each(ids(/ not found$/))(
  'When no resource has the id in the path of %s, then the response is 404',
  async (name, { method, path, operation }) => {
    const query = operation.query ? '?from=2026-01-01&to=2026-01-02' : '';
    const { status, body } = await client.api.send<ErrorBody>(`${path.replace(/:\w+/, '2147483646')}${query}`, {
      method,
      ...(method !== 'GET' && {
        body: JSON.stringify(recorded[name]?.body ?? {}),
        headers: { 'content-type': 'application/json' },
      }),
    });
    const documented = errorsOf(method, operation).find(({ message }) => / not found$/.test(message));
    expect([status, body.error.message]).toEqual([404, documented?.message]);
  },
);

test.each(refusing('Invalid query parameters'))(
  'When the query of %s is invalid, then the response is 400',
  async (_id, route) => {
    expect(await send(client.api, route, '?x[]=1')).toBe('400 Invalid query parameters');
  },
);

test.each(['/suppliers/simulator/callbacks', '/suppliers/simulator/callbacks/of-no-use'])(
  'When a push to %s cannot be decoded, then the response is 400',
  async (path) => {
    const answer = await apiWithoutToken().post(path, {}, { 'content-encoding': 'rot13' });
    expect(answer).toMatchObject(validation('Invalid request body'));
  },
);

test.each(refusing('Invalid request body').filter(([, { operation }]) => operation.body))(
  'When the body of %s is not a JSON object, then the response is 400',
  async (_id, route) => {
    expect(await send(callerOf(route), route, '', '[]')).toBe('400 Invalid request body');
  },
);

const tooLarge = JSON.stringify({ text: 'x'.repeat(1 << 20) });

test.each(refusing('Request body is too large'))(
  'When the body of %s is too large, then the response is 413',
  async (_id, route) => {
    expect(await send(callerOf(route), route, '', tooLarge)).toBe('413 Request body is too large');
  },
);

describe('A client without a feature', () => {
  const without = new Map<Feature | undefined, OwnClient>();
  beforeAll(async () => {
    for (const feature of allFeatures) {
      const others = allFeatures.filter((each) => each !== feature);
      const created = await newClient(database);
      await sql(database)`UPDATE clients SET features = ${others} WHERE id = ${created.id}`;
      without.set(feature, created);
    }
  });

  test.each(refusing('feature is not enabled').filter(([, { operation }]) => operation.feature))(
    'When the client calls %s, then the response is 400',
    async (_id, route) => {
      const { api } = without.get(route.operation.feature) as OwnClient;
      expect(await send(api, route)).toBe('400 The requested feature is not enabled for this client');
    },
  );
});

describe('A suspended client', () => {
  const suspended = useClient(database);
  beforeAll(async () => {
    await suspended.api.accessToken();
    await ops`clients suspend ${suspended.id}`;
  });

  test.each(refusing('Client is suspended').filter(([, { operation }]) => operation.access !== 'open'))(
    'When the client calls %s, then the response is 403',
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
    'When the client calls %s twice, then the second response is 429',
    async (_id, route) => {
      await send(limited.api, route);
      expect(await send(limited.api, route)).toMatch(/^429 Rate limit exceeded\. Retry after \d+ seconds\.$/);
    },
  );
});

const reads = routes.filter(({ method }) => method === 'GET');
const isCacheable = ({ operation }: Route) => 304 in operation.responses;

test('When the response of an operation has no ETag, then If-None-Match: * does not change it', async () => {
  const answers: [path: string, status: number][] = [];
  for (const { path, operation } of reads.filter((route) => !isCacheable(route) && !isForOperators(route.operation))) {
    const { status } = await client.api.get(path.replace(/:\w+/, '1'), { 'if-none-match': '*' });
    answers.push([operation.id, status]);
  }
  expect(answers.filter(([, status]) => status === 304)).toEqual([]);
  expect(answers).toContainEqual(['listWallets', 200]);
});

/** What a proxy that compresses responses makes of a tag. */
const changedByProxies = (tag: string): string[] =>
  ['-gzip"', '-br"', '-zstd"', '--gzip"'].flatMap((end) => {
    const changed = tag.replace(/"$/, end);
    return [changed, `W/${changed}`, `"other", ${changed}`];
  });

test.each(reads.filter(isCacheable).map((route) => [route.path, route]))(
  'When the caller already has the response of %s, then the next response is 304, also if a proxy has changed its tag',
  async (_path, { path }) => {
    // Other tests add rows to lists concurrently. They add no match to a search without matches.
    const named = path.includes(':id') ? path.replace(':id', await idFor(path)) : `${path}?search=nothing`;
    const tagOf = async () => (await client.api.get(named)).headers.get('etag') ?? '';
    const answersTo = async (tag: string) => {
      const answers = [];
      for (const sent of [tag, `W/${tag}`, ...changedByProxies(tag)]) {
        const { status, body } = await client.api.get(named, { 'if-none-match': sent });
        answers.push({ sent, status, body });
      }
      return answers;
    };
    let tag: string;
    let answers: Awaited<ReturnType<typeof answersTo>>;
    // Other tests may change a list that has no search, such as the price list. If its tag has changed, ask again.
    do {
      tag = await tagOf();
      answers = await answersTo(tag);
    } while ((await tagOf()) !== tag);
    expect(answers).toEqual(answers.map(({ sent }) => ({ sent, status: 304, body: undefined })));
    const other = tag.replace(/"$/, '-other"');
    expect((await client.api.get(named, { 'if-none-match': other })).status).toBe(200);
  },
);

/** The id of a resource for the path. No other test changes this resource. */
async function idFor(path: string): Promise<string> {
  const [, family] = /^\/api\/v1\/(?:(topups|esim)\/)?(?:products|variants)/.exec(path) ?? [];
  const scenario = { topups: 'topup_instant', esim: 'esim_instant' }[family ?? ''] ?? 'voucher_instant';
  if (!/products|variants/.test(path)) return '1';
  const product = String(orderOf(scenario)['product_id']);
  if (!path.includes('/variants/')) return product;
  const variants = await client.api.get<{ id: number }[]>(`/api/v1/${family}/products/${product}/variants`);
  return String(variants.body[0]?.id);
}

interface OrderCase {
  family: string;
  feature: Feature;
  path: string;
  scenario: string;
  /** The price of the order minus one cent. */
  tooLittle: number;
  unknownProduct: object;
  /** The errors for an amount, or denomination, that the product does not have, and for a negative one. */
  unknownAmount: object;
  negativeAmount: object;
  /** The charges request for such an order. */
  charges: (body: Json) => [path: string, body: Json];
}

const orderCases: OrderCase[] = [
  {
    family: 'voucher',
    feature: 'vouchers',
    path: ordersPath,
    scenario: 'voucher_instant',
    tooLittle: 9.79,
    unknownProduct: validation('Invalid product_id: not found'),
    unknownAmount: validation('Invalid denomination: not available for this product'),
    negativeAmount: validation('Invalid denomination: must be greater than 0'),
    charges: ({ product_id, ...body }) => [`/api/v1/products/${String(product_id)}/charges`, body],
  },
  {
    family: 'top-up',
    feature: 'topups',
    path: topupOrders,
    scenario: 'topup_instant',
    tooLittle: 9.99,
    unknownProduct: notFound('Product'),
    unknownAmount: validation('Amount is not available for this product'),
    negativeAmount: validation('Amount is required'),
    charges: (body) => ['/api/v1/topups/charges', body],
  },
  {
    family: 'eSIM',
    feature: 'esim',
    path: esimOrders,
    scenario: 'esim_instant',
    tooLittle: 4.99,
    unknownProduct: notFound('Product'),
    unknownAmount: notFound('Variant'),
    negativeAmount: validation('Amount is required'),
    charges: (body) => ['/api/v1/esim/charges', body],
  },
];
/** Ids up to beyond 2^64, larger than any id that the service assigns. */
const hugeIds = [2_147_483_647, 2_147_483_648, 9_007_199_254_740_993, 1e20];

describe.each(orderCases)('An order request of a $family', (each) => {
  const { path, scenario } = each;
  const buyer = useClient(database, { USD: 1_000, JPY: 100_000 });
  const order = (special: Json = {}, api: ApiClient = buyer.api) => api.post(path, orderOf(scenario, special));
  const charge = (special: Json = {}, api: ApiClient = buyer.api) =>
    api.post(...each.charges(orderOf(scenario, special)));

  test.each(hugeIds)('When product_id is %d, then the product is not found', async (product_id) => {
    expect(await order({ product_id })).toMatchObject(each.unknownProduct);
    expect(await charge({ product_id })).toMatchObject(notFound('Product'));
  });

  describe.each([
    ['order', order],
    ['charges request', charge],
  ])('as %s', (_what, send) => {
    test.each(hugeIds)('When wallet_id is %d, then the wallet is not found', async (wallet_id) => {
      expect(await send({ wallet_id })).toMatchObject(notFound('Wallet'));
    });

    test.each([1e9, 1e16, 1e300])('When the amount is %d, then the product does not have it', async (amount) => {
      expect(await send({ amount, denomination: amount })).toMatchObject(each.unknownAmount);
    });

    test.each([-1, -1e20])('When the amount is %d, then it is not above 0', async (amount) => {
      expect(await send({ amount, denomination: amount })).toMatchObject(each.negativeAmount);
    });

    test("When the wallet is another client's, or the client has no wallet, then the wallet is not found", async () => {
      const other = await newClient(database, { USD: 100 });
      expect(await send({ wallet_id: other.wallets['USD'] })).toMatchObject(notFound('Wallet'));
      const poor = await newClient(database);
      expect(await send({}, poor.api)).toMatchObject(notFound('Wallet'));
    });

    test('When there is no rate to the currency of the wallet, then the request is rejected', async () => {
      expect(await send({ wallet_id: buyer.wallets['JPY'] })).toMatchObject(
        refusal('EXCHANGE_RATE_UNAVAILABLE', 'Exchange rate not available for the wallet currency'),
      );
    });
  });

  test('When the wallet lacks one cent, then the order is rejected and nothing is debited', async () => {
    const poor = await newClient(database, { USD: each.tooLittle });
    expect(await order({}, poor.api)).toMatchObject(refusal('INSUFFICIENT_BALANCE', 'Insufficient wallet balance'));
    expect(await orderCount(database, poor.id)).toBe(0);
    expect(await balanceOf(database, poor.wallets['USD'] as number)).toBe(String(each.tooLittle));
    expect((await poor.api.get('/api/v1/transactions')).body).toHaveLength(1);
  });

  test.each(orderCases.filter(({ family }) => family !== each.family))(
    'When the id is of a $family order, then this family returns 404',
    async (other) => {
      const { id } = await accepted(buyer.api, other.path, orderOf(other.scenario));
      expect(await buyer.api.get(`${path}/${id}`)).toMatchObject(notFound('Order'));
    },
  );

  test.each(orderCases)(
    'When a $family order has the reference, then the request is rejected and Location names that order',
    async (first) => {
      const reference = { client_reference: randomUUID() };
      const { id } = await accepted(buyer.api, first.path, orderOf(first.scenario, reference));
      const before = await standingOf(buyer);
      const answer = await order(reference);
      expect(answer).toMatchObject(refusal('DUPLICATE_CLIENT_REFERENCE', 'Duplicate client_reference'));
      expect(answer.headers.get('location')).toBe(`${first.path}/${id}`);
      expect(await standingOf(buyer)).toEqual(before);
    },
  );

  test.each([
    ['', 'must not be empty'],
    ['\u00fc', 'must be printable ASCII'],
    ['two\nlines', 'must be printable ASCII'],
    ['\u0000', 'must be printable ASCII'],
    ['x'.repeat(256), 'too long'],
  ])('When client_reference is %j, then the request is rejected', async (client_reference, fault) => {
    expect(await order({ client_reference })).toMatchObject(validation(`Invalid client_reference: ${fault}`));
  });

  describe('with max_total_payable', () => {
    const body = (max_total_payable: unknown, special: Json = {}) =>
      orderOf(scenario, { max_total_payable, ...special });
    const priceChanged = (total: number) => ({
      status: 409,
      body: {
        error: {
          name: 'ConflictError',
          code: 'PRICE_CHANGED',
          message: `The total is ${total.toFixed(2)} USD`,
          param: 'max_total_payable',
        },
      },
    });
    const totalFor = async ({ api }: OwnClient) => {
      const request = each.charges(body('ignored'));
      return (await api.post<{ total_payable: number }>(...request)).body.total_payable;
    };

    test.each([0, -1, '10', '', true, [], {}])('When it is %j, then the body is invalid', async (max_total_payable) => {
      const invalid = 'Invalid max_total_payable: must be a number above 0';
      const answer = await order({ max_total_payable, product_id: 2_000_000_000 });
      expect(answer).toMatchObject(validation(invalid));
      expect(answer).toMatchObject({ body: { error: { param: 'max_total_payable' } } });
    });

    test.each([null, 1e300])('When it is %j, then the order is accepted', async (limit) => {
      expect(await order({ max_total_payable: limit })).toMatchObject({ status: 200 });
    });

    test('When the price is above it, then nothing is debited or counted, and reference and key stay free for the new price', async () => {
      const own = await newClient(database, { USD: 20 });
      const [family = ''] = Object.entries(families).find(([, { feature }]) => feature === each.feature) ?? [];
      const cap = JSON.stringify({ [family]: { count: 1 } });
      await sql(database)`UPDATE clients SET daily_caps = ${cap} WHERE id = ${own.id}`;
      const total = await totalFor(own);
      const before = await standingOf(own);
      const reference = { client_reference: randomUUID() };
      const key = { 'idempotency-key': randomUUID() };
      const tooLow = await own.api.post(path, body(total - 0.01, reference), key);
      expect(tooLow).toMatchObject(priceChanged(total));
      expect(await standingOf(own)).toEqual(before);
      expect((await own.api.get('/api/v1/transactions')).body).toHaveLength(1);
      const placed = await own.api.order(path, body(total, reference), key);
      expect(placed).toMatchObject({ status: 200, body: { status: 'DELIVERED', charged_amount: total } });
      expect(placed.headers.has('idempotent-replayed')).toBe(false);
    });

    test('When the price rises after the order, then repetitions return the order, and a new order is rejected', async () => {
      const own = await newClient(database, { USD: 100 });
      const full = await totalFor(own);
      const product = [own.id, each.feature, String(orderOf(scenario)['product_id'])] as const;
      await ops`discounts set ${product} 10 --reason Test`;
      const low = await totalFor(own);
      expect(low).toBeLessThan(full);
      const request = body(low, { client_reference: randomUUID() });
      const key = { 'idempotency-key': randomUUID() };
      const placed = await own.api.order<Json>(path, request, key);
      expect(placed).toMatchObject({ status: 200, body: { charged_amount: low } });
      await ops`discounts clear ${product} --reason Test`;
      const replay = await own.api.order<Json>(path, request, key);
      expect([replay.status, replay.body['id']]).toEqual([200, placed.body['id']]);
      expect(await own.api.post(path, request)).toMatchObject(
        refusal('DUPLICATE_CLIENT_REFERENCE', 'Duplicate client_reference'),
      );
      expect(await own.api.post(path, body(low))).toMatchObject(priceChanged(full));
    });

    test('When other faults meet a price above it, then product and wallet come first, and the balance comes after it', async () => {
      const limit = { max_total_payable: 0.01 };
      expect(await order({ ...limit, product_id: 2_000_000_000 })).toMatchObject(each.unknownProduct);
      expect(await order({ ...limit, wallet_id: 2_000_000_000 })).toMatchObject(notFound('Wallet'));
      const poor = await newClient(database, { USD: each.tooLittle });
      expect(await order(limit, poor.api)).toMatchObject(priceChanged(await totalFor(poor)));
      expect(await order({ max_total_payable: 1_000 }, poor.api)).toMatchObject(
        refusal('INSUFFICIENT_BALANCE', 'Insufficient wallet balance'),
      );
    });
  });

  test("When the caller's address is not allowed, then the request is rejected, and reads are not", async () => {
    const distant = await newClient(database, { USD: 100 });
    const { id } = await accepted(distant.api, path, orderOf(scenario));
    await ops`clients set ${distant.id} --cidrs 203.0.113.0/24,2001:db8::/32`;
    expect(await order({}, distant.api)).toMatchObject(refusal('FORBIDDEN', 'IP address not allowed'));
    expect((await distant.api.get(`${path}/${id}`)).status).toBe(200);
    await ops`clients set ${distant.id} --cidrs 127.0.0.0/8,::1/128`;
    expect((await order({}, distant.api)).status).toBe(200);
  });

  test.each([
    'page=0',
    'per_page=0',
    'per_page=x',
    'per_page=1&per_page=2',
    'status=x',
    'status=delivered',
    `client_reference=${'x'.repeat(256)}`,
  ])('When the list is read with the query %s, then the read is rejected', async (query) => {
    expect(await buyer.api.get(`${path}?${query}`)).toMatchObject(invalidQuery);
  });

  test.each(['2147483648', '9007199254740993', '99999999999999999999'])(
    'When the id of an order is %s, then the order is not found',
    async (id) => {
      expect(await buyer.api.get(`${path}/${id}`)).toMatchObject(notFound('Order'));
      const change = buyer.api.patch(`${path}/${id}/notification-email`, { email: 'a@b.example' });
      expect(await change).toMatchObject(notFound('Order'));
    },
  );
});

/** The state that a rejected order request must not change. */
async function standingOf({ id, wallets }: OwnClient): Promise<{ orders: number; balance: string }> {
  return { orders: await orderCount(database, id), balance: await balanceOf(database, wallets['USD'] as number) };
}
