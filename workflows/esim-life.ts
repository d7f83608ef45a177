import {
  condition,
  continueAsNew,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { Activities } from '../activities';
import { isOver, nextLook, type ActivationStatus, type EsimLife } from '../src/domain/esim-life';
import type { OrderKey } from '../src/domain/order-flow';
import { activationStatus } from '../src/temporal/search-attributes';
import { esimQueue } from '../src/temporal/task-queues';
import { retryNowSignal } from './messages';

/** Few tries at once: a supplier that stays silent is asked again at the next turn, or on news of it. */
const { askEsim } = proxyActivities<Pick<Activities, 'askEsim'>>({
  taskQueue: esimQueue,
  startToCloseTimeout: '30s',
  retry: { initialInterval: '1s', maximumAttempts: 4 },
});

/** Looks of one run. A new run goes on by the newest version of this workflow, and its history stays short. */
const LOOKS_A_RUN = 100;

/**
 * Follows a delivered eSIM through installation, first use and the end of its validity: often while
 * something is likely to happen, then ever less, and at once when there is news of the supplier. What
 * is seen is written down, and told to the client, by the activity.
 */
export async function esimLife(esim: OrderKey, life: EsimLife, news = false): Promise<ActivationStatus> {
  setHandler(retryNowSignal, () => void (news = true), {
    description: 'Asks the supplier at once. No argument.',
  });
  let unreachable = false;
  for (let looks = 0; looks < LOOKS_A_RUN && !workflowInfo().continueAsNewSuggested; looks++) {
    const wait = nextLook(life, Date.now(), unreachable);
    show(life, wait, unreachable);
    await condition(() => news, wait, { summary: 'Ask the supplier again' });
    news = false;
    const now = Date.now();
    const seen = await look(esim, now);
    unreachable = seen === undefined;
    if (!seen) continue;
    if (seen.status !== life.status) {
      upsertSearchAttributes([{ key: activationStatus, value: seen.status }]);
    }
    life = seen;
    if (isOver(life, now)) return end(life);
  }
  return continueAsNew<typeof esimLife>(esim, life, news);
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
function show({ status, changedAt, endsAt }: EsimLife, wait: number, unreachable: boolean): void {
  const lines = [
    `**${status}**, last change ${iso(changedAt)}`,
    `Next look: ${iso(Date.now() + wait)}, sooner on news of the supplier`,
    `Followed until ${iso(endsAt)} at the latest`,
  ];
  if (unreachable) lines.push('The supplier could not be asked the last time');
  setCurrentDetails(lines.join('\n\n'));
}

function end({ status }: EsimLife): ActivationStatus {
  setCurrentDetails(status === 'EXPIRED' ? '**EXPIRED**' : `**${status}** and never used while it could be`);
  return status;
}

function iso(time: number): string {
  return new Date(time).toISOString();
}
