/**
 * Delivers the events of one endpoint: prepares what is due, sends it, records successes at once and failures with their retries,
 * and derives the endpoint's health. A run lasts for a limited time and takes new events without a round trip through Temporal.
 * When no event is left, it marks the endpoint idle, so that the outbox poller signals its workflow for the next one.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Database, Transaction } from '../../data/database/database';
import { clearAttention, raiseAttention } from '../../data/attention/attention';
import {
  backlogOf,
  dueDeliveries,
  findTarget,
  isTargetUnchanged,
  probeDelivery,
  recordAttempts,
  releaseRetries,
  requestedDeliveries,
  type Attempt,
  type Delivery,
  type Target,
} from '../../data/webhooks/deliveries';
import {
  disableEndpoint,
  endFailure,
  giveUpPending,
  markVerified,
  recordHealth,
} from '../../data/webhooks/endpoint-health';
import { markIdle, markStopped } from '../../data/webhooks/waiting-endpoints';
import { reportUnreadableSecret } from '../../data/webhooks/endpoint-secrets';
import { continueReplay } from '../../data/webhooks/redelivery';
import {
  disableWarning,
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
  type DeliveryRun,
  type EndpointHealth,
} from '../../domain/webhooks/delivery-rules';
import { webhookSecret, type Sealer } from '../../security/sealing';
import { envelopeToSend } from './envelope';
import type { WebhookSender } from './sender';
import { signatureHeaders } from './signing';

/** How often the database is polled for new events. */
const POLL_INTERVAL_MS = 100;
/** An endpoint to which nothing was sent for this long becomes idle. */
const IDLE_TIMEOUT_MS = 1_000;
/** A run starts no further round after this time, except while a verification test is being sent. */
const RUN_LIMIT_MS = 10_000;
/** A round starts no further send after this time. */
const ROUND_LIMIT_MS = 20_000;
/** How often a round reads the endpoint. No attempt to a former URL begins later than this after the change. */
const CHECK_INTERVAL_MS = 1_000;
/** The maximum number of orders whose events are sent concurrently. */
const MAX_CONCURRENCY = 16;
/** Deliveries that are read at a time, for each order whose events are sent concurrently. */
const DELIVERIES_PER_ORDER = 12;

interface DeliveryDependencies {
  database: Database;
  sealer: Sealer;
  sender: WebhookSender;
  log: Pick<Logger, 'error'>;
}

/**
 * Delivers the due events of the endpoint, and events that are written while it runs. `clock` decides what is due.
 * `stopping` ends the run early.
 */
export async function deliverEvents(
  dependencies: DeliveryDependencies,
  endpointId: number,
  clock: () => Date,
  stopping: AbortSignal,
): Promise<DeliveryRun> {
  return new Run(dependencies, endpointId, clock, stopping).untilEnd();
}

/** How a run ends, and when the next delivery is due; null if that is unknown or none is pending. */
interface End {
  state: DeliveryRun['state'];
  next: Date | null;
}

class Run {
  private readonly began = performance.now();
  private lastSent = this.began;
  private lastResponse: string | null = null;
  private concurrency = MAX_CONCURRENCY;
  private readonly verificationTests = new BackgroundSends();

  constructor(
    private readonly dependencies: DeliveryDependencies,
    private readonly endpointId: number,
    private readonly clock: () => Date,
    private readonly stopping: AbortSignal,
  ) {}

  private get database() {
    return this.dependencies.database;
  }

  async untilEnd(): Promise<DeliveryRun> {
    let end: End | undefined;
    while (end === undefined) end = await this.round();
    return this.result(end);
  }

  /** Sends what is due now, else waits. Returns how the run ends, if it ends here. */
  private async round(): Promise<End | undefined> {
    const target = await findTarget(this.database, this.endpointId);
    if (!target?.enabled || target.paused) {
      if (!this.isTestUnderWay || this.stopping.aborted) return this.halt(target);
      return this.wait();
    }
    if (await this.sendDue(target)) return this.endOfTime();
    if (this.isTestUnderWay) return this.endOfTime() ?? this.wait();
    if (target.failingSince !== null && (await endFailure(this.database, target))) return undefined;
    if (isCircuitOpen(target, this.clock())) return { state: 'CIRCUIT_OPEN', next: target.circuitOpenUntil };
    return (await this.endOfEvents()) ?? this.endOfTime() ?? this.wait();
  }

  private async wait(): Promise<undefined> {
    await sleep(POLL_INTERVAL_MS);
    return undefined;
  }

  private endOfTime(): End | undefined {
    const isEnd = this.stopping.aborted || (this.isOver && !this.isTestUnderWay);
    return isEnd ? { state: 'BUSY', next: null } : undefined;
  }

  /**
   * If nothing was sent for a while: marks the endpoint idle, then polls once more for events that were written before. The run goes
   * on if one is due already.
   */
  private async endOfEvents(): Promise<End | undefined> {
    if (performance.now() - this.lastSent < IDLE_TIMEOUT_MS) return undefined;
    await markIdle(this.database, this.endpointId);
    const { pending, nextAttemptAt } = await backlogOf(this.database, this.endpointId);
    if (pending === 0) return { state: 'IDLE', next: null };
    if (nextAttemptAt === null || nextAttemptAt <= this.clock()) return undefined;
    return { state: 'IDLE', next: nextAttemptAt };
  }

  /** Leaves a paused endpoint as it is. Gives up the pending events of a disabled or deleted endpoint. */
  private async halt(target: Target | undefined): Promise<End> {
    if (target?.enabled) return { state: 'PAUSED', next: null };
    await giveUpPending(this.database, this.endpointId);
    await markStopped(this.database, this.endpointId);
    return { state: 'STOPPED', next: null };
  }

  private get isOver(): boolean {
    return this.stopping.aborted || performance.now() - this.began >= RUN_LIMIT_MS;
  }

  private get isTestUnderWay(): boolean {
    return this.verificationTests.underWay.length > 0;
  }

  private async result({ state, next }: End): Promise<DeliveryRun> {
    await this.verificationTests.ended();
    const attention = await this.reportHealth();
    const { pending } = await backlogOf(this.database, this.endpointId);
    return { state, pending, nextAttemptAt: next?.getTime() ?? null, lastResponse: this.lastResponse, attention };
  }

  /**
   * Puts the endpoint on the attention list if it is about to be disabled; else removes this entry. Returns the text of this entry,
   * else of another entry of the endpoint, else null.
   */
  private async reportHealth(): Promise<string | null> {
    const { database, endpointId } = this;
    const target = await findTarget(database, endpointId);
    const warning = target?.enabled ? disableWarning(target, this.clock()) : null;
    if (warning !== null) await raiseAttention(database, { endpointId }, 'ENDPOINT_FAILING', warning);
    const { ENDPOINT_FAILING: listed, ...others } = target?.attention ?? {};
    if (warning === null && listed !== undefined) await clearAttention(database, { endpointId }, ['ENDPOINT_FAILING']);
    return warning ?? Object.values(others)[0] ?? null;
  }

  /** Sends the deliveries that may be sent now. Returns false if none was attempted. */
  private async sendDue(target: Target): Promise<boolean> {
    const batch = await this.take(target);
    const verificationTest = batch.find(isVerificationTest);
    if (verificationTest && !this.isOver) await this.sendInBackground(verificationTest);
    return this.send(
      target,
      batch.filter((delivery) => !isVerificationTest(delivery)),
    );
  }

  /** The deliveries that may be sent now. If there are none, continues a replay and returns its next deliveries. */
  private async take(target: Target): Promise<Delivery[]> {
    const found = await this.find(target);
    if (found.length > 0 || !target.replaying || isCircuitOpen(target, this.clock())) return found;
    await continueReplay(this.database, target.id);
    return this.find(target);
  }

  /** Due deliveries. While the circuit is open: only requested deliveries. After the circuit's time has ended: one probe. */
  private async find(target: Target): Promise<Delivery[]> {
    const now = this.clock();
    const { underWay } = this.verificationTests;
    if (target.circuitOpenUntil === null)
      return dueDeliveries(this.database, target.id, now, this.concurrency * DELIVERIES_PER_ORDER, underWay);
    if (isCircuitOpen(target, now)) return requestedDeliveries(this.database, target.id, MAX_CONCURRENCY);
    return probeDelivery(this.database, target.id, now, underWay);
  }

  /** Sends the batch. Returns false if the batch is empty or nothing was attempted. */
  private async send(target: Target, batch: Delivery[]): Promise<boolean> {
    if (batch.length === 0) return false;
    const { concurrency, clock, stopping } = this;
    const queues = concurrency === 1 ? [batch] : queuesByOrder(batch);
    const attempted = await sendRound(this.dependencies, target, queues, { concurrency, clock, stopping });
    if (attempted.length === 0) return false;
    this.lastSent = performance.now();
    this.lastResponse = responseOf(attempted);
    // An endpoint that has just recovered first gets one event at a time, then twice as many in each round.
    this.concurrency = target.failingSince === null ? Math.min(MAX_CONCURRENCY, concurrency * 2) : 1;
    return true;
  }

  /**
   * Sends a verification test in the background, so that a hanging URL does not delay other events. Reads the endpoint again:
   * the change that wrote the test may be newer than the URL that the round has read.
   */
  private async sendInBackground(test: Delivery): Promise<void> {
    const target = await findTarget(this.database, this.endpointId);
    if (!target?.enabled || target.paused) return;
    const { clock, stopping } = this;
    const sent = sendRound(this.dependencies, target, [[test]], { concurrency: 1, clock, stopping });
    this.verificationTests.start(
      test.sequence,
      sent.then((attempted) => void (this.lastResponse = responseOf(attempted))),
    );
  }
}

/** The sends in the background, by the sequence of their event. No other event waits for them. */
class BackgroundSends {
  private readonly sends = new Map<number, Promise<void>>();
  private failure: { error: unknown } | undefined;

  /** The sequences of the events that are being sent. Throws the error of an earlier send. */
  get underWay(): number[] {
    if (this.failure) throw this.failure.error;
    return [...this.sends.keys()];
  }

  start(sequence: number, send: Promise<void>): void {
    const ended = send
      .catch((error: unknown) => void (this.failure ??= { error }))
      .finally(() => this.sends.delete(sequence));
    this.sends.set(sequence, ended);
  }

  /** Returns once every send has ended. */
  async ended(): Promise<void> {
    await Promise.all(this.sends.values());
  }
}

/** The result of a round for operators: the last failure, or the last success if nothing failed. */
function responseOf(attempted: AttemptedDelivery[]): string {
  const last = attempted.findLast(({ result }) => !isSuccess(result)) ?? attempted.at(-1);
  return last?.result.error ?? String(last?.result.status);
}

interface AttemptedDelivery {
  delivery: Delivery;
  at: Date;
  /** False if the event's body could not be rendered, which says nothing about the endpoint. */
  rendered: boolean;
  result: AttemptResult;
}

interface RoundOptions {
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
async function sendRound(
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
function queuesByOrder(batch: Delivery[]): Delivery[][] {
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
  const check = new ChangeCheck(() => isTargetUnchanged(database, target));
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

/**
 * Detects that the endpoint was changed or paused since the round has read it, before the first send, because a change may be older than
 * an event of the batch, and then during the round. All senders of the round share the reads.
 */
class ChangeCheck {
  private nextAt = 0;
  private unchanged = Promise.resolve(true);

  constructor(private readonly read: () => Promise<boolean>) {}

  /** False from the first change on. Also false if the endpoint could not be read: the next round reads it again. */
  isUnchanged(): Promise<boolean> {
    if (performance.now() >= this.nextAt) {
      this.nextAt = performance.now() + CHECK_INTERVAL_MS;
      this.unchanged = this.unchanged.then((before) => before && this.read()).catch(() => false);
    }
    return this.unchanged;
  }
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
    const isCurrent = counted.length === 0 || (await updateHealth(database, target, counted, health, now, transaction));
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
  if (counted.some(({ result }) => isGone(result))) return disableEndpoint(database, target, 'GONE', transaction);
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
