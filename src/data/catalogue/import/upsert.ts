/** One row of the catalogue: created if it is new, changed if it differs. Changes of prices are judged. */
import { firstRow, type Database, rows, type Transaction } from '../../database/database';
import type { Binds } from '../../database/binds';
import type { PriceChange } from '../../../domain/prices/price-changes';

/** What became of a product. */
export interface Imported {
  productId: number;
  outcome: 'created' | 'updated' | 'unchanged';
}

// Without ON CONFLICT, which takes a number for the id even if nothing is inserted.

/** Inserts the row, or brings the one with the same key up to it. Column names are code, never input. */
export async function upsert(
  database: Database,
  table: string,
  key: string[],
  row: Readonly<Record<string, unknown>>,
  transaction?: Transaction,
): Promise<Imported> {
  const columns = Object.keys(row);
  const others = columns.filter((column) => !key.includes(column));
  const list = (names: string[], prefix = '') => names.map((name) => prefix + name).join(', ');
  const stored = await firstRow<Imported>(
    database,
    `WITH wanted AS (SELECT ${list(columns)} FROM jsonb_populate_record(NULL::${table}, $row::jsonb)),
     known AS (SELECT id FROM ${table} JOIN wanted USING (${list(key)})),
     changed AS (
       UPDATE ${table} kept SET (${list(others)}) = ROW (${list(others, 'wanted.')})
         FROM wanted
        WHERE kept.id = (SELECT id FROM known)
          AND (${list(others, 'kept.')}) IS DISTINCT FROM (${list(others, 'wanted.')})
       RETURNING id),
     added AS (
       INSERT INTO ${table} (${list(columns)})
       SELECT * FROM wanted WHERE NOT EXISTS (SELECT FROM known) RETURNING id)
     SELECT id AS "productId", 'created' AS outcome FROM added
     UNION ALL SELECT id, 'updated' FROM changed
     UNION ALL SELECT id, 'unchanged' FROM known WHERE NOT EXISTS (SELECT FROM changed)`,
    { row: JSON.stringify(row) },
    transaction,
  );
  return stored as Imported;
}

/** How many parts of a product a statement has changed. */
export async function changesOf(
  database: Database,
  sql: string,
  binds: Binds,
  transaction: Transaction,
): Promise<number> {
  return (await firstRow<{ changes: number }>(database, sql, binds, transaction))?.changes ?? 0;
}

/** A product whose parts changed has changed. */
export function withParts(imported: Imported, changes: number): Imported {
  return imported.outcome === 'unchanged' && changes > 0 ? { ...imported, outcome: 'updated' } : imported;
}

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
