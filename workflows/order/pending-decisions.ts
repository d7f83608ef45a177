import { ActivityFailure, type ApplicationFailure } from '@temporalio/workflow';
import { readDecision, type OperatorDecision, type OrderStatusText } from '../../src/domain/orders/order-messages';
import { rejection } from '../rejection';

interface Submission {
  decision: OperatorDecision;
  succeed: (text: OrderStatusText) => void;
  fail: (failure: ApplicationFailure) => void;
}

/** Operators' decisions about an order, one at a time. Each gets a result. */
export class PendingDecisions {
  private pending: Submission | undefined;

  get isPending(): boolean {
    return this.pending !== undefined;
  }

  /** Resolves with the result of the decision, or rejects with the reason. */
  submit(decision: OperatorDecision): Promise<OrderStatusText> {
    return new Promise((succeed, fail) => (this.pending = { decision, succeed, fail }));
  }

  /** Carries out the pending decision and answers its operator. Returns undefined if it was rejected, or if none is pending. */
  async carryOut<T>(
    work: (decision: OperatorDecision) => Promise<T>,
    textOf: (outcome: T) => OrderStatusText,
  ): Promise<T | undefined> {
    const { pending } = this;
    if (!pending) return undefined;
    try {
      const outcome = await work(pending.decision);
      pending.succeed(textOf(outcome));
      return outcome;
    } catch (error) {
      pending.fail(rejection(sentenceOf(error)));
      return undefined;
    } finally {
      this.pending = undefined;
    }
  }

  /** Called when the order has ended without the decision. */
  rejectPending(why: string): void {
    this.pending?.fail(rejection(why));
    this.pending = undefined;
  }
}

/** Reads the decision, or throws a rejection that lists the valid ones. */
export function parseDecision(sent: unknown, reason: unknown): OperatorDecision {
  try {
    return readDecision(sent, reason);
  } catch (error) {
    throw rejection(sentenceOf(error));
  }
}

/** The message of the error that an activity threw, not of the `ActivityFailure` that wraps it. */
function sentenceOf(error: unknown): string {
  const failure = error instanceof ActivityFailure && error.cause ? error.cause : error;
  return failure instanceof Error ? failure.message : String(failure);
}
