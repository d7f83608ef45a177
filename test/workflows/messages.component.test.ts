/**
 * Messages to orders at each of their steps, on a real server, also while the server has given up the first task and the
 * worker has not: a later replay of the run must do the same. The activities are scripted.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { WorkflowHandle } from '@temporalio/client';
import { activityInfo, Context } from '@temporalio/activity';
import type { Duration } from '@temporalio/common';
import { temporal } from '@temporalio/proto';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { TcpProxy } from '../../dev/faults/stack/tcp-proxy';
import { families } from '../../src/domain/orders/families';
import { orderMessages, type OrderStart, type FirstStep } from '../../src/domain/orders/order-flow';
import { orderWorkflowId } from '../../src/domain/orders/orders';
import { orderStartOptions } from '../../src/ordering/order-workflow';
import { searchAttributeTypes } from '../../src/temporal/register-search-attributes';
import { replay } from '../../src/temporal/replay';
import {
  bulkQueue,
  mailQueue,
  ordersQueue,
  questionsQueue,
  stepsQueue,
} from '../../src/temporal/task-queues';
import { temporalBinary } from '../../dev/stack/temporal';
import { stages } from '../replay/recording';
import { until } from '../support/waiting';
import { delivered, pending, settled, unresolved, workflowBundle } from '../support/workflow-harness';

interface Started {
  name: string;
  workflow: WorkflowHandle;
}

/** How long a worker may keep a task of these orders without a sign of life, in milliseconds. */
const TASK_LIMIT_MS = 1_000;
const { EVENT_TYPE_WORKFLOW_TASK_TIMED_OUT: TIMED_OUT, EVENT_TYPE_WORKFLOW_TASK_COMPLETED: COMPLETED } =
  temporal.api.enums.v1.EventType;

/** More than an order takes by itself. A reading of the list that each reading brings about would never end. */
const DISTURBED_STEPS = 10;

/** Orders that go every way: into the first step, polled, on the list, settled, mailed, followed. */
const kinds: Readonly<Record<string, Pick<OrderStart, 'family' | 'asynchronous'>>> = {
  voucher: { family: 'VOUCHER', asynchronous: false },
  bulk: { family: 'VOUCHER', asynchronous: true },
  topup: { family: 'TOPUP', asynchronous: false },
  esim: { family: 'ESIM', asynchronous: false },
};

/** Every message of an order; an update is one whose answer is not waited for, since its task may be held. */
const messages: Readonly<Record<string, (workflow: WorkflowHandle) => Promise<unknown>>> = {
  retryNow: (workflow) => workflow.signal(orderMessages.retryNow),
  attentionChanged: (workflow) => workflow.signal(orderMessages.attentionChanged),
  cancelOrder: (workflow) => soon(workflow.executeUpdate(orderMessages.cancel, { args: ['Wrong number'] })),
  resolveOrder: (workflow) => soon(workflow.executeUpdate(orderMessages.resolve, { args: ['ASK_AGAIN'] })),
  answer: (workflow) => soon(workflow.executeUpdate(orderMessages.answer)),
};

let env: TestWorkflowEnvironment;
let proxy: TcpProxy;
let workers: Worker[];
let running: Promise<unknown>;
const NONCE = 'messagestest';
let orders = 0;

/** What is waited for in a step of an order, by the order's id; how many steps, and polls, there were of it. */
const onStep = new Map<number, (step: number) => Promise<unknown> | undefined>();
const steps = new Map<number, number>();
const polls = new Map<number, number>();

beforeAll(async () => {
  Runtime.install({
    logger: new DefaultLogger('ERROR'),
    telemetryOptions: { logging: { forward: {}, filter: 'ERROR' } },
  });
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
  const connection = await NativeConnection.connect({ address: `127.0.0.1:${proxy.port}` });
  const sinks = { operators: { recordOperatorCall: { fn: async () => undefined } } };
  const shared = { connection, activities, sinks };
  workers = await Promise.all([
    // As many polls as there are orders whose first task is to be given up.
    Worker.create({ ...shared, workflowBundle, taskQueue: ordersQueue, ...manyTasks }),
    ...[stepsQueue, bulkQueue, questionsQueue, mailQueue].map((taskQueue) =>
      Worker.create({ ...shared, taskQueue }),
    ),
  ]);
  running = Promise.all(workers.map((worker) => worker.run()));
}, 180_000);

afterAll(async () => {
  workers?.forEach((worker) => worker.shutdown());
  await running;
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

/** Runs what the test does at this step of the order, then gives the step's result. */
const step =
  <Result>(result: (order: OrderStart) => Result) =>
  async (order: OrderStart): Promise<Result> => {
    // A retried step is the same moment.
    if (activityInfo().attempt === 1) {
      const number = (steps.get(order.orderId) ?? 0) + 1;
      steps.set(order.orderId, number);
      // A step that is taken over by another attempt ends, as every call of the service does.
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
  setAttention: step(() => 'Nobody knows'),
  attentionOf: step(() => 'Seen on the list'),
  markPartiallyDelivered: step(() => true),
  settleOrder: step(() => ({ ...settled, mail: true })),
  mailOrder: step(() => undefined),
  startEsimMonitor: step(() => undefined),
};

/** Starts an order; what is returned by `during` is waited for in the step of this number, from 1 on. */
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
    supplier: 'simulator',
    price: '10',
    currency: 'USD',
  });
  const { workflow } = families[order.family];
  return env.client.workflow.start(workflow, { ...options, workflowTaskTimeout });
}

/** Waits for the end of the order, and has it poll its supplier meanwhile. */
async function ended(workflow: WorkflowHandle): Promise<void> {
  const result = workflow.result().then(() => true);
  while (!(await Promise.race([result, sleep(2_000, false)]))) {
    // The order may have ended meanwhile.
    await workflow.signal(orderMessages.retryNow).catch(() => undefined);
  }
}

async function soon(answer: Promise<unknown>): Promise<void> {
  await Promise.race([answer.catch(() => undefined), sleep(100)]);
}

/** The differences of replays: of each run whole, and from every task at which a worker may have to rebuild it. */
async function differences(started: readonly Started[]): Promise<string[]> {
  const nameOf = new Map(started.map(({ name, workflow }) => [workflow.workflowId, name]));
  const runs = await Promise.all(
    started.map(async ({ workflow }) => ({
      workflowId: workflow.workflowId,
      history: await workflow.fetchHistory(),
    })),
  );
  const different: string[] = [];
  const all = runs.flatMap((run) => [run, ...stages(run)]);
  for await (const { workflowId, error } of replay(all, {}, workflowBundle)) {
    if (error !== undefined) different.push(`${nameOf.get(workflowId)}: ${error}`);
  }
  return different;
}

/** Every order with every message. */
const all = Object.keys(kinds).flatMap((kind) =>
  Object.entries(messages).map(([message, send]) => ({ kind, name: `${kind}, ${message}`, send })),
);

/**
 * Runs whose first task the server gives out late to their worker: the worker's sign of life is then too late, and the server
 * has given the task up. The message comes meanwhile.
 */
async function runsWithLateTasks(): Promise<(Started & { isTimedOut: boolean })[]> {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  proxy.silence();
  const runs = await Promise.all(
    all.map(async ({ kind, name, send }) => {
      const workflow = await start(kind, (number) => (number === 1 ? released : undefined));
      return { name, workflow, send };
    }),
  );
  await sleep(0.6 * TASK_LIMIT_MS);
  proxy.restore();
  await Promise.all(runs.map(({ workflow, send }) => send(workflow)));
  const typesOf = async ({ workflow }: Started) =>
    ((await workflow.fetchHistory()).events ?? []).map(({ eventType }) => eventType);
  const types = await until('a sign of life of every order', async () => {
    const seen = await Promise.all(runs.map(typesOf));
    return seen.every((events) => events.includes(COMPLETED)) ? seen : undefined;
  });
  release();
  await Promise.all(runs.map(({ workflow }) => ended(workflow)));
  return runs.map((run, index) => ({ ...run, isTimedOut: types[index]?.includes(TIMED_OUT) ?? false }));
}

test('When a message comes before the first step is over, and the first task times out, then the order ends, and its run is replayed', async () => {
  const runs: (Started & { isTimedOut: boolean })[] = [];
  // On a slow machine the server may give the tasks out only once the worker gets them in time.
  while (!runs.some(({ isTimedOut }) => isTimedOut)) runs.push(...(await runsWithLateTasks()));
  expect(await differences(runs)).toEqual([]);
}, 180_000);

test('When a message comes during each of the first steps of an order, then the order ends, and its run is replayed', async () => {
  const runs = await Promise.all(
    all.map(async ({ kind, name, send }) => ({
      name,
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
