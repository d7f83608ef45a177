/** The keys of the running stack. */
import { openDatabase } from '../../src/data/database/database';
import { loadKeyRing } from '../../src/data/keys/loaded-keys';
import { LocalKeyEncryption, readSecretKeys } from '../../src/security/key-encryption';
import type { KeyRing } from '../../src/security/key-ring';
import type { RunDirectory } from '../stack/run-directory';
import type { StackFile } from '../stack/stack-file';
import { loadStack, stackDirectory } from './loaded-stack';

/** The stack's setting SECRET_KEYS. */
export function stackSecretKeys(): string {
  return stackDirectory().secrets().SECRET_KEYS;
}

/** The stack's data keys. */
export function stackKeyRing(): Promise<KeyRing> {
  return keyRingOf(loadStack(), stackDirectory());
}

/** The data keys of a stack in this run directory. */
export async function keyRingOf({ database_url: url }: StackFile, directory: RunDirectory): Promise<KeyRing> {
  const database = openDatabase(url, 1);
  const encryption = new LocalKeyEncryption(readSecretKeys(directory.secrets().SECRET_KEYS));
  try {
    return await loadKeyRing(database, encryption);
  } finally {
    await database.close();
  }
}
