import { syncVariants } from '../../src/catalogue/variant-sync';
import { rows } from '../../src/data/database/database';
import { sql } from '../../dev/testbed/sql';
import type { EsimPlan, Supplier } from '../../src/domain/suppliers/port';
import { SupplierUnavailable } from '../../src/domain/suppliers/supplier-errors';
import { safeText } from '../../src/domain/safe-text';
import { esimProduct, importProducts, newMark } from '../support/catalogue';
import { stackDatabase } from '../../dev/testbed/clients';
import { newClient, useClient } from '../support/clients';
import { ops } from '../support/operator';
import {
  apiAs,
  apiWithoutToken,
  invalidQuery,
  notFound,
  refusal,
  validation,
  type Json,
  type Resource,
} from '../support/stack';
import { until } from '../../dev/testbed/waiting';

const mark = newMark();

const listed = esimProduct(`Listed ${mark}`, { countryCode: 'JPN', imageUrl: 'https://images.example/e.png' });
const other = esimProduct(`Other ${mark}`, { currencyCode: 'EUR' });
const hidden = esimProduct(`Hidden ${mark}`);

const database = stackDatabase();
const client = useClient(database, { USD: 1, EUR: 1 });
let ids: ReadonlyMap<string, number>;
/** The demo product whose plans the simulator lists. */
let japan: number;

beforeAll(async () => {
  ids = await importProducts(database, { esimProducts: [listed, other, hidden] });
  await ops`blacklist add ${client.id} esim ${idOf(hidden)}`;
  const { body } = await client.api.get<Resource[]>('/api/v1/esim/products?search=japan');
  japan = body.find(({ name }) => name === 'Japan eSIM')?.id as number;
});
afterAll(async () => {
  // The simulator does not know these products: a read by another test would return 503.
  await sql(database)`UPDATE esim_products SET active = false WHERE id = ANY(${[...ids.values()]})`;
  await database.close();
});

const idOf = (product: { sku: string }) => ids.get(product.sku) as number;
const list = (query = '') => client.api.get<Json[]>(`/api/v1/esim/products?search=${mark}${query}`);
const variantsOf = (id: number, api = client.api) => api.get<Resource[]>(`/api/v1/esim/products/${id}/variants`);

describe('eSIM products', () => {
  test('When products are listed, then each product has exactly the fields of the contract, newest first', async () => {
    const { body } = await list();
    expect(body.map(({ id }) => id)).toEqual([idOf(other), idOf(listed)]);
    expect(body[1]).toEqual({
      id: idOf(listed),
      name: listed.name,
      country_code: 'JPN',
      currency_code: 'USD',
      image_url: 'https://images.example/e.png',
    });
  });

  test('When the list is filtered and paged, then it has only matching products', async () => {
    expect((await list('&country_code=JPN')).body.map(({ id }) => id)).toEqual([idOf(listed)]);
    expect((await list('&country_code=GLO')).body.map(({ id }) => id)).toEqual([idOf(other)]);
    const { body, headers } = await list('&per_page=1&page=2');
    expect(body.map(({ id }) => id)).toEqual([idOf(listed)]);
    expect([headers.get('x-total-count'), headers.get('x-per-page')]).toEqual(['2', '1']);
  });

  test.each(['country_code=jpn', 'country_code=JP', 'country_code=', 'per_page=501', 'page=-1'])(
    'When the query is %s, then it is invalid',
    async (query) => {
      expect(await client.api.get(`/api/v1/esim/products?${query}`)).toMatchObject(invalidQuery);
    },
  );

  test.each(['', '/variants'])(
    'When a product cannot be bought, then GET /products/:id%s returns 404',
    async (part) => {
      for (const id of [2_147_483_647, idOf(hidden)]) {
        expect(await client.api.get(`/api/v1/esim/products/${id}${part}`)).toMatchObject(notFound('Product'));
      }
    },
  );

  test('When a request has no token, or the client lacks the feature, then the request is rejected', async () => {
    const without = await newClient(database, { USD: 1 });
    await ops`clients set ${without.id} --features vouchers,topups`;
    const featureOff = { status: 400, body: { error: { code: 'INVALID_FEATURE' } } };
    for (const path of ['products', `products/${japan}`, 'variants/1'].map((part) => `/api/v1/esim/${part}`)) {
      expect((await apiWithoutToken().get(path)).status).toBe(401);
      expect(await without.api.get(path)).toMatchObject(featureOff);
    }
    expect(await without.api.post('/api/v1/esim/charges', {})).toMatchObject(featureOff);
  });
});

describe('eSIM variants', () => {
  test('When a product is read, then the response has its variants, cheapest first', async () => {
    const { body } = await client.api.get<{ variants: Json[] }>(`/api/v1/esim/products/${japan}`);
    expect(body.variants).toEqual((await variantsOf(japan)).body);
    expect(body.variants.map(({ amount }) => amount)).toEqual([4.9, 9.8, 24.5]);
    expect(body.variants[0]).toEqual({
      id: expect.any(Number),
      esim_product_id: japan,
      name: '1 GB - 7 days',
      description: '1 GB, valid 7 days from first use.',
      currency_code: 'USD',
      amount: 4.9,
      data_amount_gb: 1,
      validity_days: 7,
      client_discount: 0,
    });
  });

  test('When a variant is read, then the response has the details from the supplier', async () => {
    const [variant] = (await variantsOf(japan)).body;
    expect((await client.api.get(`/api/v1/esim/variants/${variant?.id}`)).body).toEqual({
      ...variant,
      regions: [{ code: 'JPN', name: 'Japan' }],
      networks: ['Sakura Mobile 5G'],
      is_rechargeable: true,
      activation_policy: expect.any(String),
    });
  });

  test('When a client has a discount, then its variants show it', async () => {
    await ops`discounts set ${client.id} esim ${japan} 12.5`;
    // Lists are cached until the notification of the change, a moment after its commit. eSIM charges are never cached.
    const { body } = await client.api.post('/api/v1/esim/charges', { product_id: japan, amount: 9.8 });
    const discounts = await until('the discount on the variants', async () => {
      const shown = (await variantsOf(japan)).body.map((variant) => variant['client_discount']);
      return shown.includes(0) ? undefined : shown;
    });
    await ops`discounts clear ${client.id} esim ${japan} --reason Test`;
    expect(discounts).toEqual([12.5, 12.5, 12.5]);
    expect(body).toMatchObject({ discount: 12.5, discount_amount: 1.23, total_payable: 8.57 });
  });

  test('When 30 concurrent requests are the first for the variants, then the variants are stored once and all responses are equal', async () => {
    // Resets the product to its state before the first request. Orders may name its variants, so these keep their ids.
    await sql(database)`UPDATE esim_products SET hydrated_at = NULL WHERE id = ${japan}`;
    const apis = [client.api, apiAs('demo'), apiAs('other')];
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, index) => variantsOf(japan, apis[index % apis.length])),
    );
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    const stored = await sql(database)`SELECT supplier_sku FROM esim_variants WHERE product_id = ${japan}`;
    expect(stored).toHaveLength(3);
  });

  test('When the first requests are concurrent, then the service polls the supplier once, and again after a failure', async () => {
    const esimPlans = jest
      .fn<Promise<EsimPlan[]>, [string]>()
      .mockRejectedValueOnce(new SupplierUnavailable(safeText`down`))
      .mockResolvedValue([]);
    const suppliers = new Map([['stub', { name: 'stub', esimPlans } as unknown as Supplier]]);
    const sync = () =>
      Promise.allSettled(
        Array.from({ length: 5 }, () =>
          syncVariants({ database, suppliers }, { id: idOf(other), supplier: 'stub', supplierSku: 'x' }),
        ),
      );
    expect((await sync()).map(({ status }) => status)).toEqual(Array(5).fill('rejected'));
    expect(esimPlans).toHaveBeenCalledTimes(1);
    expect((await sync()).map(({ status }) => status)).toEqual(Array(5).fill('fulfilled'));
    expect(esimPlans).toHaveBeenCalledTimes(2);
    // The list is empty. It is not read again for every request.
    expect((await sync()).map(({ status }) => status)).toEqual(Array(5).fill('fulfilled'));
    expect(esimPlans).toHaveBeenCalledTimes(2);
  });

  test('When the supplier cannot list the plans, then the response is 503 with Retry-After', async () => {
    const unavailable = refusal('SERVICE_UNAVAILABLE', 'Service temporarily unavailable');
    const answer = await variantsOf(idOf(listed));
    expect(answer).toMatchObject(unavailable);
    expect(answer.headers.get('retry-after')).toMatch(/^[1-9]/);
    const charges = await client.api.post('/api/v1/esim/charges', { product_id: idOf(listed), amount: 1 });
    expect(charges).toMatchObject(unavailable);
  });

  test.each([
    ['is inactive', 'UPDATE esim_variants SET active = $on WHERE id = $id'],
    ['has no source that sells it', "UPDATE product_sources SET active = $on WHERE family = 'ESIM' AND item_id = $id"],
  ])('When a variant %s, then it is not on sale', async (_, statement) => {
    const [variant] = (await variantsOf(japan)).body;
    const setActive = (on: boolean) => rows(database, statement, { id: variant?.id, on });
    await setActive(false);
    const one = await client.api.get(`/api/v1/esim/variants/${variant?.id}`);
    const all = await variantsOf(japan);
    const charges = await client.api.post('/api/v1/esim/charges', { product_id: japan, amount: 4.9 });
    await setActive(true);
    expect(one).toMatchObject(notFound('Variant'));
    expect(all.body.map(({ amount }) => amount)).toEqual([9.8, 24.5]);
    expect(charges).toMatchObject(notFound('Variant'));
  });

  test('When a variant is unknown, then the response is 404', async () => {
    expect(await client.api.get('/api/v1/esim/variants/2147483647')).toMatchObject(notFound('Variant'));
  });
});

describe('eSIM charges', () => {
  const charge = (body: unknown) => client.api.post('/api/v1/esim/charges', body);

  test('When the wallet is in the currency of the variant, then nothing is converted and the conversion fields are omitted', async () => {
    expect((await charge({ product_id: japan, amount: 24.5 })).body).toEqual({
      non_discounted_total: 24.5,
      discount_amount: 0,
      total_amount: 24.5,
      discount: 0,
      total_payable: 24.5,
      charges_details: { source_currency: 'USD', destination_currency: 'USD' },
    });
  });

  test('When the named wallet has another currency, then the amount is converted without a fee', async () => {
    const body = { product_id: japan, amount: 24.5, wallet_id: client.wallets['EUR'] };
    expect((await charge(body)).body).toEqual({
      non_discounted_total: 24.5,
      discount_amount: 0,
      total_amount: 24.5,
      discount: 0,
      net_amount: 22.54,
      handling_fee_amount: 0,
      total_payable: 22.54,
      charges_details: { source_currency: 'USD', destination_currency: 'EUR', forex_rate: 0.92, conversion_fee: 0 },
    });
  });

  test('When no variant has the amount, then the response is 404', async () => {
    for (const amount of [4.91, 4.9000001, 1e9]) {
      expect(await charge({ product_id: japan, amount })).toMatchObject(notFound('Variant'));
    }
  });

  test('When the product is hidden from the client, then the response is 404', async () => {
    expect(await charge({ product_id: idOf(hidden), amount: 4.9 })).toMatchObject(notFound('Product'));
  });

  test.each([
    [{}, 'Product ID is required'],
    [{ product_id: 0, amount: 1 }, 'Product ID is required'],
    [{ product_id: 1 }, 'Amount is required'],
    [{ product_id: 1, amount: 0 }, 'Amount is required'],
    [{ product_id: true, amount: 1 }, 'Invalid request body'],
    [{ product_id: 1, amount: [1] }, 'Invalid request body'],
    [{ product_id: 1, amount: 1, wallet_id: 1.5 }, 'Invalid request body'],
  ])('When the body is %j, then the message is "%s"', async (body, message) => {
    expect(await charge(body)).toMatchObject(validation(message));
  });
});
