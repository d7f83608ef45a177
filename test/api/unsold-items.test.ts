/**
 * What no source of a product may or can sell: the API responds as if it were out of stock, or not offered. An order of a supplier that is
 * not configured could be debited but never bought.
 */
import { sql } from '../../dev/testbed/sql';
import { importProducts, newMark, topupProduct, voucherProduct } from '../support/catalogue';
import { stackDatabase } from '../../dev/testbed/clients';
import { newClient, useClient, type OwnClient } from '../support/clients';
import { ops } from '../support/operator';
import { ordersPath } from '../support/orders';
import { balanceOf } from '../support/records';
import { notFound, refusal as errorOf, type Answer } from '../support/stack';
import { until } from '../../dev/testbed/waiting';

const mark = newMark();
const voucher = voucherProduct(`Floor ${mark}`);
const soldOut = voucherProduct(`Sold out ${mark}`);
const topup = topupProduct(`Floor ${mark}`, [{ fixedAmounts: ['10'], costPercent: '95' }]);
const amounts = newMark();
const cards = voucherProduct(`Amounts ${amounts}`, {
  denominations: [10, 25].map((value) => ({ min: `${value}`, max: `${value}`, discount: '0' })),
});
const plans = topupProduct(`Amounts ${amounts}`, [{ fixedAmounts: ['10', '25'] }]);
const orphan = voucherProduct(`Orphan ${newMark()}`);

const database = stackDatabase();
const bound = useClient(database, { USD: 100 });
const free = useClient(database, { USD: 100 });
const ids = new Map<string, number>();

beforeAll(async () => {
  const imports = [
    { voucherProducts: [voucher, soldOut, cards], topupProducts: [topup, plans] },
    { supplier: 'gone', voucherProducts: [orphan] },
  ];
  for (const products of imports) for (const [sku, id] of await importProducts(database, products)) ids.set(sku, id);
  await ops`sources set vouchers ${idOf(voucher)} simulator ${voucher.sku} --cost-percent 95`;
  await sql(database)`UPDATE product_sources SET stock = 0 WHERE sku = ${soldOut.sku}`;
  // A source may serve only some amounts of its item.
  await sql(database)`UPDATE product_sources SET fixed_amounts = '{10}'
      WHERE (family, item_id) IN (
        SELECT 'VOUCHER', ${idOf(cards)}::bigint UNION ALL SELECT 'TOPUP', id FROM topup_variants WHERE product_id = ${idOf(plans)})`;
  for (const family of ['vouchers', 'topups'])
    await ops`margins set ${family} --client ${bound.id} --min-margin 6 --reason Test`;
});
afterAll(async () => {
  await sql(database)`DELETE FROM margin_rejections WHERE client_id = ${bound.id}`;
  await database.close();
});

const refusal = ({ status, body }: Answer<unknown>) => ({ status, body });
const idOf = ({ sku }: { sku: string }) => ids.get(sku) as number;
const charge = ({ api }: OwnClient, product: { sku: string }, denomination = 10) =>
  api.post(`/api/v1/products/${idOf(product)}/charges`, { denomination, quantity: 1 });
const order = ({ api }: OwnClient, product: { sku: string }, denomination = 10) =>
  api.order('/api/v1/orders', { product_id: idOf(product), denomination, quantity: 1 });
const chargeTopup = ({ api }: OwnClient, product: { sku: string }, amount = 10) =>
  api.post('/api/v1/topups/charges', { product_id: idOf(product), amount });
const orderTopup = ({ api }: OwnClient, product: { sku: string }, amount = 10) =>
  api.order('/api/v1/topups/orders', { product_id: idOf(product), amount });

test('When no source of a voucher leaves the margin, then charges and order requests respond as if it were out of stock', async () => {
  expect(refusal(await charge(bound, voucher))).toEqual(refusal(await charge(bound, soldOut)));
  expect(refusal(await order(bound, voucher))).toEqual(refusal(await order(bound, soldOut)));
  expect(await order(bound, voucher)).toMatchObject({ status: 400 });
});

test('When no source of a top-up leaves the margin, then charges and order say that the amount is not available', async () => {
  const unknown = refusal(await chargeTopup(bound, topup, 11));
  expect(refusal(await chargeTopup(bound, topup))).toEqual(unknown);
  expect(refusal(await orderTopup(bound, topup))).toEqual(unknown);
});

test('When no source leaves the margin, then the catalogue does not list the product or variant', async () => {
  const listed = async ({ api }: OwnClient) => {
    const vouchers = await api.get<{ name: string }[]>(`/api/v1/products?search=${mark}&limit=500`);
    const variants = await api.get<{ id: number }[]>(`/api/v1/topups/products/${idOf(topup)}/variants`);
    return { vouchers: vouchers.body.map(({ name }) => name), variants: variants.body.map(({ id }) => id) };
  };
  await until('the rule applies', async () => (await listed(bound)).variants.length === 0);
  expect(await listed(bound)).toEqual({ vouchers: [], variants: [] });
  expect(await bound.api.get(`/api/v1/products/${idOf(voucher)}`)).toMatchObject(notFound('Product'));
  const { vouchers, variants } = await listed(free);
  expect(vouchers).toEqual([voucher.name]);
  expect(variants).toHaveLength(1);
  const variant = `/api/v1/topups/variants/${variants[0]}`;
  expect(await bound.api.get(variant)).toMatchObject(notFound('Variant'));
  expect((await free.api.get(variant)).status).toBe(200);
});

test('When no rule applies to the client, then its price and goods do not change', async () => {
  const charges = await charge(free, voucher);
  expect(charges.body).toMatchObject({ total_payable: 10 });
  expect(await order(free, voucher)).toMatchObject({ status: 200, body: { amount: 10 } });
  expect((await chargeTopup(free, topup)).status).toBe(200);
});

test('When a client reads its orders, then the responses have no cost and no margin', async () => {
  const { body } = await order(free, voucher);
  expect(JSON.stringify(body)).not.toMatch(/cost|margin|supplier|source/i);
});

test('When no source on sale serves the amount of a voucher, then charges and order requests reject the amount', async () => {
  expect((await charge(free, cards)).status).toBe(200);
  expect(refusal(await charge(free, cards, 25))).toEqual(refusal(await charge(free, cards, 26)));
  expect(await order(free, cards, 25)).toMatchObject({ status: 400 });
  expect(refusal(await order(free, cards, 25))).toEqual(refusal(await order(free, cards, 26)));
});

test('When no source on sale serves the amount of a top-up, then charges and order requests reject the amount', async () => {
  expect((await chargeTopup(free, plans)).status).toBe(200);
  expect(refusal(await chargeTopup(free, plans, 25))).toEqual(refusal(await chargeTopup(free, plans, 26)));
  expect(refusal(await orderTopup(free, plans, 25))).toEqual(refusal(await orderTopup(free, plans, 26)));
});

test('When the supplier of a product is not configured, then an order request gets 503, and nothing is written or debited', async () => {
  const { api, id, wallets } = await newClient(database, { USD: 100 });
  const denomination = Number(orphan.denominations[0]?.min);
  // `order` would wait for another answer than 503.
  const answer = await api.post(ordersPath, { product_id: idOf(orphan), denomination, quantity: 1 });
  expect(answer).toMatchObject(errorOf('SERVICE_UNAVAILABLE', 'Service temporarily unavailable'));
  expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
  expect(await sql(database)`SELECT FROM order_reservations WHERE client_id = ${id}`).toEqual([]);
  expect(await balanceOf(database, wallets['USD'] as number)).toBe('100');
});
