import { CancellationScope } from '@temporalio/workflow';
import type { OperatorDecision, OrderStatusText } from '../src/domain/orders/order-flow';
import { OperatorDecisions } from './operator-decisions';

/** The result of a call that a request interrupted. */
export const interrupted = Symbol('interrupted');

/**
 * The requests from messages that the main flow of the order has not handled yet. A request interrupts the running supplier
 * call: the call finishes the work that it has begun, and then the main flow handles the request.
 */
export class OrderRequests {
  readonly decisions = new OperatorDecisions();
  isCancellationPending = false;
  /** Why the last cancellation came too late; undefined if it did not. */
  cancellationRejection: string | undefined;
  private woken = false;
  private call: CancellationScope | undefined;

  /** Whether the main flow must act at once. */
  get hasPending(): boolean {
    return this.woken || this.isCancellationPending || this.decisions.isPending;
  }

  get isWoken(): boolean {
    return this.woken;
  }

  wake(): void {
    this.woken = true;
    this.call?.cancel();
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
    this.call?.cancel();
    return result;
  }

  /** Returns the result of the call, or `interrupted`. Throws the error of a call that no request interrupted. */
  async untilInterrupted<T>(call: () => Promise<T>): Promise<T | typeof interrupted> {
    const scope = new CancellationScope();
    this.call = scope;
    let isInterrupted = false;
    scope.cancelRequested.catch(() => (isInterrupted = true));
    try {
      return await scope.run(call);
    } catch (error) {
      // Any error counts: if the worker dies meanwhile, the interrupted call fails with another error than a cancellation.
      if (isInterrupted) return interrupted;
      throw error;
    } finally {
      this.call = undefined;
    }
  }
}
