import { condition, continueAsNew, isCancellation, proxyActivities, setHandler } from '@temporalio/workflow';
import type { Activities } from '../activities';
import {
  nextPollDelayMs,
  type ActivationStatus,
  type MonitoredEsim,
} from '../src/domain/esims/esim-lifecycle';
import type { OrderKey } from '../src/domain/orders/order-messages';
import { EsimView } from './esim-view';
import { interrupted, InterruptibleCall } from './interruptible-call';
import { retryNowSignal } from './messages';

/**
 * Polls until the eSIM has changed: the failure of a poll sets the wait before the next one. After a week, the monitor continues as
 * new, so that it uses the newest code. docs/developers/esim-monitor.md.
 */
const { pollEsim } = proxyActivities<Pick<Activities, 'pollEsim'>>({
  startToCloseTimeout: '20s',
  scheduleToCloseTimeout: '7 days',
  cancellationType: 'WAIT_CANCELLATION_COMPLETED',
  retry: { initialInterval: '1m', backoffCoefficient: 1 },
  summary: 'Poll the supplier until the eSIM changes',
});

/** Calls of `pollEsim` in one run. A supplier may send any number of updates, and a short history is quick to replay. */
const CALLS_PER_RUN = 100;

/**
 * Monitors a delivered eSIM through installation, first use and the end of its validity. Polls the supplier often while a
 * change is likely, then less and less, and at once when the supplier sends an update. The activity `pollEsim` stores each
 * change with its event.
 */
export async function esimMonitor(
  esim: OrderKey,
  esimState: MonitoredEsim,
  pollsAtOnce: boolean,
): Promise<ActivationStatus> {
  let isDue = pollsAtOnce;
  const call = new InterruptibleCall();
  const view = new EsimView(esim, esimState);
  const pollNow = () => {
    isDue = true;
    call.interrupt();
  };
  setHandler(retryNowSignal, pollNow, { description: 'Polls the supplier at once. No argument.' });
  for (let calls = 0; calls < CALLS_PER_RUN; calls++) {
    const wait = nextPollDelayMs(esimState, Date.now(), Math.random());
    if (!isDue) await condition(() => isDue, wait, { summary: 'Wait before the next poll' });
    isDue = false;
    const polled = await call.run(() => pollEsim(esim, esimState)).catch(unlessCancelled);
    if (polled === interrupted) continue;
    // A week has passed without a change.
    if (!polled) break;
    view.show(esimState, polled);
    esimState = polled.esimState;
    if (polled.isOver) return esimState.status;
  }
  return continueAsNew<typeof esimMonitor>(esim, esimState, isDue);
}

/** Ignores the failure of an activity. A cancelled workflow ends. */
function unlessCancelled(error: unknown): undefined {
  if (isCancellation(error)) throw error;
}
