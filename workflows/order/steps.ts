/** The regular activities as the stories of orders call them: time limits, retries, and summaries for operators. */
import { ActivityFailure, ApplicationFailure, proxyActivities, TimeoutFailure } from '@temporalio/workflow';
import type { Activities } from '../../activities';
import type { Family } from '../../src/domain/orders/families';
import { orderTiming } from '../../src/domain/orders/order-timing';
import { unchangedType } from '../../src/domain/poll-cadence';
import { supplierCallLimitMs } from '../../src/domain/orders/purchase-timing';
import { mail, shortStep } from '../activity-options';
import { bulkQueue, mailQueue, ordersQueue, pollingQueue, stepsQueue } from '../../src/temporal/task-queues';

type Step = 'creditRefund' | 'markPartiallyDelivered' | 'setAttention' | 'attentionOf' | 'reportUndeliverableMail';

function step<Name extends Step>(name: Name, summary: string): Pick<Activities, Step>[Name] {
  return proxyActivities<Pick<Activities, Step>>({ ...shortStep, taskQueue: stepsQueue, summary })[name];
}

export const orderSteps: Pick<Activities, Step> = {
  creditRefund: step('creditRefund', 'Credit the refund if the wallet is open'),
  markPartiallyDelivered: step('markPartiallyDelivered', 'Show the client the delivered units'),
  setAttention: step('setAttention', 'Write to the attention list'),
  attentionOf: step('attentionOf', 'Read the attention list'),
  reportUndeliverableMail: step('reportUndeliverableMail', 'Put the undeliverable mail on the attention list'),
};

/** Settles an order. Its summary says what it refunds. */
export const { settleOrder: settle } = proxyActivities<Pick<Activities, 'settleOrder'>>({
  ...shortStep,
  taskQueue: stepsQueue,
});

/** Answers the waiting request. One attempt: a second later, the process answers by itself. */
export const { answerPending } = proxyActivities<Pick<Activities, 'answerPending'>>({
  taskQueue: stepsQueue,
  startToCloseTimeout: '5s',
  scheduleToCloseTimeout: '5s',
  retry: { maximumAttempts: 1 },
  summary: 'Answer the waiting request: PENDING',
});

/** If all attempts fail, the maintenance task `restartEsimMonitors` starts the monitor. */
export const { startEsimMonitor } = proxyActivities<Pick<Activities, 'startEsimMonitor'>>({
  taskQueue: stepsQueue,
  startToCloseTimeout: '5s',
  retry: { maximumAttempts: 3, initialInterval: '200ms' },
  summary: 'Start the eSIM monitor',
});

/**
 * The activities that call a supplier. A call's failure sets the wait before its retry (`activities/failures.ts`), and the family's
 * timing limits the retries. A poll without a change is a failure, too. Polls have a separate queue, and so do those of
 * large orders.
 */
export function supplierCalls(family: Family, isLarge: boolean) {
  const options = {
    startToCloseTimeout: supplierCallLimitMs,
    scheduleToCloseTimeout: orderTiming[family].giveUpAfterMs,
    heartbeatTimeout: '12s',
    cancellationType: 'WAIT_CANCELLATION_COMPLETED',
    retry: { initialInterval: orderTiming[family].firstRetryMs, maximumInterval: orderTiming[family].maxRetryMs },
  } as const;
  const { buy } = proxyActivities<Pick<Activities, 'buy'>>({
    ...options,
    taskQueue: isLarge ? bulkQueue : ordersQueue,
  });
  const { withdraw } = proxyActivities<Pick<Activities, 'withdraw'>>({ ...options, taskQueue: pollingQueue });
  // The activity sets the wait before the next poll. The policy counts after a timeout, as when a worker dies.
  const { poll } = proxyActivities<Pick<Activities, 'poll'>>({
    ...options,
    taskQueue: pollingQueue,
    retry: { initialInterval: orderTiming[family].firstRetryMs, backoffCoefficient: 1 },
  });
  return { buy, poll, withdraw };
}

/**
 * Whether the activity polled until its time limit, and the last answered poll found no change. If the limit ends a poll in progress,
 * the failure of the poll before is the cause of the timeout. The SDK keeps that cause only in the server's message.
 */
export function isUnchangedPoll(error: unknown): boolean {
  if (!(error instanceof ActivityFailure)) return false;
  const { cause } = error;
  if (cause instanceof TimeoutFailure) return cause.failure?.cause?.applicationFailureInfo?.type === unchangedType;
  return cause instanceof ApplicationFailure && cause.type === unchangedType;
}

/**
 * Carries out an operator's decision while the operator waits for the result. Neither a heartbeat nor a limit over all attempts ends
 * an attempt early: it would act although the operator was told that the decision has failed. Each attempt stops before its own limit
 * (`OperatorDecisions`).
 */
export const { resolve } = proxyActivities<Pick<Activities, 'resolve'>>({
  taskQueue: pollingQueue,
  startToCloseTimeout: supplierCallLimitMs,
  retry: { initialInterval: '2s', maximumAttempts: 3 },
  summary: "Carry out an operator's decision",
});

export const { mailOrder } = proxyActivities<Pick<Activities, 'mailOrder'>>({
  ...mail,
  taskQueue: mailQueue,
  summary: 'Mail the customer how the order ended',
});
