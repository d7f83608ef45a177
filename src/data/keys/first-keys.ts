/** The data keys that a database begins with. */
import { hkdfSync, randomBytes } from 'node:crypto';
import type { Transaction } from 'sequelize';
import { keyPurposes, type Key, type KeyPurpose } from '../../security/key-ring';
import type { KeyEncryption } from '../../security/key-encryption';
import type { SecretKey } from '../../security/secret-keys';
import { firstRow, rows, type Database } from '../database';
import { insertDataKey, markPromoted } from './data-keys';

const DATA_KEY_BYTES = 32;

/** A new data key. Its id is random, so that none comes twice, not even in a database that was restored. */
export function newDataKey(): Key {
  return { id: randomBytes(4).toString('hex'), secret: randomBytes(DATA_KEY_BYTES) };
}

/**
 * Makes a key of each purpose that has none. A database of the release before, which had no data keys, gets those
 * that release derived from SECRET_KEYS, so that all it holds stays readable. Safe when several processes start at
 * once.
 */
export async function ensureDataKeys(
  database: Database,
  encryption: KeyEncryption,
  secretKeys: readonly SecretKey[],
): Promise<void> {
  if ((await purposesWithoutKey(database)).length === 0) return;
  await database.transaction(async (transaction) => {
    await rows(database, 'LOCK TABLE data_keys IN SHARE ROW EXCLUSIVE MODE', {}, transaction);
    const missing = await purposesWithoutKey(database, transaction);
    const imported = missing.length === keyPurposes.length && (await isInUse(database, transaction));
    for (const purpose of missing) {
      const derived = imported && isDerived(purpose) ? secretKeys.map((key) => derive(key, purpose)) : [];
      const keys = derived.length > 0 ? derived : [newDataKey()];
      // The last one promoted counts.
      for (const key of keys.reverse()) {
        await insertDataKey(database, encryption, { purpose, ...key }, transaction);
        await markPromoted(database, { purpose, ...key }, transaction);
      }
    }
  });
}

async function purposesWithoutKey(database: Database, transaction?: Transaction): Promise<KeyPurpose[]> {
  const statement = 'SELECT DISTINCT purpose FROM data_keys';
  const found = await rows<{ purpose: KeyPurpose }>(database, statement, {}, transaction);
  return keyPurposes.filter((purpose) => !found.some((row) => row.purpose === purpose));
}

/** Whether anything can be under keys yet: nothing is sealed or signed but for a client. */
async function isInUse(database: Database, transaction: Transaction): Promise<boolean> {
  const statement = 'SELECT EXISTS (SELECT FROM clients) AS "isInUse"';
  const found = await firstRow<{ isInUse: boolean }>(database, statement, {}, transaction);
  return found?.isInUse ?? false;
}

/** Whether the release before derived keys of the purpose. */
function isDerived(purpose: KeyPurpose): boolean {
  return purpose !== 'credential';
}

/** The data key that the release before derived: under the same id, as it stands in all that was sealed. */
function derive({ id, secret }: SecretKey, purpose: KeyPurpose): Key {
  return { id, secret: Buffer.from(hkdfSync('sha256', secret, '', purpose, DATA_KEY_BYTES)) };
}
