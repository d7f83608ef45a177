/** What commands need of the outside, opened for one command and closed after it. */
import { loadConfig, type Config } from '../config';
import { openDatabase, type Database } from '../data/database';

/** How long one statement of a command that reads whole tables may take. */
export const LONG_STATEMENTS_MS = 3_600_000;

/** Runs the work on the database of the configuration. */
export async function withDatabase<T>(
  work: (database: Database, config: Config) => Promise<T>,
  statementTimeoutMs?: number,
): Promise<T> {
  const config = loadConfig();
  const { url, preparesStatements } = config.database;
  const database = openDatabase(url, 2, {
    preparesStatements,
    ...(statementTimeoutMs && { statementMs: statementTimeoutMs }),
  });
  try {
    return await work(database, config);
  } finally {
    await database.close();
  }
}
