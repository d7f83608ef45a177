/** Cancelling voucher orders as operators do: with the update, or by cancelling the workflow. */
import { randomUUID } from 'node:crypto';
import type { WorkflowHandle } from '@temporalio/client';
import { orderMessages } from '../../src/domain/orders/order-messages';
import { newClient, type OwnClient, useDatabase } from '../support/clients';
import { ops } from '../support/operator';
import { ended, idOfReference, orderOf, ordersPath, place, reached, read, type VoucherOrder } from '../support/orders';
import { balanceOf, boughtFor, entriesOf, eventsOf, unsoundWallets } from '../support/records';
import { validation } from '../support/stack';
import { closed, workflowOf } from '../support/workflows';
import { serviceTemporalClient } from '../../dev/testbed/temporal-clients';
import { useMade } from '../support/made';

const database = useDatabase();
const update = (workflow: WorkflowHandle) =>
  workflow.startUpdate(orderMessages.cancel, { args: ['Ordered by mistake'], waitForStage: 'ACCEPTED' });
const cancel = (workflow: WorkflowHandle) => workflow.cancel();
const FUNDS = 6_000;

const temporal = useMade(serviceTemporalClient, ({ connection }) => connection.close());

const slow = (quantity: number) => orderOf('voucher_slow', { quantity, client_reference: randomUUID() });

/** Checks that the order is refunded completely, that nothing is bought, and that one event reports the end. */
async function expectCalledOff(client: OwnClient, order: VoucherOrder, paid: string): Promise<void> {
  expect(order).toMatchObject({ status: 'CANCELLED', vouchers: [] });
  expect(await entriesOf(database, order.id)).toEqual([
    { kind: 'ORDER', type: 'DEBIT', amount: paid },
    { kind: 'REFUND', type: 'CREDIT', amount: paid },
  ]);
  expect(await balanceOf(database, client.wallets['USD'] as number)).toBe(String(FUNDS));
  expect(await unsoundWallets(database)).toEqual([]);
  expect(await boughtFor(order.id)).toEqual([]);
  const events = (await eventsOf(database, order.id)).filter(({ type }) => type.startsWith('order.'));
  expect(events).toEqual([
    {
      type: 'order.cancelled',
      data: {
        id: order.id,
        client_reference: order['client_reference'],
        status: 'CANCELLED',
        product_name: 'Sandbox Slow Gift Card',
        denomination: 10,
        quantity: order.quantity,
        amount: 10 * order.quantity,
        delivered_quantity: 0,
        fulfilled_quantity: 0,
        delivered_on: null,
        created_at: order['placed_at'],
      },
    },
  ]);
}

describe.each([
  ['the update', update],
  ['cancelling the workflow', cancel],
])('with %s', (_how, callOff) => {
  let client: OwnClient;
  beforeEach(async () => {
    client = await newClient(database, { USD: FUNDS });
  });

  test('When nothing is delivered yet, then the order is CANCELLED and refunded, and nothing is bought', async () => {
    const order = await place(client.api, slow(8));
    await callOff(await workflowOf(temporal, database, order.id));
    await expectCalledOff(client, await ended(client.api, order.id), '80');
  });

  test('When the order request still waits for the goods, then its response shows that the order is CANCELLED', async () => {
    const body = slow(1);
    const created = place(client.api, body);
    const id = await idOfReference(client.api, body['client_reference'] as string);
    await callOff(await workflowOf(temporal, database, id));
    expect(await created).toMatchObject({ id, status: 'CANCELLED', vouchers: [] });
    await expectCalledOff(client, await read(client.api, id), '10');
  });

  test('When part of the order is delivered, then the order ignores the cancellation and continues', async () => {
    const order = await place(client.api, orderOf('voucher_partial'));
    await reached(client.api, order.id, 'PARTIALLY_DELIVERED');
    await callOff(await workflowOf(temporal, database, order.id));
    expect(await ended(client.api, order.id)).toMatchObject({ status: 'DELIVERED' });
    expect(await entriesOf(database, order.id)).toHaveLength(1);
  });

  test('When the order has ended, then the cancellation changes nothing', async () => {
    const order = await place(client.api, orderOf('voucher_instant'));
    const workflow = await workflowOf(temporal, database, order.id);
    await closed(workflow);
    // Temporal rejects the update of a closed workflow and ignores its cancellation.
    await Promise.allSettled([callOff(workflow)]);
    expect(await read(client.api, order.id)).toMatchObject({ status: 'DELIVERED' });
    expect(await entriesOf(database, order.id)).toHaveLength(1);
  });
});

test('When updates and cancellations are repeated, then the order is refunded once', async () => {
  const client = await newClient(database, { USD: FUNDS });
  const order = await place(client.api, slow(6));
  const workflow = await workflowOf(temporal, database, order.id);
  const wishes = [update, cancel, update, cancel, update].map((callOff) => callOff(workflow));
  await Promise.allSettled(wishes);
  await expectCalledOff(client, await ended(client.api, order.id), '60');
});

test('When several batches are in flight, then no batch is bought', async () => {
  const client = await newClient(database, { USD: FUNDS });
  await ops`clients set ${client.id} --bulk-limit 600`;
  const order = await place(client.api, slow(600));
  await update(await workflowOf(temporal, database, order.id));
  await expectCalledOff(client, await ended(client.api, order.id), '6000');
});

test('When an order is cancelled, then its workflow shows the cancellation and its address is locked', async () => {
  const client = await newClient(database, { USD: FUNDS });
  const order = await place(client.api, slow(6));
  const workflow = await workflowOf(temporal, database, order.id);
  await update(workflow);
  await ended(client.api, order.id);
  const locked = validation('Notification email can no longer be changed');
  const change = { email: 'ann@example.com' };
  expect(await client.api.patch(`${ordersPath}/${order.id}/notification-email`, change)).toMatchObject(locked);
  expect(await closed(workflow)).toMatchObject({
    status: { name: 'COMPLETED' },
    searchAttributes: { OrderStatus: ['CANCELLED'], OrderId: [order.id] },
  });
});
