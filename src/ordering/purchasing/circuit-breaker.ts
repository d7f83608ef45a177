/**
 * Counts the purchases and lookups of this process for the circuits of suppliers. Each process adds its counts to the database
 * every few seconds, and at once after a failure, so a successful call does not cause a statement.
 * `src/data/operations/supplier-circuits.ts` decides when a circuit opens and closes.
 */
import type { Logger } from 'pino';
import type { Database } from '../../data/database/database';
import {
  claimCircuitTest,
  closeCircuit,
  shareCallCounts,
  type CallCounts,
  type SupplierFamily,
} from '../../data/operations/supplier-circuits';
import { repeatUntil, SingleFlight } from '../../async/promises';
import { isSupplierFault, SupplierAccountBlocked, type PurchaseReport } from '../../suppliers/port';

/** Milliseconds between two times at which counts are shared while no call fails. */
const SHARE_EVERY_MS = 5_000;

export class CircuitBreaker {
  private readonly counts = new Map<string, CallCounts>();
  /** The circuits that were open when the counts were last shared. */
  private open: ReadonlySet<string> = new Set();
  private readonly sharing = new SingleFlight<void>();
  private isDue = false;

  constructor(private readonly database: Database) {}

  /** Makes a purchase and counts it. If the circuit is open, the purchase tests it, and a response closes it. */
  async purchase(circuit: SupplierFamily, call: () => Promise<PurchaseReport>): Promise<PurchaseReport> {
    if (this.isOpen(circuit)) inBackground(claimCircuitTest(this.database, circuit));
    const report = await this.lookUp(circuit, call);
    if (this.isOpen(circuit) && isAnswer(report))
      inBackground(this.close(circuit, report.state === 'PENDING'));
    return report;
  }

  /** Makes a lookup and counts it. Does not count a failure that the supplier did not cause. */
  async lookUp<T>(circuit: SupplierFamily, call: () => Promise<T>): Promise<T> {
    try {
      const report = await call();
      this.count(circuit, false);
      return report;
    } catch (error) {
      if (isSupplierFault(error)) this.recordFailure(circuit, error);
      throw error;
    }
  }

  /**
   * Shares the counts of this process, and learns which circuits are open. Calls that end meanwhile are shared together
   * afterwards, so that a supplier that fails quickly occupies only one database connection.
   */
  share(): Promise<void> {
    this.isDue = true;
    return this.sharing.run(() => this.shareWhileDue());
  }

  private async shareWhileDue(): Promise<void> {
    while (this.isDue) {
      this.isDue = false;
      const counts = [...this.counts.values()];
      this.counts.clear();
      this.open = new Set((await shareCallCounts(this.database, counts)).map(keyOf));
    }
  }

  private isOpen(circuit: SupplierFamily): boolean {
    return this.open.has(keyOf(circuit));
  }

  private recordFailure(circuit: SupplierFamily, error: Error): void {
    const isRejection = error instanceof SupplierAccountBlocked;
    this.count(circuit, !isRejection);
    if (!isRejection && !this.isOpen(circuit)) inBackground(this.share());
  }

  private count(circuit: SupplierFamily, isFailure: boolean): void {
    const { supplier, family } = circuit;
    const { calls, failed } = this.counts.get(keyOf(circuit)) ?? { calls: 0, failed: 0 };
    const counts = { supplier, family, calls: calls + 1, failed: failed + Number(isFailure) };
    this.counts.set(keyOf(circuit), counts);
  }

  private async close(circuit: SupplierFamily, isAcceptance: boolean): Promise<void> {
    if (!(await closeCircuit(this.database, circuit, isAcceptance))) return;
    this.counts.delete(keyOf(circuit));
    this.open = new Set([...this.open].filter((key) => key !== keyOf(circuit)));
  }
}

/** Whether the supplier decided about the purchase. A refusal because of our account, or only for the moment, is no decision. */
function isAnswer(report: PurchaseReport): boolean {
  return report.state !== 'NOT_BOUGHT' || report.because === 'not-here';
}

/** Shares the calls of this process until the signal aborts. */
export function shareCalls(circuits: CircuitBreaker, log: Logger, stopping: AbortSignal): Promise<void> {
  return repeatUntil(stopping, SHARE_EVERY_MS, () =>
    circuits.share().catch((err: unknown) => {
      log.error({ err }, 'the results of supplier calls could not be shared');
    }),
  );
}

function keyOf({ supplier, family }: SupplierFamily): string {
  return `${supplier} ${family}`;
}

/** A failure to record a call does not affect the call. */
function inBackground(work: Promise<unknown>): void {
  work.catch(() => undefined);
}
