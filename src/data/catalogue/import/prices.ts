/** What an import changes of the prices of a product that is on sale already. */
import type { Transaction } from 'sequelize';
import type { PriceChange } from '../../../domain/prices/price-changes';
import { rows, type Database } from '../../database/database';
import type { Binds } from '../../database/named-binds';

/** Sees every price that a product changes. Throws a sentence where the product must stay as it is. */
export type PriceJudge = (changes: readonly PriceChange[]) => void;

/** How the prices of a product are found: `lock` locks its row, `read` names each price and gives its value. */
interface PricesOfProduct {
  lock: string;
  read: string;
  binds: Binds;
  /** Amounts for which `read` gives a price, bound as `$points`, beside those at which its prices may change. */
  points?: readonly string[];
}

interface Price {
  what: string;
  value: string;
  /** The amount that it is the price of; null if it holds for every amount. */
  point?: string | null;
}

/** Brings a product up to what was wanted, and has the changes of its prices judged in the same transaction. */
export async function withJudgedPrices<Result>(
  database: Database,
  { lock, read, binds, points }: PricesOfProduct,
  judge: PriceJudge,
  transaction: Transaction,
  store: () => Promise<Result>,
): Promise<Result> {
  // A statement of its own: what is read after it is what the transaction before has left.
  await rows(database, lock, binds, transaction);
  const pricesAt = (at = points) =>
    rows<Price>(database, read, { ...binds, ...(at && { points: at }) }, transaction);
  const before = await pricesAt();
  const result = await store();
  const now = await pricesAt(points && before.flatMap(({ point }) => point ?? []));
  const after = new Map(now.map(({ what, value }) => [what, value]));
  const kept = before.flatMap(({ what, value }) => {
    const other = after.get(what);
    return other === undefined || other === value ? [] : [{ what, before: value, after: other }];
  });
  if (kept.length > 0) judge(kept);
  return result;
}
