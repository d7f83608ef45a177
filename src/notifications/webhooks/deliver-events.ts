/**
 * Delivers the pending events of one endpoint for a limited time, and new events without a round trip through Temporal. When no
 * event is left, it marks the endpoint idle, so that the outbox poller signals its workflow for the next one.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { clearAttention, raiseAttention } from '../../data/operations/attention';
import {
  backlogOf,
  dueDeliveries,
  findTarget,
  markIdle,
  markStopped,
  probeDelivery,
  requestedDeliveries,
  type Delivery,
  type Target,
} from '../../data/webhooks/deliveries';
import { endFailure, giveUpPending } from '../../data/webhooks/endpoint-health';
import { continueReplay } from '../../data/webhooks/redelivery';
import {
  disableWarning,
  isCircuitOpen,
  isSuccess,
  isVerificationTest,
  type DeliveryRun,
} from '../../domain/webhooks';
import {
  queuesByOrder,
  sendRound,
  type AttemptedDelivery,
  type DeliveryDependencies,
} from './delivery-round';

/** How often the database is polled for new events. */
const POLL_INTERVAL_MS = 100;
/** An endpoint to which nothing was sent for this long becomes idle. */
const IDLE_TIMEOUT_MS = 1_000;
/** A run starts no further round after this time, except while a verification test is being sent. */
const RUN_LIMIT_MS = 10_000;
/** The maximum number of orders whose events are sent concurrently. */
const MAX_CONCURRENCY = 16;
/** Deliveries that are read at a time, for each order whose events are sent concurrently. */
const DELIVERIES_PER_ORDER = 12;

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
    for (;;) {
      const target = await findTarget(this.database, this.endpointId);
      if (!target?.enabled || target.paused) {
        if (this.isTestUnderWay && !this.stopping.aborted) {
          await sleep(POLL_INTERVAL_MS);
          continue;
        }
        return this.end(await this.halt(target));
      }
      const batch = await this.take(target);
      const verificationTest = batch.find(isVerificationTest);
      if (verificationTest && !this.isOver) await this.sendInBackground(verificationTest);
      const sent = await this.send(
        target,
        batch.filter((delivery) => !isVerificationTest(delivery)),
      );
      const isWaiting = !sent && !this.isTestUnderWay;
      if (isWaiting && target.failingSince !== null && (await endFailure(this.database, target))) continue;
      if (isWaiting && isCircuitOpen(target, this.clock()))
        return this.end('CIRCUIT_OPEN', target.circuitOpenUntil);
      if (isWaiting && performance.now() - this.lastSent >= IDLE_TIMEOUT_MS) {
        const next = await this.becomeIdle();
        if (next !== 'now') return this.end('IDLE', next);
      }
      if (this.stopping.aborted || (this.isOver && !this.isTestUnderWay)) return this.end('BUSY');
      if (!sent) await sleep(POLL_INTERVAL_MS);
    }
  }

  private get isOver(): boolean {
    return this.stopping.aborted || performance.now() - this.began >= RUN_LIMIT_MS;
  }

  private get isTestUnderWay(): boolean {
    return this.verificationTests.underWay.length > 0;
  }

  private async end(state: DeliveryRun['state'], nextAttemptAt: Date | null = null): Promise<DeliveryRun> {
    await this.verificationTests.ended();
    const attention = await this.reportHealth();
    const { pending } = await backlogOf(this.database, this.endpointId);
    const { lastResponse } = this;
    return { state, pending, nextAttemptAt: nextAttemptAt?.getTime() ?? null, lastResponse, attention };
  }

  /** Leaves a paused endpoint as it is. Gives up the pending events of a disabled or deleted endpoint. */
  private async halt(target: Target | undefined): Promise<'PAUSED' | 'STOPPED'> {
    if (target?.enabled) return 'PAUSED';
    await giveUpPending(this.database, this.endpointId);
    await markStopped(this.database, this.endpointId);
    return 'STOPPED';
  }

  /** The deliveries that may be sent now. If there are none, continues a replay and returns its next deliveries. */
  private async take(target: Target): Promise<Delivery[]> {
    const found = await this.find(target);
    if (found.length > 0 || !target.replaying || isCircuitOpen(target, this.clock())) return found;
    await continueReplay(this.database, target.id);
    return this.find(target);
  }

  /** Due deliveries. While the circuit is open: only requested deliveries. After the circuit's time is over: one probe. */
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
   * Sends a verification test in the background, so that a URL that does not respond delays no other event. Reads the endpoint again:
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
    if (warning === null && listed !== undefined)
      await clearAttention(database, { endpointId }, ['ENDPOINT_FAILING']);
    return warning ?? Object.values(others)[0] ?? null;
  }

  /**
   * Marks the endpoint idle, then polls once more for events that were written before. Returns when the next event is due: `now` if
   * it is already due, null if none is pending.
   */
  private async becomeIdle(): Promise<Date | null | 'now'> {
    await markIdle(this.database, this.endpointId);
    const { pending, nextAttemptAt } = await backlogOf(this.database, this.endpointId);
    if (pending === 0) return null;
    return nextAttemptAt === null || nextAttemptAt <= this.clock() ? 'now' : nextAttemptAt;
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
