import { storeStock } from '../../src/data/catalogue/stock';
import { importProducts, newMark, voucherProduct } from '../support/catalogue';
import { newClient, useClient, useDatabase } from '../support/clients';
import { ops } from '../support/operator';
import { refusal, validation, type Json } from '../support/stack';

const mark = newMark();
const dollars = voucherProduct(`Dollars ${mark}`, {
  denominations: [
    { min: '5', max: '500', discount: '2' },
    { min: '100', max: '100', discount: '3' },
    { min: '900.50', max: '900.50', discount: '0' },
  ],
  gstRate: '19',
});
const yen = voucherProduct(`Yen ${mark}`, {
  currencyCode: 'JPY',
  denominations: [{ min: '1', max: '90000', discount: '2.5' }],
});
const dinars = voucherProduct(`Dinars ${mark}`, {
  currencyCode: 'KWD',
  denominations: [{ min: '0.1', max: '100', discount: '0' }],
});
const counted = voucherProduct(`Counted ${mark}`);
const hidden = voucherProduct(`Hidden ${mark}`);

const database = useDatabase();
const client = useClient(database, { USD: 1, NOK: 1, BHD: 1, JPY: 1, KWD: 1 });
let ids: ReadonlyMap<string, number>;

beforeAll(async () => {
  ids = await importProducts(database, { voucherProducts: [dollars, yen, dinars, counted, hidden] });
  await setStock(7);
  await ops`blacklist add ${client.id} vouchers ${idOf(hidden)}`;
  await ops`rates set USD NOK 10.12345 --reason Test --force`;
  await ops`fees set USD NOK 1.5 --reason Test --force`;
  await ops`rates set USD BHD 0.376 --reason Test --force`;
});

type Product = ReturnType<typeof voucherProduct>;
const idOf = ({ sku }: Product) => ids.get(sku) as number;
const setStock = (available: number | null) =>
  storeStock(database, 'simulator', [{ sku: counted.sku, active: true, available }], new Date());
const charge = (product: Product, body: unknown, api = client.api) =>
  api.post(`/api/v1/products/${idOf(product)}/charges`, body);

describe('voucher charges', () => {
  test('When product and wallet share a currency, then nothing is converted and those fields are null', async () => {
    expect(await charge(dollars, { denomination: 12.34, quantity: 3 })).toMatchObject({ status: 200 });
    expect((await charge(dollars, { denomination: 12.34, quantity: 3 })).body).toEqual({
      non_discounted_total: 37.02,
      discount_amount: 0.74,
      total_amount: 36.28,
      discount: 2,
      gst_amount: 5.79,
      net_amount: null,
      handling_fee_amount: null,
      total_payable: 36.28,
      max_quantity: 100,
      charges_details: { source_currency: 'USD', destination_currency: 'USD', forex_rate: null, conversion_fee: null },
    });
  });

  test('When the named wallet has another currency, then it is the source and pays the fee', async () => {
    const body = { denomination: 12.34, quantity: 3, wallet_id: client.wallets['NOK'] };
    expect((await charge(dollars, body)).body).toEqual({
      non_discounted_total: 37.02,
      discount_amount: 0.74,
      total_amount: 36.28,
      discount: 2,
      gst_amount: 5.79,
      net_amount: 367.28,
      handling_fee_amount: 0,
      total_payable: 372.79,
      max_quantity: 100,
      charges_details: {
        source_currency: 'NOK',
        destination_currency: 'USD',
        forex_rate: 10.12345,
        conversion_fee: 1.5,
      },
    });
  });

  test('When a currency pair has no fee, then the conversion fee is 0', async () => {
    const body = { denomination: 10, quantity: 1, wallet_id: client.wallets['BHD'] };
    expect((await charge(dollars, body)).body).toMatchObject({
      net_amount: 3.685,
      total_payable: 3.685,
      charges_details: { conversion_fee: 0 },
    });
  });

  test('When a currency has 0 or 3 decimals, then amounts are rounded to those decimals', async () => {
    expect((await charge(yen, { denomination: 333, quantity: 1 })).body).toMatchObject({
      discount_amount: 8,
      total_payable: 325,
    });
    expect((await charge(dinars, { denomination: 1.234, quantity: 3 })).body).toMatchObject({ total_payable: 3.702 });
  });

  test('When two denominations include the amount, then the higher discount applies', async () => {
    expect((await charge(dollars, { denomination: 100, quantity: 1 })).body).toMatchObject({ discount: 3 });
  });

  test.each([
    [{}, 'Invalid denomination: required'],
    [{ denomination: null, quantity: 1 }, 'Invalid denomination: required'],
    [{ denomination: '10', quantity: 1 }, 'Invalid denomination: must be a number'],
    [{ denomination: [10], quantity: 1 }, 'Invalid denomination: must be a number'],
    [{ denomination: 0, quantity: 1 }, 'Invalid denomination: must be greater than 0'],
    [{ denomination: -5, quantity: 1 }, 'Invalid denomination: must be greater than 0'],
    [{ denomination: 0.001, quantity: 1 }, 'Invalid denomination: not available for this product'],
    [{ denomination: 4.99, quantity: 1 }, 'Invalid denomination: not available for this product'],
    [{ denomination: 500.01, quantity: 1 }, 'Invalid denomination: not available for this product'],
    [{ denomination: 10.005, quantity: 1 }, 'Invalid denomination: not available for this product'],
    [{ denomination: 1_000_000_001, quantity: 1 }, 'Invalid denomination: not available for this product'],
    [{ denomination: 10 }, 'Invalid quantity: required'],
    [{ denomination: 10, quantity: '1' }, 'Invalid quantity: must be an integer'],
    [{ denomination: 10, quantity: 1.5 }, 'Invalid quantity: must be an integer'],
    [{ denomination: 10, quantity: true }, 'Invalid quantity: must be an integer'],
    [{ denomination: 10, quantity: 0 }, 'Invalid quantity: must be greater than 0'],
    [{ denomination: 10, quantity: -1 }, 'Invalid quantity: must be greater than 0'],
    [{ denomination: 10, quantity: 1, wallet_id: 'x' }, 'Invalid wallet_id: must be an integer'],
    ['10', 'Invalid request body'],
  ])('When the body is %j, then the message is "%s"', async (body, message) => {
    expect(await charge(dollars, body)).toMatchObject(validation(message));
  });

  test('When a number exceeds the range of JSON numbers, then the request is rejected', async () => {
    const body = '{"denomination": 1e309, "quantity": 1}';
    const request = { method: 'POST', body, headers: { 'content-type': 'application/json' } };
    expect(await client.api.send(`/api/v1/products/${idOf(dollars)}/charges`, request)).toMatchObject(
      validation('Invalid denomination: must be a number'),
    );
  });

  test('When the amount has more decimals than the currency, then the amount is not available', async () => {
    expect(await charge(yen, { denomination: 100.5, quantity: 1 })).toMatchObject(
      validation('Invalid denomination: not available for this product'),
    );
  });

  test('When the quantity is above the bulk limit or the stock, then the error names the maximum', async () => {
    const tooMany = (maximum: number) => refusal('BULK_LIMIT_EXCEEDED', `Quantity exceeds the maximum of ${maximum}`);
    expect((await charge(dollars, { denomination: 10, quantity: 100 })).status).toBe(200);
    for (const quantity of [101, 1e16, 1e300])
      expect(await charge(dollars, { denomination: 10, quantity })).toMatchObject(tooMany(100));
    expect((await charge(counted, { denomination: 10, quantity: 7 })).body).toMatchObject({ max_quantity: 7 });
    expect(await charge(counted, { denomination: 10, quantity: 8 })).toMatchObject(tooMany(7));
  });

  test('When the client has no wallet in the currency of the product, then the response is 404', async () => {
    const body = { denomination: 10, quantity: 1 };
    const poor = await newClient(database, { EUR: 1 });
    expect(await charge(dollars, body, poor.api)).toMatchObject(refusal('NOT_FOUND', 'Wallet not found'));
  });

  test('When the product is blacklisted, then the response is 404', async () => {
    const body = { denomination: 10, quantity: 1 };
    expect(await client.api.post(`/api/v1/products/${idOf(hidden)}/charges`, body)).toMatchObject(
      refusal('NOT_FOUND', 'Product not found'),
    );
  });
});

describe('repeated requests for voucher charges', () => {
  const product = voucherProduct(`Cached ${mark}`);
  const order = { denomination: 50, quantity: 2 };
  const own = useClient(database, { USD: 1 });
  let wallet: { wallet_id: number };

  beforeAll(async () => {
    const [opened] = await ops`wallets open ${own.id} SEK`;
    wallet = { wallet_id: opened?.['id'] as number };
    const [entry] = await importProducts(database, { voucherProducts: [product] });
    ids = new Map([...ids, entry as [string, number]]);
    await ops`rates set USD SEK 10 --reason Test --force`;
  });

  const payable = async (body: Json = order) => (await charge(product, body, own.api)).body['total_payable'];
  const change = (special: Partial<Product>) =>
    importProducts(database, { voucherProducts: [{ ...product, ...special }] });

  test('When nothing has changed, then the response is the same', async () => {
    expect(await payable()).toBe(100);
    expect(await charge(product, order, own.api)).toMatchObject({ status: 200, body: { total_payable: 100 } });
  });

  test.each<[what: string, change: () => Promise<unknown>, charges: object]>([
    ['the rate', () => ops`rates set USD SEK 11 --reason Test`, { total_payable: 1_100 }],
    ['the fee', () => ops`fees set USD SEK 1 --reason Test --force`, { total_payable: 1_111 }],
    [
      "the client's discount",
      () => ops`discounts set ${own.id} vouchers ${idOf(product)} 10`,
      { total_payable: 999.9 },
    ],
    [
      'the default discount',
      () => change({ denominations: [{ min: '5', max: '500', discount: '20' }] }),
      { total_payable: 888.8 },
    ],
    ['the tax', () => change({ gstRate: '25' }), { gst_amount: 18 }],
    ['the bulk limit', () => ops`clients set ${own.id} --bulk-limit 9`, { max_quantity: 9 }],
    [
      'the stock',
      () => storeStock(database, 'simulator', [{ sku: product.sku, active: true, available: 4 }], new Date()),
      { max_quantity: 4 },
    ],
  ])('When %s changes, then the next response shows the change', async (_what, make, charges) => {
    const before = await charge(product, { ...order, ...wallet }, own.api);
    expect(before.body).not.toMatchObject(charges);
    await make();
    expect((await charge(product, { ...order, ...wallet }, own.api)).body).toMatchObject(charges);
  });

  test.each<[what: string, change: () => Promise<unknown>, status: number]>([
    ['the rate is removed', () => ops`rates remove USD SEK --reason Test --force`, 400],
    ['the wallet is closed', () => ops`wallets close ${wallet.wallet_id}`, 404],
    ['the product is blacklisted', () => ops`blacklist add ${own.id} vouchers ${idOf(product)}`, 404],
    ['the product is inactive', () => change({ active: false }), 404],
  ])('When %s, then the next request for charges is rejected', async (_what, make, status) => {
    await make();
    expect((await charge(product, { ...order, ...wallet }, own.api)).status).toBe(status);
    await ops`blacklist remove ${own.id} vouchers ${idOf(product)}`;
  });
});
