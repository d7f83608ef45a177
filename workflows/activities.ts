/** The activities as workflows call them: how long each may take and how it is retried. */
import { proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import type { Activities } from '../activities';
import type { Family } from '../src/domain/orders';
import { patience, supplierCallLimit } from '../src/domain/patience';
import { bulkQueue, mailQueue, ordersQueue } from '../src/temporal/task-queues';

/** Short database steps. They are repeated until the database answers. */
export const steps = proxyLocalActivities<
  Pick<Activities, 'placeOrder' | 'settleOrder' | 'markPartiallyDelivered' | 'setAttention'>
>({
  startToCloseTimeout: '20s',
  retry: { initialInterval: '200ms', maximumInterval: '5s' },
});

/**
 * Calls of a supplier, as operators see them: each retry waits as long as the activity says, for as
 * long as the family's patience lasts.
 */
export function supplierCalls(family: Family, bulk: boolean) {
  return proxyActivities<Pick<Activities, 'buy' | 'ask' | 'withdraw'>>({
    taskQueue: bulk ? bulkQueue : ordersQueue,
    startToCloseTimeout: supplierCallLimit,
    scheduleToCloseTimeout: patience[family].giveUpAfter,
    heartbeatTimeout: '12s',
    cancellationType: 'WAIT_CANCELLATION_COMPLETED',
    retry: { initialInterval: patience[family].firstRetry, maximumInterval: patience[family].longestRetry },
  });
}

/** Mail, as operators see it: tried for a day. A mail server may be silent for long, a worker may not. */
export const mails = proxyActivities<Pick<Activities, 'mailOrder'>>({
  taskQueue: mailQueue,
  startToCloseTimeout: '1 hour',
  scheduleToCloseTimeout: '1 day',
  heartbeatTimeout: '12s',
  retry: { initialInterval: '5s', maximumInterval: '15m' },
});
