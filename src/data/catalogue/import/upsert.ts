/** One row of the catalogue: created if it is new, changed if it differs, and which of the two it was. */
import type { Transaction } from 'sequelize';
import { firstRow, type Database } from '../../database/database';
import type { Binds } from '../../database/named-binds';

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
