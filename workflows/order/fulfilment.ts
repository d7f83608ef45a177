import { allHandlersFinished, condition, continueAsNew, workflowInfo } from '@temporalio/workflow';
import { isLarge } from '../../src/domain/orders/asynchronous-and-large-orders';
import {
  isConcluded,
  settlementOf,
  type FulfilmentReport,
  type OrderStart,
  type Placed,
  type Settlement,
} from '../../src/domain/orders/order-messages';
import { unitsText } from '../../src/domain/orders/order-facts';
import { orderTiming } from '../../src/domain/orders/order-timing';
import { overdueAfterMs, pollDelayMs } from '../../src/domain/orders/purchase-timing';
import { minute } from '../../src/domain/time';
import { isUnchangedPoll, resolve, orderSteps, supplierCalls } from './steps';
import { interrupted } from '../interruptible-call';
import type { OrderProgress } from './progress';
import { awaitReview } from './review';
import type { OrderRun } from './state';

/** Steps of one run. A longer order continues as new, so that the history of each run stays short. */
const STEPS_PER_RUN = 100;
/** The time limit of `poll` is at least this long, so that it polls once. */
const SHORTEST_POLL_MS = minute;

/**
 * Buys the ordered units, or continues the first attempt, and follows every purchase until it is concluded. Returns how to settle the
 * order.
 */
export function buyUntilConcluded(order: OrderRun): Promise<Settlement> {
  const { placement } = order.state;
  if (placement?.outcome !== 'PLACED') throw new Error('The order is not placed');
  return new Fulfilment(order, placement).run();
}

/** The database holds the state of the purchases: each call returns it, and a new run reads it again. */
class Fulfilment {
  private readonly order;
  private readonly state;
  private readonly requests;
  private readonly supplier;
  private readonly progress: OrderProgress;
  private report: FulfilmentReport;
  private stepsInRun = 0;
  private isOverdue = false;
  private listedReason: string | null;
  /** Why the order is listed as under review. A run that continues a held order lists it again. */
  private listedReview: string | null = null;

  constructor({ start, resumed, state, requests }: OrderRun, placed: Placed) {
    this.order = start;
    this.state = state;
    this.requests = requests;
    this.progress = { since: Date.now(), bought: false, ...resumed };
    this.supplier = supplierCalls(start.family, isLarge(placed.units));
    if (resumed?.isWoken) requests.wake();
    // An earlier run may have put this reason on the attention list.
    this.listedReason = placed.outcomeUnknown ?? null;
    // Null if there was no first attempt, or if the activity `buy` must finish it.
    this.report = state.report ?? initialReport(placed, this.progress);
  }

  /** Runs until every purchase is concluded. Returns the settlement of the order. */
  async run(): Promise<Settlement> {
    await this.publish(this.report);
    while (!isConcluded(this.report)) {
      await this.continueAsNewWhenLong();
      await this.publish(await this.nextStep());
    }
    this.state.isConcluded = true;
    this.requests.decisions.rejectPending('The order has come to its end meanwhile');
    return settlementOf(this.report);
  }

  private async nextStep(): Promise<FulfilmentReport> {
    if (this.report.held) await awaitReview({ state: this.state, requests: this.requests }, this.report.held);
    else if (this.report.unresolved !== null || this.report.ready === 0) await this.pause();
    if (this.requests.decisions.isPending) return this.decide();
    if (this.requests.isCancellationPending) return this.withdraw();
    this.requests.sleep();
    if (this.report.held) return this.report;
    if (this.report.ready === 0) return this.poll();
    return this.progress.hasGivenUp ? this.withdraw() : this.buy();
  }

  private async pause(): Promise<void> {
    if (this.requests.hasPending) return;
    const wait = pollDelayMs(this.order.family, Date.now() - this.waitingSince(), Math.random());
    this.state.change({ step: 'WAITING_FOR_SUPPLIER', nextAttemptAt: Date.now() + wait });
    await condition(() => this.requests.hasPending, wait, { summary: 'Wait for the supplier' });
  }

  private waitingSince(): number {
    return (this.progress.waitingSince ??= Date.now());
  }

  /**
   * Buys until the activity succeeds, a request interrupts it, or no purchase could be sent for the family's `giveUpAfterMs`.
   * That time covers several executions, because an execution may succeed and leave purchases that must be sent again later.
   */
  private async buy(): Promise<FulfilmentReport> {
    const { since } = this.progress;
    const buyingSince = (this.progress.buyingSince ??= Date.now() - (this.progress.boughtForMs ?? 0));
    const retriedUntil = buyingSince + orderTiming[this.order.family].giveUpAfterMs;
    const leftMs = retriedUntil - Date.now();
    if (leftMs <= 0) return this.giveUp();
    this.state.change({ step: 'BUYING', since, retriedUntil });
    const goesOn = this.state.isTried ? ': goes on after the first attempt' : '';
    const summary = `Buy ${unitsText(this.report.units - this.report.delivered)} from the supplier${goesOn}`;
    try {
      return await this.unlessInterrupted(() =>
        this.supplier.buy.executeWithOptions({ summary, scheduleToCloseTimeout: leftMs }, [
          this.order,
          this.report.delivered,
        ]),
      );
    } catch {
      return this.giveUp();
    }
  }

  private giveUp(): Promise<FulfilmentReport> {
    this.progress.hasGivenUp = true;
    return this.withdraw();
  }

  /** Polls until the supplier reports a change, a request interrupts the activity, or its time limit has passed. */
  private async poll(): Promise<FulfilmentReport> {
    await this.listWhenOverdue();
    // A request that arrived during this step could not interrupt the activity, which may poll for hours.
    if (this.requests.hasPending) return this.report;
    this.state.change({ step: 'POLLING_SUPPLIER' });
    const options = {
      summary: 'Poll the supplier until it reports a change',
      scheduleToCloseTimeout: this.pollLimitMs(),
    };
    return this.orUnresolved(() =>
      this.supplier.poll.executeWithOptions(options, [this.order, this.report, this.waitingSince()]),
    );
  }

  /** The time limit of one `poll`. It ends in time for the attention list. */
  private pollLimitMs(): number {
    const longest = orderTiming[this.order.family].giveUpAfterMs;
    if (this.isOverdue) return longest;
    const leftMs = this.progress.since + overdueAfterMs - Date.now();
    return Math.max(SHORTEST_POLL_MS, Math.min(longest, leftMs));
  }

  private async withdraw(): Promise<FulfilmentReport> {
    this.state.change({ step: 'CANCELLING' });
    const summary = 'Withdraw the purchases that the supplier has not got';
    const why = this.progress.hasGivenUp ? 'GIVEN_UP' : 'CANCELLED';
    const report = await this.orUnresolved(() =>
      this.supplier.withdraw.executeWithOptions({ summary }, [this.order, why, this.report.delivered]),
    );
    // If a request interrupted the call, the cancellation stays pending, and the next step withdraws again.
    if (report === this.report) return report;
    if (!isConcluded(report)) {
      this.requests.rejectCancellation(report.unresolved ?? tooLateBecause(report));
      const { cancellationRejection = null } = this.requests;
      this.state.change({ cancellationRequested: false, cancellationRejection });
    }
    return report;
  }

  private async decide(): Promise<FulfilmentReport> {
    this.state.change({ step: 'CARRYING_OUT_DECISION' });
    const report = await this.requests.decisions.carryOut(
      async (decision) => {
        const after = await resolve(this.order, decision);
        if (decision.resolution === 'ELSEWHERE' && after.ready > 0) this.buyAgain();
        if (decision.resolution === 'RELEASE' && !after.held) this.progress.since = Date.now();
        return after;
      },
      ({ delivered, units, unresolved }) =>
        `Order ${this.order.orderId}: ${delivered} of ${units} units delivered` +
        (unresolved === null ? '' : `; still open: ${unresolved}`),
    );
    return report ?? this.report;
  }

  /** Buys again although the service may have given up, because an operator has decided so. */
  private buyAgain(): void {
    delete this.progress.hasGivenUp;
    this.restartBuyingTime();
  }

  private restartBuyingTime(): void {
    delete this.progress.buyingSince;
    delete this.progress.boughtForMs;
  }

  /**
   * Counts the time for buying. It restarts when units are sold. It stands still while the supplier has every purchase, which may
   * take days, and continues if the supplier ends one without goods.
   */
  private countBuyingTime({ delivered, ready }: FulfilmentReport): void {
    const { progress } = this;
    if (delivered > (progress.delivered ?? 0)) {
      progress.delivered = delivered;
      this.restartBuyingTime();
    } else if (ready === 0 && progress.buyingSince !== undefined) {
      progress.boughtForMs = Date.now() - progress.buyingSince;
      delete progress.buyingSince;
    }
  }

  /** Returns the report of the call, or `this.report` itself if a request interrupted the call. */
  private async unlessInterrupted(call: () => Promise<FulfilmentReport>): Promise<FulfilmentReport> {
    const report = await this.requests.call.run(call);
    return report === interrupted ? this.report : report;
  }

  /** Returns the report of the call. If the call fails, after hours of retries, the outcome stays unknown: it is never guessed. */
  private async orUnresolved(call: () => Promise<FulfilmentReport>): Promise<FulfilmentReport> {
    try {
      return await this.unlessInterrupted(call);
    } catch (error) {
      if (isUnchangedPoll(error)) return this.report;
      return { ...this.report, unresolved: 'After hours of attempts, the supplier still cannot be polled' };
    }
  }

  /** Makes the report the current one, and updates the order's state and the attention list from it. */
  private async publish(report: FulfilmentReport): Promise<void> {
    this.countBuyingTime(report);
    // Everything is sent now. A new purchase is polled often, however long the order has waited for an earlier one.
    if (this.report.ready > 0 && report.ready === 0) delete this.progress.waitingSince;
    this.report = report;
    this.state.report = report;
    const { units, delivered, ready: toSend, open: withSupplier, unresolved: outcomeUnknown, held } = report;
    this.state.isHeld = Boolean(held);
    this.state.isAnswered ||= toSend === 0 && !held;
    this.state.change({ units, delivered, toSend, withSupplier, outcomeUnknown, purchases: report.purchases });
    if (outcomeUnknown !== this.listedReason) {
      this.listedReason = outcomeUnknown;
      await this.list('OUTCOME_UNKNOWN', outcomeUnknown);
    }
    const review = held?.because ?? null;
    if (review === this.listedReview) return;
    this.listedReview = review;
    await this.list('UNDER_REVIEW', review);
  }

  private async list(kind: 'OUTCOME_UNKNOWN' | 'UNDER_REVIEW', reason: string | null): Promise<void> {
    this.state.change({ attention: await orderSteps.setAttention(this.order, kind, reason) });
  }

  private async listWhenOverdue(): Promise<void> {
    if (this.isOverdue || Date.now() - this.progress.since < overdueAfterMs) return;
    this.isOverdue = true;
    const reason = 'The supplier has not concluded the purchase for a day';
    this.state.change({ attention: await orderSteps.setAttention(this.order, 'PURCHASE_OVERDUE', reason) });
  }

  /**
   * Keeps a long order within Temporal's limits for a run. Does nothing while a decision or a cancellation is pending: a new run
   * would lose it.
   */
  private async continueAsNewWhenLong(): Promise<void> {
    if (this.stepsInRun++ < STEPS_PER_RUN && !workflowInfo().continueAsNewSuggested) return;
    const { decisions, isCancellationPending } = this.requests;
    if (decisions.isPending || isCancellationPending || !allHandlersFinished()) return;
    const { startedAt, facts } = this.state;
    const { requestAnswer } = facts;
    const reached: OrderProgress = {
      ...this.progress,
      startedAt,
      bought: this.report.ready === 0,
      isWoken: this.requests.isWoken,
      ...(requestAnswer && { requestAnswer }),
    };
    await continueAsNew<(order: OrderStart, resumed: OrderProgress) => Promise<unknown>>(this.order, reached);
  }
}

function tooLateBecause({ delivered }: FulfilmentReport): string {
  return delivered > 0 ? 'Part of the order is delivered already' : 'The supplier has accepted the purchase already';
}

/** The report before the first supplier call of this run. */
function initialReport({ units, toBuy, outcomeUnknown, held }: Placed, { bought }: OrderProgress): FulfilmentReport {
  // Only a lookup confirms or clears an unknown outcome, so the run polls before it buys.
  const pollsFirst = bought || outcomeUnknown !== undefined;
  const counts = pollsFirst ? { ready: 0, open: 1 } : { ready: held ? 0 : Math.min(1, toBuy), open: 0 };
  const nothingYet = { withdrawn: false, failureCode: null, unresolved: outcomeUnknown ?? null, purchases: [] };
  return { units, delivered: 0, ...counts, ...nothingYet, ...(held && { held }) };
}
