/** Creates or changes one row of the catalogue, and lets the caller reject the changes. */
import { oneRow, rows, type Database, type Transaction } from '../../database/database';
import type { Binds } from '../../database/binds';
import { differencesOf, type FieldDifference, type Field } from '../../../domain/differences';
import type { GuardedValue, GuardPrices } from '../../prices/stored-confirmed-values';

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

/** How an import is checked. */
export interface ImportChecks {
  /** Makes the changes of prices and costs, and throws to reject them. */
  guard: GuardPrices;
  /** Receives the changed fields and parts of a known product, also of one that the guard rejects. */
  noteFields?: (differences: readonly FieldDifference[]) => void;
  /** Receives them if the guard permits the prices. Throws to reject the product. */
  checkFields: (differences: readonly FieldDifference[]) => void;
}

/** The statements for a product: `lock` locks its row, and `fields` returns the name and value of each field and part. */
interface JudgedProduct {
  lock: string;
  fields: string;
  binds: Binds;
  /** Binds of `fields` in addition to `binds`. */
  ofFields?: Binds;
  prices?: readonly GuardedValue[];
}

/** Runs `store`, whose changes of a known product the checks may reject. */
export async function withCheckedChanges<Result>(
  database: Database,
  { lock, fields, binds, ofFields, prices = [] }: JudgedProduct,
  { guard, noteFields, checkFields }: ImportChecks,
  transaction: Transaction,
  store: () => Promise<Result>,
): Promise<Result> {
  // Locks in a separate statement: a later statement sees what the preceding holder of the lock committed.
  await rows(database, lock, binds, transaction);
  const readFields = () => rows<Field>(database, fields, { ...binds, ...ofFields }, transaction);
  const before = await readFields();
  let differences: readonly FieldDifference[] = [];
  const result = await guard(prices, async () => {
    const stored = await store();
    if (before.length > 0) differences = differencesOf(before, await readFields());
    noteFields?.(differences);
    return stored;
  });
  if (differences.length > 0) checkFields(differences);
  return result;
}
