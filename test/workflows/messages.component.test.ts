/**
 * Messages to orders at each of their steps, on a real server, also after the first workflow task timed out on the
 * server but not at the worker. A later replay of the run must make the same decisions. The activities are scripted.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WorkflowHandle } from '@temporalio/client';
import { activityInfo, Context } from '@temporalio/activity';
import type { Duration } from '@temporalio/common';
import { temporal } from '@temporalio/proto';
import { NativeConnection, Worker } from '@temporalio/worker';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { TcpProxy } from '../../dev/faults/stack/tcp-proxy';
import { families } from '../../src/domain/orders/families';
import { orderMessages, type OrderStart, type FirstStep } from '../../src/domain/orders/order-messages';
import { orderWorkflowId } from '../../src/domain/orders/order-ids';
import { orderStartOptions } from '../../src/ordering/order-workflow';
import { searchAttributeTypes } from '../../src/temporal/prepare';
import { replay } from '../../src/temporal/replay';
import { bulkQueue, mailQueue, ordersQueue, pollingQueue, stepsQueue } from '../../src/temporal/task-queues';
import { temporalBinary } from '../../dev/stack/temporal';
import { stages } from '../replay/recording';
import { quietRuntime } from '../support/quiet-runtime';
import { until } from '../support/waiting';
import { delivered, pending, settled, unresolved, workflowBundle } from '../support/workflow-harness';

interface Started {
  name: string;
  workflow: WorkflowHandle;
  /** Whether it is replayed from every task, too. */
  isStaged: boolean;
}

/**
 * The workflow task timeout of these orders, in milliseconds: a worker must heartbeat within it. On a busy machine a task takes a second:
 * with a shorter limit, every task would time out, and no order would end.
 */
const TASK_LIMIT_MS = 3_000;
const { EVENT_TYPE_WORKFLOW_TASK_TIMED_OUT: TIMED_OUT, EVENT_TYPE_WORKFLOW_TASK_COMPLETED: COMPLETED } =
  temporal.api.enums.v1.EventType;

/** More steps than an undisturbed order takes. If each read of the attention list caused another one, the reads would never end. */
const DISTURBED_STEPS = 10;

/** Orders that take every path: inline attempt, polled, on the attention list, settled, mailed, monitored. */
const kinds: Readonly<Record<string, Pick<OrderStart, 'family' | 'asynchronous'>>> = {
  voucher: { family: 'VOUCHER', asynchronous: false },
  bulk: { family: 'VOUCHER', asynchronous: true },
  topup: { family: 'TOPUP', asynchronous: false },
  esim: { family: 'ESIM', asynchronous: false },
};

/** Every message of an order. Updates are not awaited, because the worker may hold their task. */
const messages: Readonly<Record<string, (workflow: WorkflowHandle) => Promise<unknown>>> = {
  retryNow: (workflow) => workflow.signal(orderMessages.retryNow),
  attentionChanged: (workflow) => workflow.signal(orderMessages.attentionChanged),
  cancelOrder: (workflow) => soon(workflow.executeUpdate(orderMessages.cancel, { args: ['Wrong number'] })),
  resolveOrder: (workflow) => soon(workflow.executeUpdate(orderMessages.resolve, { args: ['ASK_AGAIN'] })),
};

let env: TestWorkflowEnvironment;
let proxy: TcpProxy;
let connection: NativeConnection;
let workers: Worker[];
let running: Promise<unknown>;
const NONCE = 'messagestest';
let orders = 0;

/** The work that each step of an order awaits, by order id, and the counts of its steps and polls. */
const onStep = new Map<number, (step: number) => Promise<unknown> | undefined>();
const steps = new Map<number, number>();
const polls = new Map<number, number>();

beforeAll(async () => {
  quietRuntime();
  const path = await temporalBinary(() => undefined);
  env = await TestWorkflowEnvironment.createLocal({
    server: {
      executable: { type: 'existing-path', path },
      extraArgs: quickServer,
      log: { format: 'pretty', level: 'never' },
    },
  });
  const namespace = 'default';
  await env.connection.operatorService.addSearchAttributes({
    namespace,
    searchAttributes: searchAttributeTypes,
  });
  proxy = await TcpProxy.before(Number(env.address.split(':')[1]));
  connection = await NativeConnection.connect({ address: `127.0.0.1:${proxy.port}` });
  const sinks = { operators: { recordOperatorCall: { fn: async () => undefined } } };
  const shared = { connection, activities, sinks };
  workers = await Promise.all([
    // As many polls as orders whose first task times out.
    Worker.create({ ...shared, workflowBundle, taskQueue: ordersQueue, ...manyTasks }),
    ...[stepsQueue, bulkQueue, pollingQueue, mailQueue].map((taskQueue) =>
      Worker.create({ ...shared, taskQueue }),
    ),
  ]);
  running = Promise.all(workers.map((worker) => worker.run()));
}, 180_000);

afterAll(async () => {
  workers?.forEach((worker) => worker.shutdown());
  await running;
  await connection?.close();
  proxy?.close();
  await env?.teardown();
});

const manyTasks = {
  maxConcurrentWorkflowTaskPolls: 40,
  nonStickyToStickyPollRatio: 0.8,
  maxConcurrentWorkflowTaskExecutions: 400,
  maxConcurrentLocalActivityExecutions: 400,
  maxConcurrentActivityTaskExecutions: 400,
};
const quickServer = ['transfer', 'timer', 'visibility'].flatMap((queue) => [
  '--dynamic-config-value',
  `history.${queue}ProcessorMaxPollRPS=10000`,
]);

/** Runs the test's work for this step of the order, then returns the step's result. */
const step =
  <Result>(result: (order: OrderStart) => Result) =>
  async (order: OrderStart): Promise<Result> => {
    // A retry does not count as another step.
    if (activityInfo().attempt === 1) {
      const number = (steps.get(order.orderId) ?? 0) + 1;
      steps.set(order.orderId, number);
      // A cancelled step ends here, as every call of the service does.
      await Promise.race([onStep.get(order.orderId)?.(number), Context.current().cancelled]);
    }
    return result(order);
  };

const placement = { outcome: 'PLACED', units: 2, toBuy: 2 } as const;

const activities = {
  placeAndFulfil: step(({ asynchronous }): FirstStep => ({
    placement,
    attempt: asynchronous ? null : pending,
  })),
  buy: step(() => pending),
  poll: step(({ orderId }) => {
    const poll = (polls.get(orderId) ?? 0) + 1;
    polls.set(orderId, poll);
    return poll === 1 ? unresolved : delivered;
  }),
  // Too late: the supplier has accepted the purchase.
  withdraw: step(() => pending),
  resolve: step(() => unresolved),
  setAttention: step(() => 'The outcome is unknown'),
  attentionOf: step(() => 'Seen on the list'),
  markPartiallyDelivered: step(() => true),
  settleOrder: step(() => ({ ...settled, mail: true })),
  mailOrder: step(() => undefined),
  startEsimMonitor: step(() => undefined),
};

/** Starts an order. Each step awaits the result of `during` for its 1-based number. */
async function start(
  kind: string,
  during: (step: number, workflow: WorkflowHandle) => Promise<unknown> | undefined,
  workflowTaskTimeout: Duration = TASK_LIMIT_MS,
): Promise<WorkflowHandle> {
  const order = { orderId: ++orders, nonce: NONCE, ...kinds[kind] } as OrderStart;
  const handle = env.client.workflow.getHandle(orderWorkflowId(order.orderId, NONCE));
  onStep.set(order.orderId, (number) => during(number, handle));
  const options = orderStartOptions(order, {
    clientId: 7,
    quantity: 2,
    productId: 3,
    productName: kind,
    suppliers: ['simulator'],
    price: '10',
    currency: 'USD',
  });
  const { workflow } = families[order.family];
  return env.client.workflow.start(workflow, { ...options, workflowTaskTimeout });
}

/** Waits for the end of the order and makes it poll its supplier until then. */
async function ended(workflow: WorkflowHandle): Promise<void> {
  const result = workflow.result().then(() => true);
  while (!(await Promise.race([result, sleep(2_000, false)]))) {
    // The order may already have ended.
    await workflow.signal(orderMessages.retryNow).catch(() => undefined);
  }
}

async function soon(answer: Promise<unknown>): Promise<void> {
  await Promise.race([answer.catch(() => undefined), sleep(100)]);
}

/** Replay differences: of each complete run, and of some runs from every task at which a worker may have to rebuild them. */
async function differences(started: readonly Started[]): Promise<string[]> {
  const nameOf = new Map(started.map(({ name, workflow }) => [workflow.workflowId, name]));
  const runs = await Promise.all(
    started.map(async ({ workflow, isStaged }) => {
      const run = { workflowId: workflow.workflowId, history: await workflow.fetchHistory() };
      return isStaged ? [run, ...stages(run)] : [run];
    }),
  );
  const different: string[] = [];
  for await (const { workflowId, error } of replay(runs.flat(), {}, workflowBundle)) {
    if (error !== undefined) different.push(`${nameOf.get(workflowId)}: ${error}`);
  }
  return different;
}

/** Every order with every message. Those on the diagonal, with each order and each message, are replayed from every task. */
const all = Object.keys(kinds).flatMap((kind, row) =>
  Object.entries(messages).map(([message, send], column) => ({
    kind,
    name: `${kind}, ${message}`,
    send,
    isStaged: column % Object.keys(kinds).length === row,
  })),
);

/**
 * Runs whose first task reaches their worker late. The worker's heartbeat then arrives after the server timed the task
 * out. The message arrives in between.
 */
async function runsWithLateTasks(): Promise<(Started & { isTimedOut: boolean })[]> {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  proxy.silence();
  const runs = await Promise.all(
    all.map(async ({ kind, ...sent }) => {
      const workflow = await start(kind, (number) => (number === 1 ? released : undefined));
      return { ...sent, workflow };
    }),
  );
  await sleep(0.6 * TASK_LIMIT_MS);
  proxy.restore();
  await Promise.all(runs.map(({ workflow, send }) => send(workflow)));
  const typesOf = async ({ workflow }: Started) =>
    ((await workflow.fetchHistory()).events ?? []).map(({ eventType }) => eventType);
  const types = await until('a heartbeat of every order', async () => {
    const seen = await Promise.all(runs.map(typesOf));
    return seen.every((events) => events.includes(COMPLETED)) ? seen : undefined;
  });
  release();
  await Promise.all(runs.map(({ workflow }) => ended(workflow)));
  return runs.map((run, index) => ({ ...run, isTimedOut: types[index]?.includes(TIMED_OUT) ?? false }));
}

test('When no message arrives, then the order ends, and its run replays', async () => {
  const runs = await Promise.all(
    Object.keys(kinds).map(async (kind) => {
      const workflow = await start(kind, () => undefined, '10s');
      return { name: kind, workflow, isStaged: true };
    }),
  );
  await Promise.all(runs.map(({ workflow }) => ended(workflow)));
  expect(await differences(runs)).toEqual([]);
}, 180_000);

test('When a message arrives before the first step is over, and the first task times out, then the order ends, and its run replays', async () => {
  const runs: (Started & { isTimedOut: boolean })[] = [];
  const someTimedOut = () => runs.some(({ isTimedOut }) => isTimedOut);
  // On a slow machine the server may dispatch the tasks so late that none times out.
  for (let round = 1; round <= 4 && !someTimedOut(); round++) runs.push(...(await runsWithLateTasks()));
  expect(someTimedOut()).toBe(true);
  expect(await differences(runs)).toEqual([]);
}, 180_000);

test('When a message arrives during each of the first steps of an order, then the order ends, and its run replays', async () => {
  const runs = await Promise.all(
    all.map(async ({ kind, send, ...described }) => ({
      ...described,
      workflow: await start(
        kind,
        (number, workflow) => (number <= DISTURBED_STEPS ? send(workflow) : undefined),
        '10s',
      ),
    })),
  );
  await Promise.all(runs.map(({ workflow }) => ended(workflow)));
  expect(await differences(runs)).toEqual([]);
}, 180_000);

test('When an operator resets an order, and Temporal applies its messages again together, then the order ends, and its run replays', async () => {
  const runs = await Promise.all(
    Object.keys(kinds).map(async (kind) => {
      const first = await start(kind, (number) => (number === 2 ? sleep(1_500) : undefined), '10s');
      await until('the end of the first step', () => completedTask(first, 1));
      const send = (...sent: (keyof typeof messages)[]) =>
        Promise.all(sent.map(async (name) => messages[name]?.(first)));
      await send('attentionChanged', 'retryNow');
      await until('the task with the messages', () => completedTask(first, 2));
      await send('cancelOrder');
      await send('attentionChanged', 'retryNow');
      await ended(first);
      const workflow = env.client.workflow.getHandle(first.workflowId, await reset(first));
      await ended(workflow);
      return { name: kind, workflow, isStaged: true };
    }),
  );
  expect(await differences(runs)).toEqual([]);
}, 180_000);

/** The event that completed the workflow task with this 1-based number; undefined if there is none yet. */
async function completedTask(workflow: WorkflowHandle, number: number) {
  const { events } = await workflow.fetchHistory();
  return events?.filter(({ eventType }) => eventType === COMPLETED)[number - 1]?.eventId ?? undefined;
}

/** Resets the order to its second workflow task. Returns the new run. */
async function reset(workflow: WorkflowHandle): Promise<string> {
  const { runId } = await env.client.workflowService.resetWorkflowExecution({
    namespace: 'default',
    workflowExecution: { workflowId: workflow.workflowId },
    reason: 'Test',
    workflowTaskFinishEventId: (await completedTask(workflow, 2)) ?? null,
    requestId: randomUUID(),
  });
  return runId;
}
