/**
 * Makes the supplier calls of this process and counts their results. Each process adds its results to the database every few
 * seconds, and at once after a failure, so a successful call does not cause a statement. `src/data/suppliers/supplier-calls.ts`
 * derives from them which kinds of call fail, and opens circuits; an answered purchase closes them.
 */
import type { Logger } from 'pino';
import type { Database } from '../../data/database/database';
import {
  recordCalls,
  type CallResults,
  type SupplierCall,
  type SupplierFamily,
} from '../../data/suppliers/supplier-calls';
import { claimCircuitTest, closeCircuit } from '../../data/suppliers/supplier-circuits';
import { recordSupplierBlocked } from '../../data/suppliers/supplier-health';
import { repeatUntil, SingleFlight } from '../../async/promises';
import { testEveryMs } from '../../domain/suppliers/circuit-rules';
import type { PurchaseReport } from '../../domain/suppliers/port';
import { isSupplierFault, SupplierAccountBlocked } from '../../domain/suppliers/supplier-errors';

/** Milliseconds between two times at which results are shared while no call fails. */
const SHARE_EVERY_MS = 5_000;
/** The same without results: a process that buys knows an open circuit before a purchase tests it. */
const LEARN_EVERY_MS = testEveryMs / 2;

export class CircuitBreaker {
  /** The results since they were last shared, by kind of call. */
  private readonly results = new Map<string, CallResults>();
  /** The circuits that were open when the results were last shared. */
  private open: ReadonlySet<string> = new Set();
  private readonly sharing = new SingleFlight<void>();
  private isDue = false;

  constructor(private readonly database: Database) {}

  /** Makes a purchase and counts its result. If the circuit is open, the purchase tests it, and a response closes it. */
  async purchase(kind: SupplierCall, purchase: () => Promise<PurchaseReport>): Promise<PurchaseReport> {
    if (this.isOpen(kind)) inBackground(claimCircuitTest(this.database, kind));
    const report = await this.call(kind, purchase);
    if (this.isOpen(kind) && isAnswer(report)) inBackground(this.close(kind, report.state === 'PENDING'));
    return report;
  }

  /** Makes a call and counts its result. Does not count a failure that the supplier did not cause. */
  async call<T>(kind: SupplierCall, call: () => Promise<T>): Promise<T> {
    try {
      const result = await call();
      this.count(kind, { lastSuccessAt: performance.now() });
      return result;
    } catch (error) {
      if (isSupplierFault(error)) this.recordFailure(kind, error);
      throw error;
    }
  }

  /**
   * Shares the results of this process, and learns which circuits are open. Calls that end before the statement does are
   * shared together afterwards, so that a supplier that fails quickly occupies only one database connection.
   */
  share(): Promise<void> {
    this.isDue = true;
    return this.sharing.run(() => this.shareWhileDue());
  }

  private async shareWhileDue(): Promise<void> {
    while (this.isDue) {
      this.isDue = false;
      const results = [...this.results.values()];
      this.results.clear();
      this.open = new Set((await recordCalls(this.database, results)).map(circuitKey));
    }
  }

  /** Whether calls ended since the results were last shared. */
  get hasResults(): boolean {
    return this.results.size > 0;
  }

  private isOpen(circuit: SupplierFamily): boolean {
    return this.open.has(circuitKey(circuit));
  }

  private recordFailure(kind: SupplierCall, error: Error): void {
    if (error instanceof SupplierAccountBlocked) {
      this.count(kind, {});
      inBackground(recordSupplierBlocked(this.database, kind, error.message));
      return;
    }
    this.count(kind, { lastError: error.message });
    if (!this.isOpen(kind)) inBackground(this.share());
  }

  private count(
    kind: SupplierCall,
    { lastSuccessAt, lastError = null }: Partial<Pick<CallResults, 'lastSuccessAt' | 'lastError'>>,
  ): void {
    const { supplier, family, call } = kind;
    const known = this.results.get(callKey(kind));
    this.results.set(callKey(kind), {
      supplier,
      family,
      call,
      lastError,
      calls: (known?.calls ?? 0) + 1,
      failed: (known?.failed ?? 0) + Number(lastError !== null),
      lastSuccessAt: lastSuccessAt ?? known?.lastSuccessAt ?? null,
    });
  }

  private async close(circuit: SupplierFamily, isAcceptance: boolean): Promise<void> {
    // Shares the earlier failures before, because closing resets the shared counts.
    await this.share();
    if (!(await closeCircuit(this.database, circuit, isAcceptance))) return;
    this.open = new Set([...this.open].filter((key) => key !== circuitKey(circuit)));
  }
}

/** Whether the supplier decided about the purchase. A rejection because of our account, or only for the moment, is no decision. */
function isAnswer(report: PurchaseReport): boolean {
  return report.state !== 'NOT_BOUGHT' || report.because === 'not-here';
}

/** Shares the results of this process until the signal aborts. A process that buys learns the open circuits, too. */
export function shareCalls(
  circuits: CircuitBreaker,
  log: Logger,
  { stopping, buys }: { stopping: AbortSignal; buys: boolean },
): Promise<void> {
  let sharedAt = -Infinity;
  return repeatUntil(stopping, SHARE_EVERY_MS, async () => {
    const mustLearn = buys && performance.now() - sharedAt >= LEARN_EVERY_MS;
    if (!mustLearn && !circuits.hasResults) return;
    sharedAt = performance.now();
    await circuits.share().catch((err: unknown) => {
      log.error({ err }, 'the results of supplier calls could not be shared');
    });
  });
}

function circuitKey({ supplier, family }: SupplierFamily): string {
  return `${supplier} ${family}`;
}

function callKey({ call, ...circuit }: SupplierCall): string {
  return `${circuitKey(circuit)} ${call}`;
}

/** A failure to record a call does not affect the call. */
function inBackground(work: Promise<unknown>): void {
  work.catch(() => undefined);
}
