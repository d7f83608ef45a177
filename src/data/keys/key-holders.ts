/**
 * The processes that run, each by a row that it renews: which keys it holds, so that none is put to use that one
 * lacks, and whether it takes tasks of orders, so that none is placed that nobody would work on.
 */
import type { WrappingKey } from '../../security/key-encryption';
import type { Transaction } from 'sequelize';
import { rows, type Database } from '../database/database';

/** What a process holds. */
export interface HeldKeys {
  /** Key-encryption keys by their names (`wrappingKeyName`). */
  wrappingKeys: readonly string[];
  /** Data keys as `purpose/id`. */
  dataKeys: readonly string[];
  /** Those of them that it seals and signs with. */
  currentKeys: readonly string[];
}

/** What a key-encryption key is called: two processes hold the same one only if its bytes are the same. */
export function wrappingKeyName({ id, fingerprint }: WrappingKey): string {
  return `${id}#${fingerprint}`;
}

/** A process as it made itself known. */
export interface KeyHolder extends HeldKeys {
  process: string;
  role: string;
  host: string;
  pid: number;
  /** The deployment version as which it takes tasks of orders, '' for unversioned; null while it takes none. */
  pollsOrdersAs: string | null;
}

/** A process that has not told so for as long has ended, or reaches the database no more. */
const RUNNING = `seen_at > clock_timestamp() - interval '1 minute'`;

/** Makes known that the process runs and what it holds, as of now by the database's clock. */
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

/** The process holds nothing any more and takes no tasks. */
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

/** What a process is called. */
export function processName({ role, host, pid }: KeyHolder): string {
  return `${role} ${pid} on ${host}`;
}
