/** The keys of the running stack. */
import { openDatabase } from '../../src/data/database/database';
import { loadKeyRing } from '../../src/data/keys/loaded-keys';
import { LocalKeyEncryption, readSecretKeys } from '../../src/security/key-encryption';
import type { KeyRing } from '../../src/security/key-ring';
import { loadStack, stackDirectory } from './loaded-stack';

/** The stack's setting SECRET_KEYS. */
export function stackSecretKeys(): string {
  return stackDirectory().secrets().SECRET_KEYS;
}

/** The stack's data keys. */
export async function stackKeyRing(): Promise<KeyRing> {
  const database = openDatabase(loadStack().database_url, 1);
  const encryption = new LocalKeyEncryption(readSecretKeys(stackSecretKeys()));
  try {
    return await loadKeyRing(database, encryption);
  } finally {
    await database.close();
  }
}
