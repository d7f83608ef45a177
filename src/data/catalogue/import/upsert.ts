/** Creates or changes one row of the catalogue, and lets the caller reject the changes. */
import { oneRow, rows, type Database, type Transaction } from '../../database/database';
import type { Binds } from '../../database/binds';
import { differencesOf, type FieldDifference, type Field } from '../../../domain/differences';
import type { PriceChange } from '../../../domain/prices/price-changes';

/** The result for one product. */
export interface Imported {
  productId: number;
  outcome: 'created' | 'updated' | 'unchanged';
}

/**
 * Inserts the row, or changes the row with the same key. A column whose value is undefined keeps its value, or gets its default. Column
 * names are code, never input. Does not use ON CONFLICT, which
 * uses up an id even if it inserts nothing.
 */
export function upsert(
  database: Database,
  table: string,
  key: string[],
  row: Readonly<Record<string, unknown>>,
  transaction: Transaction,
) {
  const columns = Object.keys(row).filter((column) => row[column] !== undefined);
  const others = columns.filter((column) => !key.includes(column));
  const list = (names: string[], prefix = '') => names.map((name) => prefix + name).join(', ');
  return oneRow<Imported>(
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
}

/** Runs a statement that returns the number of changed parts of a product in its column `changes`. */
export async function countChanges(
  database: Database,
  sql: string,
  binds: Binds,
  transaction: Transaction,
): Promise<number> {
  return (await oneRow<{ changes: number }>(database, sql, binds, transaction)).changes;
}

/** Reports a product as updated if its own row is unchanged but one of its parts has changed. */
export function withParts(imported: Imported, changes: number): Imported {
  return imported.outcome === 'unchanged' && changes > 0 ? { ...imported, outcome: 'updated' } : imported;
}

/** What an import changes in a known product. */
export interface ProductChanges {
  /** The changed prices, but not those that the import adds or removes. */
  prices: readonly PriceChange[];
  differences: readonly FieldDifference[];
}

/** Receives the changes of a known product. Throws to reject the product. */
export type ImportCheck = (changes: ProductChanges) => void;

/**
 * The statements for a product: `lock` locks its row, `read` returns the name and value of each price, and `fields` those of each
 * field and part.
 */
interface JudgedProduct {
  lock: string;
  read?: string;
  fields: string;
  binds: Binds;
  /** Binds of `fields` in addition to `binds`. */
  ofFields?: Binds;
  /** Amounts, bound as `$points`, at which `read` returns prices in addition to the bounds of the stored ranges. */
  points?: readonly string[];
}

interface Price {
  what: string;
  value: string;
  /** The amount to which the price applies; null if the price applies to every amount. */
  point?: string | null;
}

/** Runs `store`, then passes its changes of a known product to `checkChanges`, which throws to reject them. */
export async function withCheckedChanges<Result>(
  database: Database,
  { lock, read, fields, binds, ofFields, points }: JudgedProduct,
  checkChanges: ImportCheck,
  transaction: Transaction,
  store: () => Promise<Result>,
): Promise<Result> {
  // Locks in a separate statement: a later statement sees what the preceding holder of the lock committed.
  await rows(database, lock, binds, transaction);
  const pricesAt = async (at = points) =>
    read === undefined
      ? []
      : rows<Price>(database, read, { ...binds, ...(at && { points: at }) }, transaction);
  const readFields = () => rows<Field>(database, fields, { ...binds, ...ofFields }, transaction);
  const before = await pricesAt();
  const fieldsBefore = await readFields();
  const result = await store();
  const after = await pricesAt(points && before.flatMap(({ point }) => point ?? []));
  const newValues = new Map(after.map(({ what, value }) => [what, value]));
  const prices = before.flatMap(({ what, value }) => {
    const newValue = newValues.get(what);
    return newValue === undefined || newValue === value ? [] : [{ what, before: value, after: newValue }];
  });
  const differences = fieldsBefore.length === 0 ? [] : differencesOf(fieldsBefore, await readFields());
  if (prices.length + differences.length > 0) checkChanges({ prices, differences });
  return result;
}
