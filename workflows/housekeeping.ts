import { continueAsNew, proxyActivities, setCurrentDetails, sleep, workflowInfo } from '@temporalio/workflow';
import type { Activities } from '../activities';
import { backgroundQueue } from '../src/temporal/task-queues';

const { tidyUp, reconcileOrders, refreshStock } = proxyActivities<
  Pick<Activities, 'tidyUp' | 'reconcileOrders' | 'refreshStock'>
>({
  taskQueue: backgroundQueue,
  startToCloseTimeout: '10m',
  heartbeatTimeout: '1m',
  retry: { maximumAttempts: 3 },
});

/** Rounds, of a minute each, between two looks at stock and lost orders. */
const SLOW_ROUND = 5;

/** Tidies up every minute, for as long as the service lives. What fails is tried again the next time. */
export async function housekeeping(): Promise<void> {
  for (let round = 0; !workflowInfo().continueAsNewSuggested; round++) {
    const chores = round % SLOW_ROUND === 0 ? [tidyUp(), reconcileOrders(), refreshStock()] : [tidyUp()];
    const done = await Promise.allSettled(chores);
    const failed = done.filter((chore) => chore.status === 'rejected').length;
    setCurrentDetails(failed === 0 ? 'All is tidy' : `**${failed} chores failed**; see the history`);
    await sleep('1m', { summary: 'Until the next round' });
  }
  await continueAsNew<typeof housekeeping>();
}
