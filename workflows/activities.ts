/** The activities as workflows call them: how long each may take and how it is retried. */
import { proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import type { Activities } from '../activities';
import { families, type Family } from '../src/domain/families';
import { supplierCallLimitMs } from '../src/domain/purchase-timing';
import { bulkQueue, mailQueue, ordersQueue, questionsQueue } from '../src/temporal/task-queues';

/** Short steps. They are repeated until the database answers. */
export const steps = proxyLocalActivities<
  Pick<
    Activities,
    | 'placeOrder'
    | 'buyAtOnce'
    | 'settleOrder'
    | 'markPartiallyDelivered'
    | 'setAttention'
    | 'attentionOf'
    | 'reportUndeliverableMail'
  >
>({
  startToCloseTimeout: '20s',
  retry: { initialInterval: '200ms', maximumInterval: '5s' },
});

/**
 * Calls of a supplier, as operators see them: each retry waits as long as the activity says, for as long
 * as the family's timing lasts. Purchases that somebody waits for stand in another line than the
 * questions about those that are under way.
 */
export function supplierCalls(family: Family, bulk: boolean) {
  const options = {
    startToCloseTimeout: supplierCallLimitMs,
    scheduleToCloseTimeout: families[family].timing.giveUpAfterMs,
    heartbeatTimeout: '12s',
    cancellationType: 'WAIT_CANCELLATION_COMPLETED',
    retry: {
      initialInterval: families[family].timing.firstRetryMs,
      maximumInterval: families[family].timing.longestRetryMs,
    },
  } as const;
  const { buy } = proxyActivities<Pick<Activities, 'buy'>>({
    ...options,
    taskQueue: bulk ? bulkQueue : ordersQueue,
  });
  const { poll, withdraw } = proxyActivities<Pick<Activities, 'poll' | 'withdraw'>>({
    ...options,
    taskQueue: questionsQueue,
  });
  return { buy, poll, withdraw };
}

/** What an operator decides, while the operator waits for the answer. */
export const decisionCalls = proxyActivities<Pick<Activities, 'resolve'>>({
  taskQueue: questionsQueue,
  startToCloseTimeout: supplierCallLimitMs,
  scheduleToCloseTimeout: '3m',
  heartbeatTimeout: '12s',
  retry: { initialInterval: '2s', maximumAttempts: 3 },
});

/** Mail, as operators see it: tried for a day. A mail server may be silent for long, a worker may not. */
export const mails = proxyActivities<Pick<Activities, 'mailOrder'>>({
  taskQueue: mailQueue,
  startToCloseTimeout: '1 hour',
  scheduleToCloseTimeout: '1 day',
  heartbeatTimeout: '12s',
  retry: { initialInterval: '5s', maximumInterval: '15m' },
});
