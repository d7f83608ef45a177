/**
 * Sends one batch of deliveries to an endpoint and records the results: the events of one order in sequence,
 * several orders concurrently. Plans the retries of failures, and derives the endpoint's health from the round.
 */
import type { Logger } from 'pino';
import type { Database, Transaction } from '../../data/database/database';
import { backlogOf, isUnchanged, type Delivery, type Target } from '../../data/webhooks/deliveries';
import { recordAttempts, releaseRetries, type Attempt } from '../../data/webhooks/attempts';
import { disableEndpoint, markVerified, recordHealth } from '../../data/webhooks/endpoint-health';
import { reportUnreadableSecret } from '../../data/webhooks/endpoint-secrets';
import {
  healthAfter,
  healthy,
  isCircuitOpen,
  isGone,
  isSuccess,
  isVerificationTest,
  planRetry,
  shouldDisable,
  SUSPECT_AFTER_ATTEMPTS,
  type AttemptResult,
  type EndpointHealth,
} from '../../domain/webhooks';
import { webhookSecret, type Sealer } from '../../security/sealing';
import { ChangeCheck } from './change-check';
import { envelopeToSend } from './envelope';
import type { WebhookSender } from './sender';
import { signatureHeaders } from './signing';

/** A round starts no further send after this time. */
const ROUND_LIMIT_MS = 20_000;

export interface DeliveryDependencies {
  database: Database;
  sealer: Sealer;
  sender: WebhookSender;
  log: Pick<Logger, 'error'>;
}

export interface AttemptedDelivery {
  delivery: Delivery;
  at: Date;
  /** False if the event's body could not be rendered, which says nothing about the endpoint. */
  rendered: boolean;
  result: AttemptResult;
}

export interface RoundOptions {
  /** The maximum number of queues whose events are sent concurrently. */
  concurrency: number;
  clock: () => Date;
  /** Once aborted, no further send begins. */
  stopping: AbortSignal;
}

/**
 * Sends the events of each queue in sequence, and up to `concurrency` queues concurrently. Records each attempt, and
 * the endpoint's health unless its client has reset the endpoint during the round. Returns the attempts.
 */
export async function sendRound(
  dependencies: DeliveryDependencies,
  target: Target,
  queues: Delivery[][],
  options: RoundOptions,
): Promise<AttemptedDelivery[]> {
  const attempted = await sendAll(dependencies, target, queues, options);
  await recordOutcome(dependencies.database, target, attempted, options.clock());
  return attempted;
}

/** The deliveries of each order, in the order of the batch. An event without an order has a queue of its own. */
export function queuesByOrder(batch: Delivery[]): Delivery[][] {
  const queues = new Map<string, Delivery[]>();
  for (const delivery of batch) {
    const key = delivery.orderId === null ? delivery.id : String(delivery.orderId);
    queues.set(key, [...(queues.get(key) ?? []), delivery]);
  }
  return [...queues.values()];
}

/**
 * Sends until the first failure, so that an outage costs few events an attempt, or until the endpoint is changed or paused, or the
 * worker stops. The next round sends the rest. Records successes while other events are being sent.
 */
async function sendAll(
  dependencies: DeliveryDependencies,
  target: Target,
  queues: Delivery[][],
  { concurrency, clock, stopping }: RoundOptions,
): Promise<AttemptedDelivery[]> {
  const { database } = dependencies;
  const secrets = await openSecrets(dependencies, target);
  const deadline = performance.now() + ROUND_LIMIT_MS;
  const check = new ChangeCheck(() => isUnchanged(database, target));
  const delivered = new DeliveryLog((attempts) => recordAttempts(database, target.id, clock(), attempts));
  const attempted: AttemptedDelivery[] = [];
  let failed = false;
  const worker = async () => {
    for (let queue = queues.shift(); queue; queue = queues.shift()) {
      for (const delivery of queue) {
        const isCurrent = await check.isUnchanged();
        const isOver = stopping.aborted || performance.now() > deadline;
        if (!isCurrent || failed || delivered.failed || isOver) return;
        const at = clock();
        const one = { delivery, at, ...(await sendOne(dependencies, target.url, secrets, delivery)) };
        failed ||= countsForHealth(one) && !isSuccess(one.result);
        attempted.push(one);
        if (isSuccess(one.result)) delivered.add(attemptOf(one, 'DELIVERED'));
      }
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  await delivered.written();
  return attempted;
}

/** The secrets that sign now, newest first. Skips secrets that cannot be decrypted. If none is left, notifies operators. */
async function openSecrets(
  { database, sealer, log }: DeliveryDependencies,
  { id, nonce, sealedSecrets }: Target,
): Promise<string[]> {
  const opened = sealedSecrets.flatMap((sealed) => {
    try {
      return [sealer.open(webhookSecret(nonce), sealed)];
    } catch (err) {
      log.error({ err, endpoint: id }, 'a signing secret of a webhook endpoint cannot be decrypted');
      return [];
    }
  });
  if (opened.length === 0) await reportUnreadableSecret(database, id, sealedSecrets);
  return opened;
}

async function sendOne(
  { sealer, sender, log }: DeliveryDependencies,
  url: string,
  secrets: string[],
  delivery: Delivery,
): Promise<Pick<AttemptedDelivery, 'rendered' | 'result'>> {
  let body: string;
  try {
    body = JSON.stringify(envelopeToSend(sealer, delivery));
  } catch (err) {
    log.error({ err, event: delivery.id }, 'the body of a webhook could not be rendered');
    return { rendered: false, result: unsent('event could not be built') };
  }
  if (secrets.length === 0) return { rendered: true, result: unsent('signing secret unreadable') };
  const headers = signatureHeaders(secrets, delivery.id, new Date(), body);
  return { rendered: true, result: await sender.send(url, headers, body) };
}

/** An attempt that failed before anything was sent. */
function unsent(error: string): AttemptResult {
  return { status: null, error, retryAfterMs: 0, durationMs: 0 };
}

/**
 * Records successful deliveries in batches while more are being sent. After a crash, only deliveries since the last statement are
 * unrecorded and sent again.
 */
class DeliveryLog {
  private gathered: Attempt[] = [];
  private writing = Promise.resolve();
  private isWriting = false;
  private hasFailed = false;

  constructor(private readonly write: (attempts: Attempt[]) => Promise<void>) {}

  /** Whether a delivery could not be recorded. Later deliveries would not be recorded either, and would be sent again. */
  get failed(): boolean {
    return this.hasFailed;
  }

  add(attempt: Attempt): void {
    this.gathered.push(attempt);
    if (this.isWriting) return;
    this.isWriting = true;
    this.writing = this.writeAll();
    this.writing.catch(() => (this.hasFailed = true));
  }

  /** Returns once everything is recorded. Throws if a statement failed. */
  async written(): Promise<void> {
    await this.writing;
  }

  private async writeAll(): Promise<void> {
    while (this.gathered.length > 0) await this.write(this.gathered.splice(0));
    this.isWriting = false;
  }
}

/** Records the failures with their retries, and the endpoint's health. Delays count from `now`, the round's end. */
async function recordOutcome(
  database: Database,
  target: Target,
  attempted: AttemptedDelivery[],
  now: Date,
): Promise<void> {
  const counted = attempted.filter(countsForHealth);
  const respondedAt = firstSuccess(counted);
  if (!target.verified && respondedAt) await markVerified(database, target, respondedAt);
  const failures = attempted.filter(({ result }) => !isSuccess(result));
  if (failures.length === 0 && target.failingSince === null) return;
  const health = counted.length === 0 ? target : await healthAfterRound(database, target, counted, now);
  await database.transaction(async (transaction) => {
    const isCurrent =
      counted.length === 0 || (await updateHealth(database, target, counted, health, now, transaction));
    const attempts = failures.map((one) => failedAttempt(one, isCurrent ? health : 'RESET', now));
    await recordAttempts(database, target.id, now, attempts, transaction);
  });
}

/** Whether the attempt says something about the endpoint. An unrendered event and a failed verification test do not. */
function countsForHealth({ delivery, rendered, result }: AttemptedDelivery): boolean {
  return rendered && (isSuccess(result) || !isVerificationTest(delivery));
}

/** When the endpoint first responded with 2xx in the round; undefined if it did not. */
function firstSuccess(counted: AttemptedDelivery[]): Date | undefined {
  const times = counted
    .filter(({ result }) => isSuccess(result))
    .map(({ at, result }) => at.getTime() + result.durationMs);
  return times.length === 0 ? undefined : new Date(Math.min(...times));
}

async function healthAfterRound(
  database: Database,
  target: Target,
  counted: AttemptedDelivery[],
  now: Date,
): Promise<EndpointHealth> {
  const succeeded = counted.some(({ result }) => isSuccess(result));
  // While the circuit is open, only requested deliveries are sent. Their failure does not change the health.
  if (!succeeded && isCircuitOpen(target, now)) return target;
  const retryAfterMs = Math.max(...counted.map(({ result }) => result.retryAfterMs));
  const onlySuspectFailed = !succeeded && (await isLoneSuspect(database, target.id, counted));
  return healthAfter(target, { succeeded, retryAfterMs, onlySuspectFailed }, now);
}

/** Whether the only attempt is that of an event that has failed repeatedly, and no other renderable event is pending. */
async function isLoneSuspect(
  database: Database,
  endpointId: number,
  [only, another]: AttemptedDelivery[],
): Promise<boolean> {
  if (!only || another || only.delivery.attempts + 1 < SUSPECT_AFTER_ATTEMPTS) return false;
  const { pending, unrenderable } = await backlogOf(database, endpointId);
  return pending - unrenderable === 1;
}

/** Records the endpoint's health, or disables the endpoint. Returns false if the client changed the endpoint during the round. */
async function updateHealth(
  database: Database,
  target: Target,
  counted: AttemptedDelivery[],
  health: EndpointHealth,
  now: Date,
  transaction: Transaction,
): Promise<boolean> {
  if (counted.some(({ result }) => isGone(result)))
    return disableEndpoint(database, target, 'GONE', transaction);
  if (shouldDisable(health, now)) return disableEndpoint(database, target, 'FAILING', transaction);
  const isCurrent = await recordHealth(database, target, health, transaction);
  if (isCurrent && health.failingSince === null && target.failingSince !== null) {
    await releaseRetries(database, target.id, target.failingSince, transaction);
  }
  return isCurrent;
}

/** A failed attempt with its retry. An unrendered event is given up even if the endpoint fails, which is not the cause. */
function failedAttempt(one: AttemptedDelivery, health: EndpointHealth | 'RESET', now: Date): Attempt {
  const { delivery, rendered, result } = one;
  if (isVerificationTest(delivery)) return attemptOf(one, 'FAILED');
  if (health === 'RESET') return attemptOf(one, 'DUE');
  const event = { attempts: delivery.attempts + 1, firstFailedAt: delivery.firstFailedAt ?? now };
  const retry = planRetry(event, rendered ? health : healthy, result.retryAfterMs, now);
  return retry.state === 'RETRY' ? attemptOf(one, 'RETRY', retry.at) : attemptOf(one, retry.state);
}

function attemptOf(
  { delivery, at, rendered, result }: AttemptedDelivery,
  state: Attempt['state'],
  nextAttemptAt: Date | null = null,
): Attempt {
  const { sequence, generation } = delivery;
  return { ...result, sequence, generation, attemptedAt: at, unrenderable: !rendered, state, nextAttemptAt };
}
