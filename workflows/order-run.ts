/**
 * One run of an order's workflow: its state, the requests of messages that the main flow has not handled, and what operators see
 * of both.
 */
import type { SearchAttributeUpdatePair } from '@temporalio/common';
import { setCurrentDetails, setHandler, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import type {
  OperatorDecision,
  OrderStart,
  OrderStatusText,
  Placement,
  Settled,
} from '../src/domain/orders/order-messages';
import {
  factsAtStart,
  orderDetails,
  situationOf,
  snapshotOf,
  type OrderFacts,
} from '../src/domain/orders/order-snapshot';
import { attention, failureCode, orderStatus } from '../src/temporal/search-attributes';
import { InterruptibleCall } from './interruptible-call';
import { stateQuery } from './messages';
import { PendingDecisions } from './pending-decisions';

/** Temporal's column for a search attribute holds 255 characters, so a longer reason is cut. */
const MAX_ATTENTION_CHARACTERS = 200;

/** The main flow changes the state, and messages add requests. */
export interface OrderRun {
  readonly order: OrderStart;
  readonly state: OrderState;
  readonly requests: OrderRequests;
}

/** A run that begins: the order is not placed, and nothing is requested. */
export function newRun(order: OrderStart): OrderRun {
  return { order, state: new OrderState(order), requests: new OrderRequests() };
}

/** The state of an order. The main flow and message handlers write it, and operators see it. */
export class OrderState {
  placement: Placement | undefined;
  settled: Settled | undefined;
  /** Whether the supplier has answered for every purchase, even if only that it will deliver later. */
  isAnswered = false;
  /** Whether the order is under review: then nothing is bought, and its times have not begun. */
  isHeld = false;
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

/**
 * The requests from messages that the main flow of the order has not handled yet. A request interrupts the running supplier
 * call, and then the main flow handles the request.
 */
class OrderRequests {
  readonly decisions = new PendingDecisions();
  /** The supplier call that a request interrupts. */
  readonly call = new InterruptibleCall();
  isCancellationPending = false;
  /** Why the last cancellation came too late; undefined if it did not. */
  cancellationRejection: string | undefined;
  private woken = false;

  /** Whether the main flow must act at once. */
  get hasPending(): boolean {
    return this.woken || this.isCancellationPending || this.decisions.isPending;
  }

  get isWoken(): boolean {
    return this.woken;
  }

  wake(): void {
    this.woken = true;
    this.call.interrupt();
  }

  /** Called when the main flow acts: a later `wake` is a new request. */
  sleep(): void {
    this.woken = false;
  }

  cancel(): void {
    this.isCancellationPending = true;
    this.cancellationRejection = undefined;
    this.wake();
  }

  /** Rejects the pending cancellation, which came too late. A later cancellation is considered anew. */
  rejectCancellation(why: string): void {
    if (!this.isCancellationPending) return;
    this.isCancellationPending = false;
    this.cancellationRejection = why;
  }

  /** Resolves with the result once the main flow has carried the decision out. */
  decide(decision: OperatorDecision): Promise<OrderStatusText> {
    const result = this.decisions.submit(decision);
    this.call.interrupt();
    return result;
  }
}

/** Publishes the order's state as workflow details and as query `state`; neither writes an event. */
function showToOperators(facts: () => OrderFacts): void {
  setHandler(stateQuery, () => snapshotOf(facts()), {
    description:
      'Current state: what the order is waiting for, since when, the next attempt, and the available actions.',
  });
  setCurrentDetails(orderDetails(facts()));
}

/** Shows operators changed facts: by the details, and by the search attributes that differ. */
function showChange(before: OrderFacts, facts: OrderFacts): void {
  setCurrentDetails(orderDetails(facts));
  const reason = shortened(facts.attention);
  const changes: SearchAttributeUpdatePair[] = [
    ...(reason === shortened(before.attention) ? [] : [{ key: attention, value: reason }]),
    ...(facts.end === before.end ? [] : [{ key: orderStatus, value: facts.end }]),
    ...(facts.failureCode === before.failureCode ? [] : [{ key: failureCode, value: facts.failureCode }]),
  ];
  if (changes.length > 0) upsertSearchAttributes(changes);
}

function shortened(reason: string | null): string | null {
  return reason?.slice(0, MAX_ATTENTION_CHARACTERS) ?? null;
}
