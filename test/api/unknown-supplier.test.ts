/** A product whose supplier is not configured: an order could be debited but never bought. */
import { randomUUID } from 'node:crypto';
import { sql } from '../../dev/testbed/sql';
import { importProducts, newMark, voucherProduct } from '../support/catalogue';
import { newClient, useDatabase } from '../support/clients';
import { ordersPath } from '../support/orders';
import { balanceOf } from '../support/records';
import { refusal } from '../support/stack';

const database = useDatabase();

test('When the supplier of a product is not configured, then an order request gets 503, and nothing is written or debited', async () => {
  const product = voucherProduct(`Orphan ${newMark()}`);
  const ids = await importProducts(database, { supplier: 'gone', voucherProducts: [product] });
  const client = await newClient(database, { USD: 100 });
  const answer = await client.api.post(ordersPath, {
    product_id: ids.get(product.sku),
    denomination: Number(product.denominations[0]?.min),
    quantity: 1,
    client_reference: randomUUID(),
  });
  expect(answer).toMatchObject(refusal('SERVICE_UNAVAILABLE', 'Service temporarily unavailable'));
  expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
  expect(await sql(database)`SELECT FROM order_reservations WHERE client_id = ${client.id}`).toEqual([]);
  expect(await balanceOf(database, client.wallets['USD'] as number)).toBe('100');
});
