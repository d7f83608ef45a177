/** The data keys that a database begins with. */
import { randomBytes } from 'node:crypto';
import type { Transaction } from 'sequelize';
import { keyPurposes, type Key, type KeyPurpose } from '../../security/key-ring';
import type { KeyEncryption } from '../../security/key-encryption';
import { rows, type Database } from '../database/database';
import { insertDataKey, markPromoted } from './data-keys';

const DATA_KEY_BYTES = 32;

/** A new data key. Its id is random, so that none comes twice, not even in a database that was restored. */
export function newDataKey(): Key {
  return { id: randomBytes(4).toString('hex'), secret: randomBytes(DATA_KEY_BYTES) };
}

/** Makes a key of each purpose that has none. Safe when several processes start at once. */
export async function ensureDataKeys(database: Database, encryption: KeyEncryption): Promise<void> {
  if ((await purposesWithoutKey(database)).length === 0) return;
  await database.transaction(async (transaction) => {
    await rows(database, 'LOCK TABLE data_keys IN SHARE ROW EXCLUSIVE MODE', {}, transaction);
    for (const purpose of await purposesWithoutKey(database, transaction)) {
      const key = { purpose, ...newDataKey() };
      await insertDataKey(database, encryption, key, transaction);
      await markPromoted(database, key, transaction);
    }
  });
}

async function purposesWithoutKey(database: Database, transaction?: Transaction): Promise<KeyPurpose[]> {
  const statement = 'SELECT DISTINCT purpose FROM data_keys';
  const found = await rows<{ purpose: KeyPurpose }>(database, statement, {}, transaction);
  return keyPurposes.filter((purpose) => !found.some((row) => row.purpose === purpose));
}
