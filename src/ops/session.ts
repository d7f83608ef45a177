/** What commands need of the outside, opened for one command and closed after it. */
import { loadConfig, type Config } from '../config';
import { openDatabase, type Database } from '../data/database';

/** Runs the work on the database of the configuration. */
export async function withDatabase<T>(work: (database: Database, config: Config) => Promise<T>): Promise<T> {
  const config = loadConfig();
  const database = openDatabase(config.database.url, 2);
  try {
    return await work(database, config);
  } finally {
    await database.close();
  }
}
