/** Rejections of voucher orders only. rejections.test.ts has the rejections of every family. */
import { randomUUID } from 'node:crypto';
import { storeStock } from '../../src/data/catalogue/stock';
import { importProducts, newMark, voucherProduct } from '../support/catalogue';
import { newClient, useClient, useDatabase } from '../support/clients';
import { ops } from '../support/operator';
import { ended, orderOf, ordersPath, place } from '../support/orders';
import { balanceOf } from '../support/records';
import { apiAs, apiWithoutToken, notFound, refusal, validation, type ApiClient, type Json } from '../support/stack';

const duplicate = refusal('DUPLICATE_CLIENT_REFERENCE', 'Duplicate client_reference');
const noWallet = notFound('Wallet');
const noRate = refusal('EXCHANGE_RATE_UNAVAILABLE', 'Exchange rate not available for the wallet currency');
const tooPoor = refusal('INSUFFICIENT_BALANCE', 'Insufficient wallet balance');
const tooMany = (maximum: number) => refusal('BULK_LIMIT_EXCEEDED', `Quantity exceeds the maximum of ${maximum}`);
const notAllowed = refusal('FORBIDDEN', 'IP address not allowed');
const featureOff = refusal('INVALID_FEATURE', 'The requested feature is not enabled for this client');

const mark = newMark();
const inactive = voucherProduct(`Inactive ${mark}`, { active: false });
const hidden = voucherProduct(`Hidden ${mark}`);
const soldOut = voucherProduct(`Sold out ${mark}`);
const scarce = voucherProduct(`Scarce ${mark}`);
const mixed = voucherProduct(`Mixed ${mark}`, {
  denominations: [
    { min: '10', max: '10', discount: '0' },
    { min: '20', max: '30', discount: '0' },
  ],
});

const database = useDatabase();
const client = useClient(database, { USD: 100, JPY: 100_000 });
let ids: ReadonlyMap<string, number>;

beforeAll(async () => {
  ids = await importProducts(database, { voucherProducts: [inactive, hidden, soldOut, scarce, mixed] });
  const stock = (product: typeof scarce, available: number) => ({ sku: product.sku, active: true, available });
  await storeStock(database, 'simulator', [stock(soldOut, 0), stock(scarce, 3)], new Date());
  await ops`blacklist add ${client.id} vouchers ${idOf(hidden)}`;
});

const idOf = ({ sku }: typeof mixed) => ids.get(sku) as number;
const order = (special: Json = {}, api: ApiClient = client.api) =>
  api.post(ordersPath, orderOf('voucher_instant', special));

describe('the body', () => {
  const long = `${'x'.repeat(64)}@${'y'.repeat(60)}.${'z'.repeat(60)}.${'w'.repeat(60)}.example`;

  test.each<[special: Json, message: string]>([
    [{ product_id: undefined }, 'Invalid product_id: required'],
    [{ product_id: null }, 'Invalid product_id: required'],
    [{ product_id: '1' }, 'Invalid product_id: must be an integer'],
    [{ product_id: 1.5 }, 'Invalid product_id: must be an integer'],
    [{ product_id: true }, 'Invalid product_id: must be an integer'],
    [{ product_id: [1] }, 'Invalid product_id: must be an integer'],
    [{ product_id: {} }, 'Invalid product_id: must be an integer'],
    [{ product_id: 0 }, 'Invalid product_id: must be greater than 0'],
    [{ product_id: -1 }, 'Invalid product_id: must be greater than 0'],
    [{ denomination: undefined }, 'Invalid denomination: required'],
    [{ denomination: '10' }, 'Invalid denomination: must be a number'],
    [{ denomination: [10] }, 'Invalid denomination: must be a number'],
    [{ denomination: false }, 'Invalid denomination: must be a number'],
    [{ denomination: 0 }, 'Invalid denomination: must be greater than 0'],
    [{ denomination: -10 }, 'Invalid denomination: must be greater than 0'],
    [{ denomination: 11 }, 'Invalid denomination: not available for this product'],
    [{ denomination: 10.001 }, 'Invalid denomination: not available for this product'],
    [{ denomination: 1e12 }, 'Invalid denomination: not available for this product'],
    [{ denomination: 1e-7 }, 'Invalid denomination: not available for this product'],
    [{ quantity: undefined }, 'Invalid quantity: required'],
    [{ quantity: '1' }, 'Invalid quantity: must be an integer'],
    [{ quantity: 1.5 }, 'Invalid quantity: must be an integer'],
    [{ quantity: [] }, 'Invalid quantity: must be an integer'],
    [{ quantity: 0 }, 'Invalid quantity: must be greater than 0'],
    [{ quantity: -1 }, 'Invalid quantity: must be greater than 0'],
    [{ quantity: -1e20 }, 'Invalid quantity: must be greater than 0'],
    [{ wallet_id: 'USD' }, 'Invalid wallet_id: must be an integer'],
    [{ wallet_id: 0.5 }, 'Invalid wallet_id: must be an integer'],
    [{ wallet_id: 0 }, 'Invalid wallet_id: must be greater than 0'],
    [{ wallet_id: -1 }, 'Invalid wallet_id: must be greater than 0'],
    [{ client_reference: 7 }, 'Invalid client_reference: must be printable ASCII'],
    [{ email: 'nobody' }, 'Invalid email: not a valid email'],
    [{ email: 'a@b@c.example' }, 'Invalid email: not a valid email'],
    [{ email: ['a@b.example'] }, 'Invalid email: not a valid email'],
    [{ email: 'a@b.example\u0000' }, 'Invalid email: not a valid email'],
    [{ email: 'a\u200d@b.example' }, 'Invalid email: not a valid email'],
    [{ email: '\u2067a@b.example' }, 'Invalid email: not a valid email'],
    [{ email: long }, 'Invalid email: too long'],
  ])('When the body has %j, then the message is "%s"', async (special, message) => {
    expect(await order(special)).toMatchObject(validation(message));
  });

  test.each(['1e309', '-1e309'])(
    'When product_id is %s, then it is rejected because it is not an integer',
    async (number) => {
      const body = `{"product_id": ${number}, "denomination": 10, "quantity": 1}`;
      const request = { method: 'POST', body, headers: { 'content-type': 'application/json' } };
      expect(await client.api.send(ordersPath, request)).toMatchObject(
        validation('Invalid product_id: must be an integer'),
      );
    },
  );

  test('When reference and address have the maximum length, then the order is accepted', async () => {
    const longest = { client_reference: randomUUID().padEnd(255, ' ~'), email: long.replace(/w\.e/, '.e') };
    expect(longest.email).toHaveLength(254);
    expect(await order(longest)).toMatchObject({ status: 200, body: longest });
  });
});

test.each(['voucher_partial', 'voucher_held'])(
  'When an order like %s costs more than its max_total_payable, then no order exists',
  async (scenario) => {
    const own = await newClient(database, { USD: 100 });
    const { status, body } = await own.api.post<Json>(ordersPath, orderOf(scenario, { max_total_payable: 1 }));
    expect([status, body['error']]).toMatchObject([409, { code: 'PRICE_CHANGED' }]);
    expect(await balanceOf(database, own.wallets['USD'] as number)).toBe('100');
  },
);

describe('the product', () => {
  test.each<[what: string, product: typeof mixed]>([
    ['inactive', inactive],
    ['blacklisted for the client', hidden],
    ['sold out', soldOut],
  ])('When the product is %s, then it is not found', async (_what, product) => {
    expect(await order({ product_id: idOf(product) })).toMatchObject(validation('Invalid product_id: not found'));
  });

  test.each([9.99, 10.01, 19.99, 30.01])(
    'When the product has no denomination of %d, then the error says so',
    async (value) => {
      expect(await order({ product_id: idOf(mixed), denomination: value })).toMatchObject(
        validation('Invalid denomination: not available for this product'),
      );
    },
  );

  test('When the quantity is above the bulk limit of the client, then the error names the limit', async () => {
    expect(await order({ quantity: 101 })).toMatchObject(tooMany(100));
    await ops`clients set ${client.id} --bulk-limit 2`;
    expect(await order({ quantity: 3 })).toMatchObject(tooMany(2));
    await ops`clients set ${client.id} --bulk-limit 100`;
  });

  test('When the quantity is above 5,000, then no client may order it', async () => {
    expect(await order({ quantity: 5_001 }, apiAs('load'))).toMatchObject(tooMany(5_000));
    for (const quantity of [1e15, 1e16, 1e300])
      expect(await order({ quantity }, apiAs('load'))).toMatchObject(tooMany(5_000));
  });

  test('When the quantity is above the stock, then the error names the stock as the maximum', async () => {
    expect(await order({ product_id: idOf(scarce), quantity: 4 })).toMatchObject(tooMany(3));
  });
});

describe('the reference', () => {
  test('When the order with the reference has failed, then the reference is still in use', async () => {
    const client_reference = randomUUID();
    const failed = await place(client.api, orderOf('voucher_out_of_stock', { client_reference }));
    expect(failed.status).toBe('FAILED');
    expect(await order({ client_reference })).toMatchObject(duplicate);
  });

  test('When an order request was rejected, then its reference can be used again', async () => {
    const client_reference = randomUUID();
    expect(await order({ client_reference, quantity: 50 })).toMatchObject(tooPoor);
    expect((await order({ client_reference })).status).toBe(200);
  });

  test('When another client has used the reference, then the order is accepted', async () => {
    const client_reference = randomUUID();
    await place(apiAs('load'), orderOf('voucher_instant', { client_reference }));
    expect((await order({ client_reference })).status).toBe(200);
  });

  test('When references differ in case or in a space, then they are different references', async () => {
    const client_reference = `r ${randomUUID()}`;
    expect((await order({ client_reference })).status).toBe(200);
    expect((await order({ client_reference: client_reference.toUpperCase() })).status).toBe(200);
    expect((await order({ client_reference: `${client_reference} ` })).status).toBe(200);
  });
});

describe('the money', () => {
  test('When the client has no wallet in the currency of the product, then the response is 404', async () => {
    const stranger = await newClient(database, { EUR: 100 });
    expect(await order({}, stranger.api)).toMatchObject(noWallet);
  });

  test('When the balance is exactly the price, then the order is accepted and the balance is 0', async () => {
    const exact = await newClient(database, { USD: 9.8 });
    expect((await order({}, exact.api)).status).toBe(200);
    expect(await balanceOf(database, exact.wallets['USD'] as number)).toBe('0');
  });

  test('When only another wallet of the client has enough money, then the order is rejected', async () => {
    const split = await newClient(database, { EUR: 1_000, USD: 1 });
    expect(await order({}, split.api)).toMatchObject(tooPoor);
  });
});

describe('access', () => {
  test('When the client is suspended, then its tokens can read but place no order, also after the client is resumed', async () => {
    const own = await newClient(database, { USD: 100 });
    const placed = await place(own.api, orderOf('voucher_instant'));
    await ops`clients suspend ${own.id}`;
    expect(await order({}, own.api)).toMatchObject({
      status: 403,
      body: { error: { name: 'ForbiddenError', code: 'FORBIDDEN' } },
    });
    expect((await own.api.get(`${ordersPath}/${placed.id}`)).status).toBe(200);
    await ops`clients resume ${own.id}`;
    expect(await order({}, own.api)).toMatchObject({
      status: 403,
      body: { error: { name: 'ForbiddenError', code: 'FORBIDDEN', message: 'Session ended' } },
    });
  });

  test('When the client is suspended while its order is in flight, then the order continues', async () => {
    const own = await newClient(database, { USD: 100 });
    const placed = await place(own.api, orderOf('voucher_delayed'));
    await ops`clients suspend ${own.id}`;
    expect((await ended(own.api, placed.id)).status).toBe('DELIVERED');
  });
});

describe('an order request with two errors is rejected for the first of: address, feature, body, reference, product, wallet, rate, balance', () => {
  const broken = { method: 'POST', body: '{', headers: { 'content-type': 'application/json' } };
  const unknown = { product_id: 2_147_483_647 };
  const taken = { client_reference: randomUUID() };
  const nobodys = { wallet_id: 2_147_483_647 };
  const expensive = { denomination: 50, quantity: 100 };
  const invalidQuantity = validation('Invalid quantity: must be greater than 0');
  beforeAll(() => place(client.api, orderOf('voucher_instant', taken)));

  test('When the token is missing and the body is broken, then the response is 401', async () => {
    expect((await apiWithoutToken().send(ordersPath, broken)).status).toBe(401);
  });

  test('When the address is not allowed, vouchers are off and the body is broken, then the error is about the address', async () => {
    expect(await apiAs('restricted').send(ordersPath, broken)).toMatchObject(notAllowed);
  });

  test('When vouchers are off and the body is broken, then the error is about the feature', async () => {
    const own = await newClient(database);
    await ops`clients set ${own.id} --features esim`;
    expect(await own.api.send(ordersPath, broken)).toMatchObject(featureOff);
  });

  test.each<[first: string, second: string, special: Json, expected: object]>([
    [
      'a field is invalid',
      'the product is unknown',
      { ...unknown, quantity: 'x' },
      validation('Invalid quantity: must be an integer'),
    ],
    ['a field is invalid', 'the reference is in use', { ...taken, quantity: 0 }, invalidQuantity],
    ['the reference is in use', 'the product is unknown', { ...unknown, ...taken }, duplicate],
    ['the reference is in use', 'the quantity is too large', { quantity: 101, ...taken }, duplicate],
    ['the quantity is too large', 'the wallet does not exist', { quantity: 101, ...nobodys }, tooMany(100)],
    ['the reference is in use', 'the wallet does not exist', { ...taken, ...nobodys }, duplicate],
    ['the wallet does not exist', 'the price is too high', { ...nobodys, ...expensive }, noWallet],
  ])('When %s and %s, then the order is rejected for the first error', async (_first, _second, special, expected) => {
    expect(await order(special)).toMatchObject(expected);
  });

  test('When there is no rate and too little balance, then the error is about the rate', async () => {
    const own = await newClient(database, { JPY: 1 });
    expect(await order({ wallet_id: own.wallets['JPY'] }, own.api)).toMatchObject(noRate);
  });
});
