/** The resources of one command: opened before it runs and closed after it. */
import { userInfo } from 'node:os';
import type { Client } from '@temporalio/client';
import type { Command } from 'commander';
import { loadDatabaseUrl, loadSecretKeys, loadTemporalConfig } from '../../settings/config';
import { actingAs, type Acting } from '../../data/database/acting-person';
import { openDatabase, STATEMENT_MS, type Database } from '../../data/database/database';
import { checkSessions } from '../../data/database/connection-settings';
import { ensureDataKeys } from '../../data/keys/data-keys';
import { loadKeyRing } from '../../data/keys/loaded-keys';
import { opsIdentity } from '../../domain/audit';
import { LocalKeyEncryption, type KeyEncryption } from '../../security/key-encryption';
import { readVariable } from '../../settings/read-settings';
import type { KeyRing } from '../../security/key-ring';
import { show } from './output';

export interface Session {
  database: Database;
  command: Command;
}

/** The action of a command: runs `work` with a session and the arguments, and prints the returned rows or sentence. */
export function onDatabase<Args extends readonly unknown[]>(
  work: (session: Session, ...args: Args) => Promise<readonly object[] | string | void>,
  statementTimeoutMs?: number,
): (this: Command, ...args: Args) => Promise<void> {
  return async function (...args) {
    const run = async (database: Database) => {
      const output = await work({ database, command: this }, ...args);
      if (typeof output === 'string') console.log(output);
      else if (output) show(this, output);
    };
    await withDatabase(loadDatabaseUrl(), run, statementTimeoutMs);
  };
}

/** Runs the work on the database. The audit log records its changes with operator, command and reason. */
export async function withDatabase<T>(
  url: string,
  work: (database: Database) => Promise<T>,
  statementTimeoutMs?: number,
): Promise<T> {
  await checkSessions(url);
  const database = openDatabase(url, 2, { isOperated: true });
  try {
    const run = () => work(database);
    return await (current ? actingAs({ ...current, statementMs: statementTimeoutMs ?? STATEMENT_MS }, run) : run());
  } finally {
    await database.close();
  }
}

/** Encrypts data keys with SECRET_KEYS. Throws if they are not set: only a command that opens, seals or hashes needs them. */
export function keyEncryption(): KeyEncryption {
  return new LocalKeyEncryption(loadSecretKeys());
}

/** The data keys of the service. */
export function keysOf({ database }: Pick<Session, 'database'>): Promise<KeyRing> {
  return loadKeyRing(database, keyEncryption());
}

/** Connects to Temporal in the operator's name. A new installation gets its data keys, as by the first start of a worker, which may come later. */
export async function withTemporal<T>(
  session: Pick<Session, 'database'>,
  work: (temporal: Client, keyRing: KeyRing) => Promise<T>,
): Promise<T> {
  // A lazy import: commands that do not need Temporal start in a fraction of the time.
  const { connectTemporal } = await import('../../temporal/connection.js');
  const config = loadTemporalConfig();
  const encryption = keyEncryption();
  await ensureDataKeys(session.database, encryption);
  const keyRing = await loadKeyRing(session.database, encryption);
  const temporal = await connectTemporal(config, keyRing, { identity: current && opsIdentity(current.operator) });
  try {
    return await work(temporal, keyRing);
  } finally {
    await temporal.connection.close();
  }
}

/** The running command, at most one in a process. Undefined when a sandbox is seeded, because that is no command. */
let current: Omit<Acting, 'statementMs' | 'door'> | undefined;

/** Sets the command, operator and reason that audit entries of this process record. */
export function beginOperation(command: Command): void {
  // Without `--reason`, the `--reference` of a ledger entry is the reason.
  const {
    operator,
    reference,
    reason = reference,
  } = command.optsWithGlobals<{ operator?: string; reason?: string; reference?: string }>();
  current = { command: wordsOf(command), operator: operator ?? defaultOperator(), reason };
}

/** The name that `--operator`, OPS_OPERATOR or the machine gives. */
export function currentOperator(): string {
  return current?.operator ?? defaultOperator();
}

/** The words that call a command: `wallets fund`. */
export function wordsOf(command: Command): string {
  return command.parent ? `${wordsOf(command.parent)} ${command.name()}`.trim() : '';
}

/** OPS_OPERATOR, else the user of this machine. In a container, a user id may have no name. */
function defaultOperator(): string {
  const named = readVariable('OPS_OPERATOR');
  if (named !== undefined) return named;
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
}
