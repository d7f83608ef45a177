/**
 * The running processes. Each renews its row with the keys that it holds, so that a key is promoted only once every
 * process has it, and with the version under which it polls order tasks, so that no order is placed without a worker.
 */
import type { WrappingKey } from '../../security/key-encryption';
import { rows, type Database, type Transaction } from '../database/database';
import { retention } from './retention';

export interface HeldKeys {
  /** Key-encryption keys by their names (`wrappingKeyName`). */
  wrappingKeys: readonly string[];
  /** Data keys as `purpose/id`. */
  dataKeys: readonly string[];
  /** The data keys with which it seals and signs. */
  currentKeys: readonly string[];
}

/** The name of a key-encryption key, which differs for keys with the same id and different bytes. */
export function wrappingKeyName({ id, fingerprint }: WrappingKey): string {
  return `${id}#${fingerprint}`;
}

export interface RunningProcess extends HeldKeys {
  process: string;
  role: string;
  host: string;
  pid: number;
  /** The deployment version under which it polls order tasks, '' if unversioned; null while it polls none. */
  pollsOrdersAs: string | null;
}

/** A process without a report for this long has ended or cannot reach the database. */
const RUNNING = `seen_at > clock_timestamp() - interval '1 minute'`;

/** SQL: renews the row of a `RunningProcess`. */
export const reportStatement = `
INSERT INTO running_processes (process, role, host, pid, polls_orders_as, wrapping_keys, data_keys, current_keys, seen_at)
VALUES ($process, $role, $host, $pid, $pollsOrdersAs, $wrappingKeys, $dataKeys, $currentKeys, clock_timestamp())
ON CONFLICT (process) DO UPDATE
   SET polls_orders_as = excluded.polls_orders_as, wrapping_keys = excluded.wrapping_keys, data_keys = excluded.data_keys,
       current_keys = excluded.current_keys, seen_at = excluded.seen_at`;

/** Renews the row of the process. */
export async function reportProcess(database: Database, running: RunningProcess): Promise<void> {
  await rows(database, reportStatement, { ...running });
}

/** Deletes the row of a process that stops. */
export async function withdrawProcess(database: Database, process: string): Promise<void> {
  await rows(database, 'DELETE FROM running_processes WHERE process = $process', { process });
}

/** The processes that run, by role and host. */
export function listRunningProcesses(database: Database, transaction?: Transaction) {
  return rows<RunningProcess>(
    database,
    `SELECT process, role, host, pid, polls_orders_as AS "pollsOrdersAs", wrapping_keys AS "wrappingKeys",
            data_keys AS "dataKeys", current_keys AS "currentKeys"
       FROM running_processes WHERE ${RUNNING} ORDER BY role, host, pid`,
    {},
    transaction,
  );
}

/** Deletes the rows of ended processes whose retention has ended. */
export async function deleteEndedProcesses(database: Database): Promise<void> {
  await rows(database, `DELETE FROM running_processes WHERE seen_at < clock_timestamp() - ${retention.silentProcess}`);
}

export function processName({ role, host, pid }: RunningProcess): string {
  return `${role} ${pid} on ${host}`;
}

export interface OrderPollers {
  /** Empty for unversioned workers. */
  version: string;
  /** Milliseconds since the last heartbeat of any of them, by the database clock. */
  silentMs: number;
  /** The processes with a heartbeat in the last 15 s, such as `worker 4711 on host-1`. */
  processes: string[];
}

/** A process without a heartbeat for this long, in milliseconds, counts as dead. Heartbeats are 5 s apart. */
export const SILENCE_MS = 15_000;

/**
 * The versions whose processes poll order tasks, or recently did and have not reported a stop. A heartbeat in the future
 * does not count: a live process sends the next one within seconds.
 */
export function listOrderPollers(database: Database) {
  return rows<OrderPollers>(
    database,
    `SELECT polls_orders_as AS version,
            seconds_since(max(seen_at)) * 1000 AS "silentMs",
            coalesce(array_agg(format('worker %s on %s', pid, host) ORDER BY host, pid)
              FILTER (WHERE seen_at > clock_timestamp() - $silenceMs * interval '1 millisecond'), '{}')
              AS processes
       FROM running_processes
      WHERE role = 'worker' AND polls_orders_as IS NOT NULL AND seen_at <= clock_timestamp()
      GROUP BY polls_orders_as ORDER BY polls_orders_as`,
    { silenceMs: SILENCE_MS },
  );
}
