import {
  condition,
  isCancellation,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { Batch, BatchReport, OrderStart, Resolution, Settlement } from '../src/domain/order-flow';
import { askDelay, overdueAfter } from '../src/domain/patience';
import { attention } from '../src/temporal/search-attributes';
import { steps, supplierCalls } from './activities';
import type { CancelWish } from './cancellation';
import { resolveOrderSignal, supplierNewsSignal } from './messages';

type Unresolved = BatchReport & { state: 'UNRESOLVED' };

/** A purchase whose outcome an operator must tell. */
interface Parked {
  reason: string;
  resolve: (resolution: Resolution) => void;
}

/** Buys the batches of a placed order and follows each to its end. */
export class Fulfilment {
  private readonly reports = new Map<Batch, BatchReport>();
  private readonly calls;
  private news = 0;
  private readonly parked = new Map<Batch, Parked>();
  private overdue: string | null = null;

  constructor(
    private readonly order: OrderStart,
    private readonly batches: Batch[],
    private readonly cancel: CancelWish,
  ) {
    this.calls = supplierCalls(order.family, order.asynchronous);
    setHandler(supplierNewsSignal, () => void this.news++, {
      description: 'Asks the supplier at once. No argument.',
    });
    setHandler(resolveOrderSignal, (word) => this.parked.forEach(({ resolve }) => resolve(word)), {
      description: 'For an order that needs attention: "ASK_AGAIN", or "NOT_BOUGHT" to fail and refund it.',
    });
  }

  /** Units of the whole order. */
  get units(): number {
    return this.batches.reduce((sum, batch) => sum + batch.units, 0);
  }

  /** Units that are stored and readable. */
  get delivered(): number {
    return [...this.reports.values()].reduce((sum, report) => sum + report.delivered, 0);
  }

  /** Every batch has been answered by its supplier, if only with "later". */
  get underWay(): boolean {
    return this.reports.size === this.batches.length;
  }

  /** Runs until every batch is over and tells how the order has to end. */
  async run(): Promise<Settlement> {
    const ends = await Promise.all(this.batches.map((batch) => this.follow(batch)));
    // The row's is taken away by the settlement.
    if (this.overdue !== null) upsertSearchAttributes([{ key: attention, value: null }]);
    const rejected = ends.find((end) => end.state === 'REJECTED');
    if (rejected) return { failureCode: rejected.failureCode };
    return { cancelled: ends.some((end) => end.state === 'WITHDRAWN') };
  }

  private async follow(batch: Batch): Promise<BatchReport> {
    let report = await this.open(batch);
    for (let asked = 0; ; asked++) {
      this.note(batch, report);
      if (report.state === 'PENDING') report = await this.askLater(batch, asked);
      else if (report.state === 'UNRESOLVED') report = await this.park(batch, report);
      else return report;
    }
  }

  /** Buys, unless the order is called off first or the supplier stays out of reach for too long. */
  private async open(batch: Batch): Promise<BatchReport> {
    const summary = `Buy ${batch.units} for order ${this.order.orderId}`;
    try {
      return await this.cancel.interruptible(() =>
        this.calls.buy.executeWithOptions({ summary }, [this.order, batch]),
      );
    } catch (error) {
      const report = await this.withdraw(batch);
      if (report.state !== 'WITHDRAWN' || isCancellation(error)) return report;
      return { state: 'REJECTED', failureCode: 'UNKNOWN', delivered: 0 };
    }
  }

  private async askLater(batch: Batch, asked: number): Promise<BatchReport> {
    const seen = this.news;
    await condition(
      () => this.news > seen || this.cancel.open,
      askDelay(this.order.family, asked, Math.random()),
      {
        summary: 'Ask the supplier again',
      },
    );
    if (this.cancel.open) return this.withdraw(batch);
    await this.showWhenOverdue();
    return this.orElseUnresolved(() => this.calls.ask(this.order, batch));
  }

  private async withdraw(batch: Batch): Promise<BatchReport> {
    const report = await this.orElseUnresolved(() => this.calls.withdraw(this.order, batch));
    if (report.state !== 'WITHDRAWN') this.cancel.decline();
    return report;
  }

  /** A supplier that could not be asked for hours leaves the outcome open; it is never guessed. */
  private async orElseUnresolved(call: () => Promise<BatchReport>): Promise<BatchReport> {
    try {
      return await call();
    } catch {
      return { state: 'UNRESOLVED', reason: 'The supplier could not be asked for hours', delivered: 0 };
    }
  }

  /** Waits for an operator's word on what cannot be found out. One word is for all that wait for it. */
  private async park(batch: Batch, { reason, delivered }: Unresolved): Promise<BatchReport> {
    const word = new Promise<Resolution>((resolve) => this.parked.set(batch, { reason, resolve }));
    await this.showToOperators();
    const resolution = await word;
    this.parked.delete(batch);
    await this.showToOperators();
    if (resolution === 'ASK_AGAIN') return this.orElseUnresolved(() => this.calls.ask(this.order, batch));
    return { state: 'REJECTED', failureCode: 'UNKNOWN', delivered };
  }

  private async showWhenOverdue(): Promise<void> {
    if (this.overdue !== null || Date.now() - workflowInfo().startTime.getTime() < overdueAfter) return;
    this.overdue = 'The supplier has not concluded the purchase for a day';
    await this.showToOperators();
  }

  /** Shows why operators must look at the order, if they must. */
  private async showToOperators(): Promise<void> {
    const [parked] = this.parked.values();
    const reason = parked?.reason ?? this.overdue;
    upsertSearchAttributes([{ key: attention, value: reason }]);
    setCurrentDetails(reason === null ? 'Asking the supplier' : `**Needs attention:** ${reason}`);
    await steps.setAttention(this.order, reason);
  }

  private note(batch: Batch, report: BatchReport): void {
    this.reports.set(batch, report);
    setCurrentDetails(`${this.delivered} of ${this.units} units delivered; last answer: ${report.state}`);
  }
}
