/** The data keys in the memory of a process: loaded at its start, then kept up to date. */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { KeyEncryption } from '../../security/key-encryption';
import { KeyRing, keyPurposes, type Key, type KeyPurpose, type KeySet } from '../../security/key-ring';
import type { Database } from '../database/database';
import { listDataKeys, listPayloadKeys, nameOf, type StoredKey } from './data-keys';
import {
  reportProcess,
  withdrawProcess,
  wrappingKeyName,
  type HeldKeys,
} from '../operations/running-processes';

/** Reads data keys and unwraps each once. */
class KeyLoader {
  private readonly unwrapped = new Map<string, Key>();

  constructor(
    private readonly list: () => Promise<StoredKey[]>,
    private readonly encryption: KeyEncryption,
  ) {}

  /** All keys that can be unwrapped; `reportFault` receives the error of each other key. */
  async load(reportFault: (error: unknown) => void): Promise<KeySet> {
    const keys = new Map<KeyPurpose, Key[]>();
    for (const stored of await this.list()) {
      try {
        keys.set(stored.purpose, [...(keys.get(stored.purpose) ?? []), await this.unwrap(stored)]);
      } catch (error) {
        reportFault(error);
      }
    }
    return Object.fromEntries(keys);
  }

  private async unwrap(stored: StoredKey): Promise<Key> {
    const { id, wrapped, wrappingKeyId: keyId } = stored;
    const name = nameOf(stored);
    const known = this.unwrapped.get(name);
    const key = known ?? { id, secret: await this.encryption.unwrap({ keyId, wrapped }, name) };
    this.unwrapped.set(name, key);
    return key;
  }
}

/** The current data keys. Throws if one is missing or cannot be unwrapped. */
export function loadKeyRing(database: Database, encryption: KeyEncryption): Promise<KeyRing> {
  return completeRing(allKeys(database, encryption), keyPurposes);
}

function allKeys(database: Database, encryption: KeyEncryption): KeyLoader {
  return new KeyLoader(() => listDataKeys(database), encryption);
}

/** A ring with keys of these purposes. Throws if one is missing or cannot be unwrapped. */
async function completeRing(loader: KeyLoader, purposes: readonly KeyPurpose[]): Promise<KeyRing> {
  const keys = await loader.load((fault) => {
    throw fault;
  });
  const missing = purposes.find((purpose) => !keys[purpose]);
  if (missing)
    throw new Error(
      `The database has no ${missing} key yet: the API or a worker adds it at its first start.`,
    );
  return new KeyRing(keys);
}

/** An added or promoted key is loaded within this time, in milliseconds. */
const REFRESH_MS = 5_000;

/** A key ring that is kept up to date until `stop`. */
export interface WatchedKeys {
  ring: KeyRing;
  stop(): Promise<void>;
}

/** The watched keys of a process that reports itself. */
interface HoldingProcess extends WatchedKeys {
  /** Reports the deployment version under which the process polls order tasks: '' if unversioned, null if it polls none. */
  pollsOrders(as: string | null): Promise<void>;
}

interface KeyAccess {
  database: Database;
  encryption: KeyEncryption;
  log: Logger;
}

/**
 * Loads all keys, watches them, and reports which ones this process holds. Throws if a key is missing or cannot be
 * unwrapped. Later, it logs each key that cannot be unwrapped and uses the others.
 */
export async function holdKeys({
  role,
  ...following
}: KeyAccess & { role: string }): Promise<HoldingProcess> {
  const { database, encryption } = following;
  const self = { process: randomUUID(), role, host: hostname(), pid: process.pid };
  const wrappingKeys = encryption.keys.map(wrappingKeyName);
  let pollsOrdersAs: string | null = null;
  const report = (keys: Omit<HeldKeys, 'wrappingKeys'>) =>
    reportProcess(database, { ...self, pollsOrdersAs, wrappingKeys, ...keys });
  // Reports before it reads the keys, so that a key that is added from now on is promoted only once this process has it.
  await report({ dataKeys: [], currentKeys: [] });
  const loader = allKeys(database, encryption);
  const ring = await completeRing(loader, keyPurposes).catch(async (error: unknown) => {
    // Withdrawn, so that no promotion waits for a process that does not start.
    await withdrawProcess(database, self.process);
    throw error;
  });
  const reportRing = () => report(contentsOf(ring));
  await reportRing();
  const stop = watch(loader, ring, following.log, reportRing);
  return {
    ring,
    async pollsOrders(as) {
      pollsOrdersAs = as;
      await reportRing().catch((err: unknown) =>
        following.log.warn({ err }, 'the process was not reported: the next refresh reports it'),
      );
    },
    async stop() {
      await stop();
      await withdrawProcess(database, self.process);
    },
  };
}

/** Loads payload keys and watches them. Reads only the view `payload_keys` and writes nothing. */
export async function watchPayloadKeys({ database, encryption, log }: KeyAccess): Promise<WatchedKeys> {
  const loader = new KeyLoader(() => listPayloadKeys(database), encryption);
  const ring = await completeRing(loader, ['payload']);
  return { ring, stop: watch(loader, ring, log, async () => undefined) };
}

function contentsOf(ring: KeyRing): Omit<HeldKeys, 'wrappingKeys'> {
  const names = keyPurposes.map((purpose) => ring.all(purpose).map(({ id }) => nameOf({ purpose, id })));
  return { dataKeys: names.flat(), currentKeys: names.flatMap(([first]) => first ?? []) };
}

/** Reloads the keys until the returned function is called. */
function watch(
  loader: KeyLoader,
  ring: KeyRing,
  log: Logger,
  refreshed: () => Promise<void>,
): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const reportFault = (err: unknown) => log.error({ err }, 'a data key cannot be used');
  const running = (async () => {
    while (await sleep(REFRESH_MS, true, { signal, ref: false }).catch(() => false)) {
      try {
        ring.replace(await loader.load(reportFault));
        await refreshed();
      } catch (err) {
        log.warn({ err }, 'data keys were not read: the loaded keys stay in use');
      }
    }
  })();
  return () => {
    stopping.abort();
    return running;
  };
}
