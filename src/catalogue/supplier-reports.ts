/**
 * Stores what suppliers report about their stock and our balances. Records whether our calls for these and for catalogues and
 * statements succeed, so that an outage is noticed without orders.
 */
import { knownCodes } from '../data/catalogue/reference';
import { storeStock } from '../data/catalogue/stock';
import type { Database } from '../data/database/database';
import { extendAttention } from '../data/attention/attention';
import { storeBalances } from '../data/suppliers/supplier-balances';
import { recordCall } from '../data/suppliers/supplier-calls';
import { recordSupplierBlocked } from '../data/suppliers/supplier-health';
import { isPossibleBalance } from '../domain/prices/believable-costs';
import type { Money, Supplier } from '../domain/suppliers/port';
import { isSupplierFault, SupplierAccountBlocked } from '../domain/suppliers/supplier-errors';
import { withEachSupplier } from '../domain/suppliers/configured-suppliers';

/** Makes a call to the supplier and records whether it succeeded. `undefined` means that the supplier has no such call. */
export async function callAndRecord<T>(
  database: Database,
  supplier: string,
  call: string,
  run: () => Promise<T>,
): Promise<T> {
  const kind = { supplier, family: '', call };
  try {
    const result = await run();
    if (result !== undefined) await recordCall(database, kind);
    return result;
  } catch (error) {
    // Records only the supplier's failures: neither calls that the service held back, nor errors of the database.
    if (error instanceof SupplierAccountBlocked) await recordSupplierBlocked(database, kind, error.message);
    else if (isSupplierFault(error)) await recordCall(database, kind, error.message);
    throw error;
  }
}

/**
 * Stores every supplier's stock. It runs even without orders, so that an outage is noticed. The failure of one supplier does not
 * stop the others; it is thrown at the end.
 */
export function syncStock(database: Database, suppliers: ReadonlyMap<string, Supplier>): Promise<void> {
  return withEachSupplier(suppliers, async (supplier) => {
    await callAndRecord(database, supplier.name, 'stock', () => syncStockOf(database, supplier));
  });
}

/**
 * Stores the stock that one supplier reports, and returns the number of reported and of changed products. Undefined for
 * a supplier that reports none. Throws the port's errors.
 */
export async function syncStockOf(database: Database, supplier: Supplier) {
  if (!supplier.stock) return undefined;
  const synced = { reported: 0, changed: 0 };
  for await (const page of supplier.stock()) {
    synced.reported += page.length;
    synced.changed += await storeStock(database, supplier.name, page, new Date());
  }
  return synced;
}

/** Stores our balances at every supplier. The failure of one supplier does not stop the others; it is thrown at the end. */
export function syncBalances(database: Database, suppliers: ReadonlyMap<string, Supplier>): Promise<void> {
  return withEachSupplier(suppliers, async ({ balances, name }) => {
    if (!balances) return;
    const reported = await callAndRecord(database, name, 'balance', () => balances());
    await storeBalances(database, name, await possibleOnes(database, name, reported));
  });
}

/** The balances that can be true. The others are listed: an amount that is no number or absurd, or an unknown currency. */
async function possibleOnes(database: Database, supplier: string, balances: readonly Money[]): Promise<Money[]> {
  const { currencies } = await knownCodes(database);
  const isPossible = ({ amount, currency }: Money) => currencies.has(currency) && isPossibleBalance(amount);
  const impossible = balances.filter((balance) => !isPossible(balance));
  const named = impossible.map(({ currency }) => (currencies.has(currency) ? currency : 'an unknown currency'));
  if (impossible.length > 0) {
    const reason = `Reported balances cannot be true and are not used: ${[...new Set(named)].join(', ')}`;
    await extendAttention(database, { supplier }, 'REPORT_IMPLAUSIBLE', reason);
  }
  return balances.filter(isPossible);
}
