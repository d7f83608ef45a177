/**
 * Delivers what waits for one endpoint, for a stretch of time. While events keep coming it stays and
 * sends them as they come, which costs no round trip through Temporal; when none come it goes to sleep.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Transaction } from 'sequelize';
import { clearAttention, raiseAttention } from '../../data/attention';
import type { Database } from '../../data/database';
import {
  backlogOf,
  deliveriesAskedFor,
  dueDeliveries,
  fallAsleep,
  findTarget,
  probeDelivery,
  recordAttempts,
  releaseHeld,
  type Attempt,
  type Delivery,
  type Target,
} from '../../data/webhooks/deliveries';
import { disableEndpoint, giveUpOutstanding, setStanding } from '../../data/webhooks/health';
import { continueReplay } from '../../data/webhooks/replays';
import {
  isGone,
  isLost,
  isSuccess,
  retryOf,
  standingAfter,
  SUSPECT_AFTER,
  warningOf,
  working,
  type Standing,
  type Stretch,
  type TryResult,
} from '../../domain/webhooks';
import { webhookSecret } from '../../security/places';
import type { Sealer } from '../../security/sealing';
import { DeliveryLog } from './delivery-log';
import { envelopeToSend } from './envelope';
import type { WebhookSender } from './sender';
import { signatureHeaders } from './signing';

// Milliseconds.
const LOOK_EVERY = 100;
/** How long new events are looked for in vain before the endpoint goes to sleep. */
const LINGER = 1_000;
const STRETCH_LIMIT = 10_000;
/** How long one round goes on beginning new sends. */
const ROUND_LIMIT = 20_000;

/** Orders whose events are sent side by side, and deliveries taken at a time for each of them. */
const LANES = 16;
const TAKEN_PER_LANE = 12;

export interface CourierTools {
  database: Database;
  sealer: Sealer;
  sender: WebhookSender;
  log: Pick<Logger, 'error'>;
}

/** A delivery that was tried. */
interface Tried {
  delivery: Delivery;
  at: Date;
  /** False where the event's body could not be built, which says nothing about the endpoint. */
  built: boolean;
  result: TryResult;
}

export class Courier {
  constructor(private readonly tools: CourierTools) {}

  /**
   * Delivers what is due for the endpoint and what comes meanwhile. `clock` decides what is due;
   * `stopping` ends the stretch early.
   */
  async deliver(endpointId: number, clock: () => Date, stopping: AbortSignal): Promise<Stretch> {
    const began = performance.now();
    let lastSent = began;
    let lastAnswer: string | null = null;
    let lanes = LANES;
    const end = async (state: Stretch['state'], nextTryAt: Date | null = null): Promise<Stretch> => {
      const attention = await this.reportStanding(endpointId, clock());
      const { waiting } = await backlogOf(this.tools.database, endpointId);
      return { state, waiting, nextTryAt: nextTryAt?.getTime() ?? null, lastAnswer, attention };
    };
    for (;;) {
      const target = await findTarget(this.tools.database, endpointId);
      if (!target?.enabled) {
        await giveUpOutstanding(this.tools.database, endpointId);
        await fallAsleep(this.tools.database, endpointId);
        return end('STOPPED');
      }
      if (target.paused) return end('PAUSED');

      const tried = await this.round(target, lanes, clock);
      if (tried.length > 0) {
        lastSent = performance.now();
        lastAnswer = answerOf(tried);
        // An endpoint that has come back is not run over: strictly one after the other first, then ever faster.
        lanes = target.failingSince === null ? Math.min(LANES, lanes * 2) : 1;
      } else if (isHeld(target, clock())) {
        return end('HELD', target.heldUntil);
      } else if (performance.now() - lastSent >= LINGER) {
        const next = await this.goToSleep(endpointId, clock);
        if (next !== 'now') return end('IDLE', next);
      }
      if (stopping.aborted || performance.now() - began >= STRETCH_LIMIT) return end('BUSY');
      if (tried.length === 0) await sleep(LOOK_EVERY);
    }
  }

  /** Sends one batch of what may be sent, and writes down what came of it. */
  private async round(target: Target, lanes: number, clock: () => Date): Promise<Tried[]> {
    const batch = await this.take(target, lanes, clock);
    if (batch.length === 0) return [];
    const tried = await this.sendAll(target, lanes === 1 ? [batch] : queuesByOrder(batch), lanes, clock);
    await this.conclude(target, tried, clock());
    return tried;
  }

  /** What may be sent. Where there is nothing, the next events of a replay. */
  private async take(target: Target, lanes: number, clock: () => Date): Promise<Delivery[]> {
    const found = await this.find(target, lanes, clock());
    if (found.length > 0 || !target.replaying || isHeld(target, clock())) return found;
    await continueReplay(this.tools.database, target.id);
    return this.find(target, lanes, clock());
  }

  /** While the endpoint fails: what was asked for, and one probe when its time has come. Else all that is due. */
  private async find(target: Target, lanes: number, now: Date): Promise<Delivery[]> {
    const { database } = this.tools;
    if (target.heldUntil === null) return dueDeliveries(database, target.id, now, lanes * TAKEN_PER_LANE);
    if (isHeld(target, now)) return deliveriesAskedFor(database, target.id, LANES);
    return probeDelivery(database, target.id, now);
  }

  /**
   * Sends the events of one queue, such as an order's, one after the other, and so many queues side by side.
   * Nothing more is begun once one has failed, so that an endpoint that goes down costs few events a try.
   * What gets through is written down at once.
   */
  private async sendAll(
    target: Target,
    queues: Delivery[][],
    lanes: number,
    clock: () => Date,
  ): Promise<Tried[]> {
    const { database } = this.tools;
    const secrets = this.secretsOf(target);
    const until = performance.now() + ROUND_LIMIT;
    const delivered = new DeliveryLog((attempts) => recordAttempts(database, target.id, clock(), attempts));
    const tried: Tried[] = [];
    let failed = false;
    const workOff = async () => {
      for (let queue = queues.shift(); queue; queue = queues.shift()) {
        for (const delivery of queue) {
          if (failed || delivered.failed || performance.now() > until) return;
          const one = await this.send(target.url, secrets, delivery, clock());
          failed ||= one.built && !isSuccess(one.result);
          tried.push(one);
          if (isSuccess(one.result)) delivered.add(deliveredBy(one));
        }
      }
    };
    await Promise.all(Array.from({ length: lanes }, workOff));
    await delivered.written();
    return tried;
  }

  private async send(url: string, secrets: string[], delivery: Delivery, at: Date): Promise<Tried> {
    const body = this.bodyOf(delivery);
    if (body === undefined) return { delivery, at, built: false, result: unsent('event could not be built') };
    if (secrets.length === 0)
      return { delivery, at, built: true, result: unsent('signing secret unreadable') };
    const headers = signatureHeaders(secrets, delivery.id, new Date(), body);
    return { delivery, at, built: true, result: await this.tools.sender.send(url, headers, body) };
  }

  /** The text to send; undefined where it cannot be built, which a person must look into. */
  private bodyOf(delivery: Delivery): string | undefined {
    const { sealer, log } = this.tools;
    try {
      return JSON.stringify(envelopeToSend(sealer, delivery));
    } catch (err) {
      log.error({ err, event: delivery.id }, 'the body of a webhook could not be built');
      return undefined;
    }
  }

  /** The secrets that sign now, newest first. One that does not open signs nothing. */
  private secretsOf({ id, nonce, sealedSecrets }: Target): string[] {
    const { sealer, log } = this.tools;
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
   * Plans what failed, and judges the endpoint by how it answered; unless its client has had it begin
   * anew meanwhile. Delays count from now, the end of the round.
   */
  private async conclude(target: Target, tried: Tried[], now: Date): Promise<void> {
    const sent = tried.filter(({ built }) => built);
    const failures = tried.filter(({ result }) => !isSuccess(result));
    if (failures.length === 0 && target.failingSince === null) return;
    const { database } = this.tools;
    const standing = sent.length === 0 ? target : await this.judge(target, sent, now);
    await database.transaction(async (transaction) => {
      const stands = sent.length === 0 || (await this.settle(target, sent, standing, now, transaction));
      const attempts = failures.map((one) => failedBy(one, stands ? standing : 'BEGUN_ANEW', now));
      await recordAttempts(database, target.id, now, attempts, transaction);
    });
  }

  private async judge(target: Target, sent: Tried[], now: Date): Promise<Standing> {
    const succeeded = sent.some(({ result }) => isSuccess(result));
    // Something asked for between two probes: its failure tells nothing new.
    if (!succeeded && isHeld(target, now)) return target;
    const retryAfter = Math.max(...sent.map(({ result }) => result.retryAfter));
    const onlySuspectFailed = !succeeded && (await this.isLoneSuspect(target.id, sent));
    return standingAfter(target, { succeeded, retryAfter, onlySuspectFailed }, now);
  }

  /** Writes down how the endpoint stands now. False where its client has changed it during the round. */
  private async settle(
    target: Target,
    sent: Tried[],
    standing: Standing,
    now: Date,
    transaction: Transaction,
  ): Promise<boolean> {
    const { database } = this.tools;
    if (sent.some(({ result }) => isGone(result)))
      return disableEndpoint(database, target, 'GONE', transaction);
    if (isLost(standing, now)) return disableEndpoint(database, target, 'FAILING', transaction);
    if (standing.failingSince === null && target.failingSince === null) return true;
    const stands = await setStanding(database, target, standing, transaction);
    if (stands && standing.failingSince === null && target.failingSince !== null) {
      await releaseHeld(database, target.id, target.failingSince, transaction);
    }
    return stands;
  }

  private async isLoneSuspect(endpointId: number, sent: Tried[]): Promise<boolean> {
    const [only, another] = sent;
    if (!only || another || only.delivery.tries + 1 < SUSPECT_AFTER) return false;
    const { waiting, unbuildable } = await backlogOf(this.tools.database, endpointId);
    return waiting - unbuildable === 1;
  }

  /** Puts an endpoint that is about to be disabled on the list of what needs a person, or takes it off. */
  private async reportStanding(endpointId: number, now: Date): Promise<string | null> {
    const { database } = this.tools;
    const target = await findTarget(database, endpointId);
    const warning = target?.enabled ? warningOf(target, now) : null;
    if (warning !== null) await raiseAttention(database, { endpointId }, 'ENDPOINT_FAILING', warning);
    else if (target?.onAttentionList) await clearAttention(database, { endpointId }, ['ENDPOINT_FAILING']);
    return warning;
  }

  /** Goes to sleep and looks once more. When the next event is due: `now` where it came at the last moment. */
  private async goToSleep(endpointId: number, clock: () => Date): Promise<Date | null | 'now'> {
    await fallAsleep(this.tools.database, endpointId);
    const { waiting, nextTryAt } = await backlogOf(this.tools.database, endpointId);
    if (waiting === 0) return null;
    return nextTryAt === null || nextTryAt <= clock() ? 'now' : nextTryAt;
  }
}

/** Whether nothing but what was asked for is sent, because the endpoint fails. */
function isHeld({ heldUntil }: Standing, now: Date): boolean {
  return heldUntil !== null && heldUntil > now;
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

/** A try that failed before anything was sent. */
function unsent(error: string): TryResult {
  return { status: null, error, retryAfter: 0, duration: 0 };
}

function attemptOf({ delivery, at, built, result }: Tried) {
  return { ...result, sequence: delivery.sequence, attemptedAt: at, unbuildable: !built };
}

function deliveredBy(tried: Tried): Attempt {
  return { ...attemptOf(tried), state: 'DELIVERED', nextTryAt: null };
}

/** An event that cannot be built has its tries whatever the endpoint does. */
function failedBy(tried: Tried, standing: Standing | 'BEGUN_ANEW', now: Date): Attempt {
  if (standing === 'BEGUN_ANEW') return { ...attemptOf(tried), state: 'DUE', nextTryAt: null };
  const { delivery, built, result } = tried;
  const event = { tries: delivery.tries + 1, firstFailedAt: delivery.firstFailedAt ?? now };
  const retry = retryOf(event, built ? standing : working, result.retryAfter, now);
  return { ...attemptOf(tried), state: retry.state, nextTryAt: retry.state === 'RETRY' ? retry.at : null };
}

/** What to tell of a round in one word: the last failure, or the last success where there was none. */
function answerOf(tried: Tried[]): string {
  const telling = tried.findLast(({ result }) => !isSuccess(result)) ?? tried.at(-1);
  return telling?.result.error ?? String(telling?.result.status);
}
