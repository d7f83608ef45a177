/** One call's work on the purchases of an order: several side by side, for a while, with what went wrong kept. */
import type { Purchase } from '../../data/purchases/purchases';
import type { FulfilmentReport, PurchaseProgress } from '../../domain/orders/order-flow';
import { SupplierAccountBlocked, SupplierUnavailable } from '../../suppliers/port';

/** How long one call works on the purchases of an order before it lets the workflow call again. */
const WORK_LIMIT_MS = 40_000;
/** Purchases of one order that are sent, or asked about, side by side. */
const SIDE_BY_SIDE = 4;

/** Ends work that is not begun yet: the activity was cancelled, or has worked long enough. */
export type MayContinue = () => boolean;

/** Whether the error says that nothing ran at the supplier. */
export function isCertainlyNotRun(error: unknown): boolean {
  return error instanceof SupplierUnavailable || error instanceof SupplierAccountBlocked;
}

/** One call's work on several purchases: errors are kept until all was tried that can be tried. */
export class PurchaseWork {
  /** How the order stands, where that need not be counted (see `deliveredWhole`). */
  whole: PurchaseProgress | undefined;
  private readonly beganAt = performance.now();
  private readonly worked = new Set<string>();
  private error: Error | undefined;
  private unresolved: string | undefined;
  private isStopped = false;

  constructor(private readonly mayContinue: MayContinue) {}

  /** Milliseconds since the call began. */
  ageMs(): number {
    return performance.now() - this.beganAt;
  }

  /** Runs the step again and again, several at a time, until it says that all is done. */
  async sideBySide(step: () => Promise<'done' | 'more'>): Promise<void> {
    const worker = async () => {
      while (this.continues()) if ((await step()) === 'done') return;
    };
    await Promise.all(Array.from({ length: SIDE_BY_SIDE }, worker));
  }

  /** Works on each purchase, several at a time. */
  async each(
    purchases: readonly Purchase[],
    work: (purchase: Purchase) => Promise<string | undefined>,
  ): Promise<void> {
    const queue = [...purchases];
    await this.sideBySide(async () => {
      const purchase = queue.shift();
      if (!purchase) return 'done';
      await this.attempt(() => work(purchase));
      this.worked.add(purchase.reference);
      return 'more';
    });
  }

  /** Does one piece of work. A supplier that is out of reach is not called again for the next. */
  async attempt(work: () => Promise<string | undefined>): Promise<void> {
    try {
      const reason = await work();
      this.unresolved ??= reason;
    } catch (error) {
      this.error ??= error instanceof Error ? error : new Error(String(error));
      this.isStopped ||= isCertainlyNotRun(error);
    }
  }

  /** References of the purchases that were worked on. */
  done(purchases: readonly Purchase[]): string[] {
    return purchases.map(({ reference }) => reference).filter((reference) => this.worked.has(reference));
  }

  /** Notes that one purchase, of so many units, was all of the order and is there: nothing is left to be counted. */
  deliveredWhole(units: number): void {
    const nothingElse = { ready: 0, open: 0, withdrawn: false, failureCode: null };
    this.whole = { units, delivered: units, ...nothingElse };
  }

  /** The report, or the first error that was met. */
  report(progress: PurchaseProgress): FulfilmentReport {
    if (this.error) throw this.error;
    return { ...progress, unresolved: this.unresolved ?? null };
  }

  private continues(): boolean {
    return !this.isStopped && this.mayContinue() && this.ageMs() < WORK_LIMIT_MS;
  }
}
