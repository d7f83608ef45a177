import {
  condition,
  continueAsNew,
  proxyLocalActivities,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { Activities } from '../activities';
import {
  isOver,
  nextLook,
  type ActivationStatus,
  type EsimLife,
  type FollowState,
} from '../src/domain/esim-life';
import type { OrderKey } from '../src/domain/order-flow';
import { activationStatus } from '../src/temporal/search-attributes';
import { retryNowSignal } from './messages';

/**
 * One look is one try of a local activity, which costs the server a third of a regular one and ends after
 * 20 s whatever the supplier does or asks for: how long to wait is for the workflow to say, and news
 * interrupts it. See docs/developers/esim-life.md.
 */
const { askEsim } = proxyLocalActivities<Pick<Activities, 'askEsim'>>({
  startToCloseTimeout: '20s',
  scheduleToCloseTimeout: '20s',
  retry: { maximumAttempts: 1 },
});

/** Looks of one run. A new run goes on by the newest version of this workflow, and its history stays short. */
const LOOKS_A_RUN = 8;

/**
 * Follows a delivered eSIM through installation, first use and the end of its validity: often while
 * something is likely to happen, then ever less, and at once when there is news of the supplier. What
 * is seen is written down, and told to the client, by the activity.
 */
export async function esimLife(
  esim: OrderKey,
  life: EsimLife,
  state: FollowState = { news: false, failures: 0 },
): Promise<ActivationStatus> {
  let { news, failures } = state;
  setHandler(retryNowSignal, () => void (news = true), {
    description: 'Asks the supplier at once. No argument.',
  });
  for (let looks = 0; looks < LOOKS_A_RUN && !workflowInfo().continueAsNewSuggested; looks++) {
    const wait = nextLook(life, Date.now(), failures, Math.random());
    show(life, wait, failures);
    await condition(() => news, wait, { summary: 'Ask the supplier again' });
    news = false;
    const now = Date.now();
    const seen = await look(esim, now);
    failures = seen ? 0 : failures + 1;
    if (!seen) continue;
    if (seen.status !== life.status) {
      upsertSearchAttributes([{ key: activationStatus, value: seen.status }]);
    }
    life = seen;
    if (isOver(life, now)) return end(life);
  }
  return continueAsNew<typeof esimLife>(esim, life, { news, failures });
}

/** How the eSIM stands; undefined where that cannot be found out now. */
async function look(esim: OrderKey, now: number): Promise<EsimLife | undefined> {
  try {
    return await askEsim(esim, now);
  } catch {
    return undefined;
  }
}

/** Shows the operators how the eSIM stands. */
function show({ status, changedAt, endsAt }: EsimLife, wait: number, failures: number): void {
  const lines = [
    `**${status}**, last change ${iso(changedAt)}`,
    `Next look: ${iso(Date.now() + wait)}, sooner on news of the supplier`,
    `Followed until ${iso(endsAt)} at the latest`,
  ];
  if (failures > 0) lines.push(`The supplier could not be asked the last ${failures} times`);
  setCurrentDetails(lines.join('\n\n'));
}

function end({ status }: EsimLife): ActivationStatus {
  setCurrentDetails(status === 'EXPIRED' ? '**EXPIRED**' : `**${status}** and never used while it could be`);
  return status;
}

function iso(time: number): string {
  return new Date(time).toISOString();
}
