/** The audit has every operator call to a workflow, from the Temporal UI or the ops CLI, with operator and reason. */
import { userInfo } from 'node:os';
import { Client, Connection } from '@temporalio/client';
import { sql } from '../../../dev/testbed/sql';
import { dataConverter } from '../../../src/temporal/connection';
import { useClient, useDatabase } from '../../support/clients';
import { stackKeyRing } from '../../../dev/testbed/stack-keys';
import { ops, runOps } from '../../support/operator';
import { ended, orderOf, place } from '../../support/orders';
import { Receiver, register } from '../../support/receiver';
import { loadStack } from '../../../dev/testbed/loaded-stack';
import type { Json } from '../../support/stack';
import { until } from '../../../dev/testbed/waiting';
import { workflowOf } from '../../support/workflows';

jest.setTimeout(120_000);

const database = useDatabase();
/** A client that calls Temporal like the UI does for a logged-in operator. */
let ui: Client;
const client = useClient(database, { USD: 1_000 });
beforeAll(async () => {
  const { temporal_address: address, temporal_namespace: namespace } = loadStack();
  const connection = await Connection.connect({ address });
  const converter = dataConverter(await stackKeyRing());
  ui = new Client({ connection, namespace, dataConverter: converter, identity: 'jane@ops.example' });
});
afterAll(() => ui.connection.close());

/** The operator of other tests, which retry all waiting orders with the ops CLI. */
const others = userInfo().username;

/** Waits until the object has `count` entries. Returns them, oldest first. Triggers maintenance, which records calls. */
async function entriesOf(object: string, count: number): Promise<Json[]> {
  let triggeredAt = -Infinity;
  return until(
    `${count} entries on ${object}`,
    async () => {
      if (performance.now() - triggeredAt > 2_000) {
        await ui.schedule.getHandle('maintenance').trigger();
        triggeredAt = performance.now();
      }
      const found = (await ops`audit list --object ${object}`).reverse();
      const byOperators = found.filter(({ actor, operator }) => actor === 'OPERATOR' && operator !== others);
      return byOperators.length >= count ? byOperators : undefined;
    },
    60,
  );
}

/** As `entriesOf`, once the histories of all calls are copied. */
async function copied(object: string, count: number): Promise<Json[]> {
  return until(
    `the copies of ${count} calls to ${object}`,
    async () => {
      const entries = await entriesOf(object, count);
      return entries.some(({ action }) => /_sent$/.test(String(action))) ? undefined : entries;
    },
    60,
  );
}

test('When an order is retried, decided and terminated, then each is recorded once, with operator, reason, before and after', async () => {
  const { id } = await place(client.api, orderOf('voucher_needs_operator'));
  await until(
    `order ${id} on the list`,
    async () => (await ops`orders attention`).some((order) => order['id'] === id),
    60,
  );
  const workflow = await workflowOf(ui, database, id);
  await workflow.signal('retryNow');
  await workflow.executeUpdate('resolveOrder', { args: ['ASK_AGAIN'] });
  const tool = await runOps`orders retry ${id} --operator bob --reason "They are back"`;
  expect(tool.exitCode).toBe(0);
  const retried = {
    command: 'orders retry',
    operator: 'bob',
    door: 'CLI',
    reason: 'They are back',
    client_id: client.id,
    before: { status: 'PENDING', delivered: 0 },
    after: { message: 'retryNow', workflow_id: workflow.workflowId },
  };
  expect(await ops`audit list --object order/${id} --operator bob`).toMatchObject([retried]);
  await workflow.terminate('By mistake');

  const entries = await copied(`order/${id}`, 4);
  expect(entries.map(({ command, operator, reason }) => ({ command, operator, reason }))).toEqual(
    expect.arrayContaining([
      { command: 'retryNow', operator: 'jane@ops.example', reason: null },
      { command: 'resolveOrder', operator: 'jane@ops.example', reason: null },
      { command: 'orders retry', operator: 'bob', reason: 'They are back' },
      { command: 'terminate', operator: 'jane@ops.example', reason: 'By mistake' },
    ]),
  );
  const after = { ...retried.after, status: 'PENDING', delivered: 0 };
  expect(entries.filter(({ operator }) => operator === 'bob')).toMatchObject([
    { ...retried, action: 'workflow.signalled', after },
  ]);
  const resolved = entries.find(({ command }) => command === 'resolveOrder');
  expect(resolved).toMatchObject({
    action: 'workflow.updated',
    client_id: client.id,
    before: { status: 'PENDING', delivered: 0 },
    after: { asked: ['ASK_AGAIN'], answer: expect.stringContaining(`Order ${id}: 0 of 1`), status: 'PENDING' },
  });
  expect(entries).toHaveLength(4);
});

test('When an order is cancelled, then operator and reason are recorded, and nothing about orders without operator calls', async () => {
  const delayed = await place(client.api, orderOf('voucher_delayed'));
  await (await workflowOf(ui, database, delayed.id)).executeUpdate('cancelOrder', { args: ['Ordered twice'] });
  const cancelled = await place(client.api, orderOf('voucher_delayed'));
  await (await workflowOf(ui, database, cancelled.id)).cancel();
  const through = await place(client.api, orderOf('voucher_instant'));
  await Promise.all([delayed, cancelled, through].map(({ id }) => ended(client.api, id)));
  expect(await entriesOf(`order/${delayed.id}`, 1)).toMatchObject([
    {
      what: 'Cancelled by jane@ops.example',
      changed: 'Status: pending → cancelled',
      command: 'cancelOrder',
      operator: 'jane@ops.example',
      reason: 'Ordered twice',
      before: { status: 'PENDING' },
      after: { status: 'CANCELLED' },
    },
  ]);
  expect(await entriesOf(`order/${cancelled.id}`, 1)).toMatchObject([
    { action: 'workflow.cancelled', operator: 'jane@ops.example', after: { status: 'CANCELLED' } },
  ]);
  expect(await entriesOf(`order/${through.id}`, 0)).toEqual([]);
});

test('When a held order is released, then operator and reason are recorded, and the client’s own release names no operator', async () => {
  const [held, rehearsed] = [
    await place(client.api, orderOf('voucher_held')),
    await place(client.api, orderOf('voucher_held')),
  ];
  const tool = await runOps`orders release ${held.id} --reason "Called back" --operator carol --yes`;
  expect(tool).toMatchObject({ exitCode: 0 });
  expect((await client.api.post(`/api/v1/sandbox/orders/${rehearsed.id}/release`, undefined)).status).toBe(200);
  await Promise.all([held, rehearsed].map(({ id }) => ended(client.api, id)));
  expect(await copied(`order/${held.id}`, 1)).toMatchObject([
    {
      what: 'Released by carol',
      action: 'workflow.updated',
      command: 'orders release',
      operator: 'carol',
      reason: 'Called back',
      before: { status: 'PENDING' },
      after: { status: 'DELIVERED' },
    },
  ]);
});

test('When an order is reset, then the reset and its reason are recorded', async () => {
  const { id } = await place(client.api, orderOf('voucher_needs_operator'));
  const workflow = await workflowOf(ui, database, id);
  const { workflowId } = workflow;
  const { events } = await workflow.fetchHistory();
  const task = events?.find((event) => event.workflowTaskCompletedEventAttributes)?.eventId;
  await ui.workflowService.resetWorkflowExecution({
    namespace: ui.options.namespace,
    workflowExecution: { workflowId },
    workflowTaskFinishEventId: task ?? null,
    reason: 'From the start',
    requestId: `reset-${id}`,
    identity: 'jane@ops.example',
  });
  const entries = await entriesOf(`order/${id}`, 1);
  // Temporal does not store the identity of the caller of a reset.
  expect(entries).toMatchObject([{ action: 'workflow.reset', operator: null, reason: 'From the start' }]);
});

test('When an endpoint is paused, retried, resumed, and skips an event, then each call is recorded', async () => {
  const receiver = await Receiver.listen();
  const { id } = await register(client.api, receiver);
  await until('the verification test', async () =>
    (await ops`webhooks list ${client.id}`).some((one) => one['id'] === id && one['pending'] === 0),
  );
  await runOps`webhooks pause ${id} --operator bob`;
  await until('the pause', async () => sql.first(database)`SELECT FROM webhook_endpoints WHERE id = ${id} AND paused`);
  await ended(client.api, (await place(client.api, orderOf('voucher_instant'))).id);
  const [{ oldest_event: event } = {}] = await until('its events', async () => {
    const waiting = (await ops`webhooks list ${client.id}`).filter((one) => one['id'] === id && one['oldest_event']);
    return waiting.length > 0 ? waiting : undefined;
  });
  await runOps`webhooks skip ${id} ${event} --operator bob --yes`;
  await runOps`webhooks resume ${id} --operator bob`;
  const entries = await copied(`webhook_endpoint/${id}`, 3);
  expect(entries).toMatchObject([
    { command: 'webhooks pause', operator: 'bob', before: { paused: false }, after: { message: 'pause' } },
    { command: 'webhooks skip', operator: 'bob', after: { asked: [event], answer: true } },
    { command: 'webhooks resume', operator: 'bob', before: { paused: true }, after: { paused: false } },
  ]);
  receiver.close();
});
