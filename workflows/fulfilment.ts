import { allHandlersFinished, condition, workflowInfo } from '@temporalio/workflow';
import { families } from '../src/domain/families';
import {
  isConcluded,
  settlementOf,
  type FulfilmentReport,
  type OperatorDecision,
  type OrderStart,
  type OrderStatusText,
  type Placement,
  type Settlement,
} from '../src/domain/order-flow';
import { pollDelayMs, overdueAfterMs } from '../src/domain/purchase-timing';
import { decisionCalls, steps, supplierCalls } from './activities';
import type { CancellationRequest } from './cancellation-request';
import { InterruptibleCall, interrupted } from './interruptible-call';
import { OperatorDecisions, refusal } from './operator-decisions';
import type { OrderView } from './order-view';

/** What a new run of a long order goes on with. */
export interface FulfilmentProgress {
  /** Polls so far. */
  polls: number;
  /** When the first run began (milliseconds since 1970). */
  since: number;
  /** No purchase was left to be sent. */
  bought: boolean;
}

/** Polls of one run: its history stays short, and a new run goes on by the newest version of this workflow. */
const POLLS_PER_RUN = 100;

/**
 * Buys what was ordered and follows it to its end. Where the purchases stand is in the database: each
 * call tells, and a run that begins anew finds out.
 */
export class Fulfilment {
  private report: FulfilmentReport;
  private readonly call = new InterruptibleCall();
  private readonly decisions = new OperatorDecisions();
  private readonly supplier;
  private isWoken = false;
  private isTried = false;
  private pollsInRun = 0;
  /** The supplier was out of reach for as long as purchases are tried. */
  private hasGivenUp = false;
  private answered = false;
  private over = false;
  private isOverdue = false;
  private listedUnresolved: string | null = null;

  constructor(
    private readonly order: OrderStart,
    { units, toBuy }: Placement & { outcome: 'PLACED' },
    private readonly cancellation: CancellationRequest,
    private readonly view: OrderView,
    private readonly progress: FulfilmentProgress,
    private readonly continueAsNew: (progress: FulfilmentProgress) => Promise<never>,
    /** What came of the try that was made when the order was placed; null if it was not over soon, undefined if none was. */
    private readonly firstTry: FulfilmentReport | null | undefined,
  ) {
    this.report = {
      ...{ units, delivered: 0 },
      ...(progress.bought ? { ready: 0, open: 1 } : { ready: Math.min(1, toBuy), open: 0 }),
      ...{ withdrawn: false, failureCode: null, unresolved: null },
    };
    this.supplier = supplierCalls(order.family, order.asynchronous);
    this.showProgress();
  }

  /** Units that are stored and readable, as far as is known. */
  get delivered(): number {
    return this.report.delivered;
  }

  /** The supplier has answered for every purchase, if only with "later". */
  get isAnswered(): boolean {
    return this.answered;
  }

  get isOver(): boolean {
    return this.over;
  }

  /** Something changed that is a reason to act at once. */
  wake(): void {
    this.isWoken = true;
    this.call.interrupt();
  }

  /** Runs until every purchase is over and tells how the order has to end. */
  async run(): Promise<Settlement> {
    while (!isConcluded(this.report)) {
      await this.continueAsNewWhenLong();
      this.report = await this.nextStep();
      this.answered ||= this.report.ready === 0;
      this.showProgress();
      await this.listUnresolved();
    }
    this.close();
    this.view.show({ step: 'SETTLING', cancellationAskedFor: false });
    this.decisions.refuse('The order has come to its end meanwhile');
    const settlement = settlementOf(this.report);
    return settlement.cancelled && this.hasGivenUp ? { failureCode: 'UNKNOWN' } : settlement;
  }

  /** Nothing is bought or decided any more. */
  close(): void {
    this.over = true;
  }

  private async nextStep(): Promise<FulfilmentReport> {
    if (this.report.unresolved !== null || this.report.ready === 0) await this.pause();
    if (this.decisions.isPending) return this.decide();
    if (this.cancellation.isPending) return this.withdraw();
    this.isWoken = false;
    if (this.report.ready === 0) return this.poll();
    return this.hasGivenUp ? this.withdraw() : this.buy();
  }

  private async pause(): Promise<void> {
    const wait = pollDelayMs(this.order.family, this.progress.polls, Math.random());
    const isCalled = () => this.isWoken || this.decisions.isPending || this.cancellation.isPending;
    this.view.show({ step: 'WAITING_FOR_SUPPLIER', nextTryAt: Date.now() + wait });
    await condition(isCalled, wait, { summary: 'Ask the supplier again' });
  }

  /** Buys, until the order is called off or the supplier has stayed out of reach for too long. */
  private async buy(): Promise<FulfilmentReport> {
    const bought = await this.buyAtOnce();
    if (bought) return bought;
    const { giveUpAfterMs } = families[this.order.family].timing;
    this.view.show({ step: 'BUYING', since: this.progress.since, triedUntil: Date.now() + giveUpAfterMs });
    const summary = `Buy ${this.report.units - this.report.delivered} units from the supplier`;
    try {
      return await this.unlessInterrupted(() =>
        this.supplier.buy.executeWithOptions({ summary }, [this.order]),
      );
    } catch {
      this.hasGivenUp = true;
      return this.withdraw();
    }
  }

  /** The first try costs Temporal nothing; one that is slow, or fails, goes on as an activity that operators see. */
  private async buyAtOnce(): Promise<FulfilmentReport | null> {
    if (this.isTried) return null;
    this.isTried = true;
    if (this.firstTry !== undefined) return this.firstTry;
    if (!this.order.buysAtOnce) return null;
    this.view.show({ step: 'BUYING_FIRST_TRY' });
    return steps.buyAtOnce(this.order);
  }

  private async poll(): Promise<FulfilmentReport> {
    this.progress.polls++;
    this.pollsInRun++;
    await this.showWhenOverdue();
    this.view.show({ step: 'ASKING_SUPPLIER' });
    const summary = 'Ask the supplier how the purchase stands';
    return this.orUnresolved(() => this.supplier.poll.executeWithOptions({ summary }, [this.order]));
  }

  private async withdraw(): Promise<FulfilmentReport> {
    this.view.show({ step: 'CALLING_OFF' });
    const summary = 'Make sure that nothing is bought any more';
    const report = await this.orUnresolved(() =>
      this.supplier.withdraw.executeWithOptions({ summary }, [this.order]),
    );
    // Interrupted: the cancellation stays requested, and the next step begins it anew.
    if (report === this.report) return report;
    if (!isConcluded(report)) {
      this.cancellation.reject(report.unresolved ?? 'The supplier has accepted the purchase already');
      this.view.show({
        cancellationAskedFor: false,
        cancellationRefused: this.cancellation.rejection ?? null,
      });
    }
    return report;
  }

  private async decide(): Promise<FulfilmentReport> {
    this.view.show({ step: 'CARRYING_OUT_DECISION' });
    const summary = 'Carry out what an operator decided';
    const carriedOut = await this.decisions.carryOut(
      (decision) => decisionCalls.resolve.executeWithOptions({ summary }, [this.order, decision]),
      ({ delivered, units, unresolved }) =>
        `Order ${this.order.orderId}: ${delivered} of ${units} units delivered` +
        (unresolved === null ? '' : `; still open: ${unresolved}`),
    );
    return carriedOut ?? this.report;
  }

  /** The report of the call; the present one, `this.report` itself, if the call was interrupted. */
  private async unlessInterrupted(call: () => Promise<FulfilmentReport>): Promise<FulfilmentReport> {
    const report = await this.call.run(call);
    return report === interrupted ? this.report : report;
  }

  /** A supplier that could not be asked for hours leaves the outcome open; it is never guessed. */
  private async orUnresolved(call: () => Promise<FulfilmentReport>): Promise<FulfilmentReport> {
    try {
      return await this.unlessInterrupted(call);
    } catch {
      return { ...this.report, unresolved: 'The supplier could not be asked for hours' };
    }
  }

  /** Carries out what an operator decided, as soon as no call is under way; resolves with what came of it. */
  decideBy(decision: OperatorDecision): Promise<OrderStatusText> {
    const answer = this.decisions.submit(decision);
    this.call.interrupt();
    return answer;
  }

  /** Throws the sentence for an operator whose decision cannot be taken now. */
  refuseUnlessItFits({ resolution }: OperatorDecision): void {
    if (this.over) throw refusal('The order has come to its end');
    if (this.decisions.isPending) throw refusal('Another decision is being carried out');
    if (resolution !== 'ASK_AGAIN' && this.view.attention === null) {
      throw refusal('The order does not wait for a decision: only ASK_AGAIN is taken now');
    }
  }

  private async showWhenOverdue(): Promise<void> {
    if (this.isOverdue || Date.now() - this.progress.since < overdueAfterMs) return;
    this.isOverdue = true;
    const reason = 'The supplier has not concluded the purchase for a day';
    this.view.showAttention(await steps.setAttention(this.order, 'PURCHASE_OVERDUE', reason));
  }

  /** Shows operators how far the order is. */
  private showProgress(): void {
    const { units, delivered, ready: toSend, open: withSupplier, unresolved: outcomeUnknown } = this.report;
    this.view.show({ units, delivered, toSend, withSupplier, outcomeUnknown });
  }

  /** Puts the order on the operators' list while nobody knows what became of a purchase. */
  private async listUnresolved(): Promise<void> {
    const { unresolved } = this.report;
    if (unresolved === this.listedUnresolved) return;
    this.listedUnresolved = unresolved;
    this.view.showAttention(await steps.setAttention(this.order, 'OUTCOME_UNKNOWN', unresolved));
  }

  /** An order that is followed for months stays within a run's limits. */
  private async continueAsNewWhenLong(): Promise<void> {
    if (this.pollsInRun < POLLS_PER_RUN && !workflowInfo().continueAsNewSuggested) return;
    const isBusy = this.decisions.isPending || this.cancellation.isPending || !allHandlersFinished();
    if (!isBusy) await this.continueAsNew({ ...this.progress, bought: this.report.ready === 0 });
  }
}
