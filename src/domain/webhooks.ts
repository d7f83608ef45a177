/**
 * Webhooks: what clients can subscribe to, and when a delivery is tried again. Times in milliseconds.
 * Specification, "Events"; decisions, "Webhooks".
 */

/** Every type an endpoint can list. */
export const eventTypes = [
  'order.delivered',
  'order.partially_delivered',
  'order.failed',
  'order.cancelled',
  'topup.delivered',
  'topup.failed',
  'topup.cancelled',
  'esim.delivered',
  'esim.failed',
  'esim.cancelled',
  'esim.installed',
  'esim.activated',
  'esim.depleted',
  'wallet.credited',
  'wallet.debited',
  'wallet.low_balance',
] as const;

/** Sent on request to one endpoint, whatever it lists. */
export const testEventType = 'webhook.test';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** The waits after the first, second, ... failed try; the last one repeats. */
const waits = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  day,
] as const;

/** Waits are longer than planned by up to this share, so that endpoints that failed together do not return together. */
const JITTER = 0.1;

/** Tries of one event by one endpoint that otherwise works. */
const MOST_TRIES = waits.length + 1;

/** An endpoint that has only failed for this long is disabled. */
const MOST_FAILING = 5 * day;

/** An endpoint that has only failed for this long needs a person. */
const WARN_AFTER = 3 * day;

/**
 * An event that failed so often may itself be the fault. From then on it no longer stands for the
 * endpoint, and what comes after it in its order no longer waits for it.
 */
export const SUSPECT_AFTER = 3;

/** For how long a rotated secret goes on signing beside its successors. */
export const SECRET_OVERLAP = day;

/** Rotated secrets that sign beside the newest at most: each makes the header longer. */
export const MOST_PREVIOUS_SECRETS = 10;

/** The longest one try may take. */
export const TRY_LIMIT = 15 * second;

/** The most endpoints a client may have. */
export const MOST_ENDPOINTS = 20;

/** How an endpoint answered one try. */
export interface TryResult {
  /** The HTTP status; null where there was none. */
  status: number | null;
  /** Why there was no status. */
  error: string | null;
  /** What the endpoint asked for by `Retry-After`; 0 where it did not. */
  retryAfter: number;
  /** How long the try took. */
  duration: number;
}

/** 2xx is success; everything else, redirects too, is failure. */
export function isSuccess({ status }: Pick<TryResult, 'status'>): boolean {
  return status !== null && status >= 200 && status < 300;
}

/** The endpoint says that it is gone for good (410). */
export function isGone({ status }: Pick<TryResult, 'status'>): boolean {
  return status === 410;
}

/** The wait after failed try number `tries`, at least what the endpoint asked for, at most a day and its jitter. */
export function waitAfter(tries: number, askedFor = 0, random = Math.random()): number {
  const planned = waits[Math.min(tries, waits.length) - 1] as number;
  return Math.max(planned, Math.min(askedFor, day)) * (1 + JITTER * random);
}

/** An endpoint as its recent tries left it. */
export interface Standing {
  /** When the first of the tries failed that have failed without a success since; null while it works. */
  failingSince: Date | null;
  /** Rounds of tries that failed since. */
  failures: number;
  /** Until then nothing is sent, and then one event as a probe; null where nothing is held back. */
  heldUntil: Date | null;
}

export const working: Standing = { failingSince: null, failures: 0, heldUntil: null };

/** What is left of an event after a failed try. */
export type Retry = { state: 'RETRY'; at: Date } | { state: 'FAILED' };

/**
 * When an event is tried again after its failed try number `tries`. One whose tries are used up is
 * given up, unless the endpoint has failed ever since the event's first try: then it is not to blame.
 */
export function retryOf(
  event: { tries: number; firstFailedAt: Date },
  standing: Standing,
  retryAfter: number,
  now: Date,
): Retry {
  const endpointIsToBlame = standing.failingSince !== null && event.firstFailedAt >= standing.failingSince;
  if (event.tries >= MOST_TRIES && !endpointIsToBlame) return { state: 'FAILED' };
  return { state: 'RETRY', at: nextTry(now, waitAfter(event.tries, retryAfter), standing.failingSince) };
}

/** What the tries of one round tell about the endpoint. */
export interface RoundSummary {
  succeeded: boolean;
  /** The longest wait asked for by `Retry-After`. */
  retryAfter: number;
  /** The only event outstanding failed, and had failed so often before that it is suspect. */
  onlySuspectFailed: boolean;
}

/**
 * How an endpoint stands after a round of tries: one success and it works, else everything is held
 * back until the next probe. Where a single suspect event is all that failed, later events are not
 * made to wait for it.
 */
export function standingAfter(before: Standing, round: RoundSummary, now: Date): Standing {
  if (round.succeeded) return working;
  const failingSince = before.failingSince ?? now;
  if (round.onlySuspectFailed) return { failingSince, failures: 0, heldUntil: null };
  const failures = before.failures + 1;
  return {
    failingSince,
    failures,
    heldUntil: nextTry(now, waitAfter(failures, round.retryAfter), failingSince),
  };
}

/** Whether an endpoint has failed for so long that it is disabled. */
export function isLost({ failingSince }: Standing, now: Date): boolean {
  return failingSince !== null && now.getTime() - failingSince.getTime() >= MOST_FAILING;
}

/** Why the endpoint needs a person: it is about to be disabled. Null where it is not. */
export function warningOf({ failingSince }: Standing, now: Date): string | null {
  if (failingSince === null || now.getTime() - failingSince.getTime() < WARN_AFTER) return null;
  const end = new Date(failingSince.getTime() + MOST_FAILING);
  return `Has only failed since ${failingSince.toISOString()}; is disabled on ${end.toISOString()}`;
}

/** After the wait, but at the moment at the latest when a failing endpoint has had its time. */
function nextTry(now: Date, wait: number, failingSince: Date | null): Date {
  const lost = failingSince === null ? Infinity : failingSince.getTime() + MOST_FAILING;
  return new Date(Math.min(now.getTime() + wait, lost));
}

/** An endpoint's identity: its id and the nonce that keeps a reused id from meeting an old workflow. */
export interface EndpointKey {
  endpointId: number;
  nonce: string;
}

/** Names of the endpoint's workflow and of what it can be told (see `workflows/webhook-endpoint.ts`). */
export const endpointWorkflow = 'webhookEndpoint';
export const endpointMessages = {
  eventsWaiting: 'eventsWaiting',
  pause: 'pause',
  resume: 'resume',
  retryNow: 'retryNow',
  skipEvent: 'skipEvent',
} as const;

/** The workflow of an endpoint. */
export function endpointWorkflowId({ endpointId, nonce }: EndpointKey): string {
  return `webhook-endpoint-${endpointId}-${nonce}`;
}

/** Why the service itself disabled an endpoint. */
export type DisabledReason = 'GONE' | 'FAILING';

/** One disabling of an endpoint by the service, with the endpoint's nonce. */
export interface DisablingKey {
  disablingId: number;
  nonce: string;
}

/** The workflow that tells a client of a disabling (see `workflows/endpoint-disabled-mail.ts`). */
export const disabledMailWorkflow = 'endpointDisabledMail';
export function disabledMailWorkflowId({ disablingId, nonce }: DisablingKey): string {
  return `webhook-disabled-${disablingId}-${nonce}`;
}

/**
 * How a stretch of deliveries ended. IDLE: nothing is due until `nextTryAt`, or until there is news.
 * BUSY: more may be due now. HELD: the endpoint fails; the next probe is at `nextTryAt`. STOPPED: the
 * endpoint is disabled or deleted.
 */
export interface Stretch {
  state: 'IDLE' | 'BUSY' | 'HELD' | 'PAUSED' | 'STOPPED';
  /** Events not delivered yet. */
  waiting: number;
  /** Milliseconds since 1970; null where nothing is planned. */
  nextTryAt: number | null;
  /** The last answer in words, `200` or `503` or `timed out`; null where nothing was sent. */
  lastAnswer: string | null;
  /** Why the endpoint needs a person; null where it does not. */
  attention: string | null;
}
