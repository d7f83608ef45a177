import type { OperatorDecision, OrderStatusText } from '../src/domain/orders/order-flow';
import { InterruptibleCall } from './interruptible-call';
import { OperatorDecisions } from './operator-decisions';

/**
 * The requests from messages that the main flow of the order has not handled yet. A request interrupts the running supplier
 * call, and then the main flow handles the request.
 */
export class OrderRequests {
  readonly decisions = new OperatorDecisions();
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
