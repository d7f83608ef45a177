/**
 * The worker is killed in each of the local activities with which an order begins: before Temporal has recorded the debit, and after.
 * docs/decisions/0032-begin-an-order-with-three-local-activities.md.
 */
import type { Client } from '@temporalio/client';
import { temporal as protocol } from '@temporalio/proto';
import type { Database } from '../../../src/data/database/database';
import { newClient, type OwnClient } from '../../support/clients';
import { stackDatabase } from '../../../dev/testbed/clients';
import { orderHeldIn } from '../../support/held-steps';
import { ended } from '../../support/orders';
import { admitted, type Service } from '../../support/orders-under-faults';
import { kill, type OwnStack } from '../../support/own-stack';
import { boughtFor, kindsMovedBy } from '../../support/records';
import { until } from '../../../dev/testbed/waiting';
import { serviceTemporalClient } from '../../../dev/testbed/temporal-clients';

const { EVENT_TYPE_MARKER_RECORDED: MARKER } = protocol.api.enums.v1.EventType;

let stack: OwnStack;
let database: Database;
let locking: Database;
let temporal: Client;
let client: OwnClient;

/** Waits until a heartbeat has recorded this many local activities. */
const recorded = (workflowId: string, count: number) =>
  until('the recorded local activities', async () => {
    const { events } = await temporal.workflow.getHandle(workflowId).fetchHistory();
    const markers = (events ?? []).filter(({ eventType }) => eventType === MARKER);
    return markers.length >= count;
  });

/** Registers the tests of this subject, on a started stack that other subjects share. */
export function testFirstTask(started: () => Service): void {
  beforeAll(async () => {
    ({ stack, database } = started());
    temporal = await serviceTemporalClient();
    locking = stackDatabase();
  });
  beforeEach(async () => {
    // The test before has killed the worker.
    await admitted();
    client = await newClient(database, { USD: 1_000 });
  });
  afterAll(async () => {
    await locking.close();
    await temporal.connection.close();
  });

  test('When the worker is killed during the debit, then the order is debited and bought once, or there is none', async () => {
    const { orderId, answer, release } = await orderHeldIn('debitWallet', { locking, database, client });
    await kill(stack, 'worker');
    await release();
    const { status } = await answer;
    if (status === 200) expect(await ended(client.api, orderId)).toMatchObject({ status: 'DELIVERED' });
    else expect(status).toBe(503);
    expect(await boughtFor(orderId)).toHaveLength(status === 200 ? 1 : 0);
    expect(await kindsMovedBy(database, client.id)).toEqual({ FUNDING: 1, ...(status === 200 && { ORDER: 1 }) });
  });

  test.each([
    ['tryToBuy', 1, 'DELIVERED', 1, { ORDER: 1 }],
    ['settleOrder', 2, 'FAILED', 0, { ORDER: 1, REFUND: 1 }],
  ] as const)(
    'When the worker is killed during %s, after Temporal has recorded the steps before, then nothing is bought or refunded twice',
    async (step, markers, status, purchases, moved) => {
      const { orderId, workflowId, answer, release } = await orderHeldIn(step, { locking, database, client });
      await recorded(workflowId, markers);
      await kill(stack, 'worker');
      await release();
      expect(await answer).toMatchObject({ status: 200, body: { id: orderId } });
      expect(await ended(client.api, orderId)).toMatchObject({ status });
      expect(await boughtFor(orderId)).toHaveLength(purchases);
      expect(await kindsMovedBy(database, client.id)).toEqual({ FUNDING: 1, ...moved });
    },
  );
}
