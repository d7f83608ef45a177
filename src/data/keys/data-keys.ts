/** The stored data keys. docs/decisions/0028-wrap-data-keys.md. */
import { randomBytes } from 'node:crypto';
import type { KeyEncryption } from '../../security/key-encryption';
import { keyPurposes, type Key, type KeyPurpose, type KeyRing } from '../../security/key-ring';
import { rows, type Database, type Transaction } from '../database/database';
import { withoutFlush } from '../database/connection-settings';
import { reportStatement, type RunningProcess } from '../maintenance/running-processes';

/** A key that is not retired. */
export interface StoredKey extends KeyName {
  wrapped: Buffer;
  wrappingKeyId: string;
  /** When the key began to seal and sign. Null before: until then the key only decrypts and verifies. */
  promotedAt: Date | null;
}

export interface KeyName {
  purpose: KeyPurpose;
  id: string;
}

/** The name of a key in commands, such as `seal/1f2e3d4c`. The key's wrapped bytes are bound to this name. */
export function nameOfKey({ purpose, id }: KeyName): string {
  return `${purpose}/${id}`;
}

/** Parses a name such as `seal/1f2e3d4c`. Returns undefined if the text is not a name. Does not check that the key exists. */
export function keyNamed(name: string): KeyName | undefined {
  const [purposeName, id] = name.split('/');
  const purpose = keyPurposes.find((known) => known === purposeName);
  return purpose && id ? { purpose, id } : undefined;
}

const columns = 'purpose, id, wrapped, wrapping_key_id AS "wrappingKeyId", promoted_at AS "promotedAt"';
const promotedFirst = 'ORDER BY promoted_at DESC NULLS LAST, id';

const listStatement = `SELECT ${columns} FROM data_keys WHERE retired_at IS NULL ${promotedFirst}`;

/** All keys that are not retired. Of each purpose, the key that was promoted last comes first: it is the promoted key. */
export function listDataKeys(database: Database, transaction?: Transaction) {
  return rows<StoredKey>(database, listStatement, {}, transaction);
}

/** Reports which keys the process holds, and returns the keys as `listDataKeys` does. */
export function reportHeldKeys(database: Database, running: RunningProcess) {
  return rows<StoredKey>(database, `WITH reported AS (${reportStatement}) ${listStatement}`, { ...running });
}

/** Wraps and stores a new key. Until the key is promoted, it only decrypts and verifies. */
export async function insertDataKey(
  database: Database,
  encryption: KeyEncryption,
  { purpose, id, secret }: Key & { purpose: KeyPurpose },
  transaction: Transaction,
): Promise<void> {
  const { keyId, wrapped } = await encryption.wrap(secret, nameOfKey({ purpose, id }));
  await rows(
    database,
    `INSERT INTO data_keys (purpose, id, wrapped, wrapping_key_id) VALUES ($purpose, $id, $wrapped, $keyId)`,
    { purpose, id, wrapped, keyId },
    transaction,
  );
}

/** Promotes the key: from now on processes seal and sign with it. */
export async function markPromoted(
  database: Database,
  { purpose, id }: KeyName,
  transaction: Transaction,
): Promise<void> {
  const statement = 'UPDATE data_keys SET promoted_at = clock_timestamp() WHERE purpose = $purpose AND id = $id';
  await rows(database, statement, { purpose, id }, transaction);
}

/**
 * Adds the values that the ring's keys have encrypted to the numbers of the stored keys. If that fails, the next call adds them.
 * Each key has a statement of its own: statements of two processes that lock several rows could deadlock.
 */
export async function storeEncryptedValues(database: Database, ring: KeyRing): Promise<void> {
  const statement = `
    UPDATE data_keys SET encrypted_values = encrypted_values + $values WHERE purpose = $purpose AND id = $id
    RETURNING ${withoutFlush}`;
  for (const counted of ring.counted()) {
    await rows(database, statement, { ...counted });
    ring.stored(counted);
  }
}

/** Finds the key and the promoted key of the same purpose. Locks all keys of the purpose until the transaction ends. */
export async function lockedKeys(
  database: Database,
  { purpose, id }: KeyName,
  transaction: Transaction,
): Promise<{ found: StoredKey; promoted: StoredKey }> {
  const lock = 'SELECT FROM data_keys WHERE purpose = $purpose FOR UPDATE';
  await rows(database, lock, { purpose }, transaction);
  const keys = (await listDataKeys(database, transaction)).filter((key) => key.purpose === purpose);
  const [promoted] = keys;
  const found = keys.find((key) => key.id === id);
  if (!found || !promoted) throw new Error(`There is no key ${purpose}/${id}. See them with: secret-keys list`);
  return { found, promoted };
}

const DATA_KEY_BYTES = 32;

/** Generates a data key. The id is random, so that no id is used twice, even after a restore of the database. */
export function newDataKey(): Key {
  return { id: randomBytes(4).toString('hex'), secret: randomBytes(DATA_KEY_BYTES) };
}

/** Adds and promotes a key for each purpose that has none. Safe if several processes start at once. */
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
