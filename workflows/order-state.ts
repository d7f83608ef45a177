import { workflowInfo } from '@temporalio/workflow';
import type { OrderStart, Placement, Settled } from '../src/domain/orders/order-flow';
import { factsAtStart, situationOf, type OrderFacts } from '../src/domain/orders/order-snapshot';
import { attention } from '../src/temporal/search-attributes';
import { showChange, showToOperators } from './order-view';

/** The state of an order. The main flow and message handlers write it, and operators see it. */
export class OrderState {
  placement: Placement | undefined;
  settled: Settled | undefined;
  /** Whether the supplier has answered for every purchase, even if only that it will deliver later. */
  isAnswered = false;
  /** Whether every purchase is concluded: then the order buys nothing more and accepts no decisions. */
  isConcluded = false;
  private current: OrderFacts;

  constructor({ orderId, family }: OrderStart) {
    this.current = factsAtStart(orderId, family, Date.now());
    // A new run begins with the attention entry of the run before it.
    this.current.attention = workflowInfo().typedSearchAttributes.get(attention) ?? null;
    showToOperators(() => this.current);
  }

  get facts(): Readonly<OrderFacts> {
    return this.current;
  }

  /** Changes facts. A new step drops the planned times of the previous step, and `since` restarts when the situation changes. */
  change(change: Partial<OrderFacts>): void {
    const before = this.current;
    const isNewStep = change.step !== undefined && change.step !== before.step;
    const facts = { ...before, ...(isNewStep && { nextAttemptAt: null, retriedUntil: null }), ...change };
    const isSameSituation = situationOf(facts) === situationOf(before);
    this.current = isSameSituation || change.since !== undefined ? facts : { ...facts, since: Date.now() };
    showChange(before, this.current);
  }
}
