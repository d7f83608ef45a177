/**
 * Changing the schema while it is used. A statement that waits for a table is waited for by all that come after it, so
 * one long transaction and one migration together would stop the service: a change waits for a moment only, steps back,
 * and is tried again.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { ConcurrentIndex } from './migrations/migration';
import { bound } from '../database/binds';

/** How long a change waits for its locks at a time, how long it leaves others between two tries, and how many it makes. */
export interface Patience {
  waitMs: number;
  pauseMs: number;
  tries: number;
}

/** Half an hour in all. Requests wait for a second at most, and three times as long there is nothing to wait for. */
const patient: Patience = { waitMs: 1_000, pauseMs: 3_000, tries: 450 };

/** The application name of a session that holds, or waits for, the lock of migrations: it holds up no change. */
export const waitsForTurn = 'digital-goods-migrate-turn';

/** SQLSTATE: a lock was not to be had in time; two waited for each other. */
const LOCK_NOT_AVAILABLE = '55P03';
const steppedBack = [LOCK_NOT_AVAILABLE, '40P01'];

/**
 * Runs the work in a transaction and gives what came of it. Where it does not get its locks it is rolled back and tried
 * again; in the end a sentence is thrown that names whom it waited for.
 */
export async function patiently<Result>(
  client: pg.Client,
  work: () => Promise<Result>,
  { waitMs, pauseMs, tries }: Patience = patient,
): Promise<Result> {
  for (let left = tries; left > 0; left--) {
    const attempt = await withLocks(client, work, waitMs);
    if (attempt) return attempt.result;
    await sleep(pauseMs);
  }
  throw new Error(`the tables to change were in use all the time; ${await oldestTransaction(client)}`);
}

/** Undefined where a lock was not to be had in time. */
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
    if (error instanceof pg.DatabaseError && steppedBack.includes(error.code ?? '')) return undefined;
    throw error;
  }
}

async function oldestTransaction(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ pid: number; role: string; application: string; seconds: number }>(
    `SELECT pid, usename AS role, application_name AS application,
            extract(epoch FROM now() - xact_start)::int AS seconds
       FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start IS NOT NULL
        AND application_name <> '${waitsForTurn}'
      ORDER BY xact_start LIMIT 1`,
  );
  const [oldest] = rows;
  return oldest
    ? `the oldest transaction is that of process ${oldest.pid} of role ${oldest.role} (${oldest.application}), for ${oldest.seconds} s`
    : 'no transaction is under way now';
}

/**
 * Builds an index without keeping anybody from writing; outside of a transaction. Repeatable: one that is there is
 * left alone, and what an attempt that broke off left behind is built anew. PostgreSQL waits for the transactions of every
 * role, so the wait is bounded; then a sentence is thrown that names the oldest.
 */
export async function buildIndex(
  client: pg.Client,
  index: ConcurrentIndex,
  { waitMs, pauseMs, tries }: Patience = patient,
): Promise<void> {
  await client.query(`SET lock_timeout = ${tries * (waitMs + pauseMs)}`);
  try {
    await buildMissing(client, index);
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== LOCK_NOT_AVAILABLE) throw error;
    throw new Error(`index ${index.name} waited in vain; ${await oldestTransaction(client)}`, {
      cause: error,
    });
  } finally {
    await client.query('RESET lock_timeout');
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
