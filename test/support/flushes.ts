/** How often a session of PostgreSQL has waited until its log was durable. */
import { oneRow, rows, type Database } from '../../src/data/database/database';

/** The flushes of the log by the only session of the pool, until now. */
async function flushesBy(database: Database): Promise<number> {
  await rows(database, 'SELECT pg_stat_force_next_flush()');
  const sql = `SELECT sum(fsyncs)::integer AS count FROM pg_stat_get_backend_io(pg_backend_pid()) WHERE object = 'wal'`;
  return (await oneRow<{ count: number }>(database, sql)).count;
}

/** The flushes by the only session of the pool during the work. The first statement of a session may need further ones. */
export async function flushesDuring(database: Database, work: () => Promise<unknown>): Promise<number> {
  const before = await flushesBy(database);
  await work();
  return (await flushesBy(database)) - before;
}
