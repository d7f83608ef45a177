/** What operators have stopped selling, as a client sees it. docs/operators/stopped-sales.md. */
import { sql } from '../../dev/testbed/sql';
import { until } from '../../dev/testbed/waiting';
import { importProducts, newMark, topupProduct, voucherProduct } from '../support/catalogue';
import { useClient, useDatabase } from '../support/clients';
import { ops, runOps } from '../support/operator';
import { ended } from '../support/orders';
import { balanceOf } from '../support/records';
import { notFound, type Answer, type Resource } from '../support/stack';

const mark = newMark();
const card = voucherProduct(`Stopped ${mark}`, {
  denominations: ['10', '20'].map((value) => ({ min: value, max: value, discount: '0' })),
});
const soldOut = voucherProduct(`Sold out ${mark}`);
const topup = topupProduct(`Stopped ${mark}`, [{ fixedAmounts: ['10'] }]);
const reason = ['--reason', `Used codes, ticket ${mark}`];

const database = useDatabase();
const client = useClient(database, { USD: 100 });
let ids: ReadonlyMap<string, number>;
const idOf = ({ sku }: { sku: string }) => ids.get(sku) as number;

beforeAll(async () => {
  ids = await importProducts(database, { voucherProducts: [card, soldOut], topupProducts: [topup] });
  await sql(database)`UPDATE product_sources SET stock = 0 WHERE sku = ${soldOut.sku}`;
});
afterEach(async () => {
  for (const { id, reason: why } of await ops`products stopped`)
    if (why === reason[1]) await ops`products resume ${Number(id)} --reason Repaired`;
});

const stop = (...words: (string | number)[]) => ops`products stop ${words} ${reason}`;
const ofCard = () => ['--family', 'vouchers', '--product', idOf(card)];
const refusal = ({ status, body }: Answer<unknown>) => ({ status, body });
const charge = (product: { sku: string }, denomination = 10) =>
  client.api.post(`/api/v1/products/${idOf(product)}/charges`, { denomination, quantity: 1 });
const order = (product: { sku: string }, denomination = 10) =>
  client.api.order('/api/v1/orders', { product_id: idOf(product), denomination, quantity: 1 });
const topupBody = () => ({ product_id: idOf(topup), amount: 10 });
const cards = async () =>
  (
    await client.api.get<{ name: string; available_denominations: { min_value: number }[] }[]>(
      `/api/v1/products?search=${mark}&limit=500`,
    )
  ).body.map((each) => each.available_denominations.map(({ min_value: value }) => value));
const topups = async () => (await client.api.get<Resource[]>(`/api/v1/topups/products?search=${mark}&limit=500`)).body;
/** The rows of the price list and its tag. */
const priceList = async (family: string) => {
  const { body, headers } = await client.api.get<{ product_name: string; amount: number }[]>(
    `/api/v1/price-list?family=${family}&limit=10000`,
  );
  const own = body.filter(({ product_name: name }) => name === `Stopped ${mark}`);
  return { amounts: own.map(({ amount }) => amount), etag: headers.get('etag') };
};

test('When a gift card is stopped, then every call answers as for one that is sold out, and nothing is debited', async () => {
  expect((await charge(card)).status).toBe(200);
  const listed = await priceList('VOUCHER');
  expect([listed.amounts, await cards()]).toEqual([[10, 20], [[10, 20]]]);
  await stop(...ofCard());
  await until('the list is read again', async () => (await cards()).length === 0);
  expect(await client.api.get(`/api/v1/products/${idOf(card)}`)).toMatchObject(notFound('Product'));
  expect(refusal(await charge(card))).toEqual(refusal(await charge(soldOut)));
  expect(refusal(await order(card))).toEqual(refusal(await order(soldOut)));
  expect(await balanceOf(database, client.wallets['USD'] as number)).toBe('100');
  const after = await priceList('VOUCHER');
  expect(after.amounts).toEqual([]);
  expect(after.etag).not.toBe(listed.etag);
});

test('When one denomination is stopped, then the other one is sold', async () => {
  await stop(...ofCard(), '--denomination', '10');
  await until('the list is read again', async () => (await cards())[0]?.length === 1);
  expect(await cards()).toEqual([[20]]);
  expect((await priceList('VOUCHER')).amounts).toEqual([20]);
  expect(refusal(await charge(card))).toEqual(refusal(await charge(soldOut)));
  expect(refusal(await order(card))).toEqual(refusal(await order(soldOut)));
  expect((await charge(card, 20)).status).toBe(200);
});

test('When a top-up is stopped, then it is not listed, and its amount is not available', async () => {
  const unknown = await client.api.post('/api/v1/topups/charges', { ...topupBody(), amount: 11 });
  expect(await topups()).toHaveLength(1);
  await stop('--family', 'topups', '--product', idOf(topup));
  await until('the list is read again', async () => (await topups()).length === 0);
  const charges = await client.api.post('/api/v1/topups/charges', topupBody());
  const ordered = await client.api.order('/api/v1/topups/orders', topupBody());
  expect([refusal(charges), refusal(ordered)]).toEqual([refusal(unknown), refusal(unknown)]);
  expect((await priceList('TOPUP')).amounts).toEqual([]);
});

test('When the sale of a claimed unit is stopped, then only --force replaces it', async () => {
  // The simulator has no goods of the SKU of a test.
  await sql(database)`UPDATE product_sources SET sku = 'SIM-GC-COFFEE-US' WHERE sku = ${card.sku}`;
  const { id } = (await order(card)).body as Resource;
  expect(await ended(client.api, id)).toMatchObject({ status: 'DELIVERED' });
  const claim = await client.api.post<Resource>(`/api/v1/orders/${id}/claims`, {
    kind: 'INVALID_CODE',
    unit: 1,
    text: 'Used',
  });
  expect(claim.status).toBe(201);
  await stop(...ofCard());
  const replace = ['claims', 'accept', claim.body.id, 'replace', '--reason', 'It is used', '--yes'];
  const refused = await runOps`${replace}`;
  expect([refused.exitCode, refused.stderr]).toEqual([
    2,
    expect.stringContaining('The sale of the product is stopped: add --force to replace it anyway.'),
  ]);
  expect((await runOps`${replace} --force`).stdout).toContain('is ACCEPTED: order ');
});
