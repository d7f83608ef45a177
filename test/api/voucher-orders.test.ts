/** The responses about voucher orders: to the order request, to later reads, and in lists. */
import { randomUUID } from 'node:crypto';
import { newClient, useClient, useDatabase } from '../support/clients';
import { ended, orderOf, ordersPath, place, read, type VoucherOrder } from '../support/orders';
import { apiAs, invalidQuery, refusal, type Answer, type Json } from '../support/stack';

const database = useDatabase();
const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);
const noMatch = refusal('NOT_FOUND', 'No Matching Result Found!');
const notFound = refusal('NOT_FOUND', 'Order not found');

const client = useClient(database, { USD: 1_000, EUR: 1_000 });

describe('the fields of an order', () => {
  const reference = `shown ${randomUUID()}`;
  let body: Json;
  let created: VoucherOrder;
  let common: Json;
  beforeAll(async () => {
    body = orderOf('voucher_instant', {
      quantity: 2,
      client_reference: reference,
      email: 'ann@example.com',
      wallet_id: client.wallets['EUR'],
    });
    created = await place(client.api, body);
    common = {
      id: expect.any(Number),
      client_reference: reference,
      product_id: body['product_id'],
      product_name: 'Harbour Coffee Gift Card',
      denomination: 10,
      quantity: 2,
      amount: 20,
      status: 'DELIVERED',
      email: 'ann@example.com',
    };
  });

  test('When the order is placed, then the response has exactly the fields for an order request', () => {
    expect(created).toEqual({
      ...common,
      discount: 0.4,
      wallet_id: client.wallets['EUR'],
      base_currency: 'USD',
      deduction_currency: 'EUR',
      charged_amount: expect.any(Number),
      charged_currency: 'EUR',
      refunded_amount: 0,
      message: expect.stringMatching(/./),
      vouchers: [expect.any(Object), expect.any(Object)],
    });
  });

  test('When the order is read later, then the response has its transaction and time, but not its wallet', async () => {
    expect(await read(client.api, created.id)).toEqual({
      ...common,
      id: created.id,
      discount: 0.4,
      transaction_id: expect.any(Number),
      placed_at: moment,
      base_currency: 'USD',
      deduction_currency: 'EUR',
      charged_amount: expect.any(Number),
      charged_currency: 'EUR',
      refunded_amount: 0,
      message: created['message'],
      vouchers: created.vouchers,
    });
  });

  test('When the order is listed, then the list has only the fields of the contract, without vouchers', async () => {
    const later = await read(client.api, created.id);
    const { body: list } = await client.api.get<Json[]>(`${ordersPath}?client_reference=${reference}`);
    expect(list).toEqual([
      {
        ...common,
        id: created.id,
        transaction_id: later['transaction_id'],
        currency: 'USD',
        placed_at: later['placed_at'],
      },
    ]);
  });

  test('When an order request has no reference and no address, then responses omit both, and the list has an empty address', async () => {
    const bare = await place(client.api, orderOf('voucher_instant'));
    const { body: list } = await client.api.get<Json[]>(`${ordersPath}?limit=1`);
    for (const shown of [bare, await read(client.api, bare.id), list[0]]) {
      expect(shown).toMatchObject({ id: bare.id });
      expect(shown).not.toHaveProperty('client_reference');
    }
    for (const shown of [bare, await read(client.api, bare.id)]) expect(shown).not.toHaveProperty('email');
    expect(list[0]).toMatchObject({ email: '' });
  });

  test('When an order is for more than 5 vouchers, then the response is PENDING, and the vouchers are delivered in the background', async () => {
    const order = await place(client.api, orderOf('voucher_instant', { denomination: 5, quantity: 6 }));
    expect(order).toMatchObject({ status: 'PENDING', vouchers: [] });
    expect((await ended(client.api, order.id)).vouchers).toHaveLength(6);
  });

  test('When an order is for 5 vouchers, then the response has the vouchers', async () => {
    const order = await place(client.api, orderOf('voucher_instant', { denomination: 5, quantity: 5 }));
    expect(order.status).toBe('DELIVERED');
    expect(order.vouchers).toHaveLength(5);
  });
});

describe('one order', () => {
  const reference = randomUUID();
  let order: VoucherOrder;
  beforeAll(async () => {
    order = await place(client.api, orderOf('voucher_instant', { client_reference: reference }));
  });

  test("When the order is another client's, then the response equals that for an unknown id", async () => {
    const other = await apiAs('other').get(`${ordersPath}/${order.id}`);
    const nobody = await apiAs('other').get(`${ordersPath}/2147483647`);
    expect(other).toMatchObject(notFound);
    expect(other.body).toEqual(nobody.body);
    expect(await apiAs('other').get(`${ordersPath}?client_reference=${reference}`)).toMatchObject(noMatch);
  });
});

describe('the list', () => {
  const references = Array.from({ length: 5 }, () => randomUUID());
  const owner = useClient(database, { USD: 100 });
  beforeAll(async () => {
    for (const client_reference of references) {
      await place(owner.api, orderOf('voucher_instant', { client_reference }));
    }
  });

  const list = (query = '') => owner.api.get<Json[]>(`${ordersPath}?${query}`);
  const shown = ({ body }: Answer<Json[]>) => body.map((order) => order['client_reference']);
  const headers = (answer: Answer<Json[]>) =>
    ['page', 'per-page', 'total-count', 'total-pages', 'page-size', 'has-more'].map((name) =>
      answer.headers.get(`x-${name}`),
    );
  const newestFirst = [...references].reverse();

  test('When the list is read, then it is newest first and has pagination headers', async () => {
    const answer = await list();
    expect(answer.status).toBe(200);
    expect(shown(answer)).toEqual(newestFirst);
    expect(headers(answer)).toEqual(['1', '50', '5', '1', '5', 'false']);
  });

  test('When the list is read page by page, then every order appears once', async () => {
    const pages = await Promise.all([1, 2, 3].map((page) => list(`page=${page}&limit=2`)));
    expect(pages.map(shown)).toEqual([newestFirst.slice(0, 2), newestFirst.slice(2, 4), newestFirst.slice(4)]);
    expect(pages.map(headers)).toEqual([
      ['1', '2', '5', '3', '2', 'true'],
      ['2', '2', '5', '3', '2', 'true'],
      ['3', '2', '5', '3', '1', 'false'],
    ]);
  });

  test('When a page is beyond the last page, then it is empty and has its headers', async () => {
    const answer = await list('page=4&limit=2');
    expect(answer).toMatchObject({ status: 200, body: [] });
    expect(headers(answer)).toEqual(['4', '2', '5', '3', '0', 'false']);
  });

  test('When the list is filtered by a reference, then it has exactly the order with that reference', async () => {
    const answer = await list(`client_reference=${references[2]}`);
    expect(shown(answer)).toEqual([references[2]]);
    expect(headers(answer)).toEqual(['1', '50', '1', '1', '1', 'false']);
  });

  test.each(['', 'x', '%25', references[0]?.slice(0, -1) as string])(
    'When no order has the reference "%s", then the response is 404',
    async (reference) => {
      expect(await list(`client_reference=no-${reference}`)).toMatchObject(noMatch);
    },
  );

  test('When the client has no order, then the response is 404', async () => {
    const newcomer = await newClient(database);
    expect(await newcomer.api.get(ordersPath)).toMatchObject(noMatch);
    expect(await newcomer.api.get(`${ordersPath}?page=7`)).toMatchObject(noMatch);
  });

  test.each([
    'page=0',
    'page=-1',
    'page=one',
    'page=1.5',
    'page=99999999999',
    'limit=0',
    'limit=10001',
    'limit=ten',
    'limit=',
    'page=1&page=2',
    `client_reference=${'x'.repeat(256)}`,
    'client_reference=%00',
    'client_reference=a&client_reference=b',
  ])('When the query is %s, then it is invalid', async (query) => {
    expect(await list(query)).toMatchObject(invalidQuery);
  });

  test('When the limit is the highest allowed, then the list is returned', async () => {
    expect((await list('limit=10000')).body).toHaveLength(5);
  });
});
