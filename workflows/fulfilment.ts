import {
  allHandlersFinished,
  condition,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import {
  isConcluded,
  readDecision,
  type FulfilmentReport,
  type OperatorDecision,
  type OrderStart,
  type Placement,
  type Settlement,
} from '../src/domain/order-flow';
import { pollDelayMs, overdueAfterMs } from '../src/domain/purchase-timing';
import { attention } from '../src/temporal/search-attributes';
import { decisionCalls, steps, supplierCalls } from './activities';
import type { CancellationRequest } from './cancellation-request';
import { InterruptibleCall, interrupted } from './interruptible-call';
import { attentionChangedSignal, resolveOrderUpdate, retryNowSignal } from './messages';
import { OperatorDecisions } from './operator-decisions';

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

/** A reason as the search attribute takes it: its column holds 255 characters. */
const SHOWN_CHARACTERS = 200;

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
  private shownAttention: string | null = null;
  private listedUnresolved: string | null = null;

  constructor(
    private readonly order: OrderStart,
    { units, toBuy }: Placement & { outcome: 'PLACED' },
    private readonly cancellation: CancellationRequest,
    private readonly progress: FulfilmentProgress,
    private readonly continueAsNew: (progress: FulfilmentProgress) => Promise<never>,
  ) {
    this.report = {
      ...{ units, delivered: 0 },
      ...(progress.bought ? { ready: 0, open: 1 } : { ready: Math.min(1, toBuy), open: 0 }),
      ...{ withdrawn: false, failureCode: null, unresolved: null },
    };
    this.supplier = supplierCalls(order.family, order.asynchronous);
    this.listen();
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
      await this.show();
    }
    this.over = true;
    this.decisions.refuse('The order has come to its end meanwhile');
    const { failureCode, withdrawn } = this.report;
    if (failureCode !== null) return { failureCode };
    return withdrawn && this.hasGivenUp ? { failureCode: 'UNKNOWN' } : { cancelled: withdrawn };
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
    await condition(isCalled, wait, { summary: 'Ask the supplier again' });
  }

  /** Buys, until the order is called off or the supplier has stayed out of reach for too long. */
  private async buy(): Promise<FulfilmentReport> {
    const bought = await this.buyAtOnce();
    if (bought) return bought;
    const summary = `Buy ${this.report.units - this.report.delivered} for order ${this.order.orderId}`;
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
    if (!this.order.buysAtOnce || this.isTried) return null;
    this.isTried = true;
    return steps.buyAtOnce(this.order);
  }

  private async poll(): Promise<FulfilmentReport> {
    this.progress.polls++;
    this.pollsInRun++;
    await this.showWhenOverdue();
    return this.orUnresolved(() => this.supplier.poll(this.order));
  }

  private async withdraw(): Promise<FulfilmentReport> {
    const report = await this.orUnresolved(() => this.supplier.withdraw(this.order));
    if (!isConcluded(report)) {
      this.cancellation.reject(report.unresolved ?? 'The supplier has accepted the purchase already');
    }
    return report;
  }

  private async decide(): Promise<FulfilmentReport> {
    const carriedOut = await this.decisions.carryOut(
      (decision) => decisionCalls.resolve(this.order, decision),
      ({ delivered, units, unresolved }) =>
        `Order ${this.order.orderId}: ${delivered} of ${units} units delivered` +
        (unresolved === null ? '' : `; still open: ${unresolved}`),
    );
    return carriedOut ?? this.report;
  }

  /** What the call tells, or what was known before where it was interrupted. */
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

  private listen(): void {
    setHandler(retryNowSignal, () => this.wake(), {
      description: 'Asks the supplier, or buys, at once. No argument.',
    });
    setHandler(
      resolveOrderUpdate,
      async (sent: unknown, reason?: unknown) => {
        const answer = this.decisions.submit(readDecision(sent, reason));
        this.call.interrupt();
        return answer;
      },
      {
        validator: (sent: unknown, reason?: unknown) => this.refuseUnlessItFits(readDecision(sent, reason)),
        description:
          'Decides an order that needs attention. "ASK_AGAIN"; {"resolution": "NOT_BOUGHT", "reason": "..."} fails and ' +
          'refunds it; {"resolution": "DELIVERED", "reason": "...", "goods": 1} with the number that `orders resolve` gave.',
      },
    );
    setHandler(attentionChangedSignal, async () => this.showAttention(await steps.attentionOf(this.order)), {
      description: "Shows what the operators' list says of the order. No argument.",
    });
  }

  private refuseUnlessItFits({ resolution }: OperatorDecision): void {
    if (this.over) throw new Error('The order has come to its end');
    if (this.decisions.isPending) throw new Error('Another decision is being carried out');
    if (resolution !== 'ASK_AGAIN' && this.shownAttention === null) {
      throw new Error('The order does not wait for a decision: only ASK_AGAIN is taken now');
    }
  }

  private async showWhenOverdue(): Promise<void> {
    if (this.isOverdue || Date.now() - this.progress.since < overdueAfterMs) return;
    this.isOverdue = true;
    const reason = 'The supplier has not concluded the purchase for a day';
    this.showAttention(await steps.setAttention(this.order, 'PURCHASE_OVERDUE', reason));
  }

  /** Shows operators how far the order is and why they must look at it, if they must. */
  private async show(): Promise<void> {
    const { units, delivered, ready, open, unresolved } = this.report;
    if (unresolved !== this.listedUnresolved) {
      this.listedUnresolved = unresolved;
      this.showAttention(await steps.setAttention(this.order, 'OUTCOME_UNKNOWN', unresolved));
    }
    const lines = [
      `${delivered} of ${units} units delivered; ${ready} purchases to send, ${open} with the supplier`,
    ];
    if (this.shownAttention !== null) lines.unshift(`**Needs attention:** ${this.shownAttention}`);
    setCurrentDetails(lines.join('\n\n'));
  }

  private showAttention(reason: string | null): void {
    const shown = reason?.slice(0, SHOWN_CHARACTERS) ?? null;
    if (shown === this.shownAttention) return;
    this.shownAttention = shown;
    upsertSearchAttributes([{ key: attention, value: shown }]);
  }

  /** An order that is followed for months stays within a run's limits. */
  private async continueAsNewWhenLong(): Promise<void> {
    if (this.pollsInRun < POLLS_PER_RUN && !workflowInfo().continueAsNewSuggested) return;
    const isBusy = this.decisions.isPending || this.cancellation.isPending || !allHandlersFinished();
    if (!isBusy) await this.continueAsNew({ ...this.progress, bought: this.report.ready === 0 });
  }
}
