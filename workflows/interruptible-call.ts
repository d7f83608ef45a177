import { CancellationScope, condition } from '@temporalio/workflow';

/** The result of a call that was interrupted. */
export const interrupted = Symbol('interrupted');

/**
 * A call of a supplier that a message can interrupt. The call finishes the work that it has begun. A call that waits for its next
 * attempt ends at once.
 */
export class InterruptibleCall {
  private isInterrupted = false;

  /** Interrupts the running call, once all messages of the workflow task are handled. Has no effect if none runs. */
  interrupt(): void {
    this.isInterrupted = true;
  }

  /** Returns the result of the call, or `interrupted`. Throws the error of a call that was not interrupted. */
  async run<T>(call: () => Promise<T>): Promise<T | typeof interrupted> {
    this.isInterrupted = false;
    const running = new CancellationScope();
    const watch = new CancellationScope();
    watch
      .run(() => condition(() => this.isInterrupted))
      .then(
        () => running.cancel(),
        () => undefined,
      );
    try {
      return await running.run(call);
    } catch (error) {
      // Any error counts: if the worker dies, the interrupted call fails with another error than a cancellation.
      if (this.isInterrupted) return interrupted;
      throw error;
    } finally {
      watch.cancel();
    }
  }
}
