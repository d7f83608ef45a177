/**
 * The rules of webhook delivery: when a delivery is retried, and when an endpoint counts as failing.
 * docs/clients/webhooks.md, docs/decisions/0011-run-one-workflow-for-each-endpoint.md.
 * Rule: when a webhook is retried, and when its endpoint is disabled
 */
import { day, hour, minute, second } from '../time';
import { testEventType } from './event-payloads';

/**
 * Whether a delivery is the first attempt of the `webhook.test` that the service sends to a new URL by itself. No other event waits
 * for it. Its failure says nothing about the endpoint, because the client may not have stored the secret yet.
 */
export function isVerificationTest(delivery: { type: string; attempts: number; requested: boolean }): boolean {
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

/** A delay is longer than scheduled by up to this share, so that endpoints that failed together are not retried together. */
const JITTER = 0.1;

/** The maximum number of attempts of one event, if the endpoint works for other events. */
const MAX_ATTEMPTS = retrySchedule.length + 1;

/** The number of attempts of one event that its client can read. Requested redeliveries can make more. */
export const MAX_ATTEMPTS_SHOWN = 100;

/** An endpoint without a success for this long is disabled. */
export const DISABLE_AFTER_MS = 5 * day;

/** An endpoint without a success for this long is on the attention list. */
const WARN_AFTER_MS = 3 * day;

/**
 * After this number of failures, an event is suspect: it may itself be the cause. Its failures then say nothing about the endpoint,
 * and later events of the same order do not wait for it.
 */
export const SUSPECT_AFTER_ATTEMPTS = 3;

/** Time limit of one attempt. */
export const ATTEMPT_TIMEOUT_MS = 15 * second;

export interface AttemptResult {
  /** The HTTP status; null without a response. */
  status: number | null;
  /** Why there was no response; null with one. */
  error: string | null;
  /** The response's `Retry-After`; 0 without one. */
  retryAfterMs: number;
  durationMs: number;
}

/** 2xx is success. Everything else is failure, including redirects. */
export function isSuccess({ status }: Pick<AttemptResult, 'status'>): boolean {
  return status !== null && status >= 200 && status < 300;
}

/** 410: the endpoint is permanently gone. */
export function isGone({ status }: Pick<AttemptResult, 'status'>): boolean {
  return status === 410;
}

/** The delay after failed attempt number `attempts`: at least `retryAfterMs`, at most a day, plus jitter. */
export function deliveryRetryDelayMs(attempts: number, retryAfterMs = 0, random = Math.random()): number {
  const scheduled = retrySchedule[Math.min(attempts, retrySchedule.length) - 1];
  return Math.max(scheduled ?? 0, Math.min(retryAfterMs, day)) * (1 + JITTER * random);
}

/** The health of an endpoint, by its recent attempts. */
export interface EndpointHealth {
  /** When the first attempt since the last success failed; null while the endpoint works, or once no event waits for it. */
  failingSince: Date | null;
  /** How many rounds have failed since the circuit was last closed. */
  failures: number;
  /** Until then, only requested events are sent. Then one event is sent as a probe. Null while the circuit is closed. */
  circuitOpenUntil: Date | null;
}

export const healthy: EndpointHealth = { failingSince: null, failures: 0, circuitOpenUntil: null };

/** The state of a delivery after a failed attempt. */
export type Retry = { state: 'RETRY'; at: Date } | { state: 'FAILED' };

/**
 * Plans the retry of an event after its failed attempt number `attempts`. After the last attempt, gives the event up, unless the
 * endpoint has delivered nothing since the event's first attempt: then the endpoint is the cause, and the event is retried.
 */
export function planRetry(
  event: { attempts: number; firstFailedAt: Date },
  health: EndpointHealth,
  retryAfterMs: number,
  now: Date,
): Retry {
  const isEndpointTheCause = health.failingSince !== null && event.firstFailedAt >= health.failingSince;
  if (event.attempts >= MAX_ATTEMPTS && !isEndpointTheCause) return { state: 'FAILED' };
  const delayMs = deliveryRetryDelayMs(event.attempts, retryAfterMs);
  return { state: 'RETRY', at: nextAttempt(now, delayMs, health.failingSince) };
}

/** The result of one round of attempts for the endpoint's health. */
export interface RoundOutcome {
  succeeded: boolean;
  /** The longest `Retry-After` of the round. */
  retryAfterMs: number;
  /** Whether the only failure was that of a single suspect event, while no other event waits. */
  onlySuspectFailed: boolean;
}

/**
 * The health of an endpoint after a round. One success closes the circuit; otherwise, it is open until the next probe. If only a
 * single suspect event failed, the circuit is closed, so that later events do not wait for that event.
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

/** Whether the endpoint has failed long enough to be disabled. */
export function shouldDisable({ failingSince }: EndpointHealth, now: Date): boolean {
  return failingSince !== null && now.getTime() - failingSince.getTime() >= DISABLE_AFTER_MS;
}

/** Whether the endpoint fails, so that only requested events are sent. */
export function isCircuitOpen({ circuitOpenUntil }: EndpointHealth, now: Date): boolean {
  return circuitOpenUntil !== null && circuitOpenUntil > now;
}

/** The attention reason of an endpoint that will be disabled unless it works again; null for others. */
export function disableWarning({ failingSince }: EndpointHealth, now: Date): string | null {
  if (failingSince === null || now.getTime() - failingSince.getTime() < WARN_AFTER_MS) return null;
  const end = new Date(failingSince.getTime() + DISABLE_AFTER_MS);
  return `Has only failed since ${failingSince.toISOString()}; is disabled on ${end.toISOString()}`;
}

/** `now` plus the delay, but not later than the moment at which a failing endpoint is disabled. */
function nextAttempt(now: Date, delayMs: number, failingSince: Date | null): Date {
  const disabledAt = failingSince === null ? Infinity : failingSince.getTime() + DISABLE_AFTER_MS;
  return new Date(Math.min(now.getTime() + delayMs, disabledAt));
}

/** The identity of an endpoint. The nonce distinguishes it from another one that got the same id after a database restore. */
export interface EndpointKey {
  endpointId: number;
  nonce: string;
}

/** Names of the endpoint's workflow and its messages (see `workflows/webhook-endpoint.ts`). */
export const endpointWorkflow = 'webhookEndpoint';
export const endpointMessages = {
  eventsPending: 'eventsPending',
  pause: 'pause',
  resume: 'resume',
  retryNow: 'retryNow',
  skipEvent: 'skipEvent',
  state: 'state',
} as const;

export function endpointWorkflowId({ endpointId, nonce }: EndpointKey): string {
  return `webhook-endpoint-${endpointId}-${nonce}`;
}

/** The endpoint whose workflow has the id; undefined for other workflows. */
export function endpointOfWorkflow(workflowId: string): EndpointKey | undefined {
  const [, endpointId, nonce] = /^webhook-endpoint-(\d{1,15})-([0-9a-z]+)$/.exec(workflowId) ?? [];
  return nonce === undefined ? undefined : { endpointId: Number(endpointId), nonce };
}

/** Why the service disabled an endpoint. */
export type DisabledReason = 'GONE' | 'FAILING';

/** The identity of one occasion on which the service disabled an endpoint. `nonce`: the endpoint's. */
export interface DisablingKey {
  disablingId: number;
  nonce: string;
}

/** The workflow that mails a client about a disabling (see `workflows/endpoint-disabled-mail.ts`). */
export const disabledMailWorkflow = 'endpointDisabledMail';
export function disabledMailWorkflowId({ disablingId, nonce }: DisablingKey): string {
  return `webhook-disabled-${disablingId}-${nonce}`;
}

/**
 * The result of a run of deliveries. IDLE: nothing is due before `nextAttemptAt` or a new event. BUSY: more may be due now.
 * CIRCUIT_OPEN: the next probe is at `nextAttemptAt`. PAUSED: by an operator. STOPPED: the endpoint is disabled or deleted.
 */
export interface DeliveryRun {
  state: 'IDLE' | 'BUSY' | 'CIRCUIT_OPEN' | 'PAUSED' | 'STOPPED';
  /** Events not delivered yet. */
  pending: number;
  /** Milliseconds since 1970; null if nothing is planned. */
  nextAttemptAt: number | null;
  /** The last result, such as `200`, `503` or `timed out`; null if nothing was sent. */
  lastResponse: string | null;
  /** Why the endpoint is on the attention list; null if it is not. */
  attention: string | null;
}
