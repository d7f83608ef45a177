/**
 * Buying from suppliers, once. Whatever is repeated, delayed or crashes: a purchase that may have been
 * sent is asked about by our reference before anything else is done, and it is sent again only where it
 * is certain that it did not happen. docs/decisions/0007-unknown-outcomes-are-asked-about.md.
 *
 * What makes it certain: a claim may be sent only within `SEND_LEASE_MS` of being made, by the clock of
 * the process that made it; and an empty look-up counts only when lease and the supplier's own
 * settling time were over, by the database's clock, before it was asked.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../data/database';
import { clearAttention, raiseAttention } from '../data/attention';
import { familyStorage } from '../data/orders/families';
import { findOperatorGoods, markDeliveredByHand, markOperatorGoodsUsed } from '../data/orders/goods-apart';
import {
  claimNextPurchase,
  holdProduct,
  listPurchases,
  markPolled,
  releasePurchase,
  reopenPurchase,
  purchaseProgress,
  withdrawPurchase,
  withdrawUnsent,
  writeOffPurchase,
  type ClaimedPurchase,
  type Purchase,
} from '../data/orders/purchases';
import { endReversalCheck, raiseReversal } from '../data/orders/reversals';
import type { FulfilmentReport, OperatorDecision, OrderKey, PurchaseProgress } from '../domain/order-flow';
import type { TopupInput } from '../domain/topup-input';
import { orderField } from '../security/encryption-context';
import type { Sealer } from '../security/sealing';
import type { Goods } from '../domain/goods';
import {
  SupplierAccountBlocked,
  SupplierOutcomeUnknown,
  SupplierUnavailable,
  type LookupReport,
  type PurchaseLookup,
  type PurchaseReport,
  type PurchaseRequest,
  type Supplier,
} from '../suppliers/port';
import { isCertainlyNotRun, PurchaseWork, type MayContinue } from './purchase-work';
import { storeOperatorGoods, storeReport } from './store-report';

/** What purchases are made with. */
export interface PurchasingDependencies {
  database: Database;
  sealer: Sealer;
  suppliers: ReadonlyMap<string, Supplier>;
}

/** How long after its claim a purchase may be sent, in milliseconds by a monotonic clock. */
export const SEND_LEASE_MS = 3_000;

/** How long one call waits for a product that another purchase holds, and between two looks, in milliseconds. */
const PRODUCT_WAIT_MS = 10_000;
const PRODUCT_POLL_MS = 250;

/** An answer that was lost so long ago is put on the operators' list, also while the supplier is asked on. */
const UNKNOWN_FOR_LONG_MS = 45_000;

/** An operator's decision that cannot be carried out; the message is for the operator. */
export class DecisionRefused extends Error {
  override readonly name = 'DecisionRefused';
}

export class Purchasing {
  constructor(private readonly deps: PurchasingDependencies) {}

  /**
   * Sends every purchase of the order that is READY, and finds out about those whose answer was lost.
   * Throws the port's errors where a purchase is still to be tried; what is done is on record by then.
   */
  async buy(order: OrderKey, mayContinue: MayContinue): Promise<FulfilmentReport> {
    const work = new PurchaseWork(mayContinue);
    if ((await this.buyNext(order, work)) === 'more') {
      await work.sideBySide(() => this.buyNext(order, work));
    }
    const progress = await this.progress(order);
    if (progress.open === 0) return work.report(progress);
    await work.each(await listPurchases(this.deps.database, order, ['SENT']), (lost) => this.poll(lost));
    return work.report(await this.progress(order));
  }

  /**
   * Asks the supplier how the open purchases of the order stand. Never buys: a purchase that certainly
   * did not happen is READY afterwards. Throws the port's errors where one could not be asked about.
   */
  async pollOpen(order: OrderKey, mayContinue: MayContinue): Promise<FulfilmentReport> {
    const work = new PurchaseWork(mayContinue);
    const open = await listPurchases(this.deps.database, order, ['SENT', 'PENDING']);
    await work.each(open, (purchase) => this.poll(purchase));
    await markPolled(this.deps.database, work.done(open));
    return work.report(await this.progress(order));
  }

  /** Makes sure that what is not bought yet will not be. What the supplier does not give back stays open. */
  async withdraw(order: OrderKey, mayContinue: MayContinue): Promise<FulfilmentReport> {
    const work = new PurchaseWork(mayContinue);
    await withdrawUnsent(this.deps.database, order);
    const rest = await listPurchases(this.deps.database, order, ['READY', 'SENT', 'PENDING']);
    await work.each(rest, (purchase) => this.withdrawOne(purchase));
    return work.report(await this.progress(order));
  }

  /**
   * Carries out what an operator decided about the open purchases. Throws `DecisionRefused` where the
   * supplier knows better, or the goods do not fit.
   */
  async resolve(order: OrderKey, decision: OperatorDecision): Promise<FulfilmentReport> {
    switch (decision.resolution) {
      case 'ASK_AGAIN':
        return this.pollOpen(order, () => true);
      case 'NOT_BOUGHT':
        return this.writeOff(order, decision.reason ?? '');
      case 'DELIVERED':
        return this.deliver(order, decision.goods);
    }
  }

  /** Asks about one open purchase and stores the answer. Returns why an operator must look, if one must. */
  async poll(purchase: Purchase): Promise<string | undefined> {
    const supplier = this.supplierOf(purchase);
    if (typeof supplier === 'string') return supplier;
    if (supplier.traits.lookup === 'none') return this.pollByRepeating(purchase, supplier);
    const report = await this.find(purchase, supplier);
    switch (report.state) {
      case 'AMBIGUOUS':
        return `The supplier cannot say what became of the purchase: ${report.detail}`;
      case 'NOT_FOUND':
        return this.notFound(purchase, supplier);
      case 'REVERSED':
        return REVERSED;
      case 'PENDING':
      case 'DELIVERED':
      case 'REJECTED':
        return this.store(purchase, report);
    }
  }

  /** Asks about a purchase that is over: goods that came late are kept apart, a reversal is told of. */
  async checkLateGoods(purchase: Purchase): Promise<void> {
    const supplier = this.supplierOf(purchase);
    if (typeof supplier === 'string' || supplier.traits.lookup === 'none') return;
    const report = await supplier.find(lookupOf(purchase));
    if (purchase.state === 'DELIVERED') {
      if (report.state === 'REVERSED') await raiseReversal(this.deps.database, purchase.reference);
      await endReversalCheck(this.deps.database, purchase.reference);
    } else if (isStorable(report)) {
      await this.store(purchase, report);
    }
  }

  private async buyNext(order: OrderKey, work: PurchaseWork): Promise<'done' | 'more'> {
    const claimedAt = performance.now();
    const purchase = await claimNextPurchase(this.deps.database, order);
    if (!purchase) return 'done';
    if (!(await this.mayTakeProduct(purchase))) {
      await work.attempt(() => this.awaitProduct(purchase, work));
      return 'more';
    }
    await work.attempt(() => this.send(purchase, claimedAt));
    return purchase.isLast ? 'done' : 'more';
  }

  private async mayTakeProduct(purchase: ClaimedPurchase): Promise<boolean> {
    const traits = this.deps.suppliers.get(purchase.supplier)?.traits;
    return traits?.concurrency !== 'one-per-product' || holdProduct(this.deps.database, purchase);
  }

  /** Another purchase of the product is under way: this one is claimed again a little later, or by a later call. */
  private async awaitProduct(purchase: Purchase, work: PurchaseWork): Promise<undefined> {
    await releasePurchase(this.deps.database, purchase);
    if (work.ageMs() > PRODUCT_WAIT_MS) throw new SupplierUnavailable(PRODUCT_HELD);
    await sleep(PRODUCT_POLL_MS);
  }

  private async send(purchase: Purchase, claimedAt: number): Promise<string | undefined> {
    const supplier = this.supplierOf(purchase);
    if (typeof supplier === 'string') {
      await releasePurchase(this.deps.database, purchase);
      return supplier;
    }
    const mayBeSent = () => performance.now() - claimedAt < SEND_LEASE_MS;
    try {
      return await this.store(purchase, await supplier.purchase(this.requestOf(purchase), mayBeSent));
    } catch (error) {
      // Where the claim was lost meanwhile somebody else goes on with the purchase.
      if (isCertainlyNotRun(error)) await releasePurchase(this.deps.database, purchase);
      await this.reportBlocked(purchase, error);
      // The answer is lost: the supplier is asked about the purchase next.
      if (error instanceof SupplierOutcomeUnknown) return undefined;
      throw error;
    }
  }

  private async find(purchase: Purchase, supplier: Supplier): Promise<LookupReport> {
    try {
      return await supplier.find(lookupOf(purchase));
    } catch (error) {
      await this.reportBlocked(purchase, error);
      if ((purchase.sentMsAgo ?? 0) > UNKNOWN_FOR_LONG_MS && !purchase.confirmed) {
        const reason = 'The answer to the purchase was lost, and the supplier cannot be asked about it';
        await raiseAttention(this.deps.database, { orderId: purchase.orderId }, 'ANSWER_LOST', reason);
      }
      throw error;
    }
  }

  private async notFound(purchase: Purchase, supplier: Supplier): Promise<string | undefined> {
    if (purchase.confirmed) return 'The supplier accepted the purchase but no longer knows its reference';
    const conclusiveAfterMs = conclusiveAfter(supplier);
    // What was read before the look-up decides: only then was the look-up made late enough.
    const left = conclusiveAfterMs - (purchase.sentMsAgo ?? Infinity);
    if (left > 0) throw new SupplierOutcomeUnknown(STILL_RUNNING, left);
    await reopenPurchase(this.deps.database, purchase, conclusiveAfterMs);
    return undefined;
  }

  /** A supplier that cannot be asked gives the first purchase again, or nothing can be found out. */
  private async pollByRepeating(purchase: Purchase, supplier: Supplier): Promise<string | undefined> {
    if (supplier.traits.repeatedReference !== 'returns-first' || purchase.state !== 'SENT')
      return CANNOT_BE_ASKED;
    return this.store(purchase, await supplier.purchase(this.requestOf(purchase), () => true));
  }

  private async withdrawOne(purchase: Purchase): Promise<string | undefined> {
    const supplier = this.supplierOf(purchase);
    if (typeof supplier === 'string') return supplier;
    if (supplier.traits.lookup === 'none') return this.withdrawUnasked(purchase);
    const lookup = lookupOf(purchase);
    const report = await this.find(purchase, supplier).catch((error: unknown) => {
      // Each try was refused in the supplier's own words; one that lied is found by the later looks.
      if (purchase.state === 'READY') return { state: 'NOT_FOUND' } as const;
      throw error;
    });
    if (report.state === 'AMBIGUOUS')
      return `The supplier cannot say what became of the purchase: ${report.detail}`;
    if (report.state === 'REVERSED') return REVERSED;
    if (report.state === 'NOT_FOUND') return this.withdrawNotFound(purchase, supplier);
    const isGivenBack =
      report.state === 'PENDING' && report.goods.length === 0 && (await supplier.withdraw?.(lookup)) === true;
    if (!isGivenBack) return this.store(purchase, report);
    await withdrawPurchase(this.deps.database, purchase, 0);
    return undefined;
  }

  private async withdrawNotFound(purchase: Purchase, supplier: Supplier): Promise<string | undefined> {
    if (purchase.confirmed) return 'The supplier accepted the purchase but no longer knows its reference';
    const conclusiveAfterMs = conclusiveAfter(supplier);
    const left = purchase.state === 'SENT' ? conclusiveAfterMs - (purchase.sentMsAgo ?? Infinity) : 0;
    if (left > 0) throw new SupplierOutcomeUnknown(STILL_RUNNING, left);
    await withdrawPurchase(this.deps.database, purchase, conclusiveAfterMs);
    return undefined;
  }

  private async withdrawUnasked(purchase: Purchase): Promise<string | undefined> {
    if (purchase.state !== 'READY') return CANNOT_BE_ASKED;
    await withdrawPurchase(this.deps.database, purchase, 0);
    return undefined;
  }

  /** The supplier is asked once more before an operator's word is believed. */
  private async writeOff(order: OrderKey, reason: string): Promise<FulfilmentReport> {
    await withdrawUnsent(this.deps.database, order);
    for (const purchase of await listPurchases(this.deps.database, order, ['READY', 'SENT', 'PENDING'])) {
      await this.refuseIfKnown(purchase);
      const isWrittenOff =
        purchase.state === 'READY'
          ? await withdrawPurchase(this.deps.database, purchase, 0)
          : await writeOffPurchase(this.deps.database, purchase, reason);
      if (!isWrittenOff) throw new DecisionRefused('The purchase went on meanwhile: look at the order again');
    }
    return { ...(await this.progress(order)), unresolved: null };
  }

  private async refuseIfKnown(purchase: Purchase): Promise<void> {
    const supplier = this.supplierOf(purchase);
    if (typeof supplier === 'string' || supplier.traits.lookup === 'none') return;
    const report = await this.find(purchase, supplier).catch(() => {
      throw new DecisionRefused(
        'The supplier cannot be asked just now, and NOT_BOUGHT needs that: try again',
      );
    });
    if (report.state === 'AMBIGUOUS' || report.state === 'REVERSED') return;
    if (report.state === 'NOT_FOUND') {
      if ((purchase.sentMsAgo ?? Infinity) >= conclusiveAfter(supplier)) return;
      throw new DecisionRefused('The purchase was sent seconds ago and may still run: try again in a minute');
    }
    await this.store(purchase, report);
    throw new DecisionRefused(
      `The supplier says that the purchase is ${report.state}: the order goes on by that`,
    );
  }

  /** The goods an operator has are the order's from now on; nothing else of it is bought. */
  private async deliver(order: OrderKey, goodsId: number | undefined): Promise<FulfilmentReport> {
    const progress = await this.progress(order);
    const missing = progress.units - progress.delivered;
    const open = await listPurchases(this.deps.database, order, ['READY', 'SENT', 'PENDING']);
    const goods = await this.operatorGoods(order, goodsId, open[0]);
    if (goods.length !== missing) {
      throw new DecisionRefused(`The order misses ${missing} units, the goods are ${goods.length}`);
    }
    const rest = [...goods];
    for (const purchase of open) {
      const ofPurchase = rest.splice(0, purchase.units - purchase.stored);
      const stored = await storeOperatorGoods(this.deps, purchase, ofPurchase);
      if (stored?.state !== 'DELIVERED') {
        throw new DecisionRefused(
          'A code belongs to another unit already, or the purchase has ended meanwhile',
        );
      }
    }
    await this.recordManualDelivery(order, goodsId, goods);
    return { ...(await this.progress(order)), unresolved: null };
  }

  /** So that nobody looks for what was delivered in the statements of the supplier. */
  private async recordManualDelivery(
    { orderId, nonce }: OrderKey,
    goodsId: number | undefined,
    goods: readonly Goods[],
  ): Promise<void> {
    const { database, sealer } = this.deps;
    if (goodsId !== undefined) return markOperatorGoodsUsed(database, goodsId);
    if (goods.length === 0) return;
    const sealed = sealer.seal(orderField(nonce, 'goods'), JSON.stringify(goods));
    await markDeliveredByHand(database, orderId, sealed);
  }

  private async operatorGoods(
    { orderId, nonce }: OrderKey,
    goodsId: number | undefined,
    purchase: Purchase | undefined,
  ): Promise<Goods[]> {
    if (!purchase) return [];
    const { unnamedGoods } = familyStorage[purchase.family];
    if (unnamedGoods && goodsId === undefined) return [...unnamedGoods];
    const found = goodsId && (await findOperatorGoods(this.deps.database, orderId, goodsId));
    if (!found) throw new DecisionRefused('DELIVERED needs the goods: give them to `orders resolve --goods`');
    const text = this.deps.sealer.open(orderField(nonce, 'goods'), found.sealed);
    // Written by the operators' tool, which has checked it.
    return JSON.parse(text) as Goods[];
  }

  private async store(purchase: Purchase, report: PurchaseReport): Promise<string | undefined> {
    if (purchase.isListed) {
      await clearAttention(this.deps.database, { orderId: purchase.orderId }, [
        'SUPPLIER_BLOCKED',
        'ANSWER_LOST',
      ]);
    }
    return storeReport(this.deps, purchase, report);
  }

  private async reportBlocked({ orderId, supplier }: Purchase, error: unknown): Promise<void> {
    if (!(error instanceof SupplierAccountBlocked)) return;
    const reason = `Our account at supplier ${supplier} is blocked: settle that with the supplier; the order is tried on`;
    await raiseAttention(this.deps.database, { orderId }, 'SUPPLIER_BLOCKED', reason);
  }

  private async progress(order: OrderKey): Promise<PurchaseProgress> {
    return purchaseProgress(this.deps.database, order);
  }

  private requestOf(purchase: Purchase): PurchaseRequest {
    const { reference, family, supplierSku: sku, units, faceValue: unitValue, currency } = purchase;
    const input = this.deps.sealer.openOptional(orderField(purchase.nonce, 'input'), purchase.sealedInput);
    return {
      ...{ reference, family, sku, units, unitValue, currency },
      ...(input !== null && { input: asText(JSON.parse(input) as TopupInput) }),
    };
  }

  /** The supplier, or why an operator must look where this process does not know it. */
  private supplierOf({ supplier: name }: Purchase): Supplier | string {
    const supplier = this.deps.suppliers.get(name);
    return supplier ?? `Supplier "${name}" is not configured: configure it, then send retryNow`;
  }
}

const STILL_RUNNING = 'The supplier does not know the reference yet; the request may still run';
const REVERSED = 'The supplier has reversed the purchase, and it is not known what reached the customer';
const PRODUCT_HELD = 'Another purchase of the product is under way, and the supplier takes one at a time';
const CANNOT_BE_ASKED = 'The answer to a purchase was lost, and this supplier cannot be asked about it';

function isStorable(report: LookupReport): report is PurchaseReport {
  return report.state === 'DELIVERED' || report.state === 'PENDING' || report.state === 'REJECTED';
}

/** Milliseconds after a claim from which an empty look-up means that nothing was bought. */
function conclusiveAfter({ traits }: Supplier): number {
  return SEND_LEASE_MS + traits.lookupConclusiveAfterMs;
}

/** Suppliers take every input as text. */
function asText(input: TopupInput): Record<string, string> {
  return Object.fromEntries(Object.entries(input).map(([name, value]) => [name, String(value)]));
}

function lookupOf(purchase: Purchase): PurchaseLookup {
  const { reference, family, supplierOrderId, supplierSku: sku, units } = purchase;
  return { reference, family, sku, units, ...(supplierOrderId !== null && { supplierOrderId }) };
}
