import { CancellationScope } from '@temporalio/workflow';

/** What a call gives that was interrupted before it had an outcome. */
export const interrupted = Symbol('interrupted');

/** One call at a time that news from outside interrupts, so that it can be begun again or given up. */
export class InterruptibleCall {
  private scope: CancellationScope | undefined;

  /** Interrupts the call that runs, if one does. What it has begun at a supplier it finishes. */
  interrupt(): void {
    this.scope?.cancel();
  }

  /** The outcome of the call, or `interrupted`. Throws what the call throws by itself. */
  async run<T>(call: () => Promise<T>): Promise<T | typeof interrupted> {
    const scope = new CancellationScope();
    this.scope = scope;
    let isInterrupted = false;
    scope.cancelRequested.catch(() => (isInterrupted = true));
    try {
      return await scope.run(call);
    } catch (error) {
      // A worker that dies while the call is interrupted makes it fail in another way than by cancellation.
      if (isInterrupted) return interrupted;
      throw error;
    } finally {
      this.scope = undefined;
    }
  }
}
