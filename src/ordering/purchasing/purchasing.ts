/**
 * The purchases of an order. Buys each exactly once: claims it here, sends it and looks it up (`one-purchase.ts`), polls or withdraws
 * open ones, stores the report, and lets operators decide the rest (`operator-decisions.ts`).
 *
 * After a crash, delay or repetition, a purchase that may have been sent is first looked up by our reference. It is sent again
 * only if it certainly did not run, or if the supplier has no lookup and returns the first purchase for a repeated reference.
 * docs/decisions/0006-claim-a-purchase-before-sending-it.md. Two rules show that a purchase did not run:
 * - A claimed purchase may be sent only within `SEND_LEASE_MS` of its claim, by the clock of the process that claimed it.
 * - An empty lookup is conclusive only if the lease and the supplier's `lookupConclusiveAfterMs` were over before it started, by
 *   the database's clock and by the clock of the process.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { markPolled } from '../../data/purchases/purchase-polls';
import {
  findPurchase,
  listPurchases,
  openStates,
  purchaseProgress,
  type Purchase,
  type PurchaseState,
} from '../../data/purchases/purchase-reads';
import {
  claimAgain,
  claimNextPurchase,
  holdProduct,
  moveUnsentPurchase,
  releasePurchase,
  reopenPurchase,
  untilDueMs,
  withdrawPurchase,
  withdrawUnlessBought,
  withdrawUnsent,
  type ClaimedPurchase,
} from '../../data/purchases/purchases';
import type { FulfilmentReport, OrderKey, WithdrawnBecause } from '../../domain/orders/order-messages';
import { isTooLongToWait } from '../../domain/orders/purchase-timing';
import { safeName, safeText } from '../../domain/safe-text';
import {
  CallHeldBack,
  isCertainlyNotRun,
  SupplierAccountBlocked,
  SupplierOutcomeUnknown,
  SupplierUnavailable,
  type LookupReport,
  type Money,
  type NotBought,
  type Supplier,
} from '../../suppliers/port';
import {
  conclusiveAfter,
  handleReport,
  hasNeverBought,
  inconclusiveForMs,
  lookupOf,
  lookUpPurchase,
  raiseBlocked,
  replacedBecause,
  sendAgain,
  sendPurchase,
  STILL_RUNNING,
  supplierOf,
  type PurchasingDependencies,
  type StoredReport,
} from './one-purchase';
import { unpaced } from './pace';

/** How long one call waits for a product that another purchase holds, and how often it checks, in milliseconds. */
const PRODUCT_WAIT_MS = 10_000;
const PRODUCT_POLL_MS = 250;
/**
 * Milliseconds for polls in a call that has sent purchases, so that the whole call stays below the limit of its activity
 * (`supplierCallLimitMs`).
 */
const MEANWHILE_LIMIT_MS = 20_000;
/**
 * After this number of claims that sent nothing, a purchase moves to the next source, if there is one. Claims that the service
 * held back do not count: the supplier may be healthy, and the next source may cost more.
 */
const MAX_FAILED_CLAIMS = 2;
/** A lookup before sending may outlast the lease. If it takes this long, the next claims reuse its empty result for ABSENT_FOR_MS. */
const SLOW_LOOK_UP_MS = 500;
const ABSENT_FOR_MS = 120_000;

/** A purchase that may be sent now. */
export interface Claim {
  purchase: ClaimedPurchase;
  /** A reading of `performance.now()` before it was claimed. */
  claimedAt: number;
}

export class Purchasing {
  private readonly open: OpenPurchases;
  /** References of purchases that a supplier did not know at a slow lookup before they were sent again. */
  private readonly absent = new LRUCache<string, true>({ max: 10_000, ttl: ABSENT_FOR_MS });

  constructor(private readonly deps: PurchasingDependencies) {
    this.open = new OpenPurchases(deps);
  }

  /**
   * Sends every READY purchase of the order, and looks up those with a lost response. `first`: a claim that the caller holds
   * already. Throws the first supplier error, unless a purchase needs an operator's decision or the workflow does not know of
   * all delivered units. All results are stored before it throws.
   */
  async buy(order: OrderKey, call: PurchaseCall, first?: Claim): Promise<FulfilmentReport> {
    const work = new PurchaseWork(call);
    await this.sendAll(order, work, first);
    const progress = work.wholeOrder ?? (await this.progress(order));
    if (progress.ready > 0) await work.attempt(() => this.awaitDue(order));
    return progress.open === 0 ? work.report(progress) : this.pollSent(order, work);
  }

  /** Sends the READY purchases, several at a time, and between them looks up those with a lost response. */
  private async sendAll(order: OrderKey, work: PurchaseWork, first?: Claim): Promise<void> {
    const { pace = unpaced } = this.deps;
    const buyNext = (claim?: Claim) =>
      pace.begin(async (sent) =>
        claim || work.mayStart() ? this.buyNext(order, work, sent, claim) : 'done',
      );
    if ((await buyNext(first)) === 'done') return;
    // The caller that holds the first claim has just placed the order, so no earlier call has sent anything.
    if (!first) await this.open.expectLost(order, work);
    await work.sideBySide(async () => ((await this.open.lookUpLost(work)) ? 'more' : buyNext()));
  }

  /** Polls the purchases that were sent, those with a lost response first. */
  private async pollSent(order: OrderKey, work: PurchaseWork): Promise<FulfilmentReport> {
    if (work.hasFailed) return this.pollMeanwhile(order, work, ['SENT', 'PENDING']);
    const lost = await listPurchases(this.deps.database, order, ['SENT']);
    await this.open.pollEach(lost, work);
    const progress = await this.progress(order);
    // Without a lost response, the next call continues to send, and the purchases are polled when all are sent.
    if (!work.hasFailed && (progress.ready === 0 || lost.length === 0)) return work.report(progress);
    return this.pollMeanwhile(order, work, work.isComplete(lost) ? ['PENDING'] : ['SENT', 'PENDING']);
  }

  /** Polls although others must still be sent: lost responses and goods do not wait for them. */
  private async pollMeanwhile(
    order: OrderKey,
    work: PurchaseWork,
    states: PurchaseState[],
  ): Promise<FulfilmentReport> {
    const meanwhile = work.aside(MEANWHILE_LIMIT_MS);
    await this.open.pollEach(await listPurchases(this.deps.database, order, states), meanwhile);
    work.addReason(meanwhile.reason);
    return work.report(await this.progress(order));
  }

  /**
   * Polls the open purchases of the order at the supplier. A purchase that certainly did not run becomes READY. Sends only to a
   * supplier without lookups, which returns the first purchase for a repeated reference (see `OpenPurchases`).
   * If a lookup failed, throws as `buy` does.
   */
  async pollOpen(order: OrderKey, call: PurchaseCall): Promise<FulfilmentReport> {
    const work = new PurchaseWork(call);
    const open = await listPurchases(this.deps.database, order, ['SENT', 'PENDING']);
    await this.open.pollEach(open, work);
    return work.report(await this.progress(order));
  }

  /** Withdraws every purchase that the supplier has not sold and cancels. A cancellation withdraws none if a unit was bought. */
  async withdraw(order: OrderKey, call: PurchaseCall, why: WithdrawnBecause): Promise<FulfilmentReport> {
    const work = new PurchaseWork(call);
    await (why === 'CANCELLED' ? this.open.cancel(order, work) : this.open.withdrawAll(order, work));
    return work.report(await this.progress(order));
  }

  private async buyNext(
    order: OrderKey,
    work: PurchaseWork,
    sent: () => void,
    claimed: Claim | undefined,
  ): Promise<'done' | 'more'> {
    const claim = claimed ?? (await this.claimNext(order, work));
    if (!claim) return 'done';
    const { purchase } = claim;
    const { supplier } = purchase;
    if (!(await this.mayTakeProduct(purchase))) {
      await work.attempt(() => this.awaitProduct(purchase, work), supplier);
      return 'more';
    }
    let replaced: StoredReport['replaced'];
    await work.attempt(async () => {
      const stored = await this.send(claim, work, sent);
      if (!stored) work.lookUpLater(purchase.reference);
      if (stored?.isDelivered && purchase.isWholeOrder) work.recordWholeOrder(purchase, stored.cost);
      replaced = stored?.replaced;
      return stored?.unresolved;
    }, supplier);
    // Nothing can be sent to a supplier that is not configured: this call would claim and release its purchases without end.
    if (!replaced && !this.deps.suppliers.has(supplier)) work.stopped.add(supplier);
    return purchase.isLast && replaced !== 'now' ? 'done' : 'more';
  }

  /** Throws, so that the call is retried, if the READY purchases are successors (of replaced purchases) that are not due yet. */
  private async awaitDue(order: OrderKey): Promise<undefined> {
    const waitMs = await untilDueMs(this.deps.database, order);
    if (waitMs !== undefined) throw new SupplierUnavailable(NOT_DUE, waitMs);
  }

  private async claimNext(order: OrderKey, { stopped }: PurchaseWork): Promise<Claim | undefined> {
    const claimedAt = performance.now();
    const purchase = await claimNextPurchase(this.deps.database, order, [...stopped]);
    return purchase && { purchase, claimedAt };
  }

  private async mayTakeProduct(purchase: ClaimedPurchase): Promise<boolean> {
    const traits = this.deps.suppliers.get(purchase.supplier)?.traits;
    return traits?.concurrency !== 'one-per-product' || holdProduct(this.deps.database, purchase);
  }

  /** Waits while another purchase of the product is in progress. Releases this purchase first, so that it is claimed again. */
  private async awaitProduct(purchase: Purchase, work: PurchaseWork): Promise<undefined> {
    await releasePurchase(this.deps.database, purchase, true);
    if (work.ageMs() > PRODUCT_WAIT_MS) throw new SupplierUnavailable(PRODUCT_HELD);
    await sleep(PRODUCT_POLL_MS);
  }

  /** Sends a claimed purchase and stores the report. Undefined if only a lookup shows the outcome (lost response). */
  private async send(claim: Claim, work: PurchaseWork, sent: () => void): Promise<StoredReport | undefined> {
    const { purchase } = claim;
    const supplier = supplierOf(this.deps, purchase);
    if (typeof supplier === 'string') {
      const replaced = await this.release(purchase, new SupplierUnavailable(NOT_CONFIGURED), 1);
      return { isDelivered: false, replaced, unresolved: replaced ? undefined : supplier };
    }
    try {
      return await this.sendTo(supplier, claim, sent);
    } catch (error) {
      if (isCertainlyNotRun(error)) return this.moveOrRetry(purchase, error, work);
      if (!(error instanceof SupplierOutcomeUnknown)) throw error;
      this.absent.delete(purchase.reference);
      return undefined;
    }
  }

  private async sendTo(
    supplier: Supplier,
    { purchase, claimedAt }: Claim,
    sent: () => void,
  ): Promise<StoredReport | undefined> {
    if (await this.isBoughtAlready(purchase, supplier)) return undefined;
    const report = await sendPurchase(this.deps, purchase, supplier, claimedAt, sent);
    const isReplaced =
      report.state === 'NOT_BOUGHT' ||
      (purchase.sources > 1 && replacedBecause(purchase.family, report) !== undefined);
    if (isReplaced && !(await hasNeverBought(purchase, supplier))) return undefined;
    const stored = await handleReport(this.deps, purchase, report);
    if (report.state === 'NOT_BOUGHT' && stored.replaced === 'later') throw retryErrorOf(report);
    return stored;
  }

  /** After nothing ran at the supplier: moves the purchase to the next source, or throws the error, so that the call is retried. */
  private async moveOrRetry(
    purchase: Purchase,
    error: SupplierUnavailable | SupplierAccountBlocked,
    work: PurchaseWork,
  ): Promise<StoredReport> {
    // Until the purchase may have moved, no other worker of this call claims it: it would be sent here once more.
    work.stopped.add(purchase.supplier);
    const replaced = await this.release(purchase, error, MAX_FAILED_CLAIMS);
    if (replaced === 'now') {
      work.stopped.delete(purchase.supplier);
      return { isDelivered: false, replaced, unresolved: undefined };
    }
    if (error instanceof SupplierAccountBlocked) await raiseBlocked(this.deps.database, purchase);
    throw error;
  }

  /**
   * Releases a claimed purchase of which nothing was sent: makes it READY again, or moves it to the next source if the order has
   * one and no claim of the purchase ever sent anything. It moves at once if our account is blocked, the supplier asks for a long
   * wait or its circuit is open, else after `failedClaims` claims that failed at the supplier. Has no effect if another process has
   * claimed it since.
   */
  private async release(
    purchase: Purchase,
    error: SupplierUnavailable | SupplierAccountBlocked,
    failedClaims: number,
  ): Promise<StoredReport['replaced']> {
    const { database } = this.deps;
    const isHeldBack = error instanceof CallHeldBack;
    await releasePurchase(database, purchase, isHeldBack);
    if (purchase.sources === 1) return undefined;
    const isBlocked = error instanceof SupplierAccountBlocked;
    const movesAtOnce = isBlocked || (!isHeldBack && isTooLongToWait(error.retryAfterMs));
    const moved = await moveUnsentPurchase(database, purchase, {
      because: isBlocked ? 'our-account' : 'unavailable',
      detail: error.message,
      failedClaims: movesAtOnce ? 1 : failedClaims,
    });
    if (!moved) return undefined;
    return moved.isLater ? 'later' : 'now';
  }

  /**
   * Looks the purchase up right before it is sent, if the supplier buys again under a known reference. Returns whether the supplier
   * shows it. Two kinds of purchase need this: a repeated one, because the lookup that allowed the repetition may be hours old,
   * and a successor, because a restore may have lost the row of a bought successor with the same reference. A lookup that is slow or
   * waits for its turn can outlast the lease: the claim counts as held back, and the next ones reuse its result.
   */
  private async isBoughtAlready(purchase: Purchase, supplier: Supplier): Promise<boolean> {
    const { repeatedReference, lookup } = supplier.traits;
    const isNew = purchase.attemptsMade <= 1 && !purchase.isSuccessor;
    if (isNew || repeatedReference !== 'buys-again' || lookup === 'none') return false;
    if (this.absent.has(purchase.reference)) return false;
    const beganAt = performance.now();
    const isAbsent = (await supplier.find(lookupOf(purchase))).state === 'NOT_FOUND';
    if (isAbsent && performance.now() - beganAt > SLOW_LOOK_UP_MS) this.absent.set(purchase.reference, true);
    return !isAbsent;
  }

  private async progress(order: OrderKey): Promise<FulfilmentReport> {
    return purchaseProgress(this.deps.database, order);
  }
}

const PRODUCT_HELD = safeText`Another purchase of the product is in progress, and the supplier accepts one at a time`;
const NOT_CONFIGURED = safeText`The supplier is not configured`;
const NOT_DUE = safeText`No source can sell the units now: the service buys again after a pause`;

/** The error with which a call is retried after a pause, because the supplier has just said that it cannot sell now. */
function retryErrorOf({ because, detail }: NotBought): SupplierAccountBlocked | SupplierUnavailable {
  return because === 'our-account' ? new SupplierAccountBlocked(detail) : new SupplierUnavailable(detail);
}

/** Milliseconds until a purchase with a lost response is looked up again while others of its order are sent. */
const LOOK_UP_AGAIN_MS = 10_000;

export class OpenPurchases {
  constructor(private readonly deps: PurchasingDependencies) {}

  /** Polls the purchases, several at a time, and records the polls. */
  async pollEach(purchases: readonly Purchase[], work: PurchaseWork): Promise<void> {
    if (purchases.length === 0) return;
    await work.each(purchases, (purchase) => this.poll(purchase));
    await markPolled(this.deps.database, work.processed(purchases), work.processedUnclearly(purchases));
  }

  /** Makes the call look up what an earlier call has sent without a response, for example before its worker died. */
  async expectLost(order: OrderKey, work: PurchaseWork): Promise<void> {
    const sent = await listPurchases(this.deps.database, order, ['SENT']);
    for (const { reference } of sent) work.lookUpLater(reference);
  }

  /**
   * Polls one purchase with a lost response that is due (`lookUpLater`), so that it does not wait until the other purchases of its
   * order are sent. Returns false if none is due. A failed poll is repeated, and does not end the call.
   */
  async lookUpLost(work: PurchaseWork): Promise<boolean> {
    const reference = work.takeLost();
    if (reference === undefined) return false;
    const purchase = await findPurchase(this.deps.database, reference);
    if (purchase?.state !== 'SENT') return true;
    const poll = work.aside();
    await this.pollEach([purchase], poll);
    work.addReason(poll.reason);
    work.lookUpLater(reference, LOOK_UP_AGAIN_MS);
    return true;
  }

  /**
   * Looks the purchase up and stores the report. Returns the reason for the attention list if an operator must
   * decide.
   */
  async poll(purchase: Purchase): Promise<string | undefined> {
    const supplier = supplierOf(this.deps, purchase);
    if (typeof supplier === 'string') return supplier;
    if (supplier.traits.lookup === 'none') return this.pollByRepeating(purchase, supplier);
    return this.conclude(purchase, supplier, await lookUpPurchase(this.deps, purchase, supplier));
  }

  /** Stores the result of a lookup. Returns the reason for the attention list if an operator must decide. */
  private async conclude(
    purchase: Purchase,
    supplier: Supplier,
    report: LookupReport,
  ): Promise<string | undefined> {
    switch (report.state) {
      case 'AMBIGUOUS':
        return ambiguousText(report.detail);
      case 'NOT_FOUND':
        return this.notFound(purchase, supplier);
      case 'REVERSED':
        return REVERSED;
      case 'PENDING':
      case 'DELIVERED':
      case 'REJECTED':
      case 'NOT_BOUGHT':
        return (await handleReport(this.deps, purchase, report)).unresolved;
    }
  }

  /** Withdraws every purchase of the order that has not run. One that the supplier does not cancel stays open. */
  async withdrawAll(order: OrderKey, work: PurchaseWork): Promise<void> {
    const { database } = this.deps;
    await withdrawUnsent(database, order);
    const attempted = await listPurchases(database, order, openStates);
    await work.each(attempted, (purchase) => this.withdraw(purchase));
    // A purchase that its supplier has rejected since has successors at the next source, which are not sent yet.
    await withdrawUnsent(database, order);
  }

  /**
   * Withdraws every purchase of the order, or none if the supplier has sold a unit: then the order continues. Lookups first show
   * which purchases have run. Only a purchase that the supplier has cancelled stays withdrawn if it does not cancel the next one.
   * Throws `SupplierUnavailable` if there was no time for all lookups: the cancellation stays pending.
   */
  async cancel(order: OrderKey, work: PurchaseWork): Promise<void> {
    const { database, suppliers } = this.deps;
    if (await this.isBought(order)) return;
    const open = await listPurchases(database, order, openStates);
    const attempted = open.filter(({ attempt }) => attempt > 0);
    await work.each(attempted, (purchase) => this.lookUpToCancel(purchase));
    const isUnclear = work.hasFailed || work.reason !== undefined;
    if (isUnclear || (await this.isBought(order))) return;
    const accepted = await listPurchases(database, order, ['PENDING']);
    if (!accepted.every(({ supplier }) => suppliers.get(supplier)?.withdraw)) return;
    if (!work.isComplete(attempted)) throw new SupplierUnavailable(NOT_ALL_LOOKED_UP);
    for (const purchase of accepted) {
      if (!(await this.withdrawAccepted(purchase, 'CANCELLED'))) return;
    }
    await withdrawUnlessBought(database, order);
  }

  /** Whether a supplier has delivered a unit of the order. */
  private async isBought(order: OrderKey): Promise<boolean> {
    return (await purchaseProgress(this.deps.database, order)).delivered > 0;
  }

  /** As `poll`, but never sends. */
  private async lookUpToCancel(purchase: Purchase): Promise<string | undefined> {
    const supplier = supplierOf(this.deps, purchase);
    if (typeof supplier === 'string') return supplier;
    if (supplier.traits.lookup === 'none') return purchase.state === 'READY' ? undefined : CANNOT_BE_POLLED;
    return this.conclude(purchase, supplier, await lookUpPurchase(this.deps, purchase, supplier));
  }

  /**
   * Withdraws one purchase unless it has run; otherwise stores the report of the supplier. Returns the reason for the attention
   * list if an operator must decide.
   */
  private async withdraw(purchase: Purchase): Promise<string | undefined> {
    const supplier = supplierOf(this.deps, purchase);
    if (typeof supplier === 'string') return supplier;
    if (supplier.traits.lookup === 'none') return this.withdrawWithoutLookup(purchase);
    // Whatever earlier attempts reported, only the supplier's own answer ends the order without its goods.
    const report = await lookUpPurchase(this.deps, purchase, supplier);
    switch (report.state) {
      case 'AMBIGUOUS':
        return ambiguousText(report.detail);
      case 'REVERSED':
        return REVERSED;
      case 'NOT_FOUND':
        if (purchase.confirmed) return FORGOTTEN;
        await withdrawPurchase(this.deps.database, purchase, 'GIVEN_UP', conclusiveAfter(supplier));
        return undefined;
      case 'NOT_BOUGHT':
        if (purchase.stored > 0) break;
        await withdrawPurchase(this.deps.database, purchase, 'GIVEN_UP');
        return undefined;
      case 'PENDING':
        if (report.goods.length > 0 || !(await this.withdrawAccepted(purchase, 'GIVEN_UP'))) break;
        return undefined;
      case 'DELIVERED':
      case 'REJECTED':
        break;
    }
    return (await handleReport(this.deps, purchase, report)).unresolved;
  }

  /** Cancels the purchase at its supplier. False if the supplier does not cancel it. */
  private async withdrawAccepted(purchase: Purchase, why: WithdrawnBecause): Promise<boolean> {
    const supplier = this.deps.suppliers.get(purchase.supplier);
    if ((await supplier?.withdraw?.(lookupOf(purchase))) !== true) return false;
    if (await withdrawPurchase(this.deps.database, purchase, why)) return true;
    // The withdrawal failed, because a poll for the client has confirmed the purchase since this activity read it.
    const current = await findPurchase(this.deps.database, purchase.reference);
    if (current) await withdrawPurchase(this.deps.database, current, why);
    return true;
  }

  private async withdrawWithoutLookup(purchase: Purchase): Promise<string | undefined> {
    if (purchase.state !== 'READY') return CANNOT_BE_POLLED;
    await withdrawPurchase(this.deps.database, purchase, 'GIVEN_UP');
    return undefined;
  }

  private async notFound(purchase: Purchase, supplier: Supplier): Promise<string | undefined> {
    if (purchase.confirmed) return FORGOTTEN;
    await reopenPurchase(this.deps.database, purchase, conclusiveAfter(supplier));
    return undefined;
  }

  /**
   * For a supplier without lookups. Sends the purchase once more if the supplier returns the first purchase for a repeated
   * reference; otherwise the outcome stays unknown. While the claim is recent, the decision NOT_BOUGHT is rejected.
   */
  private async pollByRepeating(purchase: Purchase, supplier: Supplier): Promise<string | undefined> {
    if (supplier.traits.repeatedReference !== 'returns-first' || purchase.state !== 'SENT')
      return CANNOT_BE_POLLED;
    const leftMs = await inconclusiveForMs(this.deps, purchase, supplier);
    if (leftMs > 0) throw new SupplierOutcomeUnknown(STILL_RUNNING, leftMs);
    const claimedAt = performance.now();
    const attempt = await claimAgain(this.deps.database, purchase, conclusiveAfter(supplier));
    if (attempt === undefined) return undefined;
    const claimed = { ...purchase, attempt };
    return (await handleReport(this.deps, claimed, await sendAgain(this.deps, claimed, supplier, claimedAt)))
      .unresolved;
  }
}

const ambiguousText = (detail: string) => `The supplier cannot say what became of the purchase: ${detail}`;
const NOT_ALL_LOOKED_UP = safeText`Not every purchase was looked up in time: the cancellation is tried again`;
const FORGOTTEN = 'The supplier knew the reference of the purchase, but no lookup shows it';
const REVERSED = 'The supplier has reversed the purchase, and it is not known what reached the customer';
const CANNOT_BE_POLLED = 'The answer to a purchase was lost, and this supplier cannot be polled about it';

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
      this.error ??= new CallHeldBack(
        safeText`${safeName(supplier)}: too many orders are polled`,
        RETRY_BUSY_MS,
      );
    }
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
  async each(
    purchases: readonly Purchase[],
    work: (purchase: Purchase) => Promise<string | undefined>,
  ): Promise<void> {
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
