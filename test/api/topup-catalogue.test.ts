import { storeStock } from '../../src/data/catalogue/stock';
import { sql } from '../../dev/testbed/sql';
import { importProducts, newMark, topupProduct } from '../support/catalogue';
import { newClient, useClient, useDatabase } from '../support/clients';
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

const mark = newMark();
const featureOff = { status: 400, body: { error: { code: 'INVALID_FEATURE' } } };

const sku = (name: string) => `TEST-${name}-${mark}`;
const airtime = { sku: sku('airtime'), name: 'Airtime', category: 'Airtime', unit: 'USD' };
const game = topupProduct(
  `Game ${mark}`,
  [
    // One variant from three sources: the cheapest source is inactive, and the next one is sold out.
    { ...airtime, supplierSku: sku('inactive'), costPercent: '80', active: false, minAmount: '1', maxAmount: '9' },
    { ...airtime, supplierSku: sku('sold-out'), costPercent: '85', minAmount: '1', maxAmount: '9' },
    { ...airtime, supplierSku: sku('dear'), costPercent: '97', minAmount: '1', maxAmount: '90' },
    { ...airtime, supplierSku: sku('cheap'), costPercent: '90', minAmount: '1.50', maxAmount: '50' },
    {
      sku: sku('pack'),
      name: 'Pack',
      category: 'Data',
      fixedAmounts: ['20.5', '5'],
      availableIn: [{ code: 'DEU', name: 'Germany' }],
      fields: [
        { key: 'par_value', value: '5' },
        { key: 'par_value_currency', value: 'USD' },
        { key: 'benefit_data', value: '5 GB' },
        { key: 'cost_price', value: '4.10' },
        { key: 'route_id', value: '17' },
      ],
    },
    { sku: sku('yen'), name: 'Yen', category: 'Bundle', currencyCode: 'JPY', fixedAmounts: ['1000'] },
    { sku: sku('gone'), name: 'Gone', active: false, fixedAmounts: ['3.33'] },
  ],
  {
    imageUrl: 'https://images.example/game.png',
    inputFields: [
      { fieldName: 'player', fieldLabel: 'Player', fieldType: 'text', isRequired: true, validationRegex: '^[a-z]+$' },
      {
        fieldName: 'server',
        fieldLabel: 'Server',
        fieldType: 'select',
        isRequired: false,
        helpText: 'Where you play',
        options: [{ value: 'eu', label: 'Europe' }],
      },
    ],
  },
);
const mobile = topupProduct(`Mobile Cafe\u0301 ${mark}`, [{ fixedAmounts: ['10'] }], {
  topupType: 'MOBILE',
  countryCode: 'ISL',
  operatorName: `Operator ${mark}`,
});
const hidden = topupProduct(`Hidden ${mark}`, [{ fixedAmounts: ['10'] }], { topupType: 'MOBILE', countryCode: 'ISL' });

const database = useDatabase();
const client = useClient(database, { EUR: 1, USD: 1 });
let ids: ReadonlyMap<string, number>;

beforeAll(async () => {
  ids = await importProducts(database, { topupProducts: [game, mobile, hidden] });
  await storeStock(database, 'simulator', [{ sku: sku('sold-out'), active: true, available: 0 }], new Date());
  await ops`blacklist add ${client.id} topups ${idOf(hidden)}`;
  await hideOthersOf('ISL');
});

/** Hides the other products of the country, which earlier runs on the same stack created. */
async function hideOthersOf(country: string): Promise<void> {
  await sql(database)`INSERT INTO client_blacklist SELECT ${client.id}, 'TOPUP', id FROM topup_products
       WHERE country_code = ${country} AND id <> ${idOf(mobile)}
     ON CONFLICT DO NOTHING`;
}

const idOf = (product: { sku: string }) => ids.get(product.sku) as number;
const list = (query = '') => client.api.get<Json[]>(`/api/v1/topups/products?search=${mark}${query}`);
const variantsOf = async () =>
  (await client.api.get<Resource[]>(`/api/v1/topups/products/${idOf(game)}/variants`)).body;

describe('top-up products', () => {
  test('When products are listed, then each product has exactly the fields of the contract, newest first', async () => {
    const { body } = await list();
    expect(body.map(({ id }) => id)).toEqual([idOf(mobile), idOf(game)]);
    expect(body[1]).toEqual({
      id: idOf(game),
      name: game.name,
      topup_type: 'GAMING',
      country_code: 'GLO',
      currency_code: 'USD',
      image_url: 'https://images.example/game.png',
    });
    expect(body[0]).toMatchObject({ image_url: '' });
  });

  test('When the list is filtered by type, then it has only products of that type', async () => {
    expect((await list('&type=MOBILE')).body.map(({ id }) => id)).toEqual([idOf(mobile)]);
    expect((await list('&type=UTILITY')).body).toEqual([]);
    const { body } = await client.api.get<Json[]>(`/api/v1/topups/products?search=gAmE ${mark.toUpperCase()}`);
    expect(body.map(({ id }) => id)).toEqual([idOf(game)]);
  });

  test.each(['caf\u00e9', 'cafe\u0301'])(
    'When the name is imported in another Unicode form than that of the search %j, then the search finds it',
    async (word) => {
      const query = encodeURIComponent(`${word} ${mark}`);
      const { body } = await client.api.get<Json[]>(`/api/v1/topups/products?search=${query}`);
      expect(body.map(({ id, name }) => [id, name])).toEqual([[idOf(mobile), `Mobile Caf\u00e9 ${mark}`]]);
    },
  );

  test('When pages are read, then the headers have their position', async () => {
    const { headers, body } = await list('&per_page=1&page=2');
    expect(body.map(({ id }) => id)).toEqual([idOf(game)]);
    expect(headers.get('x-total-count')).toBe('2');
    expect(headers.get('x-has-more')).toBe('false');
    expect((await list()).headers.get('x-per-page')).toBe('50');
  });

  test.each(['type=mobile', 'type=', 'per_page=501', 'per_page=0', 'page=0', 'type=MOBILE&type=GAMING'])(
    'When the query is %s, then it is invalid',
    async (query) => {
      expect(await client.api.get(`/api/v1/topups/products?${query}`)).toMatchObject(invalidQuery);
    },
  );

  test('When one product is read, then it lists the input that the customer must give', async () => {
    const { body } = await client.api.get(`/api/v1/topups/products/${idOf(game)}`);
    const [, listed] = (await list()).body;
    expect(body).toEqual({
      ...listed,
      input_fields: [
        {
          field_name: 'player',
          field_label: 'Player',
          field_type: 'text',
          is_required: true,
          validation_regex: '^[a-z]+$',
        },
        {
          field_name: 'server',
          field_label: 'Server',
          field_type: 'select',
          is_required: false,
          help_text: 'Where you play',
          options: [{ value: 'eu', label: 'Europe' }],
        },
      ],
    });
  });

  test.each(['', '/variants'])(
    'When a product cannot be bought, then GET /products/:id%s returns 404',
    async (part) => {
      for (const id of [2_147_483_647, idOf(hidden)]) {
        expect(await client.api.get(`/api/v1/topups/products/${id}${part}`)).toMatchObject(notFound('Product'));
      }
    },
  );

  test('When a request has no token, or the client lacks the feature, then the request is rejected', async () => {
    const without = await newClient(database, { USD: 1 });
    await ops`clients set ${without.id} --features vouchers,esim`;
    const paths = ['products', `products/${idOf(game)}`, 'variants/1', 'mobile-lookup?number=1'];
    for (const path of paths.map((part) => `/api/v1/topups/${part}`)) {
      expect((await apiWithoutToken().get(path)).status).toBe(401);
      expect(await without.api.get(path)).toMatchObject(featureOff);
    }
    expect(await without.api.post('/api/v1/topups/charges', {})).toMatchObject(featureOff);
  });
});

describe('top-up variants', () => {
  test('When a variant has several sources, then the list shows the cheapest source with stock', async () => {
    const variants = await variantsOf();
    expect(variants.map(({ name }) => name)).toEqual(['Airtime', 'Pack', 'Yen']);
    expect(variants[0]).toEqual({
      id: expect.any(Number),
      name: 'Airtime',
      category: 'Airtime',
      currency_code: 'USD',
      unit: 'USD',
      min_amount: 1.5,
      max_amount: 50,
      available_in: [],
      fields: [],
    });
  });

  test('When amounts are fixed, then the response has them as decimal strings and omits internal fields', async () => {
    const [, pack, yen] = await variantsOf();
    expect(pack).toEqual({
      id: expect.any(Number),
      name: 'Pack',
      category: 'Data',
      currency_code: 'USD',
      fixed_amounts: ['5.00', '20.50'],
      available_in: [{ code: 'DEU', name: 'Germany' }],
      fields: [
        { key: 'par_value', value: 5 },
        { key: 'benefit_data', value: '5 GB' },
      ],
    });
    expect(yen).toMatchObject({ fixed_amounts: ['1000'] });
  });

  test('When one variant is read, then it equals the item of the list', async () => {
    for (const variant of await variantsOf()) {
      expect((await client.api.get(`/api/v1/topups/variants/${variant.id}`)).body).toEqual(variant);
    }
  });

  test('When a variant cannot be bought, then the response is 404', async () => {
    const { body } = await apiAs('other').get<Resource[]>(`/api/v1/topups/products/${idOf(hidden)}/variants`);
    for (const id of [2_147_483_647, body[0]?.id]) {
      expect(await client.api.get(`/api/v1/topups/variants/${id}`)).toMatchObject(notFound('Variant'));
    }
  });
});

describe('top-up charges', () => {
  const charge = (body: unknown) => client.api.post('/api/v1/topups/charges', body);

  test('When the wallet is in the currency of the variant, then nothing is converted and the conversion fields are omitted', async () => {
    expect((await charge({ product_id: idOf(game), amount: 12.34 })).body).toEqual({
      non_discounted_total: 12.34,
      discount_amount: 0,
      total_amount: 12.34,
      discount: 0,
      total_payable: 12.34,
      charges_details: { source_currency: 'USD', destination_currency: 'USD' },
    });
  });

  test('When the named wallet has another currency, then the amount is converted without a fee', async () => {
    await ops`discounts set ${client.id} topups ${idOf(game)} 10`;
    const answer = await charge({ product_id: idOf(game), amount: 12.34, wallet_id: client.wallets['EUR'] });
    await ops`discounts clear ${client.id} topups ${idOf(game)} --reason Test`;
    expect(answer.body).toEqual({
      non_discounted_total: 12.34,
      discount_amount: 1.23,
      total_amount: 11.11,
      discount: 10,
      net_amount: 10.22,
      handling_fee_amount: 0,
      total_payable: 10.22,
      charges_details: { source_currency: 'USD', destination_currency: 'EUR', forex_rate: 0.92, conversion_fee: 0 },
    });
  });

  test('When no wallet is in the currency of the variant, then the default wallet pays if there is a rate', async () => {
    const inEuro = await newClient(database, { EUR: 1 });
    const answer = await inEuro.api.post('/api/v1/topups/charges', { product_id: idOf(game), amount: 10 });
    expect(answer.body).toMatchObject({ total_payable: 9.2, charges_details: { destination_currency: 'EUR' } });
    expect(await charge({ product_id: idOf(game), amount: 1000 })).toMatchObject(
      refusal('EXCHANGE_RATE_UNAVAILABLE', 'Exchange rate not available for the wallet currency'),
    );
  });

  test.each([
    [1.5, undefined],
    [90, undefined],
    [5, 'Airtime'],
    [5, 'Data'],
    [20.5, ''],
  ])('When the amount is %d and the category %j, then a variant is found', async (amount, category) => {
    expect((await charge({ product_id: idOf(game), amount, category })).status).toBe(200);
  });

  test.each([
    [90.01, undefined],
    [0.99, undefined],
    [12.345, undefined],
    [3.33, 'Bundle'],
    [5, 'Bundle'],
    [5, 'airtime'],
    [1e15, undefined],
  ])('When the amount is %d and the category %j, then no variant is found', async (amount, category) => {
    expect(await charge({ product_id: idOf(game), amount, category })).toMatchObject(
      validation('Amount is not available for this product'),
    );
  });

  test.each([
    [{}, 'Product ID is required'],
    [{ amount: 5 }, 'Product ID is required'],
    [{ product_id: null, amount: 5 }, 'Product ID is required'],
    [{ product_id: 0, amount: 5 }, 'Product ID is required'],
    [{ product_id: -1, amount: 5 }, 'Product ID is required'],
    [{ product_id: 1 }, 'Amount is required'],
    [{ product_id: 1, amount: 0 }, 'Amount is required'],
    [{ product_id: 1, amount: -5 }, 'Amount is required'],
    [{ product_id: '1', amount: 5 }, 'Invalid request body'],
    [{ product_id: 1.5, amount: 5 }, 'Invalid request body'],
    [{ product_id: [1], amount: 5 }, 'Invalid request body'],
    [{ product_id: 1, amount: '5' }, 'Invalid request body'],
    [{ product_id: 1, amount: { $gt: 0 } }, 'Invalid request body'],
    [{ product_id: 1, amount: 5, wallet_id: 'x' }, 'Invalid request body'],
    [{ product_id: 1, amount: 5, wallet_id: 0 }, 'Invalid request body'],
    [{ product_id: 1, amount: 5, category: 7 }, 'Invalid request body'],
    [{ product_id: 1, amount: 5, category: 'Data\0' }, 'Invalid request body'],
    [{ product_id: 1, amount: 5, category: 'Data\udc00' }, 'Invalid request body'],
  ])('When the body is %j, then the message is "%s"', async (body, message) => {
    expect(await charge(body)).toMatchObject(validation(message));
  });

  test('When the product is hidden from the client, then the response is 404', async () => {
    expect(await charge({ product_id: idOf(hidden), amount: 10 })).toMatchObject(notFound('Product'));
  });

  test('When the body has unknown keys, then they are ignored', async () => {
    const answer = await charge({ product_id: idOf(game), amount: 10, quantity: 7, variant_id: 'x' });
    expect(answer).toMatchObject({ status: 200, body: { total_payable: 10 } });
  });
});

describe('mobile lookup', () => {
  const lookUp = (number: string) =>
    client.api.get(`/api/v1/topups/mobile-lookup?number=${encodeURIComponent(number)}`);

  test.each(['+354 611 1234', '3546111234', '00354 6111234', ' 354-611-1234'])(
    'When the number is written %s, then the response has country, operator and products',
    async (number) => {
      expect(await lookUp(number)).toMatchObject({
        status: 200,
        body: {
          number: '+3546111234',
          country_code: 'ISL',
          operator_name: `Operator ${mark}`,
          products: [idOf(mobile)],
        },
      });
    },
  );

  test.each([
    ['+44 (0)7911 123456', '+447911123456', 'GGY'],
    ['+247 62889', '+24762889', 'SHN'],
    ['+290 8123', '+2908123', 'SHN'],
    ['\u202a+354 611 1234\u202c', '+3546111234', 'ISL'],
  ])('When the number is written %s, then it is %s of %s, as in an order', async (text, number, country) => {
    expect(await lookUp(text)).toMatchObject({ status: 200, body: { number, country_code: country } });
  });

  test('When no product is for the country, then the response has no products and no operator', async () => {
    expect((await lookUp('+37060112345')).body).toEqual({
      number: '+37060112345',
      country_code: 'LTU',
      operator_name: null,
      products: [],
    });
  });

  test.each([
    '',
    'abc',
    '+1',
    '12345',
    '+3545511234',
    '+18005550199',
    '+999123456789',
    '+3546111234.0',
    '+354 611 1234 ext 5',
  ])('When the number is "%s", then the response is 400', async (number) => {
    expect(await lookUp(number)).toMatchObject(validation('Invalid mobile number'));
  });

  test('When the number is missing, then the response is 400', async () => {
    expect(await client.api.get('/api/v1/topups/mobile-lookup')).toMatchObject(validation('Invalid mobile number'));
  });
});
