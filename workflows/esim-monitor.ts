import { condition, continueAsNew, proxyActivities, setHandler, workflowInfo } from '@temporalio/workflow';
import type { Activities } from '../activities';
import {
  isMonitoringOver,
  nextPollDelayMs,
  type ActivationStatus,
  type MonitoredEsim,
  type MonitorState,
} from '../src/domain/esims/esim-lifecycle';
import type { OrderKey } from '../src/domain/orders/order-flow';
import { EsimView } from './esim-view';
import { retryNowSignal } from './messages';

/**
 * A poll is one attempt of at most 20 s, without retries: the workflow itself waits before the next poll. An update from the
 * supplier ends the wait. docs/developers/esim-life.md.
 */
const { pollEsim } = proxyActivities<Pick<Activities, 'pollEsim'>>({
  startToCloseTimeout: '20s',
  scheduleToCloseTimeout: '1m',
  retry: { maximumAttempts: 1 },
  summary: 'Poll the supplier of the eSIM',
});

/** Polls of one run. The monitor then continues as new, so that histories stay short and a new run uses the newest code. */
const POLLS_PER_RUN = 8;

/**
 * Monitors a delivered eSIM through installation, first use and the end of its validity. Polls the supplier often while a
 * change is likely, then less and less, and at once when the supplier sends an update. The activity `pollEsim` stores each
 * change with its event.
 */
export async function esimMonitor(
  esim: OrderKey,
  esimState: MonitoredEsim,
  state: MonitorState = { supplierUpdated: false, failures: 0 },
): Promise<ActivationStatus> {
  let { supplierUpdated, failures } = state;
  const view = new EsimView(esim, esimState);
  setHandler(retryNowSignal, () => void (supplierUpdated = true), {
    description: 'Polls the supplier at once. No argument.',
  });
  for (let polls = 0; polls < POLLS_PER_RUN && !workflowInfo().continueAsNewSuggested; polls++) {
    const wait = nextPollDelayMs(esimState, Date.now(), failures, Math.random());
    view.show({ esimState, failures, nextPollAt: Date.now() + wait });
    await condition(() => supplierUpdated, wait, { summary: 'Poll the supplier again' });
    supplierUpdated = false;
    const now = Date.now();
    const polled = await poll(esim, now);
    failures = polled ? 0 : failures + 1;
    if (!polled) continue;
    view.showChanges(esimState, polled);
    esimState = polled;
    if (isMonitoringOver(esimState, now)) {
      view.show({ esimState, failures, nextPollAt: null });
      return esimState.status;
    }
  }
  return continueAsNew<typeof esimMonitor>(esim, esimState, { supplierUpdated, failures });
}

/** Returns the state of the eSIM; undefined if the poll failed. */
async function poll(esim: OrderKey, now: number): Promise<MonitoredEsim | undefined> {
  try {
    return await pollEsim(esim, now);
  } catch {
    return undefined;
  }
}
