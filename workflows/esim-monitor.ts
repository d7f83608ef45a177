import {
  condition,
  continueAsNew,
  isCancellation,
  proxyActivities,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { Activities } from '../activities';
import type { ActivationStatus, MonitoredEsim, MonitorProgress } from '../src/domain/esims/esim-lifecycle';
import { isInBurst, pollStep, pollTimeoutMs, runLimits, waitBeforePoll } from '../src/domain/esims/esim-polling';
import type { OrderKey } from '../src/domain/orders/order-messages';
import { EsimView } from './esim-view';
import { interrupted, InterruptibleCall } from './interruptible-call';
import { retryNowSignal } from './messages';

const { pollEsim } = proxyActivities<Pick<Activities, 'pollEsim'>>({
  startToCloseTimeout: pollTimeoutMs,
  cancellationType: 'WAIT_CANCELLATION_COMPLETED',
});

/**
 * Monitors a delivered eSIM through installation, activation (first use) and the end of its validity. Waits with a timer before a poll:
 * shortly while a change is likely, then longer and longer. After a change, one step polls in a burst. A callback of the supplier, a
 * read that finds a change, and `retryNow` poll at once. The activity `pollEsim` stores each change with its event.
 * docs/developers/esim-monitor.md.
 */
export async function esimMonitor(
  esim: OrderKey,
  esimState: MonitoredEsim,
  { isDue, failingSince }: MonitorProgress,
): Promise<ActivationStatus> {
  const call = new InterruptibleCall();
  const view = new EsimView(esim, esimState, failingSince);
  const pollNow = () => {
    isDue = true;
    call.interrupt();
  };
  setHandler(retryNowSignal, pollNow, { description: 'Polls the supplier at once. No argument.' });
  for (let steps = 0; steps < runLimits.steps && runAgeMs() < runLimits.ms; steps++) {
    if (!isDue) {
      const { waitMs, summary } = waitBeforePoll(esimState, { now: Date.now(), chance: Math.random(), failingSince });
      view.showWait(Date.now() + waitMs);
      await condition(() => isDue, waitMs, { summary });
    }
    isDue = false;
    const began = Date.now();
    const step = pollStep(esimState, began, Math.random());
    view.showPoll();
    const polled = await call
      .run(() => pollEsim.executeWithOptions(step, [esim, esimState, failingSince]))
      .catch(unlessCancelled);
    if (polled === interrupted) continue;
    if (!polled) {
      // A burst fails by its last polls, after others that were answered.
      failingSince ??= isInBurst(esimState, began) ? Date.now() : began;
      view.showFailure(failingSince);
      continue;
    }
    failingSince = null;
    esimState = polled.esimState;
    view.showAnswer(polled);
    if (polled.isOver) return esimState.status;
  }
  return continueAsNew<typeof esimMonitor>(esim, esimState, { isDue, failingSince });
}

/** The poll of the step has failed until its time limit. A cancelled workflow ends. */
function unlessCancelled(error: unknown): undefined {
  if (isCancellation(error)) throw error;
}

function runAgeMs(): number {
  return Date.now() - workflowInfo().runStartTime.getTime();
}
