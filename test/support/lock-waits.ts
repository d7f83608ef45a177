import { rows, type Database } from '../../src/data/database/database';
import { until } from './waiting';

/** Returns once this many statements that contain `text` wait for a lock in the database. */
export function lockWaits(database: Database, statements = 1, text = ''): Promise<true> {
  return until('waiting statements', async () => {
    const found = await rows(
      database,
      `SELECT FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock' AND strpos(query, $text) > 0`,
      { text },
    );
    return found.length >= statements ? true : undefined;
  });
}
