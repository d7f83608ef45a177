/** The activities as workflows call them: how long each may take, how it is retried, and what operators read of it. */
import { proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import type { Activities } from '../activities';
import { families, type Family } from '../src/domain/families';
import { supplierCallLimitMs } from '../src/domain/purchase-timing';
import { bulkQueue, mailQueue, ordersQueue, questionsQueue } from '../src/temporal/task-queues';

type Step =
  | 'sellAtOnce'
  | 'placeOrder'
  | 'buyAtOnce'
  | 'settleOrder'
  | 'creditRefund'
  | 'markPartiallyDelivered'
  | 'setAttention'
  | 'attentionOf'
  | 'reportUndeliverableMail';

/** A short step. It is repeated until the database answers. */
function step<Name extends Step>(name: Name, summary: string): Pick<Activities, Step>[Name] {
  return proxyLocalActivities<Pick<Activities, Step>>({
    startToCloseTimeout: '20s',
    retry: { initialInterval: '200ms', maximumInterval: '5s' },
    summary,
  })[name];
}

export const steps: Pick<Activities, Step> = {
  sellAtOnce: step('sellAtOnce', 'Place, buy and settle, as far as that is soon done'),
  placeOrder: step('placeOrder', 'Debit the wallet and write the order'),
  buyAtOnce: step('buyAtOnce', 'Buy, if that is soon done'),
  settleOrder: step('settleOrder', 'Bring the order to its end, refund what is due'),
  creditRefund: step('creditRefund', 'Credit the refund, if the wallet is open'),
  markPartiallyDelivered: step('markPartiallyDelivered', 'Tell the client of what is there already'),
  setAttention: step('setAttention', "Write to the operators' list"),
  attentionOf: step('attentionOf', "Read the operators' list"),
  reportUndeliverableMail: step('reportUndeliverableMail', 'Tell operators that the mail was given up'),
};

/** A short step that may be given up: maintenance starts the followers that are missing. */
export const { followEsim } = proxyLocalActivities<Pick<Activities, 'followEsim'>>({
  startToCloseTimeout: '5s',
  retry: { maximumAttempts: 3, initialInterval: '200ms' },
  summary: 'Have the eSIM followed',
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

/**
 * Reads the attention list for a handler. A regular activity: a handler's local activity would run beside those of the main
 * flow, and a replay resolves local activities before everything else that came in their task.
 */
export const listReads = proxyActivities<Pick<Activities, 'attentionOf'>>({
  taskQueue: questionsQueue,
  startToCloseTimeout: '20s',
  retry: { initialInterval: '200ms', maximumInterval: '5s' },
  summary: "Read the operators' list",
});

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
