/**
 * Delivers the pending events of one endpoint for a limited time. While new events keep coming it sends them
 * as they come, which costs no round trip through Temporal; when none come it marks the endpoint idle.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Transaction } from 'sequelize';
import { clearAttention, raiseAttention } from '../../data/attention';
import type { Database } from '../../data/database';
import {
  backlogOf,
  requestedDeliveries,
  dueDeliveries,
  markIdle,
  findTarget,
  probeDelivery,
  recordAttempts,
  releaseRetries,
  type Attempt,
  type Delivery,
  type Target,
} from '../../data/webhooks/deliveries';
import { disableEndpoint, giveUpPending, markVerified, recordHealth } from '../../data/webhooks/health';
import { continueReplay } from '../../data/webhooks/replays';
import {
  isGone,
  isGreeting,
  shouldDisable,
  isSuccess,
  planRetry,
  healthAfter,
  SUSPECT_AFTER_ATTEMPTS,
  disableWarning,
  healthy,
  type EndpointHealth,
  type DeliveryRun,
  type AttemptResult,
} from '../../domain/webhooks';
import { webhookSecret } from '../../security/encryption-context';
import type { Sealer } from '../../security/sealing';
import { DeliveryLog } from './delivery-log';
import { envelopeToSend } from './envelope';
import type { WebhookSender } from './sender';
import { signatureHeaders } from './signing';

/** How often the database is asked for new events. */
const POLL_INTERVAL_MS = 100;
/** An endpoint without a new event for this long is idle. */
const IDLE_TIMEOUT_MS = 1_000;
/** A run begins no further round after this time. */
const RUN_LIMIT_MS = 10_000;
/** A round begins no further send after this time. */
const ROUND_LIMIT_MS = 20_000;

/** Orders whose events are sent side by side, and deliveries read at a time for each of them. */
const MAX_CONCURRENCY = 16;
const DELIVERIES_PER_ORDER = 12;

export interface DeliveryDependencies {
  database: Database;
  sealer: Sealer;
  sender: WebhookSender;
  log: Pick<Logger, 'error'>;
}

/** A delivery that was attempted. */
interface AttemptedDelivery {
  delivery: Delivery;
  at: Date;
  /** False if the event's body could not be built, which says nothing about the endpoint. */
  built: boolean;
  result: AttemptResult;
}

export class DeliveryRunner {
  constructor(private readonly dependencies: DeliveryDependencies) {}

  /**
   * Delivers what is due for the endpoint, and events that are written while it runs. `clock` decides what is
   * due; `stopping` ends the run early.
   */
  async deliver(endpointId: number, clock: () => Date, stopping: AbortSignal): Promise<DeliveryRun> {
    const began = performance.now();
    let lastSent = began;
    let lastResponse: string | null = null;
    let concurrency = MAX_CONCURRENCY;
    const end = async (
      state: DeliveryRun['state'],
      nextAttemptAt: Date | null = null,
    ): Promise<DeliveryRun> => {
      const attention = await this.reportHealth(endpointId, clock());
      const { pending } = await backlogOf(this.dependencies.database, endpointId);
      return { state, pending, nextAttemptAt: nextAttemptAt?.getTime() ?? null, lastResponse, attention };
    };
    for (;;) {
      const target = await findTarget(this.dependencies.database, endpointId);
      if (!target?.enabled) {
        await giveUpPending(this.dependencies.database, endpointId);
        await markIdle(this.dependencies.database, endpointId);
        return end('STOPPED');
      }
      if (target.paused) return end('PAUSED');

      const attempted = await this.round(target, concurrency, clock);
      if (attempted.length > 0) {
        lastSent = performance.now();
        lastResponse = responseOf(attempted);
        // An endpoint that has just recovered gets one event at a time first, then twice as many each round.
        concurrency = target.failingSince === null ? Math.min(MAX_CONCURRENCY, concurrency * 2) : 1;
      } else if (isCircuitOpen(target, clock())) {
        return end('CIRCUIT_OPEN', target.circuitOpenUntil);
      } else if (performance.now() - lastSent >= IDLE_TIMEOUT_MS) {
        const next = await this.becomeIdle(endpointId, clock);
        if (next !== 'now') return end('IDLE', next);
      }
      if (stopping.aborted || performance.now() - began >= RUN_LIMIT_MS) return end('BUSY');
      if (attempted.length === 0) await sleep(POLL_INTERVAL_MS);
    }
  }

  /** Sends one batch of what may be sent, and records the results. */
  private async round(target: Target, concurrency: number, clock: () => Date): Promise<AttemptedDelivery[]> {
    const batch = await this.take(target, concurrency, clock);
    if (batch.length === 0) return [];
    const attempted = await this.sendAll(
      target,
      concurrency === 1 ? [batch] : queuesByOrder(batch),
      concurrency,
      clock,
    );
    await this.conclude(target, attempted, clock());
    return attempted;
  }

  /** What may be sent. If there is nothing, the next events of a replay. */
  private async take(target: Target, concurrency: number, clock: () => Date): Promise<Delivery[]> {
    const found = await this.find(target, concurrency, clock());
    if (found.length > 0 || !target.replaying || isCircuitOpen(target, clock())) return found;
    await continueReplay(this.dependencies.database, target.id);
    return this.find(target, concurrency, clock());
  }

  /** While the circuit is open: what was requested, and one probe when its time has come. Else all that is due. */
  private async find(target: Target, concurrency: number, now: Date): Promise<Delivery[]> {
    const { database } = this.dependencies;
    if (target.circuitOpenUntil === null)
      return dueDeliveries(database, target.id, now, concurrency * DELIVERIES_PER_ORDER);
    if (isCircuitOpen(target, now)) return requestedDeliveries(database, target.id, MAX_CONCURRENCY);
    return probeDelivery(database, target.id, now);
  }

  /**
   * Sends the events of each queue, such as an order's, one after the other, and up to `concurrency` queues side
   * by side. After the first failure nothing more is begun, so that an endpoint that goes down costs few events
   * an attempt. Successes are recorded while the round goes on.
   */
  private async sendAll(
    target: Target,
    queues: Delivery[][],
    concurrency: number,
    clock: () => Date,
  ): Promise<AttemptedDelivery[]> {
    const { database } = this.dependencies;
    const secrets = this.secretsOf(target);
    const until = performance.now() + ROUND_LIMIT_MS;
    const delivered = new DeliveryLog((attempts) => recordAttempts(database, target.id, clock(), attempts));
    const attempted: AttemptedDelivery[] = [];
    let failed = false;
    const worker = async () => {
      for (let queue = queues.shift(); queue; queue = queues.shift()) {
        for (const delivery of queue) {
          if (failed || delivered.failed || performance.now() > until) return;
          const one = await this.send(target.url, secrets, delivery, clock());
          failed ||= countsFor(one) && !isSuccess(one.result);
          attempted.push(one);
          if (isSuccess(one.result)) delivered.add(deliveredBy(one));
        }
      }
    };
    await Promise.all(Array.from({ length: concurrency }, worker));
    await delivered.written();
    return attempted;
  }

  private async send(
    url: string,
    secrets: string[],
    delivery: Delivery,
    at: Date,
  ): Promise<AttemptedDelivery> {
    const body = this.bodyOf(delivery);
    if (body === undefined) return { delivery, at, built: false, result: unsent('event could not be built') };
    if (secrets.length === 0)
      return { delivery, at, built: true, result: unsent('signing secret unreadable') };
    const headers = signatureHeaders(secrets, delivery.id, new Date(), body);
    return { delivery, at, built: true, result: await this.dependencies.sender.send(url, headers, body) };
  }

  /** The text to send; undefined if it cannot be built, which a person must look into. */
  private bodyOf(delivery: Delivery): string | undefined {
    const { sealer, log } = this.dependencies;
    try {
      return JSON.stringify(envelopeToSend(sealer, delivery));
    } catch (err) {
      log.error({ err, event: delivery.id }, 'the body of a webhook could not be built');
      return undefined;
    }
  }

  /** The secrets that sign now, newest first. One that does not open signs nothing. */
  private secretsOf({ id, nonce, sealedSecrets }: Target): string[] {
    const { sealer, log } = this.dependencies;
    return sealedSecrets.flatMap((sealed) => {
      try {
        return [sealer.open(webhookSecret(nonce), sealed)];
      } catch (err) {
        log.error({ err, endpoint: id }, 'a signing secret of a webhook endpoint does not open');
        return [];
      }
    });
  }

  /**
   * Records the failures of a round with their retries, and what the round tells about the endpoint's health;
   * unless its client has reset the endpoint since. Delays count from now, the end of the round.
   */
  private async conclude(target: Target, attempted: AttemptedDelivery[], now: Date): Promise<void> {
    const sent = attempted.filter(countsFor);
    if (!target.verified && sent.some(({ result }) => isSuccess(result)))
      await markVerified(this.dependencies.database, target, now);
    const failures = attempted.filter(({ result }) => !isSuccess(result));
    if (failures.length === 0 && target.failingSince === null) return;
    const { database } = this.dependencies;
    const health = sent.length === 0 ? target : await this.judge(target, sent, now);
    await database.transaction(async (transaction) => {
      const isCurrent =
        sent.length === 0 || (await this.updateHealth(target, sent, health, now, transaction));
      const attempts = failures.map((one) => failedBy(one, isCurrent ? health : 'RESET', now));
      await recordAttempts(database, target.id, now, attempts, transaction);
    });
  }

  private async judge(target: Target, sent: AttemptedDelivery[], now: Date): Promise<EndpointHealth> {
    const succeeded = sent.some(({ result }) => isSuccess(result));
    // Something requested between two probes: its failure tells nothing new.
    if (!succeeded && isCircuitOpen(target, now)) return target;
    const retryAfterMs = Math.max(...sent.map(({ result }) => result.retryAfterMs));
    const onlySuspectFailed = !succeeded && (await this.isLoneSuspect(target.id, sent));
    return healthAfter(target, { succeeded, retryAfterMs, onlySuspectFailed }, now);
  }

  /** Records the health of the endpoint, or disables it. False if its client has changed it during the round. */
  private async updateHealth(
    target: Target,
    sent: AttemptedDelivery[],
    health: EndpointHealth,
    now: Date,
    transaction: Transaction,
  ): Promise<boolean> {
    const { database } = this.dependencies;
    if (sent.some(({ result }) => isGone(result)))
      return disableEndpoint(database, target, 'GONE', transaction);
    if (shouldDisable(health, now)) return disableEndpoint(database, target, 'FAILING', transaction);
    if (health.failingSince === null && target.failingSince === null) return true;
    const isCurrent = await recordHealth(database, target, health, transaction);
    if (isCurrent && health.failingSince === null && target.failingSince !== null) {
      await releaseRetries(database, target.id, target.failingSince, transaction);
    }
    return isCurrent;
  }

  private async isLoneSuspect(endpointId: number, sent: AttemptedDelivery[]): Promise<boolean> {
    const [only, another] = sent;
    if (!only || another || only.delivery.attempts + 1 < SUSPECT_AFTER_ATTEMPTS) return false;
    const { pending, unbuildable } = await backlogOf(this.dependencies.database, endpointId);
    return pending - unbuildable === 1;
  }

  /** Puts an endpoint that is about to be disabled on the operators' list, or takes it off. */
  private async reportHealth(endpointId: number, now: Date): Promise<string | null> {
    const { database } = this.dependencies;
    const target = await findTarget(database, endpointId);
    const warning = target?.enabled ? disableWarning(target, now) : null;
    if (warning !== null) await raiseAttention(database, { endpointId }, 'ENDPOINT_FAILING', warning);
    else if (target?.onAttentionList) await clearAttention(database, { endpointId }, ['ENDPOINT_FAILING']);
    return warning;
  }

  /** Marks the endpoint idle, then looks once more. When the next event is due: `now` if one came at the last moment. */
  private async becomeIdle(endpointId: number, clock: () => Date): Promise<Date | null | 'now'> {
    await markIdle(this.dependencies.database, endpointId);
    const { pending, nextAttemptAt } = await backlogOf(this.dependencies.database, endpointId);
    if (pending === 0) return null;
    return nextAttemptAt === null || nextAttemptAt <= clock() ? 'now' : nextAttemptAt;
  }
}

/** Whether only what was requested is sent, because the endpoint fails. */
function isCircuitOpen({ circuitOpenUntil }: EndpointHealth, now: Date): boolean {
  return circuitOpenUntil !== null && circuitOpenUntil > now;
}

/** Whether the attempt tells something of the endpoint: its event was built, and is no greeting that failed. */
function countsFor({ delivery, built, result }: AttemptedDelivery): boolean {
  return built && (isSuccess(result) || !isGreeting(delivery));
}

/** The deliveries of each order, in the order of the batch; an event of no order stands alone. */
function queuesByOrder(batch: Delivery[]): Delivery[][] {
  const queues = new Map<string, Delivery[]>();
  for (const delivery of batch) {
    const key = delivery.orderId === null ? delivery.id : String(delivery.orderId);
    queues.set(key, [...(queues.get(key) ?? []), delivery]);
  }
  return [...queues.values()];
}

/** An attempt that failed before anything was sent. */
function unsent(error: string): AttemptResult {
  return { status: null, error, retryAfterMs: 0, durationMs: 0 };
}

function attemptOf({ delivery, at, built, result }: AttemptedDelivery) {
  return { ...result, sequence: delivery.sequence, attemptedAt: at, unbuildable: !built };
}

function deliveredBy(attempted: AttemptedDelivery): Attempt {
  return { ...attemptOf(attempted), state: 'DELIVERED', nextAttemptAt: null };
}

/** An event that cannot be built uses up its attempts whatever the endpoint does. */
function failedBy(attempted: AttemptedDelivery, health: EndpointHealth | 'RESET', now: Date): Attempt {
  const { delivery, built, result } = attempted;
  if (isGreeting(delivery)) return { ...attemptOf(attempted), state: 'FAILED', nextAttemptAt: null };
  if (health === 'RESET') return { ...attemptOf(attempted), state: 'DUE', nextAttemptAt: null };
  const event = { attempts: delivery.attempts + 1, firstFailedAt: delivery.firstFailedAt ?? now };
  const retry = planRetry(event, built ? health : healthy, result.retryAfterMs, now);
  return {
    ...attemptOf(attempted),
    state: retry.state,
    nextAttemptAt: retry.state === 'RETRY' ? retry.at : null,
  };
}

/** A round in one word, for operators: the last failure, or the last success if nothing failed. */
function responseOf(attempted: AttemptedDelivery[]): string {
  const last = attempted.findLast(({ result }) => !isSuccess(result)) ?? attempted.at(-1);
  return last?.result.error ?? String(last?.result.status);
}
