import type { Database } from '../data/database/database';
import { extendAttention } from '../data/operations/attention';
import { storeBalances } from '../data/operations/supplier-balances';
import { knownCodes } from '../data/catalogue/reference';
import { isPossibleBalance } from '../domain/prices/reported-costs';
import type { Money, Supplier } from '../suppliers/port';
import { withEachSupplier } from '../suppliers/registry';
import { recorded } from './recorded-call';

/** Stores our balances at every supplier. The failure of one supplier does not stop the others; it is thrown at the end. */
export function syncBalances(database: Database, suppliers: ReadonlyMap<string, Supplier>): Promise<void> {
  return withEachSupplier(suppliers, async ({ balances, name }) => {
    if (!balances) return;
    const reported = await recorded(database, name, 'balance', () => balances());
    await storeBalances(database, name, await possibleOnes(database, name, reported));
  });
}

/** The balances that can be true. The others are listed: an amount that is no number or absurd, or an unknown currency. */
async function possibleOnes(
  database: Database,
  supplier: string,
  balances: readonly Money[],
): Promise<Money[]> {
  const { currencies } = await knownCodes(database);
  const isPossible = ({ amount, currency }: Money) => currencies.has(currency) && isPossibleBalance(amount);
  const impossible = balances.filter((balance) => !isPossible(balance));
  const named = impossible.map(({ currency }) =>
    currencies.has(currency) ? currency : 'an unknown currency',
  );
  if (impossible.length > 0) {
    const reason = `Reported balances cannot be true and are not used: ${[...new Set(named)].join(', ')}`;
    await extendAttention(database, { supplier }, 'REPORT_IMPLAUSIBLE', reason);
  }
  return balances.filter(isPossible);
}
