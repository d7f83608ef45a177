/**
 * Messages to orders during each of the local activities with which they begin, and during their later steps, on a real server. A later
 * replay of the run must make the same decisions. The activities are scripted.
 * docs/decisions/0032-begin-an-order-with-three-local-activities.md.
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
import { orderMessages, type FirstAttempt, type Debit, type OrderStart } from '../../src/domain/orders/order-messages';
import { orderWorkflowId } from '../../src/domain/orders/order-ids';
import { orderStartOptions } from '../../src/ordering/order-workflow';
import { searchAttributeTypes } from '../../src/temporal/prepare';
import { replay } from '../../src/temporal/replay';
import { bulkQueue, mailQueue, ordersQueue, pollingQueue, stepsQueue } from '../../src/temporal/task-queues';
import { temporalBinary } from '../../dev/stack/temporal';
import { stages } from '../replay/recording';
import { quietRuntime } from '../support/quiet-runtime';
import { until } from '../../dev/testbed/waiting';
import {
  credited,
  delivered,
  ordered,
  orderedFrom,
  pending,
  placed,
  refused,
  settled,
  unresolved,
  withdrawn,
  workflowBundle,
} from '../support/workflow-harness';

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
const TASK_LIMIT_MS = 5_000;
const {
  EVENT_TYPE_WORKFLOW_TASK_TIMED_OUT: TIMED_OUT,
  EVENT_TYPE_WORKFLOW_TASK_COMPLETED: COMPLETED,
  EVENT_TYPE_WORKFLOW_TASK_STARTED: STARTED,
  EVENT_TYPE_ACTIVITY_TASK_SCHEDULED: ACTIVITY,
  EVENT_TYPE_TIMER_STARTED: TIMER,
  EVENT_TYPE_UPSERT_WORKFLOW_SEARCH_ATTRIBUTES: UPSERT,
  EVENT_TYPE_MARKER_RECORDED: MARKER,
  EVENT_TYPE_WORKFLOW_EXECUTION_SIGNALED: SIGNALED,
  EVENT_TYPE_WORKFLOW_EXECUTION_UPDATE_ACCEPTED: UPDATE_ACCEPTED,
  EVENT_TYPE_WORKFLOW_EXECUTION_CANCEL_REQUESTED: CANCEL_REQUESTED,
} = temporal.api.enums.v1.EventType;

/** More steps than an undisturbed order takes. If each read of the attention list caused another one, the reads would never end. */
const DISTURBED_STEPS = 10;

/** How an order goes on after its debit, and its local activities. */
interface Kind extends Pick<OrderStart, 'family' | 'asynchronous'> {
  debit: Debit;
  attempt?: FirstAttempt;
  localSteps: number;
}

const claimed: Debit = { next: 'BUY', placement: placed };
const review = { because: 'Rule 3', until: Date.now() + 3_600_000 };

/** Orders that end in each way: delivered, refunded, left to `buy`, refused, in the background, and after a review. */
const kinds: Readonly<Record<string, Kind>> = {
  delivered: {
    family: 'VOUCHER',
    asynchronous: false,
    debit: claimed,
    attempt: { next: 'END', report: delivered, settled },
    localSteps: 2,
  },
  refunded: {
    family: 'TOPUP',
    asynchronous: false,
    debit: claimed,
    attempt: { next: 'SETTLE', report: refused },
    localSteps: 3,
  },
  left: {
    family: 'ESIM',
    asynchronous: false,
    debit: claimed,
    attempt: { next: 'STEPS', report: null },
    localSteps: 2,
  },
  refused: {
    family: 'VOUCHER',
    asynchronous: false,
    debit: { next: 'END', placement: { outcome: 'REFUSED', refusal: 'INSUFFICIENT_BALANCE' } },
    localSteps: 1,
  },
  bulk: {
    family: 'VOUCHER',
    asynchronous: true,
    debit: { next: 'STEPS', placement: { ...placed, units: 2, toBuy: 2 } },
    localSteps: 1,
  },
  held: {
    family: 'VOUCHER',
    asynchronous: false,
    debit: { next: 'STEPS', placement: { ...placed, held: review } },
    localSteps: 1,
  },
};

/** Orders that go on with regular activities. */
const hasManySteps = ['left', 'bulk', 'held'];

/** Every message of an order. Updates are not awaited, because the worker may hold their task. */
const messages: Readonly<Record<string, (workflow: WorkflowHandle) => Promise<unknown>>> = {
  retryNow: (workflow) => workflow.signal(orderMessages.retryNow),
  attentionChanged: (workflow) => workflow.signal(orderMessages.attentionChanged),
  cancelOrder: (workflow) => soon(workflow.executeUpdate(orderMessages.cancel, { args: ['Wrong number'] })),
  resolveOrder: (workflow) => soon(workflow.executeUpdate(orderMessages.resolve, { args: ['ASK_AGAIN'] })),
  releaseOrder: (workflow) => soon(workflow.executeUpdate(orderMessages.release, { args: ['Confirmed'] })),
  cancelWorkflow: (workflow) => workflow.cancel(),
};

let env: TestWorkflowEnvironment;
let proxy: TcpProxy;
let connection: NativeConnection;
let workers: Worker[];
let running: Promise<unknown>;
const NONCE = 'messagestest';

interface ScriptedOrder {
  kind: Kind;
  /** The work that each step of the order awaits, by its 1-based number. */
  during: (step: number) => Promise<unknown> | undefined;
  steps: number;
  polls: number;
  /** Whether the release was carried out. */
  isReleased: boolean;
}
const orders: ScriptedOrder[] = [];
const scriptOf = ({ orderId }: OrderStart) => orders[orderId - 1] as ScriptedOrder;

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
  await env.connection.operatorService.addSearchAttributes({ namespace, searchAttributes: searchAttributeTypes });
  proxy = await TcpProxy.before(Number(env.address.split(':')[1]));
  connection = await NativeConnection.connect({ address: `127.0.0.1:${proxy.port}` });
  const sinks = { operators: { recordOperatorCall: { fn: async () => undefined } } };
  const shared = { connection, activities, sinks };
  workers = await Promise.all([
    // As many polls as orders whose first task times out.
    Worker.create({ ...shared, workflowBundle, taskQueue: ordersQueue, ...manyTasks }),
    ...[stepsQueue, bulkQueue, pollingQueue, mailQueue].map((taskQueue) => Worker.create({ ...shared, taskQueue })),
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
  maxConcurrentWorkflowTaskPolls: 80,
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
  <Result>(result: (script: ScriptedOrder) => Result) =>
  async (order: OrderStart): Promise<Result> => {
    const script = scriptOf(order);
    // A retry does not count as another step.
    if (activityInfo().attempt === 1) {
      const number = ++script.steps;
      // A cancelled step ends here, as every call of the service does.
      await Promise.race([script.during(number), Context.current().cancelled]);
    }
    return result(script);
  };

const isUnderReview = ({ kind, isReleased }: ScriptedOrder) => kind === kinds['held'] && !isReleased;

const activities = {
  debitWallet: step(({ kind }) => kind.debit),
  tryToBuy: step(({ kind }) => kind.attempt),
  buy: step(() => pending),
  poll: step((script) => (++script.polls === 1 ? unresolved : delivered)),
  // Too late: the supplier has accepted the purchase. An order under review is cancelled.
  withdraw: step((script) => (isUnderReview(script) ? withdrawn : pending)),
  resolve: step((script) => {
    if (!isUnderReview(script)) return unresolved;
    script.isReleased = true;
    return { ...pending, held: null };
  }),
  setAttention: step(() => 'The outcome is unknown'),
  attentionOf: step(() => 'Seen on the list'),
  markPartiallyDelivered: step(() => true),
  answerPending: step(() => undefined),
  settleOrder: step(({ kind }) =>
    kind === kinds['refunded']
      ? { ...settled, status: 'FAILED', delivered: 0, failureCode: 'PRODUCT_OUT_OF_STOCK', refund: credited }
      : { ...settled, mail: true },
  ),
  creditRefund: step(() => settled),
  mailOrder: step(() => undefined),
  startEsimMonitor: step(() => undefined),
};

type During = (step: number, workflow: WorkflowHandle) => Promise<unknown> | undefined;

/** Starts an order. Each step awaits the result of `during` for its 1-based number. */
async function start(name: string, during: During, taskTimeout?: Duration): Promise<WorkflowHandle> {
  return (await startScripted(name, during, taskTimeout)).workflow;
}

async function startScripted(name: string, during: During, workflowTaskTimeout: Duration = TASK_LIMIT_MS) {
  const kind = kinds[name] as Kind;
  const { family, asynchronous } = kind;
  const orderId = orders.length + 1;
  const order: OrderStart = { ...ordered, orderId, nonce: NONCE, family, asynchronous, waitedMs: 100 };
  const handle = env.client.workflow.getHandle(orderWorkflowId(orderId, NONCE));
  const whileStep = (number: number) => during(number, handle);
  const script: ScriptedOrder = { kind, during: whileStep, steps: 0, polls: 0, isReleased: false };
  orders.push(script);
  const { workflow: type } = families[family];
  const options = { ...orderStartOptions(order, orderedFrom), workflowTaskTimeout };
  return { script, workflow: await env.client.workflow.start(type, options) };
}

/** Waits for the end of the order. Until then, releases it from its review and makes it poll its supplier. */
async function ended(workflow: WorkflowHandle): Promise<void> {
  const result = workflow.result().then(
    () => true,
    () => true,
  );
  while (!(await Promise.race([result, sleep(2_000, false)]))) {
    // The order may already have ended, and only one under review can be released.
    await workflow.signal(orderMessages.retryNow).catch(() => undefined);
    await soon(workflow.executeUpdate(orderMessages.release, { args: ['Confirmed'] }));
  }
}

async function soon(answer: Promise<unknown>): Promise<void> {
  await Promise.race([answer.catch(() => undefined), sleep(100)]);
}

/**
 * The runs that make other decisions when they are replayed, each as a whole, and some from every task at which a worker may have to
 * rebuild them. Also the runs that could: they issue a command between two local activities, or a worker that rebuilt them has failed.
 */
async function differences(started: readonly Started[]): Promise<string[]> {
  const nameOf = new Map(started.map(({ name, workflow }) => [workflow.workflowId, name]));
  const different: string[] = [];
  const runs = await Promise.all(
    started.map(async ({ name, workflow, isStaged }) => {
      const run = { workflowId: workflow.workflowId, history: await workflow.fetchHistory() };
      different.push(...faultsOf(run.history.events ?? []).map((fault) => `${name}: ${fault}`));
      return isStaged ? [run, ...stages(run)] : [run];
    }),
  );
  for await (const { workflowId, error } of replay(runs.flat(), {}, workflowBundle)) {
    if (error !== undefined) different.push(`${nameOf.get(workflowId)}: ${error}`);
  }
  return different;
}

const { WORKFLOW_TASK_FAILED_CAUSE_NON_DETERMINISTIC_ERROR: NON_DETERMINISTIC } =
  temporal.api.enums.v1.WorkflowTaskFailedCause;

function faultsOf(events: readonly temporal.api.history.v1.IHistoryEvent[]): string[] {
  const types = events.map(({ eventType }) => eventType);
  const between = types.slice(types.indexOf(MARKER), types.lastIndexOf(MARKER));
  const commands = between.filter((type) => type === ACTIVITY || type === TIMER || type === UPSERT);
  const failed = events.filter(
    ({ workflowTaskFailedEventAttributes: failure }) => failure?.cause === NON_DETERMINISTIC,
  );
  return [
    ...commands.map(() => 'a command between two local activities'),
    ...failed.map(() => 'a task that did not replay'),
  ];
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

/** The same during each local activity of the order. */
const duringEach = all.flatMap((sent) =>
  Array.from({ length: kinds[sent.kind]?.localSteps ?? 0 }, (_, index) => ({
    ...sent,
    name: `${sent.name}, local activity ${index + 1}`,
    held: index + 1,
  })),
);

/**
 * Two of five: five has no divisor in common with the numbers of messages and of local activities. All reads of the attention list,
 * because they cause a command.
 */
const someDuringEach = duringEach.filter(({ name }, index) => index % 5 < 2 || name.includes('attentionChanged'));

/** An order that stops in the local activity with the number `held`. */
type Disturbed = Started & (typeof duringEach)[number] & { script: ScriptedOrder; hasTimedOut?: boolean };

/** A moment for which steps wait. */
function gate(): { opened: Promise<void>; open: () => void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open: () => open() };
}

async function typesOf(workflow: WorkflowHandle) {
  return ((await workflow.fetchHistory()).events ?? []).map(({ eventType }) => eventType);
}

type EventTypes = Awaited<ReturnType<typeof typesOf>>;

/** Waits until the history of every order is as described. */
async function untilEach(
  what: string,
  runs: readonly Disturbed[],
  isSo: (types: EventTypes, run: Disturbed) => boolean,
): Promise<void> {
  for (const run of runs) await until(what, async () => isSo(await typesOf(run.workflow), run), 60);
}

/** The message is in the history, and a task that has it has begun. The acceptance of an update ends its first task. */
function hasReached(types: EventTypes): boolean {
  const sent = types.findIndex((type) => type === SIGNALED || type === CANCEL_REQUESTED);
  return types.includes(UPDATE_ACCEPTED) || (sent >= 0 && types.lastIndexOf(STARTED) > sent);
}

/** Starts the orders, each of which stops in one of its local activities, disturbs them there, and waits for their ends. */
async function disturbed(disturb: (runs: Disturbed[]) => Promise<unknown>): Promise<Disturbed[]> {
  const released = gate();
  const runs: Disturbed[] = await Promise.all(
    someDuringEach.map(async (sent) => {
      const stop = (number: number) => (number === sent.held ? released.opened : undefined);
      return { ...sent, ...(await startScripted(sent.kind, stop)) };
    }),
  );
  await disturb(runs);
  released.open();
  await Promise.all(runs.map(({ workflow }) => ended(workflow)));
  return runs;
}

const sendAll = (runs: readonly Disturbed[]) => Promise.all(runs.map(({ workflow, send }) => send(workflow)));

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

test('When a message arrives during a local activity, then the order ends, and its run replays', async () => {
  const runs = await disturbed(sendAll);
  expect(await differences(runs)).toEqual([]);
}, 180_000);

test('When a message arrives during a local activity after a heartbeat has recorded those before it, then the order ends, and its run replays', async () => {
  const runs = await disturbed(async (started) => {
    const markers = (types: EventTypes) => types.filter((type) => type === MARKER).length;
    await untilEach(
      'a heartbeat',
      started,
      (types, { held }) => markers(types) === held - 1 && types.includes(COMPLETED),
    );
    await sendAll(started);
    await untilEach('the task with the message', started, hasReached);
  });
  expect(await differences(runs)).toEqual([]);
}, 180_000);

test('When a message arrives during a local activity, and the first task has timed out, then the order ends, and its run replays', async () => {
  const runs: Disturbed[] = [];
  const timedOut = () => runs.filter(({ hasTimedOut }) => hasTimedOut).length;
  // On a slow machine the server may dispatch the tasks so late that none times out.
  for (let round = 1; round <= 4 && timedOut() === 0; round++) {
    proxy.silence();
    const late = await disturbed(async (started) => {
      await sleep(0.6 * TASK_LIMIT_MS);
      proxy.restore();
      await sendAll(started);
      await untilEach('a heartbeat', started, (types) => types.includes(COMPLETED));
      for (const run of started) run.hasTimedOut = (await typesOf(run.workflow)).includes(TIMED_OUT);
    });
    runs.push(...late);
  }
  expect(timedOut()).toBeGreaterThan(0);
  expect(await differences(runs)).toEqual([]);
}, 180_000);

test('When a message arrives during each of the first steps of an order, then the order ends, and its run replays', async () => {
  const runs = await Promise.all(
    all
      .filter(({ kind }) => hasManySteps.includes(kind))
      .map(async ({ kind, send, ...described }) => ({
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
    ['left', 'bulk'].map(async (kind) => {
      const steps = (kinds[kind]?.localSteps ?? 0) + 1;
      const first = await start(kind, (number) => (number === steps ? sleep(1_500) : undefined), '10s');
      await until('the end of the local activities', () => completedTask(first, 1));
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
