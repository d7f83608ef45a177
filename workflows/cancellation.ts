import { CancellationScope, setHandler } from '@temporalio/workflow';
import { cancelOrderSignal } from './messages';

/** The wish to call the order off, by an operator's signal or by cancelling the workflow. */
export class CancelWish {
  private declined = false;
  private reason: string | undefined;
  private readonly running = new Set<CancellationScope>();

  /** Listens from the workflow's first moment on. */
  constructor() {
    setHandler(cancelOrderSignal, (reason) => this.wish(reason ?? 'Called off by an operator'), {
      description: 'Calls the order off if nothing was bought yet. Argument: the reason (text).',
    });
    CancellationScope.current().cancelRequested.catch(() => this.wish('The workflow was cancelled'));
  }

  /** Somebody wants the order called off and it is not known to be too late. */
  get open(): boolean {
    return this.reason !== undefined && !this.declined;
  }

  /** Runs work that the wish interrupts; throws the cancellation when it did. */
  async interruptible<T>(work: () => Promise<T>): Promise<T> {
    const scope = new CancellationScope();
    this.running.add(scope);
    if (this.open) scope.cancel();
    try {
      return await scope.run(work);
    } finally {
      this.running.delete(scope);
    }
  }

  /** Too late: something was bought. This wish and later ones are ignored. */
  decline(): void {
    this.declined = true;
  }

  private wish(reason: string): void {
    if (this.declined) return;
    this.reason ??= reason;
    this.running.forEach((scope) => scope.cancel());
  }
}
