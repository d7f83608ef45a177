import type { Database } from '../../src/data/database/database';
import { sql } from '../../dev/testbed/sql';
import { until } from '../../dev/testbed/waiting';

/** Returns once this many statements that contain `text` wait for a lock in the database. */
export function lockWaits(database: Database, statements = 1, text = '', seconds = 30): Promise<true> {
  return until('waiting statements', async () => (await waitingStatements(database, text)) >= statements, seconds);
}

/** The number of statements that contain `text` and wait for a lock in the database. */
export async function waitingStatements(database: Database, text: string): Promise<number> {
  const found = await sql(database)`SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock' AND strpos(query, ${text}) > 0`;
  return found.length;
}
