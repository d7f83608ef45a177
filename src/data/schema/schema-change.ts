/**
 * Changes the schema of a running service. A statement that waits for a table lock blocks all later ones, so a migration behind
 * one long transaction would stop the service. Therefore a change waits only briefly, releases its locks, and is retried.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { ConcurrentIndex } from './migrations/migration';
import { bound } from '../database/binds';

/** The wait for locks of one attempt, the pause between attempts, and their number. */
export interface LockRetryPolicy {
  waitMs: number;
  pauseMs: number;
  attempts: number;
}

/** Half an hour in all. Requests are blocked for at most 1 s at a time, with 3 s in between. */
const defaultPolicy: LockRetryPolicy = { waitMs: 1_000, pauseMs: 3_000, attempts: 450 };

/** The application name of sessions that hold or wait for the migration lock: they block no change. */
export const migrationLockSession = 'digital-goods-migrate-turn';

/** SQLSTATE: another session holds the lock. */
export const LOCK_NOT_AVAILABLE = '55P03';
/** Lock timeout; deadlock. */
const lockConflicts = [LOCK_NOT_AVAILABLE, '40P01'];

/**
 * Runs the work in a transaction and returns its result. Rolls back and retries if a lock cannot be taken in time. After the last
 * attempt, throws an error that names the oldest transaction.
 */
export async function withLockRetries<Result>(
  client: pg.Client,
  work: () => Promise<Result>,
  { waitMs, pauseMs, attempts }: LockRetryPolicy = defaultPolicy,
): Promise<Result> {
  for (let left = attempts; left > 0; left--) {
    const attempt = await withLocks(client, work, waitMs);
    if (attempt) return attempt.result;
    await sleep(pauseMs);
  }
  throw new Error(
    `other transactions kept the tables to change locked: end them, then migrate again; ${await oldestTransaction(client)}`,
  );
}

/** Undefined if a lock could not be taken in time, or after a deadlock. */
async function withLocks<Result>(
  client: pg.Client,
  work: () => Promise<Result>,
  waitMs: number,
): Promise<{ result: Result } | undefined> {
  await client.query('BEGIN');
  try {
    await client.query(`SET LOCAL lock_timeout = ${waitMs}`);
    const result = await work();
    await client.query('COMMIT');
    return { result };
  } catch (error) {
    await client.query('ROLLBACK');
    if (error instanceof pg.DatabaseError && lockConflicts.includes(error.code ?? '')) return undefined;
    throw error;
  }
}

async function oldestTransaction(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ pid: number; role: string; application: string; seconds: number }>(
    `SELECT pid, usename AS role, application_name AS application,
            extract(epoch FROM now() - xact_start)::int AS seconds
       FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start IS NOT NULL
        AND application_name <> '${migrationLockSession}'
      ORDER BY xact_start LIMIT 1`,
  );
  const [oldest] = rows;
  return oldest
    ? `the oldest transaction is that of process ${oldest.pid} of role ${oldest.role} (${oldest.application}), for ${oldest.seconds} s`
    : 'no transaction is open now';
}

/**
 * Builds an index without blocking writers, outside of a transaction. Idempotent: a valid index stays, and an invalid one is
 * rebuilt. PostgreSQL waits for the transactions of every role; after a limit, throws an error that names the oldest.
 */
export async function buildIndex(
  client: pg.Client,
  index: ConcurrentIndex,
  { waitMs, pauseMs, attempts }: LockRetryPolicy = defaultPolicy,
): Promise<void> {
  await client.query(`SET lock_timeout = ${attempts * (waitMs + pauseMs)}`);
  try {
    await buildMissing(client, index);
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== LOCK_NOT_AVAILABLE) throw error;
    throw new Error(
      `other transactions kept index ${index.name} from being built: end them, then migrate again; ${await oldestTransaction(client)}`,
      { cause: error },
    );
  } finally {
    await client.query('SET lock_timeout = 0');
  }
}

async function buildMissing(client: pg.Client, { name, unique = false, on }: ConcurrentIndex): Promise<void> {
  const { rows } = await client.query<{ valid: boolean }>(
    bound('SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = to_regclass($name)', { name }),
  );
  const [found] = rows;
  if (found?.valid) return;
  if (found) await client.query(`DROP INDEX CONCURRENTLY ${name}`);
  await client.query(`CREATE ${unique ? 'UNIQUE ' : ''}INDEX CONCURRENTLY ${name} ON ${on}`);
}

/** The text of a SQL file of the schema, such as `rules/ledger.sql`. */
export function readSchemaSql(path: string): string {
  return readFileSync(join(__dirname, path), 'utf8');
}
