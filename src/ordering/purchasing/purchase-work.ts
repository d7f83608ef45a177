/** The work of one call about the purchases of an order: its limits, its errors, and what it found for operators to decide. */
import type { Ended } from '../../data/orders/settle-order';
import type { Purchase } from '../../data/purchases/purchase-reads';
import type { FulfilmentReport } from '../../domain/orders/order-messages';
import { safeName, safeText } from '../../domain/safe-text';
import type { Money } from '../../domain/suppliers/port';
import { CallHeldBack, isCertainlyNotRun } from '../../domain/suppliers/supplier-errors';

/** Milliseconds after which a call starts no further work. The workflow then calls the activity again. */
const WORK_LIMIT_MS = 40_000;
/** Milliseconds until a call that has left out a busy supplier is repeated. */
const RETRY_BUSY_MS = 1_000;
/** Milliseconds until a purchase with a lost response is looked up while others of its order are sent. */
const LOST_ANSWER_MS = 1_000;
/** Purchases of one order that are sent or looked up concurrently. */
const CONCURRENCY = 4;

/** Returns false if no further purchase may be started, for example because the activity was cancelled. */
export type MayContinue = () => boolean;

/** A call of the workflow about the purchases of an order. */
export interface PurchaseCall {
  mayContinue: MayContinue;
  /** The delivered units that the workflow knows of. */
  knownDelivered: number;
  /**
   * Called once a report has ended the order as delivered. Without it, no report ends the order. The call may still be in progress then.
   */
  onEnded?: (ended: Ended) => void;
  /** Suppliers that the call leaves out, because other calls keep them busy (see `SupplierShares`). Default: none. */
  busy?: ReadonlySet<string>;
}

export class PurchaseWork {
  /** The progress of the order if the database need not count it (see `recordWholeOrder`). */
  wholeOrder: FulfilmentReport | undefined;
  private readonly beganAt = performance.now();
  private readonly worked = new Set<string>();
  /** The purchases whose poll failed, or found a reason for an operator to decide. */
  private readonly unclear = new Set<string>();
  /** When to look up the purchases with a lost response while others are sent: readings of `performance.now()` by reference. */
  private readonly lost = new Map<string, number>();
  private error: Error | undefined;
  /** Why an operator must decide about a purchase; undefined if none must. */
  reason: string | undefined;
  /** The suppliers that are unavailable or block our account: this activity call makes no further calls to them. */
  readonly stopped = new Set<string>();

  constructor(
    private readonly call: PurchaseCall,
    private readonly limitMs = WORK_LIMIT_MS,
  ) {
    for (const supplier of call.busy ?? []) {
      this.stopped.add(supplier);
      this.error ??= new CallHeldBack(safeText`${safeName(supplier)}: too many orders are polled`, RETRY_BUSY_MS);
    }
  }

  /** What a report calls that ends the order; undefined if none may end it. */
  get onEnded(): PurchaseCall['onEnded'] {
    return this.call.onEnded;
  }

  /** Whether a piece of work has failed. */
  get hasFailed(): boolean {
    return this.error !== undefined;
  }

  /** Milliseconds since the call began. */
  ageMs(): number {
    return performance.now() - this.beganAt;
  }

  /** Repeats the step, several at a time, until it returns `done` or no further work may start. */
  async sideBySide(step: () => Promise<'done' | 'more'>): Promise<void> {
    const worker = async () => {
      while (this.mayStart()) if ((await step()) === 'done') return;
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  }

  /** Works on each purchase, several at a time, except for those at stopped suppliers. */
  async each(purchases: readonly Purchase[], work: (purchase: Purchase) => Promise<string | undefined>): Promise<void> {
    const queue = [...purchases];
    await this.sideBySide(async () => {
      const purchase = queue.shift();
      if (!purchase) return 'done';
      if (this.stopped.has(purchase.supplier)) return 'more';
      this.unclear.add(purchase.reference);
      await this.attempt(async () => {
        const reason = await work(purchase);
        if (reason === undefined) this.unclear.delete(purchase.reference);
        return reason;
      }, purchase.supplier);
      this.worked.add(purchase.reference);
      return 'more';
    });
  }

  /** Work of the same call with results of its own. It starts nothing after `limitMs`. */
  aside(limitMs?: number): PurchaseWork {
    return new PurchaseWork(this.call, limitMs);
  }

  /** Makes `takeLost` return the purchase after the wait. */
  lookUpLater(reference: string, waitMs = LOST_ANSWER_MS): void {
    this.lost.set(reference, performance.now() + waitMs);
  }

  /** Takes a purchase with a lost response whose lookup is due. */
  takeLost(): string | undefined {
    const now = performance.now();
    for (const [reference, dueAt] of this.lost) {
      if (dueAt > now) continue;
      this.lost.delete(reference);
      return reference;
    }
    return undefined;
  }

  /** Runs one piece of work and keeps its error. Adds the supplier to `stopped` if it is unavailable or blocks our account. */
  async attempt(work: () => Promise<string | undefined>, supplier?: string): Promise<void> {
    try {
      this.addReason(await work());
    } catch (error) {
      this.error ??= error instanceof Error ? error : new Error(String(error));
      if (supplier !== undefined && isCertainlyNotRun(error)) this.stopped.add(supplier);
    }
  }

  /** Adds a reason unless there is one already. */
  addReason(reason: string | undefined): void {
    this.reason ??= reason;
  }

  /** The references of those purchases on which `each` has worked. */
  processed(purchases: readonly Purchase[]): string[] {
    return purchases.map(({ reference }) => reference).filter((reference) => this.worked.has(reference));
  }

  /** The references of those purchases on which `each` has worked without a clear result. */
  processedUnclearly(purchases: readonly Purchase[]): string[] {
    return this.processed(purchases).filter((reference) => this.unclear.has(reference));
  }

  /** Whether `each` has worked on every one of the purchases. */
  isComplete(purchases: readonly Purchase[]): boolean {
    return this.processed(purchases).length === purchases.length;
  }

  /** Records that this purchase was the only one of the order and is delivered. */
  recordWholeOrder({ reference, units, supplier, sku, why }: Purchase, cost: Money | undefined): void {
    const costText = cost === undefined ? null : `${cost.amount} ${cost.currency}`;
    const purchases = [{ reference, supplier, sku, cost: costText, why, result: 'DELIVERED' }];
    const nothingElse = { ready: 0, open: 0, withdrawn: false, failureCode: null, unresolved: null };
    this.wholeOrder = { units, delivered: units, ...nothingElse, purchases };
  }

  /**
   * Returns the report, with the first reason that this call found for an operator to decide. Throws the first error, unless there
   * is such a reason, or the workflow does not know of all delivered units: retries would hide either for hours.
   */
  report(progress: FulfilmentReport): FulfilmentReport {
    const isKnown = this.reason === undefined && progress.delivered <= this.call.knownDelivered;
    if (this.error && isKnown) throw this.error;
    return { ...progress, unresolved: this.reason ?? progress.unresolved };
  }

  mayStart(): boolean {
    return this.call.mayContinue() && this.ageMs() < this.limitMs;
  }
}
