import { workflowInfo } from '@temporalio/workflow';
import type { OrderStart, Placement, Settled } from '../src/domain/orders/order-flow';
import { factsAtStart, situationOf, type OrderFacts } from '../src/domain/orders/order-snapshot';
import { attention } from '../src/temporal/search-attributes';

/** The state of an order. The main flow and message handlers write it. Message handlers and the view read it. */
export class OrderState {
  placement: Placement | undefined;
  settled: Settled | undefined;
  /** The supplier has answered for every purchase, even if only that it delivers later. */
  isAnswered = false;
  /** Every purchase is concluded: the order buys nothing more and accepts no decisions. */
  isConcluded = false;
  private current: OrderFacts;
  private onChange: (facts: OrderFacts) => void = () => undefined;

  constructor({ orderId, family }: OrderStart) {
    this.current = factsAtStart(orderId, family, Date.now());
    // A new run begins with the attention entry of the run before it.
    this.current.attention = workflowInfo().typedSearchAttributes.get(attention) ?? null;
  }

  get facts(): Readonly<OrderFacts> {
    return this.current;
  }

  /** Calls `show` with the facts now and after each change. */
  showBy(show: (facts: OrderFacts) => void): void {
    this.onChange = show;
    show(this.current);
  }

  /** Changes facts. A new step drops the times of the step before, and `since` restarts when the situation changes. */
  change(change: Partial<OrderFacts>): void {
    const before = this.current;
    const isNewStep = change.step !== undefined && change.step !== before.step;
    const facts = { ...before, ...(isNewStep && { nextAttemptAt: null, retriedUntil: null }), ...change };
    const isSameSituation = situationOf(facts) === situationOf(before);
    this.current = isSameSituation || change.since !== undefined ? facts : { ...facts, since: Date.now() };
    this.onChange(this.current);
  }
}
