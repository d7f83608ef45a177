/** Key rings for tests without a database, and the keys of the stack. */
import { randomBytes } from 'node:crypto';
import { openDatabase } from '../../src/data/database/database';
import { loadKeyRing } from '../../src/data/keys/loaded-keys';
import { LocalKeyEncryption, readSecretKeys } from '../../src/security/key-encryption';
import { KeyRing, keyPurposes, type Key, type KeySet } from '../../src/security/key-ring';
import { loadStack, stackDirectory } from './stack';

/** A key with 32 random bytes. */
export function newKey(id = 'test'): Key {
  return { id, secret: randomBytes(32) };
}

/** A ring that holds these keys for every purpose. The first key is promoted. */
export function ringOf(...keys: Key[]): KeyRing {
  const set: KeySet = Object.fromEntries(keyPurposes.map((purpose) => [purpose, keys]));
  return new KeyRing(set);
}

export function newKeyRing(): KeyRing {
  return ringOf(newKey());
}

/** The stack's setting SECRET_KEYS. */
export function stackSecretKeys(): string {
  return stackDirectory().secrets().SECRET_KEYS;
}

/** The stack's data keys. */
export async function stackKeyRing(): Promise<KeyRing> {
  const database = openDatabase(loadStack().database_url, 1);
  const encryption = new LocalKeyEncryption(readSecretKeys(stackSecretKeys()));
  return loadKeyRing(database, encryption).finally(() => database.close());
}
