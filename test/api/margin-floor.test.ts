/** If no source of a product leaves the configured margin, the API responds as if the product were out of stock. */
import type { Database } from '../../src/data/database/database';
import { sql } from '../../dev/testbed/sql';
import { importProducts, newMark, topupProduct, voucherProduct } from '../support/catalogue';
import { newClient, type OwnClient } from '../support/clients';
import { stackDatabase } from '../../dev/testbed/clients';
import { ops } from '../support/operator';
import { notFound, type Answer } from '../support/stack';
import { until } from '../../dev/testbed/waiting';

const mark = newMark();
const voucher = voucherProduct(`Floor ${mark}`);
const soldOut = voucherProduct(`Sold out ${mark}`);
const topup = topupProduct(`Floor ${mark}`, [{ fixedAmounts: ['10'], costPercent: '95' }]);

let database: Database;
let bound: OwnClient;
let free: OwnClient;
let ids: ReadonlyMap<string, number>;

beforeAll(async () => {
  database = stackDatabase();
  bound = await newClient(database, { USD: 100 });
  free = await newClient(database, { USD: 100 });
  ids = await importProducts(database, { voucherProducts: [voucher, soldOut], topupProducts: [topup] });
  await ops`sources set vouchers ${idOf(voucher)} simulator ${voucher.sku} --cost-percent 95`;
  await sql(database)`UPDATE product_sources SET stock = 0 WHERE sku = ${soldOut.sku}`;
  for (const family of ['vouchers', 'topups'])
    await ops`margins set ${family} --client ${bound.id} --min-margin 6 --reason Test`;
});
afterAll(async () => {
  await sql(database)`DELETE FROM margin_rejections WHERE client_id = ${bound.id}`;
  await database.close();
});

const refusal = ({ status, body }: Answer<unknown>) => ({ status, body });
const idOf = ({ sku }: { sku: string }) => ids.get(sku) as number;
const charge = ({ api }: OwnClient, product: { sku: string }) =>
  api.post(`/api/v1/products/${idOf(product)}/charges`, { denomination: 10, quantity: 1 });
const order = ({ api }: OwnClient, product: { sku: string }) =>
  api.order('/api/v1/orders', { product_id: idOf(product), denomination: 10, quantity: 1 });
const topupBody = () => ({ product_id: idOf(topup), amount: 10 });

test('When no source of a voucher leaves the margin, then charges and order requests respond as if it were out of stock', async () => {
  expect(refusal(await charge(bound, voucher))).toEqual(refusal(await charge(bound, soldOut)));
  expect(refusal(await order(bound, voucher))).toEqual(refusal(await order(bound, soldOut)));
  expect(await order(bound, voucher)).toMatchObject({ status: 400 });
});

test('When no source of a top-up leaves the margin, then charges and order say that the amount is not available', async () => {
  const charges = await bound.api.post('/api/v1/topups/charges', topupBody());
  const ordered = await bound.api.order('/api/v1/topups/orders', topupBody());
  const unknown = await bound.api.post('/api/v1/topups/charges', { ...topupBody(), amount: 11 });
  expect([refusal(charges), refusal(ordered)]).toEqual([refusal(unknown), refusal(unknown)]);
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
  expect((await free.api.post('/api/v1/topups/charges', topupBody())).status).toBe(200);
});

test('When a client reads its orders, then the responses have no cost and no margin', async () => {
  const { body } = await order(free, voucher);
  expect(JSON.stringify(body)).not.toMatch(/cost|margin|supplier|source/i);
});
