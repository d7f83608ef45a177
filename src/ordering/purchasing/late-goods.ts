/** Goods of purchases that were given up: looked for a while, should the supplier deliver all the same. */
import { takeLateChecks } from '../../data/purchases/late-checks';
import type { Purchase } from '../../data/purchases/purchases';
import type { PurchasingDependencies } from './purchase-calls';
import { Purchasing } from './purchasing';

/** Purchases looked at in one go. */
const BATCH_SIZE = 50;

/**
 * Asks about every purchase that was given up and is due for a look; what is found is kept apart, on the
 * operators' list. Returns how many could not be asked about: their next look is later.
 */
export async function checkLateGoods(deps: PurchasingDependencies): Promise<number> {
  const purchasing = new Purchasing(deps);
  let unanswered = 0;
  for (;;) {
    const due = await takeLateChecks(deps.database, BATCH_SIZE);
    if (due.length === 0) return unanswered;
    await Promise.all(
      bySupplier(due).map(async (purchases) => {
        for (const purchase of purchases) {
          await purchasing.checkLateGoods(purchase).catch(() => unanswered++);
        }
      }),
    );
  }
}

/** One supplier that hangs holds up no other's. */
function bySupplier(purchases: readonly Purchase[]): Purchase[][] {
  const groups = new Map<string, Purchase[]>();
  for (const purchase of purchases) {
    const group = groups.get(purchase.supplier);
    if (group) group.push(purchase);
    else groups.set(purchase.supplier, [purchase]);
  }
  return [...groups.values()];
}
