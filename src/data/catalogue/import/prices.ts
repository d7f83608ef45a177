/** What an import changes of the prices of a product that is on sale already. */
import type { Transaction } from 'sequelize';
import type { PriceChange } from '../../../domain/price-changes';
import { rows, type Database } from '../../database';
import type { Binds } from '../../named-binds';

/** Sees every price that a product changes. Throws a sentence where the product must stay as it is. */
export type PriceJudge = (changes: readonly PriceChange[]) => void;

/** How the prices of a product are found: `lock` locks its row, `read` names each price and gives its value. */
interface PricesOfProduct {
  lock: string;
  read: string;
  binds: Binds;
}

/** Brings a product up to what was wanted, and has the changes of its prices judged in the same transaction. */
export async function withJudgedPrices<Result>(
  database: Database,
  { lock, read, binds }: PricesOfProduct,
  judge: PriceJudge,
  transaction: Transaction,
  store: () => Promise<Result>,
): Promise<Result> {
  // A statement of its own: what is read after it is what the transaction before has left.
  await rows(database, lock, binds, transaction);
  const prices = () => rows<{ what: string; value: string }>(database, read, binds, transaction);
  const before = await prices();
  const result = await store();
  const after = new Map((await prices()).map(({ what, value }) => [what, value]));
  const kept = before.flatMap(({ what, value }) => {
    const now = after.get(what);
    return now === undefined || now === value ? [] : [{ what, before: value, after: now }];
  });
  if (kept.length > 0) judge(kept);
  return result;
}
