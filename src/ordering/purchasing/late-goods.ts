/**
 * Late goods: the service keeps looking up a purchase that was given up, because its supplier may still deliver. It also
 * looks up a delivered purchase that a push reports as reversed.
 */
import {
  endLateCheck,
  raiseReversal,
  raiseUnclearLate,
  takeLateChecks,
} from '../../data/purchases/purchase-polls';
import type { Purchase } from '../../data/purchases/purchase-reads';
import { safeText } from '../../domain/safe-text';
import type { LookupReport, PurchaseReport } from '../../suppliers/port';
import { lookupOf, PurchaseCalls, type PurchasingDependencies } from './send-and-look-up';

/** Purchases of one batch. */
const BATCH_SIZE = 50;

/**
 * Looks up every due purchase. Quarantines late goods and raises reversals, which puts the order on the attention list.
 * Returns the number of failed look-ups; those purchases are due again later.
 */
export async function checkLateGoods(deps: PurchasingDependencies): Promise<number> {
  let unanswered = 0;
  for (;;) {
    const due = await takeLateChecks(deps.database, BATCH_SIZE);
    if (due.length === 0) return unanswered;
    await Promise.all(
      bySupplier(due).map(async (purchases) => {
        for (const purchase of purchases) {
          await checkForLateGoods(deps, purchase).catch(() => unanswered++);
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

/**
 * Looks up a concluded purchase: quarantines late goods, and puts a reversal or an unclear result on the attention list. Throws
 * the errors of `src/suppliers/port.ts`: then the purchase stays due.
 */
export async function checkForLateGoods(deps: PurchasingDependencies, purchase: Purchase): Promise<void> {
  const calls = new PurchaseCalls(deps);
  const supplier = calls.supplierOf(purchase);
  if (typeof supplier === 'string') return;
  if (supplier.traits.lookup !== 'none') {
    await store(deps, purchase, await supplier.find(lookupOf(purchase)));
  }
  await endLateCheck(deps.database, purchase.reference);
}

async function store(deps: PurchasingDependencies, purchase: Purchase, report: LookupReport): Promise<void> {
  const { database } = deps;
  const isDelivered = purchase.state === 'DELIVERED';
  if (isStorable(report)) await new PurchaseCalls(deps).store(purchase, report);
  else if (report.state === 'REVERSED' && isDelivered) await raiseReversal(database, purchase.reference);
  if (isDelivered) return;
  if (report.state === 'AMBIGUOUS') await raiseUnclearLate(database, purchase, report.detail);
  else if (isStorable(report) && report.state !== 'REJECTED' && report.goods.length === 0)
    await raiseUnclearLate(database, purchase, WITHOUT_UNITS);
}

const WITHOUT_UNITS = safeText`It shows the purchase without units`;

function isStorable(report: LookupReport): report is PurchaseReport {
  return report.state === 'DELIVERED' || report.state === 'PENDING' || report.state === 'REJECTED';
}
