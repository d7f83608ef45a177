/** The refunds of an order as its client reads them. docs/specification.md#refunds. */
import { newClient, useClient, useDatabase } from '../support/clients';
import { ops } from '../support/operator';
import { ended, orderOf, ordersPath, place } from '../support/orders';
import { validation, type Json } from '../support/stack';
import { accepted, endedInList, esimOrders, topupOrders } from '../support/variant-orders';

const database = useDatabase();

const client = useClient(database, { USD: 1_000 });

const refund = (orderId: number, ...extent: (string | number)[]) =>
  ops`orders refund ${orderId} ${extent} --reason-code INVALID_GOODS --reference T-${orderId}`;
const refundsOf = async (path: string, id: number) => (await client.api.get<Json[]>(`${path}/${id}/refunds`)).body;
const orderAt = async (path: string, id: number) => (await client.api.get<Json>(`${path}/${id}`)).body;
const eventsOf = async (type: string) => (await client.api.get<Json[]>(`/api/v1/webhooks/events?type=${type}`)).body;

test('When a voucher order ended with undelivered units and is refunded, then the list has both refunds, newest first', async () => {
  const { id } = await place(client.api, orderOf('voucher_partial_then_failed', { quantity: 3 }));
  const failed = await ended(client.api, id);
  expect(await refundsOf(ordersPath, id)).toMatchObject([{ id: 0, reason_code: 'NOT_DELIVERED' }]);
  await refund(id, '--units', 1);
  const refunds = await refundsOf(ordersPath, id);
  expect(refunds).toEqual([
    {
      id: 1,
      amount: 10,
      currency: 'USD',
      units: 1,
      reason_code: 'INVALID_GOODS',
      transaction_id: expect.any(Number),
      created_at: expect.any(String),
    },
    expect.objectContaining({ id: 0, amount: 20, units: 2, transaction_id: failed['refund_transaction_id'] }),
  ]);
  expect(await orderAt(ordersPath, id)).toMatchObject({
    status: 'FAILED',
    refunded_amount: 30,
    refund_transaction_id: failed['refund_transaction_id'],
  });
  const transactionId = String(refunds[0]?.['transaction_id']);
  expect((await client.api.get<Json>(`/api/v1/transactions/${transactionId}`)).body).toMatchObject({
    amount: 10,
    transaction_type: 'CREDIT',
    reference_number: `order-${id}-r1`,
    order_family: 'VOUCHER',
    remarks: `Refund 1 of order ${id}`,
  });
  expect(await eventsOf('order.refunded')).toMatchObject([
    { data: { id, status: 'FAILED', delivered_quantity: 0, fulfilled_quantity: 1, delivered_on: null } },
  ]);
});

test.each([
  ['topup', topupOrders, 'topup_instant'],
  ['esim', esimOrders, 'esim_instant'],
])('When a delivered %s order is refunded, then list, order and event agree', async (family, path, scenario) => {
  const { id } = await accepted(client.api, path, orderOf(scenario));
  await endedInList(client.api, path, id);
  expect(await refundsOf(path, id)).toEqual([]);
  await refund(id, '--amount', '1.25');
  expect(await refundsOf(path, id)).toMatchObject([{ id: 1, amount: 1.25, units: null }]);
  const [{ transaction_id: transactionId } = {}] = await refundsOf(path, id);
  expect(await orderAt(path, id)).toMatchObject({
    status: 'DELIVERED',
    refunded_amount: 1.25,
    refund_transaction_id: transactionId,
  });
  expect(await eventsOf(`${family}.refunded`)).toMatchObject([
    { data: { id, status: 'DELIVERED', refund_id: 1, refund_amount: 1.25, reason_code: 'INVALID_GOODS' } },
  ]);
});

test('When the id is invalid, or the order belongs to another client, then the list is rejected', async () => {
  const stranger = await newClient(database, { USD: 100 });
  const { id } = await place(stranger.api, orderOf('voucher_instant'));
  for (const path of [ordersPath, topupOrders, esimOrders]) {
    expect(await client.api.get(`${path}/x/refunds`)).toMatchObject(validation('Invalid order ID'));
    expect((await client.api.get(`${path}/${id}/refunds`)).status).toBe(404);
  }
});
