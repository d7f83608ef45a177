/** How often a session of PostgreSQL has waited until its log was durable. */
import type { Database } from '../../src/data/database/database';
import { sql } from '../../dev/testbed/sql';

interface Log {
  /** The flushes by the only session of the pool, until now. */
  flushes: number;
  /** The number of the segment that the server writes. */
  segment: number;
}

async function logOf(database: Database): Promise<Log> {
  await sql(database)`SELECT pg_stat_force_next_flush()`;
  return sql.one(database)<Log>`SELECT sum(fsyncs)::integer AS flushes,
         div(pg_current_wal_lsn() - '0/0', pg_size_bytes(current_setting('wal_segment_size')))::integer AS segment
       FROM pg_stat_get_backend_io(pg_backend_pid()) WHERE object = 'wal'`;
}

/**
 * The flushes by the only session of the pool during the work. The first statement of a session may need further ones. The session that
 * fills a segment of the log flushes it, also without a commit: each filled segment counts as one such flush.
 */
export async function flushesDuring(database: Database, work: () => Promise<unknown>): Promise<number> {
  const before = await logOf(database);
  await work();
  const after = await logOf(database);
  return Math.max(0, after.flushes - before.flushes - (after.segment - before.segment));
}
