/**
 * The first purchase attempt of an order, within the workflow task that places it. If it succeeds, Temporal schedules nothing
 * more. The activity `buy`, which operators see, takes over an attempt that is slow or fails.
 *
 * The debit claims the purchase, and the attempt, a local activity of its own, sends it. The claim and its slot stay in this process:
 * nothing of them passes through the workflow. Another process finds no claim, and sends nothing.
 * docs/decisions/0032-begin-an-order-with-three-local-activities.md.
 */
import { LRUCache } from 'lru-cache';
import type { FulfilmentReport, OrderKey } from '../../domain/orders/order-messages';
import { timedOut, withTimeout } from '../../async/promises';
import { SEND_LEASE_MS } from './conclusive-lookups';
import type { MayContinue } from './purchase-work';
import type { Claim } from './purchasing';

/** Milliseconds that an attempt may hold its workflow task: well below the task's timeout. */
const WAIT_MS = 1_500;
/**
 * The maximum number of attempts in this process: those whose purchase is being claimed, those that wait for `attempt`, and those in
 * progress, also if they no longer hold a workflow task.
 */
const MAX_UNDER_WAY = 40;
/** Milliseconds for which a claim is kept for its attempt, and an attempt for the activity. */
const KEEP_MS = 60_000;

/** An attempt that was too slow or failed. */
export interface InlineAttempt {
  /** Settles when the attempt ends. */
  report: Promise<FulfilmentReport>;
  /** Starts no further purchase. */
  stop: () => void;
}

interface PreparedAttempt {
  claim: Claim;
  /** Whether the lease of the claim, and with it the slot, has not ended. */
  hasSlot: boolean;
  expiry: NodeJS.Timeout;
}

export class InlineAttempts {
  private readonly prepared = new LRUCache<string, PreparedAttempt>({ max: 10_000, ttl: KEEP_MS });
  private readonly unfinished = new LRUCache<string, InlineAttempt>({ max: 10_000, ttl: KEEP_MS });
  private underWay = 0;

  /**
   * Takes a slot and claims a purchase of the order for `attempt`. The slot is given back if there is no claim, or if no attempt takes
   * the claim before its lease ends. Undefined, without a call, if no slot is free.
   */
  async prepare<Result extends { claim: Claim | undefined }>(
    { nonce }: OrderKey,
    claiming: () => Promise<Result>,
  ): Promise<Result | undefined> {
    if (this.underWay >= MAX_UNDER_WAY) return undefined;
    this.underWay++;
    let claim: Claim | undefined;
    try {
      const result = await claiming();
      claim = result.claim;
      return result;
    } finally {
      if (claim) this.keep(nonce, claim);
      else this.underWay--;
    }
  }

  private keep(nonce: string, claim: Claim): void {
    const leftMs = claim.claimedAt + SEND_LEASE_MS - performance.now();
    const expire = () => {
      prepared.hasSlot = false;
      this.underWay--;
    };
    const prepared: PreparedAttempt = { claim, hasSlot: true, expiry: setTimeout(expire, leftMs).unref() };
    this.prepared.set(nonce, prepared);
  }

  /**
   * Works with the claim that was prepared for the order, once. Returns the report. Undefined if there is no such claim; then no work
   * begins. Undefined, too, if the work is too slow or fails: then the activity takes over. If the lease has ended, because the debit
   * waited for its wallet, calls `tooLate` instead: this process knows that nothing was sent.
   */
  async attempt(
    { nonce }: OrderKey,
    work: (claim: Claim, mayContinue: MayContinue) => Promise<FulfilmentReport>,
    tooLate: (claim: Claim) => Promise<unknown>,
  ): Promise<FulfilmentReport | undefined> {
    const prepared = this.prepared.get(nonce);
    if (!prepared) return undefined;
    this.prepared.delete(nonce);
    const { claim, hasSlot, expiry } = prepared;
    if (!hasSlot) {
      await tooLate(claim).catch(() => undefined);
      return undefined;
    }
    clearTimeout(expiry);
    let isStopped = false;
    const report = work(claim, () => !isStopped).finally(() => this.underWay--);
    const inTime = await withTimeout(
      report.catch(() => undefined),
      WAIT_MS,
    );
    if (inTime && inTime !== timedOut) return inTime;
    this.unfinished.set(nonce, { report, stop: () => (isStopped = true) });
    return undefined;
  }

  /** Returns the attempt that is left for the activity, once. */
  takeOver({ nonce }: OrderKey): InlineAttempt | undefined {
    const attempt = this.unfinished.get(nonce);
    this.unfinished.delete(nonce);
    return attempt;
  }
}
