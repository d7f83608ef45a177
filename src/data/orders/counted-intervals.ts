/** The intervals of 5 minutes in which ended orders are counted. */
import { oneRow, rows, type Database } from '../database/database';

/**
 * A table of counts. `startedAt`: its column with the beginning of the interval. `kept`: the SQL interval after which its rows are
 * deleted. All three become parts of statements, so none may come from a request.
 */
interface CountedTable {
  table: string;
  startedAt: string;
  kept: string;
}

/**
 * Deletes intervals that are too old or, because the clock was set back since, begin in the future. Returns the bounds of the next
 * count, which repeats the two newest intervals, because more orders may have ended in them. Bind the bounds as values, so that
 * PostgreSQL knows how few orders are between them.
 */
export async function beginCount(
  database: Database,
  { table, startedAt, kept }: CountedTable,
): Promise<{ from: string; to: string }> {
  await rows(database, `DELETE FROM ${table} WHERE ${startedAt} NOT BETWEEN now() - ${kept} AND now()`);
  return oneRow(
    database,
    `SELECT greatest(date_bin('5 minutes', now(), 'epoch') - ${kept},
                     (SELECT max(${startedAt}) FROM ${table}) - interval '5 minutes')::text AS "from",
            (now() + interval '1 minute')::text AS "to"`,
  );
}
