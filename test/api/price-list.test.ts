/** The price list: every price that a client can order now. docs/specification.md#price-list. */
import { announceCatalogueChanges } from '../../src/data/catalogue/catalogue-announcements';
import { sql } from '../../dev/testbed/sql';
import { esimProduct, importProducts, newMark, topupProduct, voucherProduct } from '../support/catalogue';
import { newClient, useClient, useDatabase, type OwnClient } from '../support/clients';
import { ConsoleSession } from '../support/console';
import { ops } from '../support/operator';
import { notFound } from '../support/stack';
import { until } from '../../dev/testbed/waiting';

const mark = newMark();
const named = (name: string) => `${name} ${mark}`;

interface Row {
  family: 'VOUCHER' | 'TOPUP' | 'ESIM';
  product_id: number;
  variant_id: number | null;
  product_name: string;
  country_code: string;
  currency_code: string;
  amount: number | null;
  min_amount: number | null;
  max_amount: number | null;
  discount: number;
  total_payable: number | null;
  min_payable: number | null;
  max_payable: number | null;
  payable_currency: string | null;
  forex_rate: number | null;
}
interface Charges {
  total_payable: number;
  discount: number;
  charges_details: { forex_rate?: number | null };
}

const fixed = voucherProduct(named('Fixed'), {
  denominations: [
    { min: '10', max: '10', discount: '1.5' },
    { min: '25.55', max: '25.55', discount: '0' },
    // Raises the discount on 10 to 3 %.
    { min: '5', max: '99.99', discount: '3' },
  ],
});
const yen = voucherProduct(named('Yen'), {
  currencyCode: 'JPY',
  denominations: [{ min: '333', max: '333', discount: '2' }],
});
const redeemable = voucherProduct(named('House'), {
  redeemable: true,
  denominations: [{ min: '1', max: '50', discount: '0' }],
});
const hidden = voucherProduct(named('Hidden'));
const inactive = voucherProduct(named('Inactive'), { active: false });
const soldOut = voucherProduct(named('Sold out'));
const scarce = voucherProduct(named('Scarce'), { denominations: [{ min: '7', max: '7', discount: '0' }] });
const unprofitable = voucherProduct(named('Unprofitable'));
const halfProfitable = voucherProduct(named('Half profitable'), {
  denominations: [{ min: '1', max: '100', discount: '0' }],
});
const topup = topupProduct(named('Top-up'), [
  { category: 'Airtime', minAmount: '0.5', maxAmount: '200' },
  { category: 'Data', fixedAmounts: ['10', '20.25'] },
  { category: 'Bundle', fixedAmounts: ['10'] },
  // Never ordered: for 20.25, an order in this category takes the variant above.
  { category: 'Data', minAmount: '20.25', maxAmount: '20.25' },
]);
const dearTopup = topupProduct(named('Dear top-up'), [
  { fixedAmounts: ['10'], costPercent: '99' },
  { fixedAmounts: ['30'], costPercent: '50' },
]);
const esim = esimProduct(named('eSIM'));

const database = useDatabase();
const client = useClient(database, { USD: 100, OMR: 1, JPY: 1 });
let ids: ReadonlyMap<string, number>;
const idOf = ({ sku }: { sku: string }) => ids.get(sku) as number;

beforeAll(async () => {
  ids = await importProducts(database, {
    voucherProducts: [fixed, yen, redeemable, hidden, inactive, soldOut, scarce, unprofitable, halfProfitable],
    topupProducts: [topup, dearTopup],
    esimProducts: [esim],
  });
  await sql(database)`WITH variant AS (
       INSERT INTO esim_variants (product_id, supplier_sku, name, currency_code, amount, listed_amount, data_amount_gb, validity_days)
       SELECT ${idOf(esim)}, 'plan-' || amount, 'Plan', 'USD', amount, amount, 1, 7 FROM unnest('{4.99,12.5}'::numeric[]) amount
       RETURNING id, supplier_sku)
     INSERT INTO product_sources (family, item_id, supplier, sku) SELECT 'ESIM', id, 'simulator', supplier_sku FROM variant`;
  // As if the sources were new: the stock of a known one is listed within a minute.
  await sql(database)`UPDATE product_sources SET stock = 0, listed_stock = 0 WHERE sku = ${soldOut.sku}`;
  await sql(database)`UPDATE product_sources SET stock = 1, listed_stock = 1 WHERE sku = ${scarce.sku}`;
  await ops`blacklist add ${client.id} vouchers ${idOf(hidden)}`;
  await ops`discounts set ${client.id} topups ${idOf(topup)} 3.25 --force --reason Test`;
  await ops`discounts set ${client.id} esim ${idOf(esim)} 7 --force --reason Test`;
  await sql(database)`INSERT INTO forex_rates (source_currency, destination_currency, rate)
       VALUES ('USD', 'OMR', 0.38475), ('JPY', 'OMR', 0.0025)
     ON CONFLICT DO NOTHING`;
  await sql(database)`
    INSERT INTO conversion_fees (source_currency, destination_currency, family, fee_percent)
     VALUES ('JPY', 'OMR', 'VOUCHER', 1.75) ON CONFLICT DO NOTHING`;
  for (const [product, cost] of [
    [unprofitable, '--cost-percent 99'],
    [halfProfitable, '--cost 2'],
  ] as const)
    await ops`sources set vouchers ${idOf(product)} simulator ${product.sku} ${cost.split(' ')} --force
      --reason Test`; // prettier-ignore
  for (const product of [unprofitable, halfProfitable])
    await ops`margins set vouchers --client ${client.id} --product ${idOf(product)} --min-margin 5 --reason
      Test`; // prettier-ignore
  await ops`margins set topups --client ${client.id} --product ${idOf(dearTopup)} --min-margin 5 --reason
    Test`; // prettier-ignore
});

/** The rows of this file's products. */
async function listedTo({ api }: Pick<OwnClient, 'api'>, query = ''): Promise<Row[]> {
  const found: Row[] = [];
  for (let page = 1; ; page++) {
    const answer = await api.get<Row[]>(`/api/v1/price-list?limit=10000&page=${page}${query}`);
    expect(answer.status).toBe(200);
    found.push(...answer.body.filter(({ product_name: name }) => name.endsWith(mark)));
    if (answer.headers.get('x-has-more') === 'false') return found;
  }
}
const ofProduct = (all: Row[], product: { sku: string }) =>
  all.filter(({ product_id: id, product_name: name }) => id === idOf(product) && name.endsWith(mark));

async function chargesOf(
  { family, product_id: productId, variant_id: variantId }: Row,
  amount: number,
  wallet?: number,
) {
  const body = { amount, product_id: productId, wallet_id: wallet };
  if (family === 'VOUCHER') {
    const ordered = { denomination: amount, quantity: 1, wallet_id: wallet };
    return client.api.post<Charges>(`/api/v1/products/${productId}/charges`, ordered);
  }
  if (family === 'ESIM') return client.api.post<Charges>('/api/v1/esim/charges', body);
  const variant = await client.api.get<{ category: string }>(`/api/v1/topups/variants/${variantId}`);
  return client.api.post<Charges>('/api/v1/topups/charges', { ...body, category: variant.body.category });
}

/** Compares what a row says of an amount with charges. Returns 1, or 0 if neither has a price. */
async function compare(row: Row, amount: number, payable: number | null, wallet?: number): Promise<number> {
  const { status, body } = await chargesOf(row, amount, wallet);
  const context = { product: row.product_name, amount, wallet, status };
  if (status !== 200) {
    expect({ ...context, payable }).toEqual({ ...context, payable: null });
    return 0;
  }
  expect({ ...context, payable, rate: row.forex_rate }).toEqual({
    ...context,
    payable: body.total_payable,
    rate: body.charges_details.forex_rate ?? null,
  });
  if (row.amount !== null) expect(row.discount).toBe(body.discount);
  return 1;
}

describe('Rows', () => {
  test.each(['USD', 'OMR', 'JPY', undefined])(
    'When the wallet is %s, then each row equals the charges of one unit to the digit',
    async (currency) => {
      const wallet = currency === undefined ? undefined : client.wallets[currency];
      const all = await listedTo(client, wallet === undefined ? '' : `&wallet_id=${wallet}`);
      let priced = 0;
      for (const row of all)
        if (row.amount !== null) priced += await compare(row, row.amount, row.total_payable, wallet);
        else {
          priced += await compare(row, row.min_amount as number, row.min_payable, wallet);
          priced += await compare(row, row.max_amount as number, row.max_payable, wallet);
        }
      expect(new Set(all.map(({ family }) => family)).size).toBe(3);
      expect(priced).toBeGreaterThan(currency === 'JPY' ? 0 : 10);
    },
  );

  test('When a product has fixed prices and ranges, then each is a row with all fields', async () => {
    const all = await listedTo(client);
    const common = {
      family: 'VOUCHER',
      product_id: idOf(fixed),
      variant_id: null,
      product_name: fixed.name,
      country_code: 'USA',
      currency_code: 'USD',
      payable_currency: 'USD',
      forex_rate: null,
    };
    const one = { ...common, min_amount: null, max_amount: null, min_payable: null, max_payable: null };
    expect(ofProduct(all, fixed)).toEqual([
      { ...common, amount: null, min_amount: 5, max_amount: 99.99, discount: 3, total_payable: null, min_payable: 4.85, max_payable: 96.99 },
      { ...one, amount: 10, discount: 3, total_payable: 9.7 },
      { ...one, amount: 25.55, discount: 3, total_payable: 24.78 },
    ]); // prettier-ignore
    const variants = ofProduct(all, topup).map(({ amount, min_amount: min }) => amount ?? min);
    expect(variants).toEqual([0.5, 10, 20.25, 10]);
  });

  test('When a product is hidden, inactive, sold out or below the margin floor, then it is absent', async () => {
    const all = await listedTo(client);
    for (const product of [hidden, inactive, soldOut, unprofitable]) expect(ofProduct(all, product)).toEqual([]);
    // Only larger quantities would exhaust it.
    expect(ofProduct(all, scarce)).toMatchObject([{ amount: 7, total_payable: 7 }]);
    expect(ofProduct(all, dearTopup)).toMatchObject([{ amount: 30 }]);
    // A fixed cost of 2 leaves no margin on 1.
    expect(ofProduct(all, halfProfitable)).toMatchObject([{ min_payable: null, max_payable: 100 }]);
    const other = await newClient(database, { USD: 1 });
    expect(ofProduct(await listedTo(other), unprofitable)).toHaveLength(1);
  });

  test('When no wallet can pay or the rate is missing, then payables are null', async () => {
    const noYen = await newClient(database, { OMR: 1 });
    expect(ofProduct(await listedTo(noYen), fixed)).toMatchObject(
      Array.from({ length: 3 }, () => ({ payable_currency: null, min_payable: null, total_payable: null })),
    );
    const inYen = await listedTo(client, `&wallet_id=${client.wallets['JPY']}`);
    expect(ofProduct(inYen, topup)).toMatchObject(
      Array.from({ length: 4 }, () => ({ payable_currency: 'JPY', total_payable: null, forex_rate: null })),
    );
  });

  test('When a feature is off, then its family is absent', async () => {
    const restricted = await newClient(database, { USD: 1 });
    await sql(database)`UPDATE clients SET features = '{topups}' WHERE id = ${restricted.id}`;
    const families = new Set((await listedTo(restricted)).map(({ family }) => family));
    expect([...families]).toEqual(['TOPUP']);
    expect(await listedTo(restricted, '&family=ESIM')).toEqual([]);
  });

  test('When a family is named, then only its rows are listed', async () => {
    expect(new Set((await listedTo(client, '&family=ESIM')).map(({ family }) => family))).toEqual(new Set(['ESIM']));
  });
});

describe('The console', () => {
  test('When prices are searched, then only products with the text in their names are shown, in pages and as a file', async () => {
    const session = await ConsoleSession.begin(client.credentials);
    const whole = (await listedTo(client)).filter(({ product_name: name }) => /fixed|yen/i.test(name));
    const search = encodeURIComponent(mark.toUpperCase());
    const read = async (query: string) =>
      (await session.send<{ prices: Row[]; next: number | null }>('GET', `/console/api/prices?${query}`)).body;
    const all = await read(`search=${search}&limit=100`);
    expect(all).toEqual({ prices: await listedTo(client), next: null });
    const first = await read(`search=${search}&limit=3`);
    const second = await read(`search=${search}&limit=3&after=${first.next}`);
    expect([...first.prices, ...second.prices]).toEqual(all.prices.slice(0, 6));
    expect(await read(`search=${encodeURIComponent(named('fixed'))}`)).toMatchObject({
      prices: whole.filter(({ product_name: name }) => name === fixed.name),
    });
    const file = await session.file(`/console/api/prices.csv?search=${search}`);
    expect(file.text.trim().split('\n')).toHaveLength(all.prices.length + 1);
  });
});

describe('Pages', () => {
  test('When pages are read one by one, then they are the whole list in its order', async () => {
    const whole = (await client.api.get<Row[]>('/api/v1/price-list?limit=10000&family=TOPUP')).body;
    const size = Math.ceil(whole.length / 3);
    const parts = await Promise.all(
      [1, 2, 3, 4].map((page) => client.api.get<Row[]>(`/api/v1/price-list?limit=${size}&family=TOPUP&page=${page}`)),
    );
    // Other tests add products at the end.
    expect(parts.flatMap(({ body }) => body).slice(0, whole.length)).toEqual(whole);
    expect(Number(parts[0]?.headers.get('x-total-count'))).toBeGreaterThanOrEqual(whole.length);
  });

  test('When the stock changes, then reads with one ETag are equal, and each has as many rows as its total, until it is announced', async () => {
    const moving = voucherProduct(named('Moving'));
    const id = (await importProducts(database, { voucherProducts: [moving] })).get(moving.sku);
    const setStock = (stock: number) =>
      sql(database)`UPDATE product_sources SET stock = ${stock} WHERE sku = ${moving.sku}`;
    const read = () => client.api.get<Row[]>('/api/v1/price-list?limit=10000&family=VOUCHER');
    const isListed = (body: Row[]) => body.some(({ product_id: listed }) => listed === id);
    const bodies = new Map<string | null, Row[]>();
    for (const stock of [5, 0, 5, 0]) {
      await setStock(stock);
      const { body, headers } = await read();
      expect(body).toHaveLength(Number(headers.get('x-total-count')));
      expect(body).toEqual(bodies.get(headers.get('etag')) ?? body);
      bodies.set(headers.get('etag'), body);
    }
    await until('the stock is listed', async () => {
      await sql(database)`UPDATE catalogue_announced SET at = at - interval '1 minute'`;
      await announceCatalogueChanges(database);
      return !isListed((await read()).body);
    });
  });

  test('When the wallet is not an open wallet of the client, then the response is 404', async () => {
    const other = await newClient(database, { USD: 1 });
    const list = (wallet: number | undefined) => client.api.get(`/api/v1/price-list?wallet_id=${wallet}`);
    expect(await list(other.wallets['USD'])).toMatchObject(notFound('Wallet'));
    expect(await list(2_147_483_647)).toMatchObject(notFound('Wallet'));
  });
});
