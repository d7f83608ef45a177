import { ApplicationFailure } from '@temporalio/workflow';
import {
  readDecision,
  refusedType,
  type OperatorDecision,
  type OrderStatusText,
} from '../src/domain/orders/order-flow';

interface PendingDecision {
  decision: OperatorDecision;
  succeed: (text: OrderStatusText) => void;
  fail: (failure: ApplicationFailure) => void;
}

/** What operators decide about an order: one decision at a time, each is answered. */
export class OperatorDecisions {
  private pending: PendingDecision | undefined;

  get isPending(): boolean {
    return this.pending !== undefined;
  }

  /** Hands the decision over; resolves with what came of it, or rejects with why it was refused. */
  submit(decision: OperatorDecision): Promise<OrderStatusText> {
    return new Promise((succeed, fail) => (this.pending = { decision, succeed, fail }));
  }

  /** Carries the pending decision out and tells its operator. Undefined if it was refused, or none is pending. */
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
      pending.fail(refusal(sentenceOf(error)));
      return undefined;
    } finally {
      this.pending = undefined;
    }
  }

  /** The order has come to its end without the pending decision. */
  refuse(why: string): void {
    this.pending?.fail(refusal(why));
    this.pending = undefined;
  }
}

/** A refusal as the operator is told it: a sentence of ours, which the Temporal UI can show (see the failure converter). */
export function refusal(sentence: string): ApplicationFailure {
  const failure = ApplicationFailure.nonRetryable(sentence, refusedType);
  failure.stack = '';
  return failure;
}

/** The decision in what was sent, or a refusal that says what may be. */
export function decisionIn(sent: unknown, reason: unknown): OperatorDecision {
  try {
    return readDecision(sent, reason);
  } catch (error) {
    throw refusal(error instanceof Error ? error.message : String(error));
  }
}

/** The innermost message: that of the activity, not of what carried it here. */
function sentenceOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  if (cause instanceof Error && error instanceof Error && error.name === 'ActivityFailure')
    return cause.message;
  return error instanceof Error ? error.message : String(error);
}
