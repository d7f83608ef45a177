/**
 * Late goods: the service keeps looking up a purchase that was given up, because its supplier may still deliver. It also
 * looks up a delivered purchase that a push reports as reversed.
 */
import {
  endLateCheck,
  listLateSuppliers,
  raiseReversal,
  raiseUnclearLate,
  takeLateChecks,
} from '../../data/purchases/purchase-polls';
import type { Purchase } from '../../data/purchases/purchase-reads';
import { safeText } from '../../domain/safe-text';
import type { LookupReport, PurchaseReport } from '../../domain/suppliers/port';
import { handleReport } from './purchase-reports';
import { lookupOf, supplierOf, type PurchasingDependencies } from './sending-and-lookup';
import { hasLookup } from './recharged-profile';

/** After this number of consecutive failed lookups, a run no longer polls the supplier: it probably does not answer. */
const MAX_FAILURES = 3;
/** Milliseconds after which a run begins no other lookup, so that the next run is in time. What is left stays due. */
const RUN_MS = 45_000;

/**
 * Looks up every due purchase, of all suppliers at the same time, so that a hanging supplier delays only its own. Quarantines late goods
 * and raises reversals, which puts the order on the attention list. Returns the number of failed lookups; those purchases are due
 * again later. If a supplier does not answer, its other purchases stay due.
 */
export async function checkLateGoods(deps: PurchasingDependencies): Promise<number> {
  const suppliers = await listLateSuppliers(deps.database);
  const failures = await Promise.all(suppliers.map((supplier) => checkSupplier(deps, supplier)));
  return failures.reduce((sum, count) => sum + count, 0);
}

async function checkSupplier(deps: PurchasingDependencies, supplier: string): Promise<number> {
  const endsAt = performance.now() + RUN_MS;
  let unanswered = 0;
  for (let inSequence = 0; inSequence < MAX_FAILURES && performance.now() < endsAt;) {
    const [purchase] = await takeLateChecks(deps.database, supplier, 1);
    if (!purchase) break;
    try {
      await checkForLateGoods(deps, purchase);
      inSequence = 0;
    } catch {
      unanswered += 1;
      inSequence += 1;
    }
  }
  return unanswered;
}

/**
 * Looks up a concluded purchase: quarantines late goods, and puts a reversal or an unclear result on the attention list. Throws
 * the errors of `src/domain/suppliers/supplier-errors.ts`: then the purchase stays due.
 */
export async function checkForLateGoods(deps: PurchasingDependencies, purchase: Purchase): Promise<void> {
  const supplier = supplierOf(deps, purchase);
  if (typeof supplier === 'string') return;
  if (hasLookup(supplier, purchase)) {
    await store(deps, purchase, await supplier.find(lookupOf(deps, purchase)));
  }
  await endLateCheck(deps.database, purchase.reference);
}

async function store(deps: PurchasingDependencies, purchase: Purchase, report: LookupReport): Promise<void> {
  const { database } = deps;
  const isDelivered = purchase.state === 'DELIVERED';
  if (isStorable(report)) await handleReport(deps, purchase, report);
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
