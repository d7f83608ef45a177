import express, { type Request } from 'express';
import { ResponseCache } from '../../src/api/shared/response-cache';
import { validQuery } from '../../src/api/shared/validation';
import { voucherProductsQuery } from '../../src/api/vouchers/catalogue-routes';
import { rows } from '../../src/data/database/database';
import { sql } from '../../dev/testbed/sql';
import { VersionedCache } from '../../src/data/database/versioned-cache';
import { importProducts, newMark, topupProduct, voucherProduct } from '../support/catalogue';
import { newClient, type OwnClient, useClient, useDatabase } from '../support/clients';
import { serve, type ServedApp } from '../../dev/stack/local-server';
import { apiAs, type Answer, type Json } from '../support/stack';
import { until } from '../../dev/testbed/waiting';

/** Shorter than the maximum age of a cached response, so that only a notification can cause the change. */
const NOTIFIED_SECONDS = 2.5;

const mark = newMark();
const voucher = voucherProduct(`Kept ${mark}`);
const topup = topupProduct(`Kept ${mark}`, [{ fixedAmounts: ['5'] }]);

const database = useDatabase();
const client = useClient(database, { USD: 1 });
let voucherId: number;
let topupId: number;

beforeAll(async () => {
  const ids = await importProducts(database, { voucherProducts: [voucher], topupProducts: [topup] });
  voucherId = ids.get(voucher.sku) as number;
  topupId = ids.get(topup.sku) as number;
});

const change = (statement: string) => rows(database, statement);
const listed = (api = client.api) => api.get<Json[]>(`/api/v1/products?search=${mark}`);

/** Repeats the read until the response matches. Throws if no notification causes the change in time. */
const becomes = <Body>(what: string, read: () => Promise<Answer<Body>>, matches: (answer: Answer<Body>) => boolean) =>
  until(
    what,
    async () => {
      const answer = await read();
      return matches(answer) ? answer : undefined;
    },
    NOTIFIED_SECONDS,
  );

describe('the cache', () => {
  let served: ServedApp;
  let url: string;
  let made = 0;
  let answers: ResponseCache;
  beforeAll(async () => {
    const feed = { version: () => 0 };
    answers = new ResponseCache(database, feed);
    const app = express();
    app.use((_request, response, next) => {
      Object.assign(response.locals, { caller: { client: { id: client.id } } });
      next();
    });
    const ask = (request: Request) => validQuery(voucherProductsQuery, request);
    const make = (query: object) => {
      made++;
      return Promise.resolve({ data: [query] });
    };
    app.get('/list', answers.handler('no-cache', ask, make));
    served = await serve(app);
    url = `${served.url}/list`;
  });
  afterAll(() => served.close());

  test('When a request has the same input in another form, then it gets the cached response', async () => {
    const first = await (await fetch(`${url}?limit=5&search=a`)).json();
    const before = [made, answers.bytes];
    for (const query of ['search=a&limit=5', 'per_page=5&search=a&page=1', `search=a&limit=5&x=${'y'.repeat(9_000)}`]) {
      expect(await (await fetch(`${url}?${query}`)).json()).toEqual(first);
    }
    expect([made, answers.bytes]).toEqual(before);
  });

  test('When a cached response has a long key, then the key counts towards the size of the cache', async () => {
    const before = answers.bytes;
    await fetch(`${url}?search=${'s'.repeat(9_000)}`);
    // The key has the text with two bytes per character. The response of this test repeats the text.
    expect(answers.bytes - before).toBeGreaterThan(27_000);
  });
});

test('When a cached response is not requested again, then it still expires', async () => {
  jest.useFakeTimers({ doNotFake: ['performance'] });
  const now = jest.spyOn(performance, 'now').mockReturnValue(1_000);
  const cache = new VersionedCache<object>(() => 0, { maxAgeMs: 5_000, maxSize: 100, sizeOf: () => 1 });
  await cache.get('key', () => Promise.resolve({}));
  expect(cache.size).toBe(1);
  now.mockReturnValue(7_000);
  jest.advanceTimersByTime(6_000);
  expect(cache.size).toBe(0);
  jest.useRealTimers();
  jest.restoreAllMocks();
});

describe('cached responses', () => {
  test.each([
    ['/api/v1/products?limit=2'],
    ['/api/v1/topups/products'],
    ['/api/v1/esim/products?limit=1'],
    ['/api/v1/countries'],
  ])('When %s is read again, then the response is the same, and a read with its ETag gets 304', async (path) => {
    // Other tests change the catalogue at the same time.
    const { first, again, unchanged } = await until('three reads of one version', async () => {
      const [first, again] = [await client.api.get(path), await client.api.get(path)];
      const etag = first.headers.get('etag') as string;
      const unchanged = await client.api.get(path, { 'if-none-match': etag });
      const isOneVersion = [again, unchanged].every(({ headers }) => headers.get('etag') === etag);
      return isOneVersion ? { first, again, unchanged } : undefined;
    });
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('x-total-count')).toBe(first.headers.get('x-total-count'));
    expect(again.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(unchanged).toMatchObject({ status: 304, body: undefined });
    // Strict clients wait for the bytes that a Content-Length announces.
    expect(unchanged.headers.get('content-length')).toBeNull();
  });

  test('When two pages have different totals, then their ETags differ', async () => {
    const etagOf = async (query: string) => (await client.api.get(`/api/v1/products?${query}`)).headers.get('etag');
    expect(await etagOf(`search=${mark}&limit=1`)).not.toBe(await etagOf(`search=${mark}&limit=2`));
  });

  test('When a product changes, then the next reads show the change', async () => {
    expect((await listed()).body).toMatchObject([{ id: voucherId, validity: null }]);
    await change(`UPDATE voucher_products SET validity = '1 year' WHERE id = ${voucherId}`);
    await becomes('the new validity', listed, ({ body }) => body[0]?.['validity'] === '1 year');
  });

  test('When one client gets a discount, then only its reads show the discount', async () => {
    const product = (api = client.api) => api.get<{ available_denominations: Json[] }>(`/api/v1/products/${voucherId}`);
    const discountOf = ({ body }: Awaited<ReturnType<typeof product>>) => body.available_denominations[0]?.['discount'];
    expect(discountOf(await product())).toBe(0);
    await change(`INSERT INTO client_discounts VALUES (${client.id}, 'VOUCHER', ${voucherId}, 4)`);
    await becomes('the discount', product, (answer) => discountOf(answer) === 4);
    expect(discountOf(await product(apiAs('demo')))).toBe(0);
  });

  test('When a product is blacklisted for a client, then only this client gets 404', async () => {
    const other = await newClient(database);
    const product = (api: OwnClient['api']) => api.get(`/api/v1/topups/products/${topupId}`);
    expect((await product(other.api)).status).toBe(200);
    await change(`INSERT INTO client_blacklist VALUES (${other.id}, 'TOPUP', ${topupId})`);
    await becomes(
      'the 404',
      () => product(other.api),
      ({ status }) => status === 404,
    );
    expect((await product(client.api)).status).toBe(200);
  });

  test('When a client loses a feature, then its next reads are rejected', async () => {
    const other = await newClient(database);
    expect((await listed(other.api)).status).toBe(200);
    await change(`UPDATE clients SET features = '{topups}' WHERE id = ${other.id}`);
    const refused = await becomes(
      'the refusal',
      () => listed(other.api),
      ({ status }) => status === 400,
    );
    expect(refused.body).toMatchObject({ error: { code: 'INVALID_FEATURE' } });
  });

  test('When the connection that listens for changes is cut, then no change is missed', async () => {
    for (let cut = 0; cut < 3; cut++) {
      await change(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'digital-goods-changes'`,
      );
      await change(`UPDATE voucher_products SET validity = 'cut ${cut}' WHERE id = ${voucherId}`);
      await becomes('the change', listed, ({ body }) => body[0]?.['validity'] === `cut ${cut}`);
    }
  });

  test('When a table is part of catalogue or reference data, then its changes send notifications', async () => {
    const silent = await sql(database)<{ table: string }>`SELECT relname AS table FROM pg_class
        WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
          AND (relname ~ '^(voucher|topup|esim)_(products|variants|denominations)$'
               OR relname ~ '^client_(discounts|blacklist)$'
               OR relname IN ('clients', 'countries', 'currencies', 'categories', 'subcategories'))
          AND NOT EXISTS (SELECT FROM pg_trigger WHERE tgrelid = pg_class.oid AND tgname = 'tell_change')`;
    expect(silent).toEqual([]);
  });
});
