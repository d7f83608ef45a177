/** Brings data keys from the database into the memory of a process. */
import type { KeyEncryption } from '../../security/key-encryption';
import { KeyRing, keyPurposes, type Key, type KeyPurpose, type KeySet } from '../../security/key-ring';
import type { Database } from '../database/database';
import { listDataKeys, listPayloadKeys, nameOf, type StoredKey } from './data-keys';

/** Reads data keys and unwraps each once. */
export class KeyLoader {
  private readonly unwrapped = new Map<string, Key>();

  constructor(
    private readonly list: () => Promise<StoredKey[]>,
    private readonly encryption: KeyEncryption,
  ) {}

  /** All keys that can be unwrapped; `reportFault` is told of each other one. */
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

/** All data keys as they are now. Throws a sentence if one is missing or cannot be unwrapped. */
export async function loadKeyRing(database: Database, encryption: KeyEncryption): Promise<KeyRing> {
  return completeRing(allKeys(database, encryption), keyPurposes);
}

/** Reads all data keys. */
export function allKeys(database: Database, encryption: KeyEncryption): KeyLoader {
  return new KeyLoader(() => listDataKeys(database), encryption);
}

/** Reads payload keys, and needs the right to read no others. */
export function payloadKeys(database: Database, encryption: KeyEncryption): KeyLoader {
  return new KeyLoader(() => listPayloadKeys(database), encryption);
}

/** A ring with keys of these purposes. Throws a sentence if one is missing or cannot be unwrapped. */
export async function completeRing(loader: KeyLoader, purposes: readonly KeyPurpose[]): Promise<KeyRing> {
  const keys = await loader.load((fault) => {
    throw fault;
  });
  const missing = purposes.find((purpose) => !keys[purpose]);
  if (missing)
    throw new Error(
      `The database has no ${missing} key yet: the API or a worker makes it at its first start.`,
    );
  return new KeyRing(keys);
}
