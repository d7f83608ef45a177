/**
 * One run of an order's workflow: its state, the requests of messages that its story has not handled, and what operators see of both.
 */
import type { SearchAttributeUpdatePair } from '@temporalio/common';
import { setCurrentDetails, setHandler, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import type {
  FulfilmentReport,
  OperatorDecision,
  OrderStart,
  OrderStatusText,
  Placement,
  Settled,
} from '../../src/domain/orders/order-messages';
import { factsAtStart, situationOf, type OrderFacts } from '../../src/domain/orders/order-facts';
import { orderDetails, reasonWithoutCosts, snapshotOf } from '../../src/domain/orders/order-snapshot';
import { attention, failureCode, orderStatus } from '../../src/temporal/search-attributes';
import { InterruptibleCall } from '../interruptible-call';
import { stateQuery } from '../messages';
import { PendingDecisions } from './pending-decisions';
import type { OrderProgress } from './progress';

/** Temporal's column for a search attribute holds 255 characters, so a longer reason is cut. */
const MAX_ATTENTION_CHARACTERS = 200;

/** The story changes the state, and messages add requests. */
export interface OrderRun {
  readonly start: OrderStart;
  /** The progress of the previous run, if there was one. */
  readonly resumed: OrderProgress | undefined;
  readonly state: OrderState;
  readonly requests: OrderRequests;
  /** Resolved when the last local activity is over: all message handlers wait for it, and for nothing else. */
  readonly chainIsOver: Gate;
}

/** A run that begins: the order is not placed, and nothing is requested. */
export function newRun(start: OrderStart, resumed: OrderProgress | undefined): OrderRun {
  return {
    start,
    resumed,
    state: new OrderState(start, resumed),
    requests: new OrderRequests(),
    chainIsOver: new Gate(),
  };
}

/** A moment that several wait for. */
class Gate {
  isOpen = false;
  private open: () => void = () => undefined;
  /** Resolves when the gate opens. */
  readonly opened = new Promise<void>((resolve) => (this.open = resolve));

  resolve(): void {
    this.isOpen = true;
    this.open();
  }
}

/** The state of an order. The story and message handlers write it, and operators see it. */
export class OrderState {
  placement: Placement | undefined;
  /** The last report of the purchases. */
  report: FulfilmentReport | null = null;
  settled: Settled | undefined;
  /** Whether the first attempt was made. */
  isTried = false;
  /** Whether the first attempt has started the monitor of the delivered profile. */
  isMonitored = false;
  /** Whether the supplier has answered for every purchase, even if only that it will deliver later. */
  isAnswered = false;
  /** Whether the order is under review: then nothing is bought, and its times have not begun. */
  isHeld = false;
  /** Whether every purchase is concluded: then the order buys nothing more and accepts no decisions. */
  isConcluded = false;
  /** When the first run of the workflow started (milliseconds since 1970). */
  readonly startedAt: number;
  private current: OrderFacts;

  constructor(start: OrderStart, resumed: OrderProgress | undefined) {
    this.startedAt = resumed?.startedAt ?? workflowInfo().startTime.getTime();
    this.current = factsAtStart(start, Date.now());
    this.current.requestAnswer = resumed?.requestAnswer ?? null;
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
 * The requests from messages that the story of the order has not handled yet. A request interrupts the running supplier
 * call, and then the story handles the request.
 */
class OrderRequests {
  readonly decisions = new PendingDecisions();
  /** The supplier call that a request interrupts. */
  readonly call = new InterruptibleCall();
  isCancellationPending = false;
  /** Why the last cancellation came too late; undefined if it did not. */
  cancellationRejection: string | undefined;
  private woken = false;

  /** Whether the story must act at once. */
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

  /** Called when the story acts: a later `wake` is a new request. */
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

  /** Resolves with the result once the story has carried the decision out. */
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

/** Without costs, because every role reads search attributes. */
function shortened(reason: string | null): string | null {
  return reasonWithoutCosts(reason)?.slice(0, MAX_ATTENTION_CHARACTERS) ?? null;
}
