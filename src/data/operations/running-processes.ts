/**
 * The running processes. Each renews a row: which keys it holds, so that no key is promoted that a process lacks, and
 * whether it polls order tasks, so that no order is placed that no worker would execute.
 */
import type { WrappingKey } from '../../security/key-encryption';
import { rows, type Database, type Transaction } from '../database/database';

/** What a process holds. */
export interface HeldKeys {
  /** Key-encryption keys by their names (`wrappingKeyName`). */
  wrappingKeys: readonly string[];
  /** Data keys as `purpose/id`. */
  dataKeys: readonly string[];
  /** Those of them that it seals and signs with. */
  currentKeys: readonly string[];
}

/** The name of a key-encryption key. Two processes hold the same key only if its bytes are the same. */
export function wrappingKeyName({ id, fingerprint }: WrappingKey): string {
  return `${id}#${fingerprint}`;
}

/** A process as it reported itself. */
export interface KeyHolder extends HeldKeys {
  process: string;
  role: string;
  host: string;
  pid: number;
  /** The deployment version as which it takes tasks of orders, '' for unversioned; null while it takes none. */
  pollsOrdersAs: string | null;
}

/** A process without a report for this long has ended or cannot reach the database. */
const RUNNING = `seen_at > clock_timestamp() - interval '1 minute'`;

/** Reports that the process runs and what it holds, as of now by the database clock. */
export async function reportProcess(database: Database, holder: KeyHolder): Promise<void> {
  await rows(
    database,
    `INSERT INTO key_holders (process, role, host, pid, polls_orders_as, wrapping_keys, data_keys,
                              current_keys, seen_at)
     VALUES ($process, $role, $host, $pid, $pollsOrdersAs, $wrappingKeys, $dataKeys, $currentKeys,
             clock_timestamp())
     ON CONFLICT (process) DO UPDATE
        SET polls_orders_as = excluded.polls_orders_as, wrapping_keys = excluded.wrapping_keys, data_keys = excluded.data_keys,
            current_keys = excluded.current_keys, seen_at = excluded.seen_at`,
    { ...holder },
  );
}

/** The process has stopped: it holds no keys and polls no tasks. */
export async function withdrawProcess(database: Database, process: string): Promise<void> {
  await rows(database, 'DELETE FROM key_holders WHERE process = $process', { process });
}

/** The processes that run, by role and host. */
export async function listKeyHolders(database: Database, transaction?: Transaction): Promise<KeyHolder[]> {
  return rows<KeyHolder>(
    database,
    `SELECT process, role, host, pid, polls_orders_as AS "pollsOrdersAs", wrapping_keys AS "wrappingKeys",
            data_keys AS "dataKeys", current_keys AS "currentKeys"
       FROM key_holders WHERE ${RUNNING} ORDER BY role, host, pid`,
    {},
    transaction,
  );
}

/** Deletes what is known of processes that ended more than an hour ago. */
export async function deleteOldKeyHolders(database: Database): Promise<void> {
  await rows(database, `DELETE FROM key_holders WHERE seen_at < clock_timestamp() - interval '1 hour'`);
}

/** The name of a process for operators. */
export function processName({ role, host, pid }: KeyHolder): string {
  return `${role} ${pid} on ${host}`;
}

/** The processes of one version. */
export interface OrderPollers {
  /** Empty where they are unversioned. */
  version: string;
  /** Milliseconds since the last heartbeat of any of them, by the database clock. */
  silentMs: number;
  /** The processes with a heartbeat in the last 15 s, such as `worker 4711 on host-1`. */
  processes: string[];
}

/** A process without a heartbeat for this long, in milliseconds, counts as dead. The interval is 5 s. */
export const SILENCE_MS = 15_000;

/**
 * Each version whose processes poll order tasks, or did lately without reporting a stop. A heartbeat stamped in the
 * future does not count: a live process sends the next one within seconds.
 */
export async function listOrderPollers(database: Database): Promise<OrderPollers[]> {
  return rows<OrderPollers>(
    database,
    `SELECT polls_orders_as AS version,
            seconds_since(max(seen_at)) * 1000 AS "silentMs",
            coalesce(array_agg(format('worker %s on %s', pid, host) ORDER BY host, pid)
              FILTER (WHERE seen_at > clock_timestamp() - $silenceMs * interval '1 millisecond'), '{}')
              AS processes
       FROM key_holders
      WHERE role = 'worker' AND polls_orders_as IS NOT NULL AND seen_at <= clock_timestamp()
      GROUP BY polls_orders_as ORDER BY polls_orders_as`,
    { silenceMs: SILENCE_MS },
  );
}
