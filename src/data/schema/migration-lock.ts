/** The lock that lets only one process migrate at a time. */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { clientAt } from '../database/connection-settings';
import { LOCK_NOT_AVAILABLE, migrationLockSession } from './schema-change';

const LOCK_POLL_MS = 200;
/** Half an hour in all. */
const MAX_POLLS = 9_000;

/** SQLSTATE: another session creates the table concurrently, or has created it. */
const createdMeanwhile = ['42P07', '23505', '42710'];

/** Creates the table of finished migrations if it is missing. Several processes may do so at once. */
export async function makeMigrationsTable(client: pg.Client): Promise<void> {
  await client
    .query('CREATE TABLE IF NOT EXISTS migrations (name text PRIMARY KEY, run_at timestamptz NOT NULL DEFAULT now())')
    .catch((error: pg.DatabaseError) => {
      if (!createdMeanwhile.includes(error.code ?? '')) throw error;
    });
}

/**
 * A lock on the table of migrations. A separate connection holds it until `end`, across all transactions of the migrations. Its
 * mode conflicts with itself, but not with reads and writes. Only the owner of the schema may take it, but every role could take
 * an advisory lock.
 */
export class MigrationLock {
  private readonly connection: pg.Client;

  constructor(databaseUrl: string) {
    this.connection = clientAt(databaseUrl, migrationLockSession);
  }

  /** Waits for the lock. Ends `client`, which migrates, if the lock is lost. */
  async take(client: pg.Client, tell: (sentence: string) => void = () => undefined): Promise<void> {
    this.connection.on('error', () => void client.end());
    await this.connection.connect();
    await this.connection.query('SET idle_in_transaction_session_timeout = 0');
    await makeMigrationsTable(client);
    for (let poll = 0; poll < MAX_POLLS; poll++) {
      if (await this.tryTake()) return;
      if (poll === 0) tell(`Another migration is under way; waiting for ${await holderOf(client)}`);
      await sleep(LOCK_POLL_MS);
    }
    throw new Error(`Another migration is under way: ${await holderOf(client)}. End it, then migrate again`);
  }

  async end(): Promise<void> {
    await this.connection.end();
  }

  // Polls: a waiting statement would hold a snapshot, and a concurrent index build waits for every snapshot.
  private async tryTake(): Promise<boolean> {
    await this.connection.query('BEGIN');
    try {
      await this.connection.query('LOCK TABLE migrations IN SHARE UPDATE EXCLUSIVE MODE NOWAIT');
      return true;
    } catch (error) {
      await this.connection.query('ROLLBACK');
      if (error instanceof pg.DatabaseError && error.code === LOCK_NOT_AVAILABLE) return false;
      throw error;
    }
  }
}

/** A description of the session that holds the lock, for operators. */
async function holderOf(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ pid: number; role: string; address: string; since: string }>(
    `SELECT session.pid, session.usename AS role, coalesce(host(session.client_addr), 'this machine') AS address,
            to_char(session.xact_start AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS since
       FROM pg_locks lock JOIN pg_stat_activity session USING (pid)
      WHERE lock.relation = 'migrations'::regclass AND lock.mode = 'ShareUpdateExclusiveLock' AND lock.granted
        AND lock.database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
  );
  const [holder] = rows;
  if (!holder) return 'a process that has just ended';
  const { pid, role, address, since } = holder;
  return `PostgreSQL process ${pid} of role ${role} from ${address}, since ${since}`;
}
