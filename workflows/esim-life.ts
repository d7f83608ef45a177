import {
  condition,
  continueAsNew,
  proxyLocalActivities,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { Activities } from '../activities';
import {
  isOver,
  nextPollDelayMs,
  type ActivationStatus,
  type EsimLife,
  type FollowState,
} from '../src/domain/esim-life';
import type { OrderKey } from '../src/domain/order-flow';
import { EsimView } from './esim-view';
import { retryNowSignal } from './messages';

/**
 * One poll is one attempt of a local activity, which costs the server a third of a regular one and ends after
 * 20 s whatever the supplier does or asks for: how long to wait is for the workflow to say, and an update of the
 * supplier interrupts it. See docs/developers/esim-life.md.
 */
const { pollEsim } = proxyLocalActivities<Pick<Activities, 'pollEsim'>>({
  startToCloseTimeout: '20s',
  scheduleToCloseTimeout: '20s',
  retry: { maximumAttempts: 1 },
  summary: 'Ask the supplier how the eSIM stands',
});

/** Polls of one run. A new run goes on by the newest version of this workflow, and its history stays short. */
const POLLS_PER_RUN = 8;

/**
 * Follows a delivered eSIM through installation, first use and the end of its validity: polls its supplier
 * often while something is likely to happen, then less and less, and at once when the supplier sends an
 * update. The activity stores what is new, with its events.
 */
export async function esimLife(
  esim: OrderKey,
  life: EsimLife,
  state: FollowState = { supplierUpdated: false, failures: 0 },
): Promise<ActivationStatus> {
  let { supplierUpdated, failures } = state;
  const view = new EsimView(esim, life);
  setHandler(retryNowSignal, () => void (supplierUpdated = true), {
    description: 'Asks the supplier at once how the eSIM stands. No argument.',
  });
  for (let polls = 0; polls < POLLS_PER_RUN && !workflowInfo().continueAsNewSuggested; polls++) {
    const wait = nextPollDelayMs(life, Date.now(), failures, Math.random());
    view.show({ life, failures, nextPollAt: Date.now() + wait });
    await condition(() => supplierUpdated, wait, { summary: 'Ask the supplier again' });
    supplierUpdated = false;
    const now = Date.now();
    const polled = await poll(esim, now);
    failures = polled ? 0 : failures + 1;
    if (!polled) continue;
    view.showChanges(life, polled);
    life = polled;
    if (isOver(life, now)) {
      view.show({ life, failures, nextPollAt: null });
      return life.status;
    }
  }
  return continueAsNew<typeof esimLife>(esim, life, { supplierUpdated, failures });
}

/** The eSIM's state; undefined if it cannot be found out now. */
async function poll(esim: OrderKey, now: number): Promise<EsimLife | undefined> {
  try {
    return await pollEsim(esim, now);
  } catch {
    return undefined;
  }
}
