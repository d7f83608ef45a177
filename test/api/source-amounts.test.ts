/** A source may serve only some amounts of its item. Amounts without a source on sale count as not offered. */
import { sql } from '../../dev/testbed/sql';
import { importProducts, newMark, topupProduct, voucherProduct } from '../support/catalogue';
import { useClient, useDatabase } from '../support/clients';
import type { Answer } from '../support/stack';

const mark = newMark();
const voucher = voucherProduct(`Amounts ${mark}`, {
  denominations: [10, 25].map((value) => ({ min: `${value}`, max: `${value}`, discount: '0' })),
});
const topup = topupProduct(`Amounts ${mark}`, [{ fixedAmounts: ['10', '25'] }]);

const database = useDatabase();
const client = useClient(database, { USD: 100 });
let ids: ReadonlyMap<string, number>;

beforeAll(async () => {
  ids = await importProducts(database, { voucherProducts: [voucher], topupProducts: [topup] });
  await sql(database)`UPDATE product_sources SET fixed_amounts = '{10}'
      WHERE (family, item_id) IN (
        SELECT 'VOUCHER', ${ids.get(voucher.sku)}::bigint UNION ALL SELECT 'TOPUP', id FROM topup_variants WHERE product_id = ${ids.get(topup.sku)})`;
});

const refusal = ({ status, body }: Answer<unknown>) => ({ status, body });

test('When no source on sale serves the amount of a voucher, then charges and order requests reject the amount', async () => {
  const path = `/api/v1/products/${ids.get(voucher.sku)}/charges`;
  const charge = (denomination: number) => client.api.post(path, { denomination, quantity: 1 });
  const order = (denomination: number) =>
    client.api.order('/api/v1/orders', { product_id: ids.get(voucher.sku), denomination, quantity: 1 });
  expect((await charge(10)).status).toBe(200);
  expect(refusal(await charge(25))).toEqual(refusal(await charge(26)));
  expect(await order(25)).toMatchObject({ status: 400 });
  expect(refusal(await order(25))).toEqual(refusal(await order(26)));
});

test('When no source on sale serves the amount of a top-up, then charges and order requests reject the amount', async () => {
  const body = (amount: number) => ({ product_id: ids.get(topup.sku), amount });
  const charge = (amount: number) => client.api.post('/api/v1/topups/charges', body(amount));
  const order = (amount: number) => client.api.order('/api/v1/topups/orders', body(amount));
  expect((await charge(10)).status).toBe(200);
  expect(refusal(await charge(25))).toEqual(refusal(await charge(26)));
  expect(refusal(await order(25))).toEqual(refusal(await order(26)));
});
