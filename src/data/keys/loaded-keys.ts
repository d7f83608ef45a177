/** The data keys in the memory of a process: loaded at its start, then kept up to date. */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { isDeepStrictEqual } from 'node:util';
import type { Logger } from 'pino';
import { pause } from '../../async/promises';
import type { KeyEncryption } from '../../security/key-encryption';
import { KeyRing, keyPurposes, type Key, type KeyPurpose, type KeySet } from '../../security/key-ring';
import type { Database } from '../database/database';
import { listDataKeys, nameOfKey, reportHeldKeys, storeEncryptedValues, type StoredKey } from './data-keys';
import { reportProcess, withdrawProcess, wrappingKeyName, type HeldKeys } from '../maintenance/running-processes';

/** Unwraps the stored data keys, each only once. */
class KeyLoader {
  private readonly unwrapped = new Map<string, Key>();

  constructor(private readonly encryption: KeyEncryption) {}

  /** Returns all keys that can be unwrapped. Calls `reportFault` with the error of each other key. */
  async load(listed: readonly StoredKey[], reportFault: (error: unknown) => void): Promise<KeySet> {
    const keys = new Map<KeyPurpose, Key[]>();
    for (const stored of listed) {
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
    const name = nameOfKey(stored);
    const known = this.unwrapped.get(name);
    const key = known ?? { id, secret: await this.encryption.unwrap({ keyId, wrapped }, name) };
    this.unwrapped.set(name, key);
    return key;
  }
}

/** Loads the data keys once. Throws if a purpose has no key or a key cannot be unwrapped. */
export function loadKeyRing(database: Database, encryption: KeyEncryption): Promise<KeyRing> {
  return completeRing(database, new KeyLoader(encryption));
}

/** Loads a ring that has a key for each purpose. Throws if a purpose has none or a key cannot be unwrapped. */
async function completeRing(database: Database, loader: KeyLoader): Promise<KeyRing> {
  const keys = await loader.load(await listDataKeys(database), (fault) => {
    throw fault;
  });
  const missing = keyPurposes.find((purpose) => !keys[purpose]);
  if (missing)
    throw new Error(`The database has no ${missing} key yet: the API or a worker adds it at its first start.`);
  return new KeyRing(keys);
}

/** Milliseconds between two reads of the keys: within this time a process knows an added or promoted key. */
const REFRESH_MS = 5_000;

/** A key ring that is kept up to date until `stop`. */
export interface WatchedKeys {
  ring: KeyRing;
  stop(): Promise<void>;
}

/** The watched keys of a process that reports which keys it holds. */
interface HoldingProcess extends WatchedKeys {
  /** Reports the deployment version under which the process polls order tasks: '' if unversioned, null if it does not poll. */
  reportPolling(as: string | null): Promise<void>;
}

interface KeyAccess {
  database: Database;
  encryption: KeyEncryption;
  log: Logger;
}

/**
 * Loads all keys, keeps them up to date, and reports which ones this process holds. Stores every 5 s and at the stop how many
 * values they have encrypted. Throws if a purpose has no key or a key cannot be unwrapped. After the start, a key that cannot
 * be unwrapped is only logged, and the others are used.
 */
export async function holdKeys({ role, ...access }: KeyAccess & { role: string }): Promise<HoldingProcess> {
  const { database, encryption } = access;
  const self = { process: randomUUID(), role, host: hostname(), pid: process.pid };
  const wrappingKeys = encryption.keys.map(wrappingKeyName);
  let pollsOrdersAs: string | null = null;
  const holding = (keys: Omit<HeldKeys, 'wrappingKeys'>) => ({ ...self, pollsOrdersAs, wrappingKeys, ...keys });
  // Reports before reading the keys: from now on no key that this process lacks can be promoted.
  await reportProcess(database, holding({ dataKeys: [], currentKeys: [] }));
  const loader = new KeyLoader(encryption);
  const ring = await completeRing(database, loader).catch(async (error: unknown) => {
    // Withdraws the report, so that no promotion waits for a process that does not start.
    await withdrawProcess(database, self.process);
    throw error;
  });
  const held = () => holding(contentsOf(ring));
  const reportRing = () => reportProcess(database, held());
  await reportRing();
  const reportFault = (err: unknown) => access.log.error({ err }, 'a data key cannot be used');
  const stop = repeatedly(access.log, async () => {
    // One statement, because every process sends it every 5 s. It reports the keys of before.
    const before = held();
    ring.replace(await loader.load(await reportHeldKeys(database, before), reportFault));
    if (!isDeepStrictEqual(held(), before)) await reportRing();
    await storeEncryptedValues(database, ring);
  });
  return {
    ring,
    async reportPolling(as) {
      pollsOrdersAs = as;
      await reportRing().catch((err: unknown) =>
        access.log.warn({ err }, 'the process was not reported: the next refresh reports it'),
      );
    },
    async stop() {
      await stop();
      await withdrawProcess(database, self.process);
      await storeEncryptedValues(database, ring);
    },
  };
}

function contentsOf(ring: KeyRing): Omit<HeldKeys, 'wrappingKeys'> {
  const names = keyPurposes.map((purpose) => ring.all(purpose).map(({ id }) => nameOfKey({ purpose, id })));
  return { dataKeys: names.flat(), currentKeys: names.flatMap(([first]) => first ?? []) };
}

/** Refreshes regularly, until the returned function is called. */
function repeatedly(log: Logger, refresh: () => Promise<void>): () => Promise<void> {
  const stopping = new AbortController();
  const running = (async () => {
    while (await pause(REFRESH_MS, stopping.signal)) {
      try {
        await refresh();
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
