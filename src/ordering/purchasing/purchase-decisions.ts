/**
 * Operators' decisions about open purchases. The service looks a purchase up before it accepts NOT_BOUGHT.
 * docs/decisions/0025-give-operators-a-cli-and-the-temporal-ui.md.
 */
import { familyStorage } from '../../data/purchases/families';
import {
  findOperatorGoods,
  isDeliveredByHand,
  markDeliveredByHand,
  markOperatorGoodsUsed,
} from '../../data/purchases/quarantined-goods';
import { isMovedFor, movePurchaseElsewhere } from '../../data/purchases/purchases';
import {
  listPurchases,
  openStates,
  purchaseProgress,
  unitsMissing,
  type Purchase,
} from '../../data/purchases/purchase-reads';
import { writeOffPurchase, writeOffUnsent } from '../../data/purchases/withdrawals';
import type { Family } from '../../domain/orders/families';
import type { Goods } from '../../domain/orders/goods';
import {
  isConcluded,
  type FulfilmentReport,
  type OperatorDecision,
  type OrderKey,
} from '../../domain/orders/order-flow';
import { orderField } from '../../security/sealing';
import { SupplierOutcomeUnknown, type LookupReport } from '../../suppliers/port';
import { PurchaseCalls, type PurchasingDependencies } from './send-and-look-up';
import type { Purchasing } from './purchasing';
import { goodsNotStored, hasKnownCode } from './quarantine';
import { storeOperatorGoods } from './store-report';

const MAY_STILL_RUN = 'The purchase was sent seconds ago and may still run: try again in a minute';
const CANNOT_BE_POLLED = 'The supplier cannot be polled now, and NOT_BOUGHT needs that: try again';

const ACCEPTED =
  'The supplier has accepted the purchase and may still deliver it: ask the supplier, then decide NOT_BOUGHT or DELIVERED';
const UNCLEAR =
  'The supplier does not say that nothing was bought: ask the supplier, then decide NOT_BOUGHT or DELIVERED';
const NO_OTHER_SOURCE =
  'The order has no other source that has not refused it: decide NOT_BOUGHT or DELIVERED';

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

/** An operator's decision cannot be carried out. The message is for the operator. */
export class DecisionRejected extends Error {
  override readonly name = 'DecisionRejected';
}

export class PurchaseDecisions {
  private readonly calls: PurchaseCalls;

  constructor(
    private readonly deps: PurchasingDependencies,
    private readonly purchasing: Purchasing,
  ) {
    this.calls = new PurchaseCalls(deps);
  }

  /**
   * Carries out an operator's decision about the open purchases. Throws `DecisionRejected` if the supplier contradicts it,
   * or the goods do not fit.
   */
  async carryOut(order: OrderKey, decision: OperatorDecision): Promise<FulfilmentReport> {
    switch (decision.resolution) {
      case 'ASK_AGAIN':
        // The operator learns of every failed look-up.
        return this.purchasing.pollOpen(order, { mayContinue: () => true, knownDelivered: Infinity });
      case 'NOT_BOUGHT':
        return this.writeOff(order, decision.reason ?? '');
      case 'DELIVERED':
        return this.deliver(order, decision.goods);
      case 'ELSEWHERE':
        return this.moveElsewhere(order, decision.reason ?? '');
    }
  }

  /** Moves the open purchases to the next source, once each sent one was looked up. A repeated decision moves no purchase twice. */
  private async moveElsewhere(order: OrderKey, reason: string): Promise<FulfilmentReport> {
    const { database } = this.deps;
    const all = await listPurchases(database, order, openStates);
    const open = all.filter((purchase) => !isMovedFor(purchase, reason));
    if (open.some(({ confirmed }) => confirmed)) throw new DecisionRejected(ACCEPTED);
    for (const purchase of open) {
      if (purchase.attempt > 0 && !(await this.isAbsent(purchase))) throw new DecisionRejected(UNCLEAR);
    }
    const moved = await Promise.all(
      open.map((purchase) => movePurchaseElsewhere(database, purchase, reason)),
    );
    const isRepeated = open.length < all.length;
    if (!isRepeated && !moved.some((one) => one)) throw new DecisionRejected(NO_OTHER_SOURCE);
    return this.report(order);
  }

  /** Ends the open purchases as not bought, once each sent one was looked up. Ends no purchase if the supplier knows one of them. */
  private async writeOff(order: OrderKey, reason: string): Promise<FulfilmentReport> {
    const { database } = this.deps;
    const open = await listPurchases(database, order, openStates);
    const sent = open.filter(({ attempt }) => attempt > 0);
    for (const purchase of sent) await this.rejectIfKnown(purchase);
    await writeOffUnsent(database, order, reason);
    for (const purchase of sent) await writeOffPurchase(database, purchase, reason);
    const report = await this.report(order);
    if (!isConcluded(report))
      throw new DecisionRejected('A purchase has changed meanwhile: look at the order again');
    return report;
  }

  /** Whether the supplier says that nothing was bought. Throws as `rejectIfKnown` does. */
  private async isAbsent(purchase: Purchase): Promise<boolean> {
    const state = await this.rejectIfKnown(purchase);
    return state === 'NOT_FOUND' || state === 'NOT_BOUGHT';
  }

  /**
   * Returns the state at the supplier; undefined if it has no look-ups. Throws `DecisionRejected` if the supplier reports an
   * outcome, or if the look-up fails.
   */
  private async rejectIfKnown(purchase: Purchase): Promise<LookupReport['state'] | undefined> {
    const supplier = this.calls.supplierOf(purchase);
    if (typeof supplier === 'string') return undefined;
    if (supplier.traits.lookup === 'none') {
      if ((await this.calls.inconclusiveForMs(purchase, supplier)) > 0)
        throw new DecisionRejected(MAY_STILL_RUN);
      return undefined;
    }
    const report = await this.calls.find(purchase, supplier).catch((error: unknown) => {
      throw new DecisionRejected(error instanceof SupplierOutcomeUnknown ? MAY_STILL_RUN : CANNOT_BE_POLLED);
    });
    const contradicts =
      report.state === 'DELIVERED' || report.state === 'PENDING' || report.state === 'REJECTED';
    if (!contradicts) return report.state;
    await this.calls.store(purchase, report);
    throw new DecisionRejected(
      `The supplier says that the purchase is ${report.state}: the order continues with that`,
    );
  }

  /** Stores the operator's goods as goods of the open purchases, so that none of them is bought again. */
  private async deliver(order: OrderKey, goodsId: number | undefined): Promise<FulfilmentReport> {
    const open = await listPurchases(this.deps.database, order, openStates);
    const [first] = open;
    if (!first) return this.repeatDelivery(order, goodsId);
    const given = await this.operatorGoods(order, goodsId, first.family);
    const missing = unitsMissing(open);
    // Surplus goods may come from a repeated decision, of which some goods are stored already.
    const goods = given.length > missing ? await goodsNotStored(this.deps, order, given) : given;
    if (goods.length !== missing) throw new DecisionRejected(wrongNumber(missing, given.length));
    if (await hasKnownCode(this.deps, goods)) throw new DecisionRejected(CODE_KNOWN);
    const rest = [...goods];
    for (const purchase of open) {
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
    family: Family,
  ): Promise<Goods[]> {
    const { unnamedGoods } = familyStorage[family];
    if (unnamedGoods && goodsId === undefined) return [...unnamedGoods];
    const found = goodsId && (await findOperatorGoods(this.deps.database, orderId, goodsId));
    if (!found)
      throw new DecisionRejected('DELIVERED needs the goods: give them to `orders resolve --goods`');
    const text = this.deps.sealer.open(orderField(nonce, 'goods'), found.sealed);
    // The ops CLI validated the goods before it stored them.
    return JSON.parse(text) as Goods[];
  }

  private async report(order: OrderKey): Promise<FulfilmentReport> {
    return purchaseProgress(this.deps.database, order);
  }
}
