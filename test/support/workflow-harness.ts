/**
 * Workflows of the real bundle on a time-skipping server. Their activities are mocks that succeed
 * until a test changes them.
 */
import { join } from 'node:path';
import { WithStartWorkflowOperation, type WorkflowHandle } from '@temporalio/client';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker, type InjectedSinks } from '@temporalio/worker';
import type { Activities } from '../../activities';
import { pollOfEsim, untilReportChanges } from '../../activities/polls-by-retries';
import type { MonitoredEsim } from '../../src/domain/esims/esim-lifecycle';
import type { OperatorSinks } from '../../src/domain/operators/operator-messages';
import { families } from '../../src/domain/orders/families';
import {
  isConcluded,
  type FirstAttempt,
  type Debit,
  type FulfilmentReport,
  type OrderKey,
  type OrderStart,
  type Placement,
  type Refund,
  type Settled,
} from '../../src/domain/orders/order-messages';
import { orderStartOptions } from '../../src/ordering/order-workflow';
import { searchAttributeTypes } from '../../src/temporal/prepare';
import { bulkQueue, esimQueue, mailQueue, ordersQueue, pollingQueue, stepsQueue } from '../../src/temporal/task-queues';
import type { OrderEnd } from '../../workflows/order/end';
import type { OrderProgress } from '../../workflows/order/progress';
import { timeSkippingEnvironment } from './time-skipping';

type Stubbed = Pick<
  Activities,
  | 'debitWallet'
  | 'tryToBuy'
  | 'answerPending'
  | 'buy'
  | 'withdraw'
  | 'settleOrder'
  | 'creditRefund'
  | 'markPartiallyDelivered'
  | 'resolve'
  | 'setAttention'
  | 'attentionOf'
  | 'reportUndeliverableMail'
  | 'mailOrder'
  | 'startEsimMonitor'
>;

/**
 * The mocked activities, the results that `debitWallet` (`place`) and `tryToBuy` (`attempt`) find, one poll each of `poll` and
 * `pollEsim`, and the report of failing ones.
 */
export type ActivityMocks = { [Name in keyof Stubbed]: jest.MockedFunction<Stubbed[Name]> } & {
  place: jest.MockedFunction<(order: OrderStart) => Promise<Placement>>;
  attempt: jest.MockedFunction<(order: OrderStart) => Promise<FulfilmentReport | null>>;
  pollOnce: jest.MockedFunction<(order: OrderStart, now: number) => Promise<FulfilmentReport>>;
  pollEsimOnce: jest.MockedFunction<(order: OrderKey, now: number) => Promise<MonitoredEsim>>;
  reportFailingEsim: jest.MockedFunction<(order: OrderKey, now: number) => Promise<void>>;
};

type OrderFlow = (order: OrderStart, resumed?: OrderProgress) => Promise<OrderEnd>;

export interface StartedOrder {
  order: OrderStart;
  workflow: WorkflowHandle<OrderFlow>;
}

/** The workflow bundle of the build. `npm test` builds it first. */
export const workflowBundle = { codePath: join(__dirname, '../../dist/workflow-bundle.js') };

export class WorkflowHarness {
  private orders = 0;

  private constructor(
    readonly env: TestWorkflowEnvironment,
    readonly activities: ActivityMocks,
    private readonly workers: Worker[],
    private readonly running: Promise<unknown>,
  ) {}

  /** Starts server and workers. Stop it in `afterAll`. */
  static async start(): Promise<WorkflowHarness> {
    const env = await timeSkippingEnvironment();
    await env.connection.operatorService.addSearchAttributes({ searchAttributes: searchAttributeTypes });
    const activities = mockedActivities();
    const sinks: InjectedSinks<OperatorSinks> = { operators: { recordOperatorCall: { fn: async () => undefined } } };
    const shared = {
      connection: env.nativeConnection,
      activities: withRepeatedPolls(activities, () => env.currentTimeMs()),
      sinks,
    };
    const workers = await Promise.all([
      Worker.create({ ...shared, workflowBundle, taskQueue: ordersQueue }),
      Worker.create({ ...shared, workflowBundle, taskQueue: esimQueue }),
      Worker.create({ ...shared, taskQueue: stepsQueue }),
      Worker.create({ ...shared, taskQueue: bulkQueue }),
      Worker.create({ ...shared, taskQueue: pollingQueue }),
      Worker.create({ ...shared, taskQueue: mailQueue }),
    ]);
    return new WorkflowHarness(env, activities, workers, Promise.all(workers.map((worker) => worker.run())));
  }

  async stop(): Promise<void> {
    this.workers.forEach((worker) => worker.shutdown());
    await this.running;
    await this.env.teardown();
  }

  /**
   * Starts an order as the API does. `message`: an update that is sent with the start; then returns once the workflow has accepted
   * it. `resumed` starts a later run. Without `waitedMs` (null), maintenance starts it.
   */
  async place(
    {
      waitedMs = 100,
      ...overrides
    }: Pick<OrderStart, 'family'> & Partial<Omit<OrderStart, 'waitedMs'>> & { waitedMs?: number | null },
    message?: { name: string; args: string[] },
    resumed?: OrderProgress,
  ): Promise<StartedOrder> {
    const order: OrderStart = {
      orderId: ++this.orders,
      nonce: 'workflowtest',
      asynchronous: true,
      ...ordered,
      ...overrides,
      ...(waitedMs !== null && { waitedMs }),
    };
    const options = orderStartOptions(order, orderedFrom);
    const { workflow: type } = families[order.family];
    const started = {
      ...options,
      args: (resumed ? [order, resumed] : [order]) as Parameters<OrderFlow>,
      workflowIdConflictPolicy: 'USE_EXISTING',
    } as const;
    const { workflow } = this.env.client;
    if (message) {
      await workflow.startUpdateWithStart<OrderFlow, string, string[]>(message.name, {
        args: message.args,
        waitForStage: 'ACCEPTED',
        startWorkflowOperation: new WithStartWorkflowOperation<OrderFlow>(type, started),
      });
    } else await workflow.start<OrderFlow>(type, started);
    return { order, workflow: workflow.getHandle<OrderFlow>(options.workflowId) };
  }

  /** The server's time, in milliseconds since 1970. */
  now(): Promise<number> {
    return this.env.currentTimeMs();
  }
}

/** What the start of a workflow says about the order. */
export const ordered = {
  units: 1,
  productName: 'Product',
  walletId: 12,
  price: '10.00',
  currency: 'USD',
} as const satisfies Partial<OrderStart>;
export const orderedFrom = { clientId: 7, productId: 3, suppliers: ['simulator'] };

/** A placed order of one unit. */
export const placed = { outcome: 'PLACED', units: 1, toBuy: 1, transactionId: 77 } as const;

/** The result of an order of one unit, and the refund of an undelivered one. */
export const settled: Settled = {
  status: 'DELIVERED',
  delivered: 1,
  mail: false,
  attention: null,
  failureCode: null,
  refund: null,
};
export const credited: Refund = { amount: '10', currency: 'USD', walletId: 12, credited: true };

/** The states of an order of one unit. */
export const nothing: FulfilmentReport = {
  units: 1,
  delivered: 0,
  ready: 0,
  open: 0,
  withdrawn: false,
  failureCode: null,
  unresolved: null,
  purchases: [],
};
export const delivered: FulfilmentReport = { ...nothing, delivered: 1 };
export const pending: FulfilmentReport = { ...nothing, open: 1 };
export const withdrawn: FulfilmentReport = { ...nothing, withdrawn: true };
/** The purchases were withdrawn because the retry window ended. */
export const givenUp: FulfilmentReport = { ...withdrawn, failureCode: 'UNKNOWN' };
export const unresolved: FulfilmentReport = { ...pending, unresolved: 'The outcome is unknown' };
export const refused: FulfilmentReport = { ...nothing, failureCode: 'PRODUCT_OUT_OF_STOCK' };

function mockedActivities(): ActivityMocks {
  return {
    debitWallet: jest.fn(),
    place: jest.fn(),
    tryToBuy: jest.fn(),
    attempt: jest.fn(),
    answerPending: jest.fn(),
    buy: jest.fn(),
    pollOnce: jest.fn(),
    withdraw: jest.fn(),
    settleOrder: jest.fn(),
    creditRefund: jest.fn(),
    markPartiallyDelivered: jest.fn(),
    resolve: jest.fn(),
    setAttention: jest.fn(),
    attentionOf: jest.fn(),
    reportUndeliverableMail: jest.fn(),
    mailOrder: jest.fn(),
    pollEsimOnce: jest.fn(),
    reportFailingEsim: jest.fn(),
    startEsimMonitor: jest.fn(),
  };
}

/** The activities of a worker: Temporal repeats the mocked polls until they return a change. */
function withRepeatedPolls(
  { pollOnce, pollEsimOnce, reportFailingEsim, ...others }: ActivityMocks,
  currentTimeMs: () => Promise<number>,
) {
  const polls: Pick<Activities, 'poll' | 'pollEsim'> = {
    async poll(order, known, since) {
      const now = await currentTimeMs();
      return untilReportChanges(order, { known, since, now }, () => pollOnce(order, now));
    },
    async pollEsim(order, known, failingSince) {
      const now = await currentTimeMs();
      const report = () => reportFailingEsim(order, now);
      return pollOfEsim({ known, failingSince, now }, () => pollEsimOnce(order, now), report);
    },
  };
  return { ...others, ...polls };
}

/** Resets all mocks, so that every activity succeeds again. Call in `beforeEach`. */
export function resetActivities(activities: ActivityMocks): void {
  for (const activity of Object.values(activities)) activity.mockReset();
  activities.place.mockResolvedValue(placed);
  activities.attempt.mockResolvedValue(null);
  activities.startEsimMonitor.mockResolvedValue();
  activities.debitWallet.mockImplementation(async (order, { onlyDebits }): Promise<Debit> => {
    const placement = await activities.place(order);
    if (placement.outcome !== 'PLACED') return { next: 'END', placement };
    if (onlyDebits || placement.held) return { next: 'STEPS', placement };
    return { next: placement.toBuy === 0 ? 'SETTLE' : 'BUY', placement };
  });
  activities.tryToBuy.mockImplementation(async (order): Promise<FirstAttempt> => {
    const report = await activities.attempt(order);
    if (!report || !isConcluded(report)) return { next: 'STEPS', report };
    if (report.delivered < report.units) return { next: 'SETTLE', report };
    const ended = { next: 'END', report, settled: await activities.settleOrder(order, {}) } as const;
    const monitor = () =>
      activities.startEsimMonitor(order).then(
        () => true,
        () => false,
      );
    return order.family === 'ESIM' ? { ...ended, isMonitored: await monitor() } : ended;
  });
  activities.buy.mockResolvedValue(delivered);
  activities.pollOnce.mockResolvedValue(delivered);
  activities.withdraw.mockImplementation(async (_order, why) => (why === 'GIVEN_UP' ? givenUp : withdrawn));
  activities.markPartiallyDelivered.mockResolvedValue(true);
  activities.setAttention.mockImplementation(async (_order, _kind, reason) => reason);
  activities.attentionOf.mockResolvedValue(null);
  // The result that the database would give for a settlement.
  activities.settleOrder.mockImplementation(async (_order, { failureCode, cancelled }) => {
    if (failureCode) return { ...settled, status: 'FAILED', delivered: 0, failureCode, refund: credited };
    return cancelled ? { ...settled, status: 'CANCELLED', delivered: 0, refund: credited } : settled;
  });
}
