import { storeStock } from '../../src/data/catalogue/stock';
import { importProducts, newMark, voucherProduct } from '../support/catalogue';
import { useClient, useDatabase } from '../support/clients';
import { ops } from '../support/operator';
import { apiAs, invalidQuery, notFound, type Json, type Resource } from '../support/stack';

const mark = newMark();
const alpha = voucherProduct(`Alpha ${mark}`, {
  category: `Books ${mark}`,
  subCategory: 'Novels',
  countryCode: 'DEU',
  currencyCode: 'EUR',
  imageUrl: 'https://images.example/alpha.png',
  deliveryMode: 'Code with PIN',
  deliveryTime: 'Delayed',
  validity: '1 year',
  denominations: [
    { min: '50', max: '200', discount: '2.5' },
    { min: '10', max: '10', discount: '7' },
  ],
  terms: 'Terms',
  details: 'Details',
  howToUse: 'Use',
});
const beta = voucherProduct(`BETA ${mark}`, { category: `Toys ${mark}` });
const gamma = voucherProduct(`gamma 100% ${mark}`, { category: `Books ${mark}`, redeemable: true });
const inactive = voucherProduct(`Inactive ${mark}`, { active: false });
const soldOut = voucherProduct(`Sold out ${mark}`);
const hidden = voucherProduct(`Hidden ${mark}`);

const database = useDatabase();
const client = useClient(database, { USD: 1 });
let ids: ReadonlyMap<string, number>;

beforeAll(async () => {
  ids = await importProducts(database, {
    categories: [
      { name: `Books ${mark}`, subCategories: ['Novels'] },
      { name: `Toys ${mark}`, subCategories: [] },
    ],
    voucherProducts: [gamma, beta, alpha, inactive, soldOut, hidden],
  });
  await storeStock(database, 'simulator', [{ sku: soldOut.sku, active: true, available: 0 }], new Date());
  await ops`blacklist add ${client.id} vouchers ${idOf(hidden)}`;
  await ops`discounts set ${client.id} vouchers ${idOf(alpha)} 5`;
});

const idOf = ({ sku }: { sku: string }) => ids.get(sku) as number;
const list = (query = '') => client.api.get<Json[]>(`/api/v1/products?search=${mark}${query}`);
const names = async (query: string) => (await list(query)).body.map((product) => product['name']);

describe('voucher products', () => {
  test('When products are listed, then each has exactly the fields of the contract', async () => {
    const { body } = await list('&category=Books ' + mark);
    expect(body[0]).toEqual({
      id: idOf(alpha),
      name: alpha.name,
      category: `Books ${mark}`,
      sub_category: 'Novels',
      country_code: 'DEU',
      currency_code: 'EUR',
      image_url: 'https://images.example/alpha.png',
      delivery_mode: 'Code with PIN',
      delivery_time: 'Delayed',
      validity: '1 year',
      redeemable: false,
      available_denominations: [
        { min_value: 10, max_value: 10, discount: 7 },
        { min_value: 50, max_value: 200, discount: 5 },
      ],
    });
    expect(body[1]).toMatchObject({ sub_category: null, image_url: null, validity: null, redeemable: true });
  });

  test('When one product is read, then the response also has terms, details and how to use', async () => {
    const { body: listed } = await list('&limit=1');
    const { status, body } = await client.api.get(`/api/v1/products/${idOf(alpha)}`);
    expect(status).toBe(200);
    expect(body).toEqual({ ...listed[0], terms: 'Terms', details: 'Details', how_to_use: 'Use' });
  });

  test('When a client has its own discount, then it sees the higher of both discounts, and other clients see the default', async () => {
    const { body } = await apiAs('other').get<{ available_denominations: Json[] }>(`/api/v1/products/${idOf(alpha)}`);
    expect(body.available_denominations.map(({ discount }) => discount)).toEqual([7, 2.5]);
  });

  test('When products are inactive, sold out or blacklisted, then lists omit them and reads return 404', async () => {
    expect(await names('&limit=500')).toEqual([alpha.name, beta.name, gamma.name]);
    for (const product of [inactive, soldOut, hidden]) {
      expect(await client.api.get(`/api/v1/products/${idOf(product)}`)).toMatchObject(notFound('Product'));
    }
    expect((await apiAs('other').get(`/api/v1/products/${idOf(hidden)}`)).status).toBe(200);
  });

  test('When the list is filtered, then it has only matching products', async () => {
    expect(await names(`&category=Toys ${mark}`)).toEqual([beta.name]);
    expect(await names(`&category=toys ${mark}`)).toEqual([]);
    const { body: countries } = await client.api.get<Resource[]>('/api/v1/countries');
    const germany = countries.find((country) => country['alpha_3'] === 'DEU');
    expect(await names(`&country_id=${germany?.id}`)).toEqual([alpha.name]);
    const { body: currencies } = await client.api.get<Resource[]>('/api/v1/currencies');
    const dollar = currencies.find((currency) => currency['code'] === 'USD');
    expect(await names(`&currency_id=${dollar?.id}`)).toEqual([beta.name, gamma.name]);
    expect(await names('&country_id=2147483647')).toEqual([]);
  });

  test('When names are searched, then case does not matter and wildcards are plain characters', async () => {
    const found = async (search: string) => {
      const answer = await client.api.get<Json[]>(`/api/v1/products?search=${encodeURIComponent(search)}`);
      return answer.body.map((product) => product['name']);
    };
    expect(await found(`beta ${mark}`.toUpperCase())).toEqual([beta.name]);
    expect(await found(`100% ${mark}`)).toEqual([gamma.name]);
    expect(await found(`%${mark}`)).toEqual([]);
    expect(await found(`_${mark}`)).toEqual([]);
    expect(await found(`\\${mark}`)).toEqual([]);
    expect(await found(`'; DROP TABLE ${mark}`)).toEqual([]);
  });

  test('When a sort is given, then the list is in that sequence', async () => {
    expect(await names('&sort_dir=desc')).toEqual([gamma.name, beta.name, alpha.name]);
    expect(await names('&sort_by=category')).toEqual([alpha.name, gamma.name, beta.name]);
    expect(await names('&sort_by=category&sort_dir=desc')).toEqual([beta.name, alpha.name, gamma.name]);
  });

  test('When pages are read, then headers have their position, and a page beyond the last page is empty', async () => {
    const pages = await Promise.all([1, 2, 3].map((page) => list(`&limit=2&page=${page}`)));
    expect(pages.map(({ body }) => body.map((product) => product['id']))).toEqual([
      [idOf(alpha), idOf(beta)],
      [idOf(gamma)],
      [],
    ]);
    const headers = pages.map(({ headers }) =>
      ['page', 'per-page', 'total-count', 'total-pages', 'page-size', 'has-more'].map((name) =>
        headers.get(`x-${name}`),
      ),
    );
    expect(headers).toEqual([
      ['1', '2', '3', '2', '2', 'true'],
      ['2', '2', '3', '2', '1', 'false'],
      ['3', '2', '3', '2', '0', 'false'],
    ]);
    expect((await list()).headers.get('x-per-page')).toBe('10');
  });

  test.each([
    'page=0',
    'page=1.5',
    'page=x',
    'page=2147483648',
    'limit=0',
    'limit=501',
    'country_id=0',
    'country_id=US',
    'currency_id=-1',
    'sort_by=price',
    'sort_dir=up',
    'search=a&search=b',
    'category[]=a',
    'search=%00',
    'search=a%ED%A0%80',
    'search=%ed%bf%bfb',
  ])('When the query is %s, then it is invalid', async (query) => {
    expect(await client.api.get(`/api/v1/products?${query}`)).toMatchObject(invalidQuery);
  });

  test('When the query has a character beyond U+D7FF, then it is valid', async () => {
    // U+D7FF, U+FFFD and an emoji.
    for (const search of ['%ED%9F%BF', '%EF%BF%BD', '%F0%9F%92%A9'])
      expect((await client.api.get(`/api/v1/products?search=${search}`)).status).not.toBe(400);
  });
});
