/** How often a session of PostgreSQL has waited until its log was durable. */
import type { Database } from '../../src/data/database/database';
import { sql } from '../../dev/testbed/sql';

/** The flushes of the log by the only session of the pool, until now. */
async function flushesBy(database: Database): Promise<number> {
  await sql(database)`SELECT pg_stat_force_next_flush()`;
  return (
    await sql.one(database)<{ count: number }>`SELECT sum(fsyncs)::integer AS count
       FROM pg_stat_get_backend_io(pg_backend_pid()) WHERE object = 'wal'`
  ).count;
}

/** The flushes by the only session of the pool during the work. The first statement of a session may need further ones. */
export async function flushesDuring(database: Database, work: () => Promise<unknown>): Promise<number> {
  const before = await flushesBy(database);
  await work();
  return (await flushesBy(database)) - before;
}
