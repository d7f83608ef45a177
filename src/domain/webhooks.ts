/**
 * Webhooks: what clients can subscribe to, when a delivery is attempted again, and when an endpoint counts
 * as failing. docs/clients/webhooks.md, docs/decisions/0011-run-one-workflow-for-each-endpoint.md.
 */
import type { OperatorAction } from './operations/operator-actions';
import { day, hour, minute, second } from './time';
import { testEventType } from './webhook-events';

/**
 * Whether a delivery is the unsolicited `webhook.test` of a new URL. The service sends it once, and no other event
 * waits for it. Its failure says nothing about the endpoint: the client may not have stored the secret yet.
 */
export function isVerificationTest(delivery: {
  type: string;
  attempts: number;
  requested: boolean;
}): boolean {
  return delivery.type === testEventType && delivery.attempts === 0 && !delivery.requested;
}

/** The delays after the first, second, ... failed attempt; the last one repeats. */
const retrySchedule = [
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

/** Delays are longer than scheduled by up to this share, so that endpoints that failed together are not retried together. */
const JITTER = 0.1;

/** Attempts to deliver one event to an endpoint that otherwise works. */
const MAX_ATTEMPTS = retrySchedule.length + 1;

/** An endpoint that has only failed for this long is disabled. */
export const DISABLE_AFTER_MS = 5 * day;

/** An endpoint that has only failed for this long needs a person. */
const WARN_AFTER_MS = 3 * day;

/**
 * An event that failed so often may itself be the fault. From then on it no longer stands for the
 * endpoint, and what comes after it in its order no longer waits for it.
 */
export const SUSPECT_AFTER_ATTEMPTS = 3;

/** For how long a rotated secret goes on signing beside its successors. */
export const SECRET_OVERLAP_MS = day;

/** Rotated secrets that sign beside the newest at most: each makes the header longer. */
export const MAX_PREVIOUS_SECRETS = 10;

/** The longest one attempt may take. */
export const ATTEMPT_TIMEOUT_MS = 15 * second;

/** The most endpoints a client may have. */
export const MAX_ENDPOINTS = 20;

/** The most replays a client may have under way, each to another endpoint. */
export const MAX_OPEN_REPLAYS = 5;

/** How an endpoint answered one attempt. */
export interface AttemptResult {
  /** The HTTP status; null if there was none. */
  status: number | null;
  /** Why there was no status. */
  error: string | null;
  /** What the endpoint asked for by `Retry-After`; 0 where it did not. */
  retryAfterMs: number;
  /** How long the attempt took. */
  durationMs: number;
}

/** 2xx is success; everything else, redirects too, is failure. */
export function isSuccess({ status }: Pick<AttemptResult, 'status'>): boolean {
  return status !== null && status >= 200 && status < 300;
}

/** The endpoint says that it is gone for good (410). */
export function isGone({ status }: Pick<AttemptResult, 'status'>): boolean {
  return status === 410;
}

/** The delay after failed attempt number `attempts`: at least what the endpoint asked for, at most a day and its jitter. */
export function deliveryRetryDelayMs(attempts: number, retryAfterMs = 0, random = Math.random()): number {
  const scheduled = retrySchedule[Math.min(attempts, retrySchedule.length) - 1] as number;
  return Math.max(scheduled, Math.min(retryAfterMs, day)) * (1 + JITTER * random);
}

/** Whether an endpoint works, by its recent attempts. */
export interface EndpointHealth {
  /** When the first attempt failed since the last success; null while the endpoint works. */
  failingSince: Date | null;
  /** Rounds of attempts that failed since. */
  failures: number;
  /** Until then nothing is sent, and then one event as a probe; null while nothing is held back. */
  circuitOpenUntil: Date | null;
}

export const healthy: EndpointHealth = { failingSince: null, failures: 0, circuitOpenUntil: null };

/** What becomes of an event after a failed attempt. */
export type Retry = { state: 'RETRY'; at: Date } | { state: 'FAILED' };

/**
 * When an event is attempted again after its failed attempt number `attempts`. One whose attempts are used
 * up is given up, unless the endpoint has failed ever since the event's first attempt: then the endpoint is to blame.
 */
export function planRetry(
  event: { attempts: number; firstFailedAt: Date },
  health: EndpointHealth,
  retryAfterMs: number,
  now: Date,
): Retry {
  const endpointIsToBlame = health.failingSince !== null && event.firstFailedAt >= health.failingSince;
  if (event.attempts >= MAX_ATTEMPTS && !endpointIsToBlame) return { state: 'FAILED' };
  const delayMs = deliveryRetryDelayMs(event.attempts, retryAfterMs);
  return { state: 'RETRY', at: nextAttempt(now, delayMs, health.failingSince) };
}

/** What the attempts of one round tell about the endpoint. */
export interface RoundOutcome {
  succeeded: boolean;
  /** The longest wait asked for by `Retry-After`. */
  retryAfterMs: number;
  /** The only pending event failed, and had failed so often before that it is suspect. */
  onlySuspectFailed: boolean;
}

/**
 * The health of an endpoint after a round of attempts: one success and it works, else everything is held
 * back until the next probe. Where a single suspect event is all that failed, later events are not
 * made to wait for it.
 */
export function healthAfter(before: EndpointHealth, round: RoundOutcome, now: Date): EndpointHealth {
  if (round.succeeded) return healthy;
  const failingSince = before.failingSince ?? now;
  if (round.onlySuspectFailed) return { failingSince, failures: 0, circuitOpenUntil: null };
  const failures = before.failures + 1;
  return {
    failingSince,
    failures,
    circuitOpenUntil: nextAttempt(now, deliveryRetryDelayMs(failures, round.retryAfterMs), failingSince),
  };
}

/** Whether an endpoint has failed for so long that it is disabled. */
export function shouldDisable({ failingSince }: EndpointHealth, now: Date): boolean {
  return failingSince !== null && now.getTime() - failingSince.getTime() >= DISABLE_AFTER_MS;
}

/** Whether only what was requested is sent, because the endpoint fails. */
export function isCircuitOpen({ circuitOpenUntil }: EndpointHealth, now: Date): boolean {
  return circuitOpenUntil !== null && circuitOpenUntil > now;
}

/** Why the endpoint needs a person: it is about to be disabled. Null if it is not. */
export function disableWarning({ failingSince }: EndpointHealth, now: Date): string | null {
  if (failingSince === null || now.getTime() - failingSince.getTime() < WARN_AFTER_MS) return null;
  const end = new Date(failingSince.getTime() + DISABLE_AFTER_MS);
  return `Has only failed since ${failingSince.toISOString()}; is disabled on ${end.toISOString()}`;
}

/** After the delay, but no later than the moment at which a failing endpoint is disabled. */
function nextAttempt(now: Date, delayMs: number, failingSince: Date | null): Date {
  const disabledAt = failingSince === null ? Infinity : failingSince.getTime() + DISABLE_AFTER_MS;
  return new Date(Math.min(now.getTime() + delayMs, disabledAt));
}

/** An endpoint's identity: its id and the nonce that keeps a reused id from meeting an old workflow. */
export interface EndpointKey {
  endpointId: number;
  nonce: string;
}

/** Names of the endpoint's workflow and of what it can be told (see `workflows/webhook-endpoint.ts`). */
export const endpointWorkflow = 'webhookEndpoint';
export const endpointMessages = {
  eventsPending: 'eventsPending',
  pause: 'pause',
  resume: 'resume',
  retryNow: 'retryNow',
  skipEvent: 'skipEvent',
  state: 'state',
} as const;

/** The workflow of an endpoint. */
export function endpointWorkflowId({ endpointId, nonce }: EndpointKey): string {
  return `webhook-endpoint-${endpointId}-${nonce}`;
}

/** The endpoint whose workflow has the id; undefined if it is none of an endpoint. */
export function endpointOfWorkflow(workflowId: string): EndpointKey | undefined {
  const [, endpointId, nonce] = /^webhook-endpoint-(\d{1,15})-([0-9a-z]+)$/.exec(workflowId) ?? [];
  return nonce === undefined ? undefined : { endpointId: Number(endpointId), nonce };
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
 * How a run of deliveries ended. IDLE: nothing is due until `nextAttemptAt`, or until there are new events.
 * BUSY: more may be due now. CIRCUIT_OPEN: the endpoint fails; the next probe is at `nextAttemptAt`.
 * STOPPED: the endpoint is disabled or deleted.
 */
export interface DeliveryRun {
  state: 'IDLE' | 'BUSY' | 'CIRCUIT_OPEN' | 'PAUSED' | 'STOPPED';
  /** Events not delivered yet. */
  pending: number;
  /** Milliseconds since 1970; null if nothing is planned. */
  nextAttemptAt: number | null;
  /** The last response in words, `200` or `503` or `timed out`; null if nothing was sent. */
  lastResponse: string | null;
  /** Why the endpoint needs a person; null if it does not. */
  attention: string | null;
}

/** The answer of an endpoint's workflow to the query `state`. Times in UTC. */
export interface EndpointSnapshot {
  endpointId: number;
  /** `FAULT`: its deliveries cannot run. */
  state: DeliveryRun['state'] | 'FAULT';
  now: string;
  /** Since when it is in this state. */
  since: string;
  eventsPending: number | null;
  nextAttemptAt: string | null;
  lastResponse: string | null;
  attention: string | null;
  youCan: OperatorAction[];
}
