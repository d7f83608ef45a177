/** Copies of rows that the service has written itself, because real ones would take hours. */
import type { Side } from './side';

/** Rows that one statement inserts. */
const STEP = 250_000;

/** The rows to copy. */
export interface Original {
  table: string;
  /** SQL: selects the rows. */
  where: string;
  /** The columns that differ, as SQL with the number `n` of the copy, from 1. All others keep their values, except generated ids. */
  values?: Readonly<Record<string, string>>;
  /** SQL: the copies from $1 to $2, in place of their numbers alone. May choose its originals with WHERE. */
  copies?: string;
}

/** Writes this many copies of each original, statement by statement. */
export async function copyRows(side: Side, originals: readonly Original[], count: number): Promise<void> {
  for (const original of originals) {
    const insert = await insertOf(side, original);
    for (let first = 1; first <= count; first += STEP) {
      const last = Math.min(count, first + STEP - 1);
      await side.database.query(insert, [first, last]);
      if (count > STEP) console.error(`    ${original.table}: ${last}`);
    }
  }
  await settle(side, originals);
}

/** SQL: inserts the copies from $1 to $2. */
export async function insertOf(
  side: Side,
  { table, where, values = {}, copies = 'generate_series($1::integer, $2::integer) n' }: Original,
): Promise<string> {
  const { rows: columns } = await side.database.query<{ name: string }>(
    `SELECT attname AS name FROM pg_attribute
      WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
        AND (attidentity = '' OR attname = ANY ($2))`,
    [table, Object.keys(values)],
  );
  const names = columns.map(({ name }) => name);
  const selected = names.map((name) => values[name] ?? `original.${name}`);
  return `INSERT INTO ${table} (${names.join(', ')}) OVERRIDING SYSTEM VALUE
          SELECT ${selected.join(', ')} FROM (SELECT * FROM ${table} WHERE ${where}) original, ${copies}`;
}

/** Moves the sequences past the copied ids, and lets the planner know the new rows. */
export async function settle(side: Side, originals: readonly Pick<Original, 'table'>[]): Promise<void> {
  const tables = [...new Set(originals.map(({ table }) => table))];
  const { rows: identities } = await side.database.query<{ table: string; column: string }>(
    `SELECT attrelid::regclass::text AS "table", attname AS "column" FROM pg_attribute
      WHERE attrelid = ANY ($1::text[]::regclass[]) AND attidentity <> ''`,
    [tables],
  );
  for (const { table, column } of identities)
    await side.database.query(
      `SELECT setval(pg_get_serial_sequence('${table}', '${column}'), max(${column})) FROM ${table}`,
    );
  await side.database.query(`VACUUM ANALYZE ${tables.join(', ')}`);
}

/** SQL for the moment of copy `n` of this many, evenly in the last days. */
export const spread = (count: number, days: number) => `now() - (${count} - n) * interval '${days} days' / ${count}`;

/** SQL for the id of copy `n`. */
export const nextId = async (side: Side, table: string) =>
  `${await side.number(`SELECT coalesce(max(id), 0) FROM ${table}`)} + n`;
