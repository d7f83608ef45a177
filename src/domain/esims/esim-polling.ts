/**
 * When the supplier of a delivered eSIM is polled, by the steps of its monitor: a wait, and its poll or burst of polls.
 * docs/developers/esim-monitor.md, docs/decisions/0012-poll-by-retries-of-one-activity.md.
 * Rule: how often an eSIM is polled, and how long its polls may fail before an operator is told
 */
import { timeText } from '../operators/operator-actions';
import { pollIntervalMs, spread, type Cadence } from '../poll-cadence';
import { day, durationText, hour, minute, second } from '../time';
import type { MonitoredEsim } from './esim-lifecycle';

/**
 * How often an eSIM is polled since its last change. Costs of a poll: docs/decisions/0012-poll-by-retries-of-one-activity.md.
 */
const burst = { untilMs: 10 * minute, everyMs: 45 * second };
const idleMs = day;
const cadences = {
  // These polls only find what a lost callback would have told.
  pushed: {
    phases: [
      { untilMs: 10 * minute, everyMs: 10 * minute },
      { untilMs: 2 * hour, everyMs: 30 * minute },
      { untilMs: day, everyMs: 6 * hour },
    ],
    laterMs: idleMs,
  },
  polled: {
    phases: [
      burst,
      { untilMs: 70 * minute, everyMs: 7.5 * minute },
      { untilMs: day, everyMs: hour },
      { untilMs: 7 * day, everyMs: 6 * hour },
    ],
    laterMs: idleMs,
  },
} satisfies Record<string, Cadence>;

/** The first poll is early, because the push of a change right after delivery may arrive before the monitor runs. */
const firstPollMs = 5 * second;

/** From this interval on, each poll follows a timer of its own. Shorter intervals are those of a burst. */
const timerFromMs = 5 * minute;

/**
 * A run of a monitor continues as new after so many steps, or so many milliseconds: a timer wakes a workflow that no worker has cached,
 * so a run is short to replay, and a new one uses the newest code.
 */
export const runLimits = { steps: 20, ms: 7 * day };

/** If polls have failed for this many milliseconds, the eSIM needs an operator. Longer than most outages of a supplier. */
const unknownAfterMs = 2 * day;

/** Whether an operator is told that polls fail. `failingSince`, `now`: milliseconds since 1970; null if the last poll was answered. */
export function needsOperator(failingSince: number | null, now: number): boolean {
  return failingSince !== null && now - failingSince >= unknownAfterMs;
}

/** The time limit of one poll, in Temporal. */
export const pollTimeoutMs = 20 * second;

/** The first wait after a failed poll. Each further failure multiplies it by `retryGrowth`, up to a quarter of the interval. */
const firstRetryMs = 5 * second;
const retryGrowth = 4;
const retryShare = 1 / 4;

/** The wait until the next poll in milliseconds, at most until the end of the validity. `chance`: see `spread`. */
export function nextPollDelayMs(esim: MonitoredEsim, now: number, chance: number): number {
  const isNew = Math.abs(now - esim.changedAt) < firstPollMs;
  const wait = isNew ? Math.max(firstPollMs, esim.cachedMs ?? 0) : intervalMs(esim, now);
  return untilTheEnd(esim, now, spread(wait, chance));
}

/** A wait of a monitor, in milliseconds, and what Temporal shows of its timer. */
export interface Wait {
  waitMs: number;
  summary: string;
}

/**
 * The wait of a monitor before its next poll. After a step whose polls all failed (`failingSince`, milliseconds since 1970), it is a
 * quarter of the interval.
 */
export function waitBeforePoll(
  esim: MonitoredEsim,
  { now, chance, failingSince }: { now: number; chance: number; failingSince: number | null },
): Wait {
  const waitMs =
    failingSince === null
      ? nextPollDelayMs(esim, now, chance)
      : untilTheEnd(esim, now, spread(longestRetryMs(esim, now), chance));
  const isEnd = now + waitMs === esim.endsAt;
  const end = esim.isUsed ? 'Validity ends' : 'Monitoring ends';
  const failing = failingSince === null ? '' : `; polls have failed since ${timeText(failingSince)}`;
  const summary = `${isEnd ? end : 'Next poll'} in ${durationText(waitMs)}: ${stateText(esim)}${failing}`;
  return { waitMs, summary };
}

/** The options of a step that polls, in milliseconds. Temporal follows the retry policy, and shows it. */
export interface PollStep {
  summary: string;
  scheduleToCloseTimeout: number;
  retry: { initialInterval: number; backoffCoefficient: number; maximumInterval: number };
}

/**
 * The step that polls now. In a burst, Temporal retries the poll in the burst's interval until its end, whether the poll failed or
 * found no change. Otherwise the step is one poll: Temporal retries a failed one after 5 s, then after growing waits, until the next
 * poll is due or the validity ends.
 */
export function pollStep(esim: MonitoredEsim, now: number, chance: number): PollStep {
  const interval = intervalMs(esim, now);
  if (isInBurst(esim, now)) {
    const everyMs = spread(interval, chance);
    const leftMs = esim.changedAt + burst.untilMs - now;
    return {
      summary: `Poll every ${durationText(everyMs)} for ${durationText(leftMs)}, or until it changes: ${stateText(esim)}`,
      scheduleToCloseTimeout: leftMs + everyMs + 2 * pollTimeoutMs,
      retry: { initialInterval: everyMs, backoffCoefficient: 1, maximumInterval: everyMs },
    };
  }
  return {
    summary: `Poll the supplier: ${stateText(esim)}`,
    scheduleToCloseTimeout: Math.max(pollTimeoutMs, untilTheEnd(esim, now, interval)),
    retry: {
      initialInterval: firstRetryMs,
      backoffCoefficient: retryGrowth,
      maximumInterval: longestRetryMs(esim, now),
    },
  };
}

/**
 * Whether the eSIM changed so recently that it is polled in a burst, without a timer between the polls. The last minutes of the
 * validity have none, so that the poll that stores the end is never late.
 */
export function isInBurst(esim: MonitoredEsim, now: number): boolean {
  return intervalMs(esim, now) < timerFromMs && esim.endsAt - now > timerFromMs;
}

/** The time between two polls, without jitter. */
function intervalMs({ changedAt, pushed, cachedMs = 0, unreadable }: MonitoredEsim, now: number): number {
  // A poll is useless until an operator restores the key.
  if (unreadable) return idleMs;
  return Math.max(pollIntervalMs(pushed ? cadences.pushed : cadences.polled, now - changedAt), cachedMs);
}

function longestRetryMs(esim: MonitoredEsim, now: number): number {
  return Math.round(intervalMs(esim, now) * retryShare);
}

/**
 * The wait, at most until the end of the validity. After it, the wait is short: the clock of the process that polls may be behind, so that
 * the poll at the end did not store it.
 */
function untilTheEnd({ endsAt }: MonitoredEsim, now: number, wait: number): number {
  return Math.min(wait, endsAt > now ? endsAt - now : firstPollMs);
}

function stateText({ status, isUsed, unreadable }: MonitoredEsim): string {
  if (unreadable) return 'its ICCID cannot be decrypted';
  if (status === 'NOT_INSTALLED') return 'not installed';
  return isUsed ? 'in use' : 'installed, not used';
}
