/** Goods that an operator gives for the missing units of open purchases. */
import { familyStorage } from '../../data/purchases/families';
import type {
  PurchaseOutcome,
  StorageDependencies,
  StoredPurchase,
} from '../../data/purchases/families/family-storage';
import type { Purchase } from '../../data/purchases/purchase-reads';
import {
  DELIVERED_BY_HAND,
  isQuarantinedElsewhere,
  listShownPositions,
  type UnitCode,
} from '../../data/purchases/quarantined-goods';
import type { Goods } from '../../domain/orders/goods';
import type { OrderKey } from '../../domain/orders/order-messages';
import { withNewCode, codesOf } from './quarantined-units';

/**
 * Concludes a purchase with the operator's goods for its missing units. Changes nothing and returns undefined if their number
 * differs, if a code belongs to another unit, or if the purchase has ended.
 */
export async function storeOperatorGoods(
  deps: StorageDependencies,
  purchase: Purchase,
  goods: readonly Goods[],
): Promise<StoredPurchase | undefined> {
  const missing = await missingPositions(deps, purchase);
  // The supplier has delivered some of the missing units since the operator decided.
  if (missing.length !== goods.length) return undefined;
  const units = missing.flatMap((position, index) => {
    const unit = goods[index];
    return unit ? [{ position, goods: unit }] : [];
  });
  const outcome: PurchaseOutcome = {
    state: 'DELIVERED',
    supplierOrderId: null,
    cost: null,
    failureCode: null,
    detail: DELIVERED_BY_HAND,
  };
  return familyStorage[purchase.family].storeUnits(deps, purchase, outcome, units);
}

/** The goods that are not stored for the order yet. A repeated decision thus skips goods that it has already stored. */
export function goodsNotStored(
  deps: StorageDependencies,
  { orderId }: OrderKey,
  goods: readonly Goods[],
): Promise<Goods[]> {
  return withNewCode(deps, goods, (unit) => unit, orderId);
}

/**
 * Whether one of an operator's goods has a code of a stored unit, of any order, or a code that is quarantined for another unit than
 * the one that would get it. The goods are for the missing units of the purchases, in this sequence.
 */
export async function hasKnownCode(
  deps: StorageDependencies,
  open: readonly Purchase[],
  goods: readonly Goods[],
): Promise<boolean> {
  const withCode = goods.filter((unit) => codesOf(unit).length > 0);
  if ((await withNewCode(deps, withCode, (unit) => unit)).length < withCode.length) return true;
  const codes: UnitCode[] = [];
  const rest = [...goods];
  for (const purchase of open) {
    for (const position of await missingPositions(deps, purchase)) {
      const unit = rest.shift();
      const hashes = unit ? codesOf(unit).flatMap((code) => deps.sealer.lookupHashes(code)) : [];
      codes.push(...hashes.map((hash) => ({ unit: purchase.firstUnit + position - 1, hash })));
    }
  }
  return isQuarantinedElsewhere(deps.database, open[0]?.orderId ?? 0, codes);
}

/** The positions of the units of the purchase that are not stored. */
async function missingPositions({ database }: StorageDependencies, purchase: Purchase): Promise<number[]> {
  const shown = await listShownPositions(database, purchase);
  const positions = Array.from({ length: purchase.units }, (_, index) => index + 1);
  return positions.filter((position) => !shown.includes(position));
}
