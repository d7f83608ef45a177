/** The scenarios whose workflows are recorded, each with the steps that produce it on a running stack. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, WorkflowHandle } from '@temporalio/client';
import { callControl } from '../../dev/stack/controls';
import { firstRow, type Database } from '../../src/data/database/database';
import { sql } from '../../dev/testbed/sql';
import { storeSource } from '../../src/data/catalogue/source-settings';
import { requestRefunds } from '../../src/data/orders/refund-imports';
import { refundImportWorkflowId } from '../../src/domain/orders/refund-imports';
import { orderMessages } from '../../src/domain/orders/order-messages';
import { endpointMessages } from '../../src/domain/webhooks/delivery-rules';
import { restartOrders } from '../../src/ordering/maintenance/order-restarts';
import { runRefundImport } from '../../src/ordering/refund-imports';
import { newClient, type OwnClient } from '../support/clients';
import { stackDatabase } from '../../dev/testbed/clients';
import { orderHeldIn, type LocalStep } from '../support/held-steps';
import { scenarioNamed } from '../support/orders';
import { Receiver } from '../support/receiver';
import { loadStack } from '../../dev/testbed/loaded-stack';
import type { Json, Resource } from '../support/stack';
import { until } from '../../dev/testbed/waiting';
import { closed, workflowOf } from '../support/workflows';

/** The stack that a scenario runs on. */
export interface Stack {
  database: Database;
  temporal: Client;
}

/** Runs a scenario. Returns the workflow to record, or the run of it to record. */
export type RecordedScenario = (stack: Stack) => Promise<WorkflowHandle>;

interface Placed {
  client: OwnClient;
  id: number;
  workflow: WorkflowHandle;
}

async function place({ database, temporal }: Stack, scenario: string, overrides: Json = {}): Promise<Placed> {
  const client = await newClient(database, { USD: 1_000_000 });
  await sql(database)`UPDATE clients SET bulk_limit = 5000 WHERE id = ${client.id}`;
  const { path, body } = scenarioNamed(scenario);
  const answer = await client.api.post<Resource>(path, { ...body, ...overrides });
  if (answer.status !== 200) throw new Error(`${scenario}: ${answer.status} ${JSON.stringify(answer.body)}`);
  const { id } = answer.body;
  return { client, id, workflow: await workflowOf(temporal, database, id) };
}

/** Orders the scenario as a client, and waits for the end of the workflow. */
const ordered =
  (scenario: string, overrides: Json = {}): RecordedScenario =>
  async (stack) => {
    const { workflow } = await place(stack, scenario, overrides);
    await closed(workflow, 200);
    return workflow;
  };

function control(path: string, body: Json = {}): Promise<void> {
  return callControl(loadStack().simulator_url, 'POST', path, body);
}

/** Makes the workflow poll its supplier this many times, with a pause for each response. */
async function poll(workflow: WorkflowHandle, times: number): Promise<void> {
  for (let polls = 0; polls < times; polls++) {
    await workflow.signal(orderMessages.retryNow);
    await sleep(300);
  }
}

async function waitsForOperator(stack: Stack, scenario: string): Promise<Placed> {
  const placed = await place(stack, scenario);
  await until(
    'the operators’ list',
    () => sql.first(stack.database)`SELECT id FROM attention WHERE order_id = ${placed.id}`,
    90,
  );
  return placed;
}

/** Decides twice: the supplier knows nothing of the purchase, so NOT_BOUGHT is accepted once a lookup is conclusive. */
const resolvedByOperator: RecordedScenario = async (stack) => {
  const { workflow } = await waitsForOperator(stack, 'voucher_needs_operator');
  const decide = (decision: unknown) => workflow.executeUpdate(orderMessages.resolve, { args: [decision] });
  await decide('ASK_AGAIN');
  const reason = 'Confirmed by phone';
  await until('the lookup to be conclusive', () => decide({ resolution: 'NOT_BOUGHT', reason }).catch(() => undefined));
  await closed(workflow);
  return workflow;
};

/** An operator decides about the held order. */
const heldUntil =
  (decision: string): RecordedScenario =>
  async (stack) => {
    const { workflow } = await waitsForOperator(stack, 'voucher_held');
    await poll(workflow, 1);
    await workflow.executeUpdate(decision, { args: ['The client confirmed the order'] });
    await closed(workflow);
    return workflow;
  };

/** The order that replaces a claimed unit. */
const replacing: RecordedScenario = async (stack) => {
  const { client, id, workflow: old } = await place(stack, 'voucher_instant');
  await closed(old);
  const claim = { kind: 'INVALID_CODE', unit: 1, text: 'It has no value.' };
  const filed = (await client.api.post<Resource>(`/api/v1/orders/${id}/claims`, claim)).body;
  const { body } = await client.api.post<Json>(`/api/v1/sandbox/claims/${filed.id}/replace`, undefined);
  const workflow = await workflowOf(stack.temporal, stack.database, Number(body['replacement_order_id']));
  await closed(workflow);
  return workflow;
};

const accountBlocked: RecordedScenario = async (stack) => {
  const { workflow } = await waitsForOperator(stack, 'topup_supplier_blocked');
  await control('account', { blocked: false });
  await workflow.signal(orderMessages.retryNow);
  await closed(workflow);
  return workflow;
};

const cancelledByUpdate: RecordedScenario = async (stack) => {
  await control('outage', { seconds: 20 });
  const { workflow } = await place(stack, 'topup_instant');
  await workflow.executeUpdate(orderMessages.cancel, { args: ['The customer changed their mind'] });
  await closed(workflow, 90);
  return workflow;
};

/** Cancelled through Temporal's own button. */
const workflowCancelled: RecordedScenario = async (stack) => {
  await control('outage', { seconds: 20 });
  const { workflow } = await place(stack, 'topup_instant');
  await workflow.cancel();
  await closed(workflow, 90);
  return workflow;
};

/** The wallet is closed when the order fails, and reopened later. */
const refundWaits: RecordedScenario = async (stack) => {
  const { client, id, workflow } = await place(stack, 'voucher_partial_then_failed');
  const setClosed = (closedAt: Date | null) =>
    sql(stack.database)`UPDATE wallets SET closed_at = ${closedAt} WHERE client_id = ${client.id}`;
  await setClosed(new Date());
  await until(
    'the due refund',
    () => sql.first(stack.database)`SELECT id FROM attention WHERE order_id = ${id} AND kind = 'REFUND_DUE'`,
    90,
  );
  await poll(workflow, 1);
  await setClosed(null);
  await poll(workflow, 1);
  await closed(workflow);
  return workflow;
};

const cancelledTooLate: RecordedScenario = async (stack) => {
  const { workflow } = await place(stack, 'voucher_delayed');
  await workflow.executeUpdate(orderMessages.cancel, { args: ['Too late'] }).catch(() => undefined);
  await closed(workflow);
  return workflow;
};

/** The cancellation arrives during this local activity, and Temporal records its acceptance there. */
const cancelledDuring =
  (step: LocalStep): RecordedScenario =>
  async ({ database, temporal }) => {
    const client = await newClient(database, { USD: 1_000 });
    const locking = stackDatabase();
    const { workflowId, release } = await orderHeldIn(step, { locking, database, client });
    const workflow = temporal.workflow.getHandle(workflowId);
    await workflow.startUpdate(orderMessages.cancel, { args: ['Too late'], waitForStage: 'ACCEPTED' });
    await release();
    await locking.close();
    await closed(workflow);
    return workflow;
  };

const placedInOutage: RecordedScenario = async (stack) => {
  await control('outage', { seconds: 5 });
  const { workflow } = await place(stack, 'voucher_instant');
  await closed(workflow);
  return workflow;
};

/** The product of the scenario has a second source at the fake of Zendit: the stack runs with `--suppliers`. */
async function withSecondSource(
  { database }: Stack,
  scenario: string,
  run: () => Promise<WorkflowHandle>,
): Promise<WorkflowHandle> {
  if (!loadStack().suppliers) throw new Error('Start the stack with: npm start -- --suppliers');
  const itemId = Number(scenarioNamed(scenario).body['product_id']);
  const sku = 'fixed:COFFEE-US-010:USD:10';
  const id = await storeSource(database, { family: 'VOUCHER', itemId, supplier: 'zendit', sku }, { priority: 1 });
  try {
    return await run();
  } finally {
    await sql(database)`DELETE FROM product_sources WHERE id = ${id}`;
  }
}

/** The first source rejects the purchase, and the inline attempt buys from the second. */
const failover: RecordedScenario = (stack) =>
  withSecondSource(stack, 'voucher_out_of_stock', async () => {
    const { workflow } = await place(stack, 'voucher_out_of_stock', { denomination: 10, quantity: 1 });
    await closed(workflow);
    return workflow;
  });

/** The first source cannot be reached, and the activity buys from the second. */
const failoverInAnOutage: RecordedScenario = (stack) =>
  withSecondSource(stack, 'voucher_instant', async () => {
    await control('outage', { seconds: 15 });
    const { workflow } = await place(stack, 'voucher_instant', { denomination: 10, quantity: 1 });
    await closed(workflow);
    await sleep(15_000);
    return workflow;
  });

/** Four order requests, balance for one. The placing statement rejects the others. */
const rejectedAtPlacement: RecordedScenario = async ({ database, temporal }) => {
  const { path, body } = scenarioNamed('voucher_instant');
  return until('a rejected order', async () => {
    const client = await newClient(database, { USD: 10 });
    await Promise.all(Array.from({ length: 4 }, () => client.api.post(path, body)));
    const query = `ClientId = ${client.id} AND OrderStatus = 'REFUSED'`;
    for await (const { workflowId } of temporal.workflow.list({ query }))
      return temporal.workflow.getHandle(workflowId);
    return undefined;
  });
};

/** Makes the workflow poll its supplier until it continues as a new run, which takes this many polls. Returns the previous run. */
async function polledUntilContinued(
  temporal: Client,
  workflow: WorkflowHandle,
  polls: number,
): Promise<WorkflowHandle> {
  await poll(workflow, polls);
  return until('a new run', async () => {
    await poll(workflow, 1);
    const runs: string[] = [];
    const query = `WorkflowId = '${workflow.workflowId}'`;
    for await (const { runId, status } of temporal.workflow.list({ query })) {
      if (status.name === 'CONTINUED_AS_NEW') runs.push(runId);
    }
    const first = runs.at(-1);
    return first === undefined ? undefined : temporal.workflow.getHandle(workflow.workflowId, first);
  });
}

const polledForLong: RecordedScenario = async (stack) => {
  const { workflow } = await waitsForOperator(stack, 'voucher_needs_operator');
  return polledUntilContinued(stack.temporal, workflow, 100);
};

async function deliveredEsim(
  stack: Stack,
): Promise<{ client: OwnClient; id: number; monitor: WorkflowHandle; iccid: string }> {
  const { client, id, workflow } = await place(stack, 'esim_instant');
  await closed(workflow);
  const { body } = await client.api.get<{ iccid: string }>(`/api/v1/esim/orders/${id}`);
  const monitor = stack.temporal.workflow.getHandle(workflow.workflowId.replace('order-', 'esim-'));
  return { client, id, monitor, iccid: body.iccid };
}

const monitorContinued: RecordedScenario = async (stack) => {
  const { monitor } = await deliveredEsim(stack);
  return polledUntilContinued(stack.temporal, monitor, 20);
};

/** Waits until the monitor waits for its next poll. */
async function waitsForPoll(monitor: WorkflowHandle): Promise<void> {
  await until('the timer of the next poll', async () => {
    const { events } = await monitor.fetchHistory();
    return events?.at(-1)?.timerStartedEventAttributes ? true : undefined;
  });
}

/** Each change of a device, with the column in which the monitor stores its time. */
const deviceChanges = [
  ['install', 'installed_at'],
  ['use', 'activated_at'],
  ['deplete', 'depleted_at'],
] as const;

/** An eSIM from its delivery to its end. Each change interrupts the timer of the next poll. */
const monitorUsed: RecordedScenario = async (stack) => {
  const { id, monitor, iccid } = await deliveredEsim(stack);
  for (const [change, column] of deviceChanges) {
    await waitsForPoll(monitor);
    await control(`esims/${iccid}/${change}`);
    await until(`the eSIM monitor to see ${change}`, async () => {
      await poll(monitor, 1);
      const query = `SELECT order_id FROM esim_orders WHERE order_id = $id AND ${column} IS NOT NULL`;
      return firstRow(stack.database, query, { id });
    });
  }
  await closed(monitor);
  return monitor;
};

/** An order that recharges an installed eSIM. */
const recharging =
  (scenario: string): RecordedScenario =>
  async (stack) =>
    (await recharged(stack, scenario)).workflow;

async function recharged(stack: Stack, scenario: string): Promise<{ workflow: WorkflowHandle; iccid: string }> {
  const { client, id, iccid } = await deliveredEsim(stack);
  await client.api.post(`/api/v1/sandbox/esims/${id}/install`, undefined);
  const { path, body } = scenarioNamed(scenario);
  const recharge = await client.api.post<Resource>(path, { ...body, recharge_order_id: id });
  const workflow = await workflowOf(stack.temporal, stack.database, recharge.body.id);
  await closed(workflow);
  return { workflow, iccid };
}

/** The monitor of a recharge, until its plan is used up. */
const rechargeMonitored: RecordedScenario = async (stack) => {
  const { workflow: order, iccid } = await recharged(stack, 'esim_recharge');
  const monitor = stack.temporal.workflow.getHandle(order.workflowId.replace('order-', 'esim-'));
  await control(`esims/${iccid}/deplete`);
  await poll(monitor, 1);
  await closed(monitor);
  return monitor;
};

async function withEndpoint(
  { database, temporal }: Stack,
  work: (receiver: Receiver, endpoint: WorkflowHandle, order: () => Promise<void>, id: number) => Promise<void>,
): Promise<WorkflowHandle> {
  const client = await newClient(database, { USD: 1_000 });
  const receiver = await Receiver.listen();
  try {
    const { body } = await client.api.post<Resource>('/api/v1/webhooks/endpoints', { url: receiver.url });
    const secret = await client.api.get<{ secret: string }>(`/api/v1/webhooks/endpoints/${body.id}/secret`);
    receiver.secret = secret.body.secret;
    const { path, body: voucher } = scenarioNamed('voucher_instant');
    const order = async () => void (await client.api.post(path, voucher));
    await order();
    const endpoint = await until('the workflow of the endpoint', async () => {
      const query = `WorkflowType = 'webhookEndpoint' AND WorkflowId STARTS_WITH 'webhook-endpoint-${body.id}-'`;
      for await (const { workflowId } of temporal.workflow.list({ query }))
        return temporal.workflow.getHandle(workflowId);
      return undefined;
    });
    await work(receiver, endpoint, order, body.id);
    return endpoint;
  } finally {
    receiver.close();
  }
}

const endpointRecovering: RecordedScenario = (stack) =>
  withEndpoint(stack, async (receiver, endpoint, order) => {
    await receiver.untilTaken(1);
    receiver.answer = () => 500;
    await order();
    await until('a failure', async () => receiver.seen.length > receiver.taken.length);
    receiver.answer = () => 204;
    await endpoint.signal(endpointMessages.retryNow);
    await receiver.untilTaken(4);
    await sleep(1_000);
  });

const endpointPaused: RecordedScenario = (stack) =>
  withEndpoint(stack, async (receiver, endpoint, order, id) => {
    await receiver.untilTaken(1);
    await endpoint.signal(endpointMessages.pause);
    await sleep(500);
    await order();
    const due = await until('two waiting events', async () => {
      const found = await sql(stack.database)<{ id: string }>`
        SELECT event.id FROM webhook_deliveries delivery JOIN events event ON event.sequence = delivery.event_sequence
         WHERE delivery.endpoint_id = ${id} AND delivery.state = 'DUE'`;
      return found.length === 2 ? found : undefined;
    });
    const skip = (event: string) => endpoint.executeUpdate(endpointMessages.skipEvent, { args: [event] });
    await skip('evt_unknown').catch(() => undefined);
    await skip(due[0]?.id ?? '');
    await endpoint.signal(endpointMessages.resume);
    await receiver.untilTaken(3);
    await sleep(1_000);
  });

const endpointGone: RecordedScenario = (stack) =>
  withEndpoint(stack, async (receiver, endpoint, order) => {
    receiver.answer = () => 410;
    await order();
    await closed(endpoint);
  });

/** An import refunds a delivered voucher. */
const refundImported: RecordedScenario = async (stack) => {
  const { database, temporal } = stack;
  const { id: orderId, workflow } = await place(stack, 'voucher_instant');
  await closed(workflow);
  const line = { line: 1, orderId, extent: { units: 1 }, reasonCode: 'GOODWILL', reference: 'ticket-1' } as const;
  const lines = [{ ...line, note: undefined, mail: false }];
  const key = await database.transaction((transaction) =>
    requestRefunds(database, { name: 'refunds.csv', lines }, transaction),
  );
  await runRefundImport(temporal, key);
  const run = temporal.workflow.getHandle(refundImportWorkflowId(key));
  await closed(run);
  return run;
};

/** The newest completed run of the type, after the scenario. */
const latestRunOf =
  (type: string, scenario: RecordedScenario): RecordedScenario =>
  async (stack) => {
    await scenario(stack);
    return until(
      `a run of ${type}`,
      async () => {
        const query = `WorkflowType = '${type}' AND ExecutionStatus = 'Completed'`;
        for await (const { workflowId, runId } of stack.temporal.workflow.list({ query })) {
          return stack.temporal.workflow.getHandle(workflowId, runId);
        }
        return undefined;
      },
      90,
    );
  };

/**
 * The order's workflow is terminated during an outage that lasts longer than the order request waits. Maintenance starts the
 * workflow again, and no request waits for it.
 */
const restarted =
  (scenario: string, outageSeconds: number): RecordedScenario =>
  async (stack) => {
    await control('outage', { seconds: outageSeconds });
    const { id, workflow } = await place(stack, scenario);
    await workflow.terminate();
    await sql(stack.database)`
      UPDATE orders SET placed_at = placed_at - interval '3 minutes' WHERE id = ${id}`;
    await until('the new run', async () => {
      await restartOrders(stack);
      const { status } = await workflow.describe();
      return status.name !== 'TERMINATED';
    });
    await closed(workflow, 90);
    return workflow;
  };

const sandboxScenarios = [
  'voucher_instant',
  'voucher_url',
  'voucher_range',
  'voucher_bulk',
  'voucher_delayed',
  'voucher_partial',
  'voucher_partial_then_failed',
  'voucher_out_of_stock',
  'voucher_timeout_fulfilled',
  'voucher_slow',
  'voucher_flaky',
  'voucher_redeemable',
  'topup_instant',
  'topup_pending',
  'topup_failed_later',
  'topup_flaky',
  'topup_timeout_fulfilled',
  'topup_reject_invalid_recipient',
  'esim_instant',
  'esim_slow',
  'esim_failed_now',
  'esim_failed_later',
  'esim_flaky',
  'esim_timeout_fulfilled',
  'esim_unlimited',
];

/** Every scenario by the name of its recording. A scenario of the sandbox has its own name. */
export const recordedScenarios: Readonly<Record<string, RecordedScenario>> = {
  ...Object.fromEntries(sandboxScenarios.map((name) => [name, ordered(name)])),
  voucher_needs_operator: resolvedByOperator,
  voucher_held: heldUntil(orderMessages.release),
  voucher_replacement: replacing,
  voucher_held_cancelled: heldUntil(orderMessages.cancel),
  topup_supplier_blocked: accountBlocked,
  voucher_5000: ordered('voucher_bulk', { quantity: 5_000, denomination: 5 }),
  voucher_mailed: ordered('voucher_delayed', { email: 'customer@client.example' }),
  voucher_refused: rejectedAtPlacement,
  voucher_in_an_outage: placedInOutage,
  voucher_failover: failover,
  voucher_failover_in_an_outage: failoverInAnOutage,
  voucher_cancelled_too_late: cancelledTooLate,
  voucher_polled_for_long: polledForLong,
  voucher_refund_waits: refundWaits,
  voucher_restarted: restarted('voucher_instant', 20),
  voucher_cancelled_in_debit: cancelledDuring('debitWallet'),
  voucher_cancelled_in_attempt: cancelledDuring('tryToBuy'),
  voucher_cancelled_in_refund: cancelledDuring('settleOrder'),
  topup_cancelled_by_update: cancelledByUpdate,
  topup_workflow_cancelled: workflowCancelled,
  topup_restarted: restarted('topup_instant', 20),
  esim_restarted: restarted('esim_instant', 75),
  esim_monitor_continued: monitorContinued,
  esim_monitor_used: monitorUsed,
  esim_recharge: recharging('esim_recharge'),
  esim_recharge_lost: recharging('esim_recharge_lost'),
  esim_recharge_monitored: rechargeMonitored,
  endpoint_recovering: endpointRecovering,
  endpoint_paused: endpointPaused,
  endpoint_gone: endpointGone,
  endpoint_disabled_mail: latestRunOf('endpointDisabledMail', endpointGone),
  refund_import: refundImported,
  maintenance: latestRunOf('runMaintenance', async ({ temporal }) => temporal.workflow.getHandle('none')),
};
