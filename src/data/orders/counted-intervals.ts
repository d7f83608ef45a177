/** The intervals of 5 minutes in which ended orders are counted. */
import { oneRow, type Database } from '../database/database';

/** The counts of a table. `startedAt`: its column with the beginning of the interval. `kept`: SQL. None of it is input. */
interface CountedTable {
  table: string;
  startedAt: string;
  kept: string;
}

/**
 * The bounds of the next count. The newest counted interval and the one before may have got more orders since. They are values of
 * the counting statement, so that PostgreSQL knows how few orders are between them.
 */
export function boundsOfNextCount(
  database: Database,
  { table, startedAt, kept }: CountedTable,
): Promise<{ from: string; to: string }> {
  return oneRow(
    database,
    `SELECT greatest(date_bin('5 minutes', now(), 'epoch') - ${kept},
                     (SELECT max(${startedAt}) FROM ${table}) - interval '5 minutes')::text AS "from",
            (now() + interval '1 minute')::text AS "to"`,
  );
}
