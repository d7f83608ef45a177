/** Key rings for tests without a database. */
import { randomBytes } from 'node:crypto';
import { KeyRing, keyPurposes, type Key, type KeySet } from '../../src/security/key-ring';

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
