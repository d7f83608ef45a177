/**
 * Operators' decisions about open purchases. The service looks a purchase up before it accepts NOT_BOUGHT.
 * docs/decisions/0025-give-operators-a-cli-and-the-temporal-ui.md.
 */
import { LRUCache } from 'lru-cache';
import { familyStorage } from '../../data/purchases/families';
import {
  findOperatorGoods,
  isDeliveredByHand,
  markDeliveredByHand,
  markOperatorGoodsUsed,
} from '../../data/purchases/quarantined-goods';
import { endUnusable, writeOffPurchase, writeOffUnsent } from '../../data/purchases/unmade-purchases';
import { isMovedFor, movePurchaseElsewhere } from '../../data/purchases/purchases';
import {
  listPurchases,
  openStates,
  purchaseProgress,
  unitsMissing,
  type Purchase,
} from '../../data/purchases/purchase-reads';
import type { Goods } from '../../domain/orders/goods';
import {
  isConcluded,
  type FulfilmentReport,
  type OperatorDecision,
  type OrderKey,
} from '../../domain/orders/order-messages';
import { safeText } from '../../domain/safe-text';
import { orderField } from '../../security/sealing';
import type { LookupReport } from '../../domain/suppliers/port';
import { SupplierOutcomeUnknown, SupplierUnavailable } from '../../domain/suppliers/supplier-errors';
import { releaseFromReview } from './held-release';
import { PurchaseWork } from './purchase-work';
import { OpenPurchases } from './open-purchases';
import { goodsNotStored, hasKnownCode, storeOperatorGoods } from './operator-goods';
import { handleReport } from './purchase-reports';
import { lookUpPurchase, supplierOf, type PurchasingDependencies } from './sending-and-lookup';
import { inconclusiveForMs } from './conclusive-lookups';
import { hasLookup } from './recharged-profile';

const MAY_STILL_RUN = 'The purchase was sent seconds ago and may still run: try again in a minute';
const NOT_POLLED_NOW = 'The supplier cannot be polled now, and this decision needs that: try again';
const NO_TIME_LEFT = 'The lookups took too long, so nothing was changed: decide again when the supplier answers faster';
const UNFINISHED = safeText`The decision took too long and was carried out in part: the same decision continues it`;

/** The decision cannot be carried out yet. A repeated decision looks up the rest only. */
function notAllLookedUp(left: number): string {
  return `${left} purchases were not looked up in time, so nothing was changed: decide again, and the service looks up the rest`;
}

const ACCEPTED =
  'The supplier has accepted the purchase and may still deliver it: ask the supplier, then decide that it was not bought, or delivered';
const UNCLEAR =
  'The supplier does not say that nothing was bought: ask the supplier, then decide that it was not bought, or delivered';
const NO_SOURCE_NOW = 'No source can sell the order now and leave the margin: change the margin, or cancel the order';
const NO_OTHER_SOURCE =
  'The order has no other source that has not refused it: decide that it was not bought, or delivered';
const NOTHING_UNUSABLE =
  'No purchase of the order has only unusable goods left: those that are open or unknown at the supplier need another decision';
const NO_OPEN_PURCHASE =
  'Every purchase of the order has ended meanwhile, so none of the goods was delivered: look at the order again';
const CODE_KNOWN =
  'A code belongs to another unit already, so none of the goods was delivered: correct the goods, then decide again';
const CODE_KNOWN_OR_CHANGED =
  'A code belongs to another unit already, or the purchase has changed meanwhile: look at the order again';

/** The numbers must agree: surplus goods would reach no client, and missing units would be refunded. */
function wrongNumber(missing: number, given: number): string {
  return (
    `The open purchases of the order miss ${missing} units, the goods are ${given}: nothing was delivered. ` +
    `Give exactly ${missing} units; units that the supplier rejected are refunded and need none`
  );
}

/**
 * Milliseconds after which an attempt to carry out a decision begins no further lookup, and no further change. Temporal reports an
 * attempt as failed after `supplierCallLimitMs`, and a decision that was reported as failed must not be carried out any more.
 */
const LOOK_UPS_LIMIT_MS = 50_000;
const CHANGES_LIMIT_MS = 85_000;
/** Milliseconds for which a repeated decision trusts a conclusive lookup of the decision before. */
const TRUST_LOOK_UP_MS = 600_000;

/** An operator's decision cannot be carried out. The message is for the operator. */
export class DecisionRejected extends Error {
  override readonly name = 'DecisionRejected';
}

const WHATEVER_HAPPENS = { mayContinue: () => true, knownDelivered: Infinity };

/** The work of one attempt to carry out a decision. */
const decisionWork = () => new PurchaseWork(WHATEVER_HAPPENS, LOOK_UPS_LIMIT_MS);

/** Throws an error with which Temporal repeats the attempt if this one may change nothing more. */
function requireTime(attempt: PurchaseWork): void {
  if (attempt.ageMs() > CHANGES_LIMIT_MS) throw new SupplierUnavailable(UNFINISHED);
}

const wasAttempted = ({ attempt }: Purchase) => attempt > 0;

function boughtNothing(state: LookupReport['state'] | undefined): boolean {
  return state === 'NOT_FOUND' || state === 'NOT_BOUGHT';
}

export class OperatorDecisions {
  /** The states of attempts that bought nothing. */
  private readonly lookedUp = new LRUCache<string, LookupReport['state']>({ max: 10_000, ttl: TRUST_LOOK_UP_MS });

  constructor(private readonly deps: PurchasingDependencies) {}

  /**
   * Carries out an operator's decision about the open purchases. Throws `DecisionRejected` if the supplier contradicts it,
   * or the goods do not fit.
   */
  async carryOut(order: OrderKey, decision: OperatorDecision): Promise<FulfilmentReport> {
    switch (decision.resolution) {
      case 'ASK_AGAIN':
        // The operator learns of every failed lookup.
        return new OpenPurchases(this.deps).pollAll(order, WHATEVER_HAPPENS);
      case 'NOT_BOUGHT':
        return this.writeOff(order, decision.reason ?? '');
      case 'DELIVERED':
        return this.deliver(order, decision.goods);
      case 'ELSEWHERE':
        return this.moveElsewhere(order, decision.reason ?? '');
      case 'RELEASE':
        return this.release(order);
      case 'UNUSABLE':
        if (!(await endUnusable(this.deps.database, order, decision.reason ?? '')))
          throw new DecisionRejected(NOTHING_UNUSABLE);
        return this.report(order);
    }
  }

  /** Ends the review of the order. A repeated decision changes nothing. */
  private async release(order: OrderKey): Promise<FulfilmentReport> {
    if (!(await releaseFromReview(this.deps, order))) throw new DecisionRejected(NO_SOURCE_NOW);
    return this.report(order);
  }

  /** Moves the open purchases to the next source, once each sent one was looked up. A repeated decision moves no purchase twice. */
  private async moveElsewhere(order: OrderKey, reason: string): Promise<FulfilmentReport> {
    const { database } = this.deps;
    const attempt = decisionWork();
    const all = await listPurchases(database, order, openStates);
    const open = all.filter((purchase) => !isMovedFor(purchase, reason));
    if (open.some(({ confirmed }) => confirmed)) throw new DecisionRejected(ACCEPTED);
    await this.lookUpEach(open, attempt, async (purchase) => {
      if (!boughtNothing(await this.rejectIfKnown(purchase))) throw new DecisionRejected(UNCLEAR);
    });
    const moved = await Promise.all(open.map((purchase) => movePurchaseElsewhere(database, purchase, reason)));
    const isRepeated = open.length < all.length;
    if (!isRepeated && !moved.some((one) => one)) throw new DecisionRejected(NO_OTHER_SOURCE);
    return this.report(order);
  }

  /** Ends the open purchases as not bought, once each sent one was looked up. Ends no purchase if the supplier knows one of them. */
  private async writeOff(order: OrderKey, reason: string): Promise<FulfilmentReport> {
    const { database } = this.deps;
    const attempt = decisionWork();
    const open = await listPurchases(database, order, openStates);
    await this.lookUpEach(open, attempt, async (purchase) => void (await this.rejectIfKnown(purchase)));
    await writeOffUnsent(database, order, reason);
    for (const purchase of open.filter(wasAttempted)) {
      requireTime(attempt);
      await writeOffPurchase(database, purchase, reason);
    }
    const report = await this.report(order);
    if (!isConcluded(report)) throw new DecisionRejected('A purchase has changed meanwhile: look at the order again');
    return report;
  }

  /**
   * Looks up each attempted purchase, several at a time. `check` throws if the decision cannot be carried out. Throws
   * `DecisionRejected` if there was no time for all of them, or if there is none left to carry the decision out.
   */
  private async lookUpEach(
    purchases: readonly Purchase[],
    attempt: PurchaseWork,
    check: (purchase: Purchase) => Promise<void>,
  ): Promise<void> {
    const queue = purchases.filter(wasAttempted);
    let rejection: Error | undefined;
    await attempt.sideBySide(async () => {
      const purchase = rejection === undefined ? queue.shift() : undefined;
      if (!purchase) return 'done';
      await check(purchase).catch((error: unknown) => {
        rejection ??= error instanceof Error ? error : new Error(String(error));
      });
      return 'more';
    });
    if (rejection) throw rejection;
    if (queue.length > 0) throw new DecisionRejected(notAllLookedUp(queue.length));
    if (attempt.ageMs() > CHANGES_LIMIT_MS) throw new DecisionRejected(NO_TIME_LEFT);
  }

  /**
   * Returns the state at the supplier; undefined if it has no lookups. Throws `DecisionRejected` if the supplier reports an
   * outcome, or if the lookup fails.
   */
  private async rejectIfKnown(purchase: Purchase): Promise<LookupReport['state'] | undefined> {
    const key = `${purchase.reference} ${purchase.attempt}`;
    const known = this.lookedUp.get(key);
    if (known !== undefined) return known;
    const supplier = supplierOf(this.deps, purchase);
    if (typeof supplier === 'string') return undefined;
    if (!hasLookup(supplier, purchase)) {
      if ((await inconclusiveForMs(this.deps, purchase, supplier)) > 0) throw new DecisionRejected(MAY_STILL_RUN);
      return undefined;
    }
    const report = await lookUpPurchase(this.deps, purchase, supplier).catch((error: unknown) => {
      throw new DecisionRejected(error instanceof SupplierOutcomeUnknown ? MAY_STILL_RUN : NOT_POLLED_NOW);
    });
    const contradicts = report.state === 'DELIVERED' || report.state === 'PENDING' || report.state === 'REJECTED';
    if (boughtNothing(report.state)) this.lookedUp.set(key, report.state);
    if (!contradicts) return report.state;
    await handleReport(this.deps, purchase, report);
    throw new DecisionRejected(`The supplier says that the purchase is ${report.state}: the order continues with that`);
  }

  /** Stores the operator's goods as goods of the open purchases, so that none of them is bought again. */
  private async deliver(order: OrderKey, goodsId: number | undefined): Promise<FulfilmentReport> {
    const attempt = decisionWork();
    const open = await listPurchases(this.deps.database, order, openStates);
    const [first] = open;
    if (!first) return this.repeatDelivery(order, goodsId);
    const given = await this.operatorGoods(order, goodsId, first);
    const missing = unitsMissing(open);
    // Surplus goods may come from a repeated decision, of which some goods are stored already.
    const goods = given.length > missing ? await goodsNotStored(this.deps, order, given) : given;
    if (goods.length !== missing) throw new DecisionRejected(wrongNumber(missing, given.length));
    if (await hasKnownCode(this.deps, open, goods)) throw new DecisionRejected(CODE_KNOWN);
    const rest = [...goods];
    for (const purchase of open) {
      requireTime(attempt);
      const ofPurchase = rest.splice(0, unitsMissing([purchase]));
      const stored = await storeOperatorGoods(this.deps, purchase, ofPurchase);
      if (stored?.state !== 'DELIVERED') throw new DecisionRejected(CODE_KNOWN_OR_CHANGED);
    }
    await this.recordManualDelivery(order, goodsId, given);
    return this.report(order);
  }

  /** No purchase is open: this decision was carried out before, or the purchases ended without the goods. */
  private async repeatDelivery(order: OrderKey, goodsId: number | undefined): Promise<FulfilmentReport> {
    if (!(await isDeliveredByHand(this.deps.database, order))) throw new DecisionRejected(NO_OPEN_PURCHASE);
    if (goodsId !== undefined) await markOperatorGoodsUsed(this.deps.database, goodsId);
    return this.report(order);
  }

  /** Records the delivery, so that reconciliation does not look for it in the supplier's statement. */
  private async recordManualDelivery(
    { orderId, nonce }: OrderKey,
    goodsId: number | undefined,
    goods: readonly Goods[],
  ): Promise<void> {
    const { database, sealer } = this.deps;
    if (goodsId !== undefined) return markOperatorGoodsUsed(database, goodsId);
    const sealed = sealer.seal(orderField(nonce, 'goods'), JSON.stringify(goods));
    await markDeliveredByHand(database, orderId, sealed);
  }

  private async operatorGoods(
    { orderId, nonce }: OrderKey,
    goodsId: number | undefined,
    purchase: Purchase,
  ): Promise<Goods[]> {
    const unnamedGoods = familyStorage[purchase.family].unnamedGoods?.(purchase);
    if (unnamedGoods && goodsId === undefined) return [...unnamedGoods];
    const found = goodsId && (await findOperatorGoods(this.deps.database, orderId, goodsId));
    if (!found)
      throw new DecisionRejected(
        'An order that was delivered needs its goods. Give them with `orders resolve --goods`.',
      );
    const text = this.deps.sealer.open(orderField(nonce, 'goods'), found.sealed);
    // The ops CLI validated the goods before it stored them.
    return JSON.parse(text) as Goods[];
  }

  private async report(order: OrderKey): Promise<FulfilmentReport> {
    return purchaseProgress(this.deps.database, order);
  }
}
