/**
 * Delivers what waits for one endpoint, for a stretch of time. While events keep coming it stays and
 * sends them as they come, which costs no round trip through Temporal; when none come it goes to sleep.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../data/database';
import {
  backlogOf,
  deliveriesAskedFor,
  disableEndpoint,
  dueDeliveries,
  fallAsleep,
  findTarget,
  probeDelivery,
  recordAttempts,
  releaseHeld,
  setStanding,
  type Attempt,
  type Delivery,
  type Target,
} from '../../data/webhooks/deliveries';
import {
  isGone,
  isLost,
  isSuccess,
  retryOf,
  standingAfter,
  SUSPECT_AFTER,
  type Standing,
  type Stretch,
  type TryResult,
} from '../../domain/webhooks';
import { webhookSecret } from '../../security/places';
import type { Sealer } from '../../security/sealing';
import { envelopeOf } from './envelope';
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
}

/** A delivery that was tried. */
interface Tried {
  delivery: Delivery;
  at: Date;
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
      const { waiting } = await backlogOf(this.tools.database, endpointId);
      return { state, waiting, nextTryAt: nextTryAt?.getTime() ?? null, lastAnswer, disabledReason: null };
    };
    for (;;) {
      const target = await findTarget(this.tools.database, endpointId);
      if (!target?.enabled) {
        await fallAsleep(this.tools.database, endpointId);
        return { ...(await end('STOPPED')), disabledReason: target?.disabledReason ?? null };
      }
      if (target.paused) return end('PAUSED');

      const tried = await this.round(target, lanes, clock);
      if (tried.length > 0) {
        lastSent = performance.now();
        lastAnswer = answerOf(tried);
        // An endpoint that has come back is not run over: strictly one after the other first, then ever faster.
        lanes = target.failingSince === null ? Math.min(LANES, lanes * 2) : 1;
      } else if (target.heldUntil !== null && target.heldUntil > clock()) {
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
    const batch = await this.take(target, lanes, clock());
    if (batch.length === 0) return [];
    const tried = await this.sendAll(target, lanes === 1 ? [batch] : queuesByOrder(batch), lanes, clock);
    await this.conclude(target, tried, clock());
    return tried;
  }

  /** While the endpoint fails: what was asked for, and one probe when its time has come. Else all that is due. */
  private async take({ id, heldUntil }: Target, lanes: number, now: Date): Promise<Delivery[]> {
    const { database } = this.tools;
    if (heldUntil === null) return dueDeliveries(database, id, now, lanes * TAKEN_PER_LANE);
    return heldUntil > now ? deliveriesAskedFor(database, id, LANES) : probeDelivery(database, id);
  }

  /**
   * Sends the events of one queue, such as an order's, one after the other, and so many queues side by side.
   * Nothing more is begun once one has failed, so that an endpoint that goes down costs few events a try.
   */
  private async sendAll(
    target: Target,
    queues: Delivery[][],
    lanes: number,
    clock: () => Date,
  ): Promise<Tried[]> {
    const secrets = this.secretsOf(target);
    const until = performance.now() + ROUND_LIMIT;
    const tried: Tried[] = [];
    let failed = false;
    const workOff = async () => {
      for (let queue = queues.shift(); queue; queue = queues.shift()) {
        for (const delivery of queue) {
          if (failed || performance.now() > until) return;
          const at = clock();
          const result = await this.send(target.url, secrets, delivery);
          failed ||= !isSuccess(result);
          tried.push({ delivery, at, result });
        }
      }
    };
    await Promise.all(Array.from({ length: lanes }, workOff));
    return tried;
  }

  private async send(url: string, secrets: string[], delivery: Delivery): Promise<TryResult> {
    const { sealer, sender } = this.tools;
    const body = JSON.stringify(envelopeOf(sealer, delivery));
    return sender.send(url, signatureHeaders(secrets, delivery.id, new Date(), body), body);
  }

  /** The secrets that sign now, newest first. */
  private secretsOf({ nonce, sealedSecret, previousSecret, previousSecretUntil }: Target): string[] {
    const overlaps = previousSecretUntil !== null && previousSecretUntil > new Date();
    const sealed = previousSecret !== null && overlaps ? [sealedSecret, previousSecret] : [sealedSecret];
    return sealed.map((secret) => this.tools.sealer.open(webhookSecret(nonce), secret));
  }

  /** Plans what failed, and judges the endpoint by how it answered. Delays count from now, the end of the round. */
  private async conclude(target: Target, tried: Tried[], now: Date): Promise<void> {
    const { database } = this.tools;
    const standing = await this.judge(target, tried, now);
    const attempts = tried.map((one) => attemptOf(one, standing, now));
    await recordAttempts(database, target.id, now, attempts);

    if (tried.some(({ result }) => isGone(result))) return disableEndpoint(database, target.id, 'GONE');
    if (isLost(standing, now)) return disableEndpoint(database, target.id, 'FAILING');
    if (standing.failingSince !== null || target.failingSince !== null) {
      await setStanding(database, target, standing);
    }
    if (standing.failingSince === null && target.failingSince !== null) {
      await releaseHeld(database, target.id, target.failingSince);
    }
  }

  private async judge(target: Target, tried: Tried[], now: Date): Promise<Standing> {
    const succeeded = tried.some(({ result }) => isSuccess(result));
    // Something asked for between two probes: its failure tells nothing new.
    if (!succeeded && target.heldUntil !== null && target.heldUntil > now) return target;
    const retryAfter = Math.max(...tried.map(({ result }) => result.retryAfter));
    const onlySuspectFailed = !succeeded && (await this.isLoneSuspect(target.id, tried));
    return standingAfter(target, { succeeded, retryAfter, onlySuspectFailed }, now);
  }

  private async isLoneSuspect(endpointId: number, tried: Tried[]): Promise<boolean> {
    const [only, another] = tried;
    if (!only || another || only.delivery.tries + 1 < SUSPECT_AFTER) return false;
    return (await backlogOf(this.tools.database, endpointId)).waiting === 1;
  }

  /** Goes to sleep and looks once more. When the next event is due: `now` where it came at the last moment. */
  private async goToSleep(endpointId: number, clock: () => Date): Promise<Date | null | 'now'> {
    await fallAsleep(this.tools.database, endpointId);
    const { waiting, nextTryAt } = await backlogOf(this.tools.database, endpointId);
    if (waiting === 0) return null;
    return nextTryAt === null || nextTryAt <= clock() ? 'now' : nextTryAt;
  }
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

function attemptOf({ delivery, at, result }: Tried, standing: Standing, now: Date): Attempt {
  const attempt = { ...result, sequence: delivery.sequence, attemptedAt: at };
  if (isSuccess(result)) return { ...attempt, state: 'DELIVERED', nextTryAt: null };
  const event = { tries: delivery.tries + 1, firstFailedAt: delivery.firstFailedAt ?? now };
  const retry = retryOf(event, standing, result.retryAfter, now);
  return { ...attempt, state: retry.state, nextTryAt: retry.state === 'RETRY' ? retry.at : null };
}

/** What to tell of a round in one word: the last failure, or the last success where there was none. */
function answerOf(tried: Tried[]): string {
  const telling = tried.findLast(({ result }) => !isSuccess(result)) ?? tried.at(-1);
  return telling?.result.error ?? String(telling?.result.status);
}
