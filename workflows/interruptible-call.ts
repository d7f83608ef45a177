import { CancellationScope } from '@temporalio/workflow';

/** The result of a call that was interrupted. */
export const interrupted = Symbol('interrupted');

/**
 * A call of a supplier that a message can interrupt. The call finishes the work that it has begun. A call that waits for its next
 * attempt ends at once.
 */
export class InterruptibleCall {
  private scope: CancellationScope | undefined;

  /** Interrupts the running call. Has no effect if none runs. */
  interrupt(): void {
    this.scope?.cancel();
  }

  /** Returns the result of the call, or `interrupted`. Throws the error of a call that was not interrupted. */
  async run<T>(call: () => Promise<T>): Promise<T | typeof interrupted> {
    const scope = new CancellationScope();
    this.scope = scope;
    let isInterrupted = false;
    scope.cancelRequested.catch(() => (isInterrupted = true));
    try {
      return await scope.run(call);
    } catch (error) {
      // Any error counts: if the worker dies meanwhile, the interrupted call fails with another error than a cancellation.
      if (isInterrupted) return interrupted;
      throw error;
    } finally {
      this.scope = undefined;
    }
  }
}
