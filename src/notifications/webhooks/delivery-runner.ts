/**
 * Delivers the pending events of one endpoint for a limited time. While new events keep coming it sends them
 * as they come, which costs no round trip through Temporal; when none come it marks the endpoint idle.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { clearAttention, raiseAttention } from '../../data/operations/attention';
import {
  backlogOf,
  requestedDeliveries,
  dueDeliveries,
  markIdle,
  findTarget,
  probeDelivery,
  type Delivery,
  type Target,
} from '../../data/webhooks/deliveries';
import { giveUpPending } from '../../data/webhooks/health';
import { continueReplay } from '../../data/webhooks/replays';
import {
  disableWarning,
  isCircuitOpen,
  isSuccess,
  isVerificationTest,
  type DeliveryRun,
} from '../../domain/webhooks';
import { BackgroundSends } from './background-sends';
import type { DeliveryDependencies } from './delivery-dependencies';
import { RoundOutcome } from './round-outcome';
import { queuesByOrder, RoundSender, type AttemptedDelivery } from './round-sender';

/** How often the database is asked for new events. */
const POLL_INTERVAL_MS = 100;
/** An endpoint without a new event for this long is idle. */
const IDLE_TIMEOUT_MS = 1_000;
/** A run begins no further round after this time, except while a verification test is being sent. */
const RUN_LIMIT_MS = 10_000;
/** Orders whose events are sent side by side, and deliveries read at a time for each of them. */
const MAX_CONCURRENCY = 16;
const DELIVERIES_PER_ORDER = 12;

export class DeliveryRunner {
  private readonly sender: RoundSender;
  private readonly outcome: RoundOutcome;

  constructor(private readonly dependencies: DeliveryDependencies) {
    this.sender = new RoundSender(dependencies);
    this.outcome = new RoundOutcome(dependencies);
  }

  /**
   * Delivers what is due for the endpoint, and events that are written while it runs. `clock` decides what is
   * due; `stopping` ends the run early.
   */
  async deliver(endpointId: number, clock: () => Date, stopping: AbortSignal): Promise<DeliveryRun> {
    const began = performance.now();
    let lastSent = began;
    let lastResponse: string | null = null;
    let concurrency = MAX_CONCURRENCY;
    // Verification tests: a URL that hangs on its own delays no other event.
    const tests = new BackgroundSends();
    const isOver = () => stopping.aborted || performance.now() - began >= RUN_LIMIT_MS;
    const end = async (
      state: DeliveryRun['state'],
      nextAttemptAt: Date | null = null,
    ): Promise<DeliveryRun> => {
      await tests.ended();
      const attention = await this.reportHealth(endpointId, clock());
      const { pending } = await backlogOf(this.dependencies.database, endpointId);
      return { state, pending, nextAttemptAt: nextAttemptAt?.getTime() ?? null, lastResponse, attention };
    };
    for (;;) {
      const target = await findTarget(this.dependencies.database, endpointId);
      if (!target?.enabled || target.paused) {
        if (tests.underWay.length === 0 || stopping.aborted) return end(await this.halt(endpointId, target));
        await sleep(POLL_INTERVAL_MS);
        continue;
      }
      const batch = await this.take(target, concurrency, clock, tests.underWay);
      const [verificationTest, others] = withoutVerificationTest(batch);
      if (verificationTest && !isOver()) {
        const sent = this.sendAndConclude(target, [[verificationTest]], 1, clock);
        tests.start(
          verificationTest.sequence,
          sent.then((attempted) => void (lastResponse = responseOf(attempted))),
        );
      }
      const attempted = await this.round(target, others, concurrency, clock);
      if (attempted.length > 0) {
        lastSent = performance.now();
        lastResponse = responseOf(attempted);
        // An endpoint that has just recovered gets one event at a time first, then twice as many each round.
        concurrency = target.failingSince === null ? Math.min(MAX_CONCURRENCY, concurrency * 2) : 1;
      } else if (tests.underWay.length === 0 && isCircuitOpen(target, clock())) {
        return end('CIRCUIT_OPEN', target.circuitOpenUntil);
      } else if (tests.underWay.length === 0 && performance.now() - lastSent >= IDLE_TIMEOUT_MS) {
        const next = await this.becomeIdle(endpointId, clock);
        if (next !== 'now') return end('IDLE', next);
      }
      if (stopping.aborted || (isOver() && tests.underWay.length === 0)) return end('BUSY');
      if (attempted.length === 0) await sleep(POLL_INTERVAL_MS);
    }
  }

  /** Leaves an endpoint that is paused as it is. Gives up what is pending for one that is disabled or deleted. */
  private async halt(endpointId: number, target: Target | undefined): Promise<'PAUSED' | 'STOPPED'> {
    if (target?.enabled) return 'PAUSED';
    await giveUpPending(this.dependencies.database, endpointId);
    await markIdle(this.dependencies.database, endpointId);
    return 'STOPPED';
  }

  /** Sends one batch and records the results. */
  private async round(
    target: Target,
    batch: Delivery[],
    concurrency: number,
    clock: () => Date,
  ): Promise<AttemptedDelivery[]> {
    if (batch.length === 0) return [];
    const queues = concurrency === 1 ? [batch] : queuesByOrder(batch);
    return this.sendAndConclude(target, queues, concurrency, clock);
  }

  private async sendAndConclude(
    target: Target,
    queues: Delivery[][],
    concurrency: number,
    clock: () => Date,
  ): Promise<AttemptedDelivery[]> {
    const attempted = await this.sender.sendAll(target, queues, concurrency, clock);
    await this.outcome.conclude(target, attempted, clock());
    return attempted;
  }

  /** What may be sent. If there is nothing, the next events of a replay. */
  private async take(
    target: Target,
    concurrency: number,
    clock: () => Date,
    underWay: readonly number[],
  ): Promise<Delivery[]> {
    const found = await this.find(target, concurrency, clock(), underWay);
    if (found.length > 0 || !target.replaying || isCircuitOpen(target, clock())) return found;
    await continueReplay(this.dependencies.database, target.id);
    return this.find(target, concurrency, clock(), underWay);
  }

  /** While the circuit is open: what was requested, and one probe when its time has come. Else all that is due. */
  private async find(
    target: Target,
    concurrency: number,
    now: Date,
    underWay: readonly number[],
  ): Promise<Delivery[]> {
    const { database } = this.dependencies;
    if (target.circuitOpenUntil === null)
      return dueDeliveries(database, target.id, now, concurrency * DELIVERIES_PER_ORDER, underWay);
    if (isCircuitOpen(target, now)) return requestedDeliveries(database, target.id, MAX_CONCURRENCY);
    return probeDelivery(database, target.id, now, underWay);
  }

  /** Puts an endpoint that is about to be disabled on the operators' list, or takes it off. Returns why it is on it. */
  private async reportHealth(endpointId: number, now: Date): Promise<string | null> {
    const { database } = this.dependencies;
    const target = await findTarget(database, endpointId);
    const warning = target?.enabled ? disableWarning(target, now) : null;
    if (warning !== null) await raiseAttention(database, { endpointId }, 'ENDPOINT_FAILING', warning);
    const { ENDPOINT_FAILING: listed, ...others } = target?.attention ?? {};
    if (warning === null && listed !== undefined)
      await clearAttention(database, { endpointId }, ['ENDPOINT_FAILING']);
    return warning ?? Object.values(others)[0] ?? null;
  }

  /** Marks the endpoint idle, then looks once more. When the next event is due: `now` if one came at the last moment. */
  private async becomeIdle(endpointId: number, clock: () => Date): Promise<Date | null | 'now'> {
    await markIdle(this.dependencies.database, endpointId);
    const { pending, nextAttemptAt } = await backlogOf(this.dependencies.database, endpointId);
    if (pending === 0) return null;
    return nextAttemptAt === null || nextAttemptAt <= clock() ? 'now' : nextAttemptAt;
  }
}

/** The verification test of the batch, of which an endpoint has at most one that is due, and the other deliveries. */
function withoutVerificationTest(batch: Delivery[]): [Delivery | undefined, Delivery[]] {
  return [batch.find(isVerificationTest), batch.filter((delivery) => !isVerificationTest(delivery))];
}

/** A round in one word, for operators: the last failure, or the last success if nothing failed. */
function responseOf(attempted: AttemptedDelivery[]): string {
  const last = attempted.findLast(({ result }) => !isSuccess(result)) ?? attempted.at(-1);
  return last?.result.error ?? String(last?.result.status);
}
