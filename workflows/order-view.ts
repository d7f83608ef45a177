import type { SearchAttributePair } from '@temporalio/common';
import { setCurrentDetails, setHandler, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import type { OrderStart } from '../src/domain/order-flow';
import {
  factsAtStart,
  orderDetails,
  situationOf,
  snapshotOf,
  type OrderFacts,
} from '../src/domain/order-snapshot';
import { attention } from '../src/temporal/search-attributes';
import { stateQuery } from './messages';

/** A reason as the search attribute takes it: its column holds 255 characters. */
const SHOWN_CHARACTERS = 200;

/**
 * What operators see of an order: its details and the query `state`, which cost no event, and the search attribute
 * `Attention`, which is written only where it changes.
 */
export class OrderView {
  private facts: OrderFacts;

  constructor({ orderId, family }: OrderStart) {
    this.facts = factsAtStart(orderId, family, Date.now());
    // A new run shows what the run before it did.
    this.show({ attention: workflowInfo().typedSearchAttributes.get(attention) ?? null });
    setHandler(stateQuery, () => snapshotOf(this.facts), {
      description: 'How the order stands: what it waits for, since when, the next try, and what you can do.',
    });
  }

  /** Why the order is on the operators' list, as it is shown; null where it is not. */
  get attention(): string | null {
    return this.facts.attention;
  }

  /** Shows what has changed. What a new step does not say of its times is over with the step before. */
  show(change: Partial<OrderFacts>): void {
    const isNewStep = change.step !== undefined && change.step !== this.facts.step;
    const before = this.facts;
    this.facts = { ...before, ...(isNewStep && { nextTryAt: null, triedUntil: null }), ...change };
    const hasTurned = situationOf(this.facts) !== situationOf(before);
    if (hasTurned && change.since === undefined) this.facts.since = Date.now();
    setCurrentDetails(orderDetails(this.facts));
  }

  /** Shows why the order needs a person, or that it does not; `others` are attributes written with it. */
  showAttention(reason: string | null, others: readonly SearchAttributePair[] = []): void {
    const shown = reason?.slice(0, SHOWN_CHARACTERS) ?? null;
    const changes = shown === this.facts.attention ? others : [...others, { key: attention, value: shown }];
    this.show({ attention: shown });
    if (changes.length > 0) upsertSearchAttributes([...changes]);
  }
}
