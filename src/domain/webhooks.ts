/**
 * The rules of webhook delivery: when a delivery is retried, and when an endpoint counts as failing.
 * docs/clients/webhooks.md, docs/decisions/0011-run-one-workflow-for-each-endpoint.md.
 */
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

/**
 * The maximum number of attempts of one event that its client can read. There can be more, because clients can request
 * redeliveries without limit.
 */
export const MAX_ATTEMPTS_SHOWN = 100;

/** An endpoint without a success for this long is disabled. */
export const DISABLE_AFTER_MS = 5 * day;

/** An endpoint without a success for this long is on the attention list. */
const WARN_AFTER_MS = 3 * day;

/**
 * An event that failed so often may itself be the cause. From then on its failures say nothing about the endpoint, and
 * later events of its order do not wait for it.
 */
export const SUSPECT_AFTER_ATTEMPTS = 3;

/** How long a rotated secret still signs alongside its successors. */
export const SECRET_OVERLAP_MS = day;

/** The maximum number of rotated secrets that sign alongside the newest. Each makes the header longer. */
export const MAX_PREVIOUS_SECRETS = 10;

/** Time limit of one attempt. */
export const ATTEMPT_TIMEOUT_MS = 15 * second;

/** The maximum number of endpoints of a client. */
export const MAX_ENDPOINTS = 20;

/** The maximum number of unfinished replays of a client, each to a different endpoint. */
export const MAX_OPEN_REPLAYS = 5;

/** The result of one attempt. */
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
  const scheduled = retrySchedule[Math.min(attempts, retrySchedule.length) - 1] as number;
  return Math.max(scheduled, Math.min(retryAfterMs, day)) * (1 + JITTER * random);
}

/** The health of an endpoint, by its recent attempts. */
export interface EndpointHealth {
  /** When the first attempt since the last success failed; null while the endpoint works. */
  failingSince: Date | null;
  /** How many rounds have failed since. */
  failures: number;
  /** Nothing is sent until then, and then one event as a probe; null while the circuit is closed. */
  circuitOpenUntil: Date | null;
}

export const healthy: EndpointHealth = { failingSince: null, failures: 0, circuitOpenUntil: null };

/** The state of a delivery after a failed attempt. */
export type Retry = { state: 'RETRY'; at: Date } | { state: 'FAILED' };

/**
 * Plans the retry of an event after its failed attempt number `attempts`. An event without further attempts is given up, unless
 * the endpoint has only failed since the event's first attempt: then the endpoint is the cause.
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
  /** The only pending event failed, and it is suspect. */
  onlySuspectFailed: boolean;
}

/**
 * The health of an endpoint after a round. One success closes the circuit, otherwise it stays open until the next probe.
 * If only a single suspect event failed, later events do not wait for it.
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

/** Whether only requested events are sent, because the endpoint fails. */
export function isCircuitOpen({ circuitOpenUntil }: EndpointHealth, now: Date): boolean {
  return circuitOpenUntil !== null && circuitOpenUntil > now;
}

/** The reason for attention of an endpoint that is about to be disabled; null for others. */
export function disableWarning({ failingSince }: EndpointHealth, now: Date): string | null {
  if (failingSince === null || now.getTime() - failingSince.getTime() < WARN_AFTER_MS) return null;
  const end = new Date(failingSince.getTime() + DISABLE_AFTER_MS);
  return `Has only failed since ${failingSince.toISOString()}; is disabled on ${end.toISOString()}`;
}

/** `now` plus the delay, at most the moment at which a failing endpoint is disabled. */
function nextAttempt(now: Date, delayMs: number, failingSince: Date | null): Date {
  const disabledAt = failingSince === null ? Infinity : failingSince.getTime() + DISABLE_AFTER_MS;
  return new Date(Math.min(now.getTime() + delayMs, disabledAt));
}

/** The identity of an endpoint. The nonce keeps a reused id from reaching an old workflow. */
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

/** The endpoint of a workflow id; undefined for the id of another workflow. */
export function endpointOfWorkflow(workflowId: string): EndpointKey | undefined {
  const [, endpointId, nonce] = /^webhook-endpoint-(\d{1,15})-([0-9a-z]+)$/.exec(workflowId) ?? [];
  return nonce === undefined ? undefined : { endpointId: Number(endpointId), nonce };
}

/** Why the service disabled an endpoint. */
export type DisabledReason = 'GONE' | 'FAILING';

/** One disabling of an endpoint by the service, with the endpoint's nonce. */
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
 * CIRCUIT_OPEN: the endpoint fails, with the next probe at `nextAttemptAt`. PAUSED: an operator holds its events back. STOPPED:
 * it is disabled or deleted.
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
