/**
 * The money and failure fields of a single order, and the accepted input of order requests and lists.
 * docs/specification.md#money-of-an-order.
 */
import { sql } from '../../dev/testbed/sql';
import { newClient, useClient, useDatabase } from '../support/clients';
import { ops } from '../support/operator';
import { orderOf, ordersPath, reached, scenarioNamed } from '../support/orders';
import { routes, type Route } from '../support/route-table';
import { entriesOf, eventsOf } from '../support/records';
import { invalidQuery, notFound, refusal, validation, type Json, type Resource } from '../support/stack';
import { accepted, endedInList, esimOrders, topupOrders } from '../support/variant-orders';

const database = useDatabase();

const client = useClient(database, { USD: 2_000 });

const duplicate = refusal('DUPLICATE_CLIENT_REFERENCE', 'Duplicate client_reference');
const families: [family: string, path: string, scenario: string][] = [
  ['voucher', ordersPath, 'voucher_instant'],
  ['top-up', topupOrders, 'topup_instant'],
  ['eSIM', esimOrders, 'esim_instant'],
];

/** Larger than any id that the service assigns: beyond 2^31, 2^53 and 2^64. */
const beyond = ['2147483648', '9007199254740993', '99999999999999999999'];

describe.each(families)('%s', (_family, path, scenario) => {
  test('When an order is placed and read, then both responses show the charged amount and no refund', async () => {
    const created = await accepted(client.api, path, orderOf(scenario));
    const { body: read } = await client.api.get<Json>(`${path}/${created.id}`);
    const [debit] = await entriesOf(database, created.id);
    for (const order of [created, read]) {
      expect(order).toMatchObject({
        charged_amount: Number(debit?.amount),
        charged_currency: 'USD',
        refunded_amount: 0,
      });
      expect(order).not.toHaveProperty('refund_transaction_id');
    }
  });

  test('When an order request has a reference or none, then its events have the same', async () => {
    const nameless = await accepted(client.api, path, orderOf(scenario));
    const reference = `named-${scenario}`;
    const named = await accepted(client.api, path, orderOf(scenario, { client_reference: reference }));
    const dataOf = async (id: number) =>
      (await eventsOf(database, id)).filter(({ type }) => !type.startsWith('wallet.')).map(({ data }) => data);
    for (const data of await dataOf(nameless.id)) expect(data).not.toHaveProperty('client_reference');
    const eventData = await dataOf(named.id);
    expect(eventData.length).toBeGreaterThan(0);
    for (const data of eventData) expect(data).toMatchObject({ client_reference: reference });
  });

  test('When the reference is in use, then its error comes after errors of the body and before errors of the product', async () => {
    const reference = `first-${scenario}`;
    const { id } = await accepted(client.api, path, orderOf(scenario, { client_reference: reference }));
    const again = orderOf(scenario, { client_reference: reference });
    for (const gone of [{ product_id: 999_999 }, { amount: 0.07, denomination: 0.07 }, { wallet_id: 999_999 }]) {
      const answer = await client.api.post(path, { ...again, ...gone });
      expect(answer).toMatchObject(duplicate);
      expect(answer.headers.get('location')).toBe(`${path}/${id}`);
    }
    expect(await client.api.post(path, { ...again, wallet_id: 'one' })).toMatchObject({
      status: 400,
      body: { error: { code: 'VALIDATION_FAILURE' } },
    });
  });
});

test('When nothing was debited, then list and read show no transaction and a charged amount of 0', async () => {
  const capped = await newClient(database, { USD: 100 });
  await sql(database)`UPDATE clients SET daily_caps = '{"TOPUP": {"count": 0}}' WHERE id = ${capped.id}`;
  const { id } = await accepted(capped.api, topupOrders, orderOf('topup_instant'));
  const listed = await endedInList(capped.api, topupOrders, id);
  const { body: read } = await capped.api.get<Json>(`${topupOrders}/${id}`);
  expect(read).toMatchObject({ status: 'FAILED', charged_amount: 0, refunded_amount: 0 });
  expect(read['status_text']).toContain('nothing was debited');
  for (const order of [listed, read]) expect(order).not.toHaveProperty('transaction_id');
});

test('When a voucher order costs nothing, then list and read show no transaction', async () => {
  const discounted = await newClient(database, { USD: 1 });
  const order = orderOf('voucher_instant');
  await ops`discounts set ${discounted.id} vouchers ${order['product_id']} 100 --force`;
  const free = await accepted(discounted.api, ordersPath, order);
  const { body: list } = await discounted.api.get<Resource[]>(ordersPath);
  const { body: read } = await discounted.api.get<Json>(`${ordersPath}/${free.id}`);
  const listed = list.find(({ id }) => id === free.id);
  for (const order of [listed, read]) expect(order).not.toHaveProperty('transaction_id');
});

test('When a voucher order fails, then it shows the reason, the refunded amount and the refund entry', async () => {
  const created = await accepted(client.api, ordersPath, orderOf('voucher_partial_then_failed'));
  const failed = await reached(client.api, created.id, 'FAILED');
  expect(failed).toMatchObject({
    failure_code: expect.any(String) as unknown,
    failure_reason: expect.any(String) as unknown,
    is_user_fixable: expect.any(Boolean) as unknown,
    message: expect.stringContaining('has been refunded') as unknown,
  });
  const refund = failed['refund_transaction_id'] as number;
  const { body: entry } = await client.api.get<Json>(`/api/v1/transactions/${refund}`);
  expect(failed['refunded_amount']).toBe(entry['amount']);
  expect(failed['refunded_amount']).toBeLessThan(failed['charged_amount'] as number);
});

describe('ids larger than any assigned id', () => {
  test.each([
    ['/api/v1/products', 'Product'],
    ['/api/v1/topups/products', 'Product'],
    ['/api/v1/topups/variants', 'Variant'],
    ['/api/v1/esim/products', 'Product'],
    ['/api/v1/esim/variants', 'Variant'],
    ['/api/v1/wallets', 'Wallet'],
    ['/api/v1/categories', 'Category'],
    ['/api/v1/subcategories', 'Subcategory'],
  ])('When such an id is in a path of %s, then the response is 404', async (path, what) => {
    for (const id of beyond) expect(await client.api.get(`${path}/${id}`)).toMatchObject(notFound(what));
  });

  test.each([
    ['/api/v1/transactions', 'Invalid transaction ID'],
    ['/api/v1/countries', 'Invalid country ID'],
  ])('When such an id is in a path of %s, then the id is invalid', async (path, message) => {
    for (const id of beyond) {
      expect(await client.api.get(`${path}/${id}`)).toMatchObject(refusal('BAD_REQUEST', message));
    }
  });

  test('When such an id is a wallet_id, then the response is 404, unlike a product_id or currency_id, which matches nothing', async () => {
    for (const id of beyond) {
      expect(await client.api.get(`/api/v1/transactions?wallet_id=${id}`)).toMatchObject(notFound('Wallet'));
      expect(await client.api.get(`${topupOrders}?product_id=${id}`)).toMatchObject({ status: 200, body: [] });
      const products = await client.api.get(`/api/v1/products?currency_id=${id}`);
      expect(products).toMatchObject({ status: 200, body: [] });
      expect(await client.api.get(`/api/v1/products?country_id=${id}`)).toMatchObject(invalidQuery);
    }
  });
});

test.each(['CODE', '', ' ', 5, {}])(
  'When a voucher order names the paying voucher %j, then the order is rejected',
  async (code) => {
    const body = orderOf('voucher_instant', { redeem_voucher_code: code });
    expect(await client.api.post(ordersPath, body)).toMatchObject(
      validation('Invalid redeem_voucher_code: not available for this product'),
    );
  },
);

test('When the code of the paying voucher is null, then the wallet pays', async () => {
  await accepted(client.api, ordersPath, orderOf('voucher_instant', { redeem_voucher_code: null }));
});

describe('the body of a top-up', () => {
  const field = (special: Json) => orderOf('topup_instant', special);

  test('When the input lacks a field and no variant has the amount, then the error is about the input', async () => {
    const wrong = { amount: 0.07, input_data: {}, client_reference: 'taken' };
    await accepted(client.api, topupOrders, field({ client_reference: 'taken' }));
    const answer = await client.api.post<{ error: { message: string } }>(topupOrders, field(wrong));
    expect(answer.body.error.message).toMatch(/^Missing input field: /);
    const unknown = { ...wrong, input_data: { nonsense: 'x' } };
    expect(await client.api.post(topupOrders, field(unknown))).toMatchObject(
      validation('Unknown input field: nonsense'),
    );
  });

  test('When an input has the wrong type and no variant has the amount, then the error is about the amount', async () => {
    const { input_data: given } = scenarioNamed('topup_instant').body as { input_data: Json };
    const wrong = Object.fromEntries(Object.keys(given).map((name) => [name, {}]));
    expect(await client.api.post(topupOrders, field({ amount: 0.07, input_data: wrong }))).toMatchObject(
      validation('Amount is not available for this product'),
    );
  });
});

describe('lists', () => {
  const paged = [
    ordersPath,
    topupOrders,
    esimOrders,
    '/api/v1/transactions',
    '/api/v1/products',
    '/api/v1/topups/products',
    '/api/v1/esim/products',
    '/api/v1/webhooks/events',
    '/api/v1/webhooks/endpoints',
    '/api/v1/api-keys',
    '/api/v1/activity',
    '/api/v1/members',
    '/api/v1/claims',
    '/api/v1/price-list',
  ];

  test('When a list has pages, then these tests cover the list', async () => {
    const isList = ({ method, token, path }: Route) => method === 'GET' && token && !path.includes(':');
    const found: string[] = [];
    for (const { path } of routes.filter(isList))
      if ((await client.api.get(path)).headers.has('x-page')) found.push(path);
    expect(found.sort()).toEqual(paged.toSorted());
  });

  test.each(paged)(
    'When a request for %s gives the page size by either name, or by both with one value, then it applies',
    async (path) => {
      for (const query of ['per_page=2', 'limit=2', 'limit=2&per_page=2']) {
        const { status, headers, body } = await client.api.get<Json[]>(`${path}?${query}`);
        expect([status, headers.get('x-per-page')]).toEqual([200, '2']);
        expect(body.length).toBeLessThanOrEqual(2);
      }
      for (const query of ['per_page=2&limit=3', 'limit=0', 'per_page=x', 'limit=2&per_page=', 'limit=2&limit=2']) {
        expect(await client.api.get(`${path}?${query}`)).toMatchObject(invalidQuery);
      }
    },
  );

  test('When voucher orders are filtered by status, then only matching orders are listed and counted', async () => {
    const own = await newClient(database, { USD: 1_000 });
    await accepted(own.api, ordersPath, orderOf('voucher_instant'));
    const failing = await accepted(own.api, ordersPath, orderOf('voucher_partial_then_failed'));
    await reached(own.api, failing.id, 'FAILED');
    const { headers, body } = await own.api.get<Resource[]>(`${ordersPath}?status=FAILED`);
    expect(body.map(({ id }) => id)).toEqual([failing.id]);
    expect(headers.get('x-total-count')).toBe('1');
    expect(await own.api.get(`${ordersPath}?status=CANCELLED`)).toMatchObject({ status: 404 });
    for (const status of ['RECHARGED', 'failed', ''])
      expect(await own.api.get(`${ordersPath}?status=${status}`)).toMatchObject(invalidQuery);
  });
});

test('When variants show their par_value, then it is a number', async () => {
  const { body: products } = await client.api.get<Resource[]>('/api/v1/topups/products');
  const variants = await Promise.all(
    products.map(({ id }) =>
      client.api.get<{ fields: { key: string; value: unknown }[] }[]>(`/api/v1/topups/products/${id}/variants`),
    ),
  );
  const fields = variants.flatMap(({ body }) => body.flatMap((variant) => variant.fields));
  const values = fields.filter(({ key }) => key === 'par_value').map(({ value }) => value);
  expect(values.length).toBeGreaterThan(0);
  for (const value of values) expect(typeof value).toBe('number');
});
