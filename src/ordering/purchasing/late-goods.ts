/**
 * Late goods: the service keeps looking up a purchase that was given up, because its supplier may still deliver. It also
 * looks up a delivered purchase that a push reports as reversed.
 */
import { takeLateChecks } from '../../data/purchases/purchase-polls';
import type { Purchase } from '../../data/purchases/purchase-reads';
import type { PurchasingDependencies } from './send-and-look-up';
import { Purchasing } from './purchasing';

/** Purchases of one batch. */
const BATCH_SIZE = 50;

/**
 * Looks up every due purchase. Quarantines late goods and raises reversals, which puts the order on the attention list.
 * Returns the number of failed look-ups; those purchases are due again later.
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

/** Groups purchases by supplier, so that a hanging supplier delays no other. */
function bySupplier(purchases: readonly Purchase[]): Purchase[][] {
  const suppliers = new Set(purchases.map(({ supplier }) => supplier));
  return [...suppliers].map((name) => purchases.filter(({ supplier }) => supplier === name));
}
