/** Maintenance restarts workflows that PostgreSQL still expects and Temporal no longer runs. */
import { WorkflowNotFoundError, type WorkflowHandle } from '@temporalio/client';
import { callControl } from '../../dev/stack/controls';
import { sql } from '../../dev/testbed/sql';
import { esimWorkflowId } from '../../src/domain/orders/order-ids';
import type { Candidate } from '../../src/domain/orders/sources';
import { restartEsimMonitors } from '../../src/ordering/esims/esim-monitors';
import { restartOrders } from '../../src/ordering/maintenance/order-restarts';
import { newNonce } from '../../src/ordering/placement/check-and-reserve';
import { useClient, useDatabase } from '../support/clients';
import { ended, orderOf, ordersPath, place, scenarioNamed } from '../support/orders';
import { boughtFor, entriesOf, eventsOf } from '../support/records';
import { loadStack } from '../../dev/testbed/loaded-stack';
import { accepted, esimOrders } from '../support/variant-orders';
import { until } from '../../dev/testbed/waiting';
import { serviceTemporalClient } from '../../dev/testbed/temporal-clients';
import { workflowOf } from '../support/workflows';
import { useMade } from '../support/made';
import { replaceClaim } from '../support/claims';

const database = useDatabase();
const temporal = useMade(serviceTemporalClient, ({ connection }) => connection.close());
const client = useClient(database, { USD: 1_000 });

/** Makes the order older, because maintenance skips recent orders, which may not have their workflow yet. */
async function age(orderId: number): Promise<void> {
  await sql(database)`UPDATE orders
       SET placed_at = placed_at - interval '3 minutes', completed_at = completed_at - interval '3 minutes'
      WHERE id = ${orderId}`;
}

/** The id and status of the newest run, or undefined if there is no run. */
async function standing(workflow: WorkflowHandle) {
  try {
    const { runId, status } = await workflow.describe();
    return { runId, status: status.name };
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return undefined;
    throw error;
  }
}

/** Waits until Temporal no longer lists the workflow as running, because its list is updated with a delay. */
async function untilUnlisted({ workflowId }: WorkflowHandle): Promise<void> {
  const query = `ExecutionStatus = 'Running' AND WorkflowId = '${workflowId}'`;
  await until('the list', async () => (await temporal.workflow.count(query)).count === 0);
}

/** Removes the workflow from Temporal, as if its database had been lost. */
async function lose({ workflowId }: WorkflowHandle): Promise<void> {
  const { namespace } = temporal.options;
  await temporal.workflowService.deleteWorkflowExecution({ namespace, workflowExecution: { workflowId } });
  await until('the loss', async () => !(await standing(temporal.workflow.getHandle(workflowId))));
  await untilUnlisted(temporal.workflow.getHandle(workflowId));
}

async function attentionOf(orderId: number): Promise<string | undefined> {
  return (
    await sql.first(database)<{ reason: string }>`SELECT reason FROM attention
       WHERE order_id = ${orderId} AND kind = 'WORKFLOW_ENDED'`
  )?.reason;
}

describe('An open order', () => {
  test('When the workflow of an order was terminated, then it is restarted, and the order is listed for attention and bought once', async () => {
    const order = await place(client.api, orderOf('voucher_delayed', { quantity: 6 }));
    const workflow = await workflowOf(temporal, database, order.id);
    await workflow.terminate('an operator slipped');
    await untilUnlisted(workflow);
    await age(order.id);
    await restartOrders({ database, temporal });
    expect(await attentionOf(order.id)).toBe(
      'Its workflow ended (TERMINATED) before the order did; it was started again',
    );
    expect(await ended(client.api, order.id)).toMatchObject({ status: 'DELIVERED' });
    expect(await boughtFor(order.id)).toMatchObject([{ units: 6 }]);
    expect(await entriesOf(database, order.id)).toHaveLength(1);
  });

  test('When Temporal has lost the workflow of an order, then the workflow is restarted and the order is not listed for attention', async () => {
    const order = await place(client.api, orderOf('voucher_delayed', { quantity: 6 }));
    await lose(await workflowOf(temporal, database, order.id));
    await age(order.id);
    await restartOrders({ database, temporal });
    expect(await ended(client.api, order.id)).toMatchObject({ status: 'DELIVERED' });
    expect(await attentionOf(order.id)).toBeUndefined();
  });

  test('When the workflow of an order that replaces a unit was never started, then it is started, and the unit is bought once', async () => {
    const old = await place(client.api, orderOf('voucher_instant'));
    await ended(client.api, old.id);
    const body = { kind: 'INVALID_CODE', unit: 1, text: 'The code is unknown' };
    const claim = await client.api.post<{ id: number }>(`${ordersPath}/${old.id}/claims`, body);
    const { sources } = await sql.one(database)<{ sources: Candidate[] }>`SELECT sources FROM orders
         WHERE id = ${old.id}`;
    const id = await replaceClaim(database, claim.body.id, { nonce: newNonce(), sources });
    await age(id);
    await restartOrders({ database, temporal });
    expect(await ended(client.api, id)).toMatchObject({ status: 'DELIVERED', charged_amount: 0 });
    expect(await boughtFor(id)).toMatchObject([{ units: 1 }]);
    expect(await attentionOf(id)).toBeUndefined();
  });

  test('When a clock that was ahead set the time of an order, then its workflow is still restarted', async () => {
    const order = await place(client.api, orderOf('voucher_delayed', { quantity: 6 }));
    await lose(await workflowOf(temporal, database, order.id));
    const move = (by: string) =>
      sql(database)`UPDATE orders SET placed_at = placed_at + ${by}::interval WHERE id = ${order.id}`;
    await move('26 hours');
    await restartOrders({ database, temporal });
    expect(await ended(client.api, order.id)).toMatchObject({ status: 'DELIVERED' });
    // The verification of the ledger compares the days of orders with the counts for daily caps.
    await move('-26 hours');
  });

  test('When the workflow of an order runs, or the order was placed in the last minute, then no workflow is started', async () => {
    const order = await place(client.api, orderOf('voucher_delayed', { quantity: 6 }));
    const workflow = await workflowOf(temporal, database, order.id);
    const before = await standing(workflow);
    await age(order.id);
    const young = await place(client.api, orderOf('voucher_delayed', { quantity: 6 }));
    const lost = await workflowOf(temporal, database, young.id);
    await lose(lost);
    await restartOrders({ database, temporal });
    expect((await standing(workflow))?.runId).toBe(before?.runId);
    expect(await standing(lost)).toBeUndefined();
    expect(await attentionOf(order.id)).toBeUndefined();
    await age(young.id);
    await restartOrders({ database, temporal });
    expect(await ended(client.api, young.id)).toMatchObject({ status: 'DELIVERED' });
  });
});

describe('A mail that is due', () => {
  const email = 'ann@example.com';

  async function mailedAt(orderId: number): Promise<Date | null> {
    return (
      (
        await sql.first(database)<{ mailedAt: Date | null }>`SELECT mailed_at AS "mailedAt" FROM orders
         WHERE id = ${orderId}`
      )?.mailedAt ?? null
    );
  }

  /** An ended order whose mail was not sent. */
  async function unmailedOrder(): Promise<number> {
    const order = await place(client.api, orderOf('voucher_instant', { email }));
    await until('the mail', async () => (await mailedAt(order.id)) ?? undefined);
    await until('the end', async () => {
      const { status } = await (await workflowOf(temporal, database, order.id)).describe();
      return status.name === 'COMPLETED';
    });
    await sql(database)`UPDATE orders SET mailed_at = NULL WHERE id = ${order.id}`;
    await age(order.id);
    return order.id;
  }

  test('When no workflow runs for a due mail any more, then the mail is sent, and the order is unchanged', async () => {
    const id = await unmailedOrder();
    await restartOrders({ database, temporal });
    await until('the mail', async () => (await mailedAt(id)) ?? undefined);
    expect(await attentionOf(id)).toBeUndefined();
    expect((await eventsOf(database, id)).map(({ type }) => type)).toEqual(['wallet.debited', 'order.delivered']);
    expect(await boughtFor(id)).toHaveLength(1);
  });

  test('When a mail is listed for attention as undeliverable, then it is not retried', async () => {
    const id = await unmailedOrder();
    await sql(database)`INSERT INTO attention (kind, order_id, reason)
         VALUES ('MAIL_UNDELIVERABLE', ${id}, 'no')`;
    const before = await standing(await workflowOf(temporal, database, id));
    await restartOrders({ database, temporal });
    expect(await standing(await workflowOf(temporal, database, id))).toEqual(before);
    await sql(database)`UPDATE orders SET mailed_at = now() WHERE id = ${id}`;
  });
});

describe('A delivered eSIM', () => {
  interface Delivered {
    id: number;
    iccid: string;
    monitor: WorkflowHandle;
  }

  async function delivered(): Promise<Delivered> {
    const order = await accepted(client.api, esimOrders, scenarioNamed('esim_instant').body);
    const { nonce } = (await sql.first(database)<{ nonce: string }>`SELECT nonce FROM orders
         WHERE id = ${order.id}`) as { nonce: string };
    const monitor = temporal.workflow.getHandle(esimWorkflowId(order.id, nonce));
    await until('its eSIM monitor', () => standing(monitor));
    const { iccid } = order as unknown as { iccid: string };
    return { id: order.id, iccid, monitor };
  }

  async function change(iccid: string, what: string): Promise<void> {
    await callControl(loadStack().simulator_url, 'POST', `esims/${iccid}/${what}`);
  }

  async function eventIsStored(orderId: number, type: string): Promise<void> {
    await until(type, async () => (await eventsOf(database, orderId)).find((event) => event.type === type), 15);
  }

  test.each<[string, (monitor: WorkflowHandle) => Promise<unknown>]>([
    ['was terminated', (monitor) => monitor.terminate()],
    ['was cancelled', (monitor) => monitor.cancel().then(() => monitor.result().catch(() => undefined))],
    ['was lost with the database of Temporal', lose],
  ])('When an eSIM monitor %s, then the eSIM is monitored again and missed changes are reported', async (_, end) => {
    const { id, iccid, monitor } = await delivered();
    await end(monitor);
    await change(iccid, 'install');
    await age(id);
    await restartEsimMonitors({ database, temporal });
    await eventIsStored(id, 'esim.installed');
    expect(await standing(monitor)).toMatchObject({ status: 'RUNNING' });
    expect((await monitor.describe()).searchAttributes).toMatchObject({ OrderId: [id], ClientId: [client.id] });
  });

  test('When some of many monitors are missing, then only the missing monitors are restarted', async () => {
    const many = [await delivered(), await delivered(), await delivered(), await delivered(), await delivered()];
    const [first, , third, fourth, last] = many as [Delivered, Delivered, Delivered, Delivered, Delivered];
    const gone = [first, fourth, last];
    for (const { monitor } of gone) await monitor.terminate();
    const before = await standing(third.monitor);
    for (const { id } of many) await age(id);
    await until('the restarts', async () => {
      await restartEsimMonitors({ database, temporal }, 1);
      const standings = await Promise.all(gone.map(({ monitor }) => standing(monitor)));
      return standings.every((now) => now?.status === 'RUNNING');
    });
    expect(await standing(third.monitor)).toEqual(before);
  });

  test('When one eSIM monitor is missing and another one is surplus, then the missing one is restarted', async () => {
    const [gone, surplus] = [await delivered(), await delivered()];
    await gone.monitor.terminate();
    await sql(database)`UPDATE esim_orders SET follow_ended_at = now() WHERE order_id = ${surplus.id}`;
    for (const { id } of [gone, surplus]) await age(id);
    await untilUnlisted(gone.monitor);
    await restartEsimMonitors({ database, temporal });
    expect(await standing(gone.monitor)).toMatchObject({ status: 'RUNNING' });
    await surplus.monitor.terminate();
  });

  test('When an eSIM monitor runs, then it is not restarted', async () => {
    const { id, monitor } = await delivered();
    const before = await standing(monitor);
    await age(id);
    await restartEsimMonitors({ database, temporal });
    expect(await standing(monitor)).toEqual(before);
  });

  test('When an eSIM is depleted, then it is not monitored again', async () => {
    const { id, iccid, monitor } = await delivered();
    await change(iccid, 'use');
    await change(iccid, 'deplete');
    await eventIsStored(id, 'esim.depleted');
    await monitor.result();
    const before = await standing(monitor);
    await age(id);
    await restartEsimMonitors({ database, temporal });
    expect(await standing(monitor)).toEqual(before);
  });
});
