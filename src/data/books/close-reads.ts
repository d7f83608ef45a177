/** What the close of a month asks the database. */
import { hasRow, oneRow, rows, type Database } from '../database/database';

interface Period {
  from: Date;
  to: Date;
}

/** How much time has passed since the end of the period, by the clock of the database. */
export async function msSince(database: Database, { to }: Period): Promise<number> {
  const passed = await oneRow<{ ms: number }>(
    database,
    'SELECT (extract(epoch FROM clock_timestamp() - $to::timestamptz) * 1000)::float8 AS ms',
    { to },
  );
  return passed.ms;
}

/** Whether maintenance must still sum orders that ended in the period. */
export function hasUnsummedDays(database: Database, { from, to }: Period): Promise<boolean> {
  return hasRow(
    database,
    `SELECT FROM orders_summed
      WHERE EXISTS (SELECT FROM orders WHERE completed_at >= through AND completed_at < $to)
         OR EXISTS (SELECT FROM outdated_order_sums WHERE day >= day_of($from) AND day < day_of($to))`,
    { from, to },
  );
}

/** The suppliers, of these, whose sales of the period were not all compared with our purchases. */
export async function uncomparedSuppliers(
  database: Database,
  { from, to }: Period,
  suppliers: readonly string[],
): Promise<string[]> {
  const found = await rows<{ supplier: string }>(
    database,
    `SELECT supplier FROM unnest($suppliers::text[]) AS wanted (supplier)
      WHERE NOT coalesce((SELECT range_agg(tstzrange(begins, ends)) FROM statement_comparisons compared
                           WHERE compared.supplier = wanted.supplier) @> tstzrange($from, $to), false)
      ORDER BY supplier`,
    { suppliers, from, to },
  );
  return found.map(({ supplier }) => supplier);
}
