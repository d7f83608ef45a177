/**
 * Rotates data keys while the service runs: add, promote, move the values of the older key, retire.
 * docs/decisions/0028-wrap-data-keys.md, docs/operators/keys.md.
 * Rule: when a key may be put to use, and when it can be retired
 */
import type { KeyEncryption, WrappingKey } from '../../security/key-encryption';
import { type KeyPurpose, keyPurposes } from '../../security/key-ring';
import { rows, type Database, type Transaction } from '../database/database';
import {
  insertDataKey,
  listDataKeys,
  lockedKeys,
  markPromoted,
  nameOfKey,
  type KeyName,
  newDataKey,
} from './data-keys';
import { listRunningProcesses, processName, wrappingKeyName, type HeldKeys } from '../maintenance/running-processes';
import { REFRESH_TOKEN_SECONDS } from '../../security/tokens';
import { loadKeyRing } from './loaded-keys';
import { rehash } from './move-values';
import { countSealedValues } from './sealed-columns';

/** Adds a key, so that all processes can decrypt and verify with it. Returns the key's name. */
export async function addKey(database: Database, encryption: KeyEncryption, purpose: KeyPurpose): Promise<string> {
  if (purpose === 'credential')
    throw new Error('The credential key stays: replace the secrets of clients instead (keys create, keys revoke)');
  await requireHeldByAll(database, 'wrappingKeys', wrappingKeyName(newestOf(encryption)));
  const key = newDataKey();
  await database.transaction((transaction) => insertDataKey(database, encryption, { purpose, ...key }, transaction));
  return nameOfKey({ purpose, ...key });
}

/** Promotes the key: from now on processes seal and sign with it. Throws while a running process does not hold the key. */
export async function promoteKey(database: Database, key: KeyName): Promise<void> {
  await database.transaction(async (transaction) => {
    const { found, promoted } = await lockedKeys(database, key, transaction);
    if (found.id === promoted.id) return;
    await requireHeldByAll(database, 'dataKeys', nameOfKey(key), transaction);
    await markPromoted(database, key, transaction);
  });
}

/**
 * Wraps every data key with the newest key-encryption key. Returns the number of data keys that were wrapped with an older one.
 * Throws while a running process does not hold the newest key-encryption key.
 */
export async function rewrapKeys(database: Database, encryption: KeyEncryption): Promise<number> {
  const newest = newestOf(encryption);
  return database.transaction(async (transaction) => {
    await rows(database, 'SELECT FROM data_keys WHERE retired_at IS NULL FOR UPDATE', {}, transaction);
    await requireHeldByAll(database, 'wrappingKeys', wrappingKeyName(newest), transaction);
    const keys = await listDataKeys(database, transaction);
    const others = keys.filter(({ wrappingKeyId }) => wrappingKeyId !== newest.id);
    for (const stored of others) {
      const { purpose, id, wrapped, wrappingKeyId } = stored;
      const secret = await encryption.unwrap({ keyId: wrappingKeyId, wrapped }, nameOfKey(stored));
      const rewrapped = await encryption.wrap(secret, nameOfKey(stored));
      await rows(
        database,
        `UPDATE data_keys SET wrapped = $wrapped, wrapping_key_id = $keyId WHERE purpose = $purpose AND id = $id`,
        { purpose, id, ...rewrapped },
        transaction,
      );
    }
    return others.length;
  });
}

/** Throws unless every running process seals, signs or hashes with the data key `name` (`<purpose>/<id>`). */
export async function requireUsedByAll(database: Database, name: string): Promise<void> {
  const others = (await listRunningProcesses(database)).filter(({ currentKeys }) => !currentKeys.includes(name));
  if (others.length > 0)
    throw new Error(`${others.map(processName).join(', ')} does not use ${name} yet: try again in 5 s`);
}

async function requireHeldByAll(
  database: Database,
  kind: keyof HeldKeys,
  key: string,
  transaction?: Transaction,
): Promise<void> {
  const lacking = (await listRunningProcesses(database, transaction)).filter((running) => !running[kind].includes(key));
  if (lacking.length === 0) return;
  const remedy =
    kind === 'wrappingKeys'
      ? 'restart it with that key in SECRET_KEYS first'
      : 'it loads the key within 5 s, unless its log says why not';
  throw new Error(`${lacking.map(processName).join(', ')} does not hold ${key}: ${remedy}`);
}

function newestOf({ keys: [newest] }: KeyEncryption): WrappingKey {
  if (!newest) throw new Error('There is no key-encryption key: set SECRET_KEYS');
  return newest;
}

/** This long after a key was replaced, no process seals with it or stores a value that was sealed with it. */
const SEALING_ENDS_MINUTES = 15;
/** An `Idempotency-Key` is kept for 7 days with the hash of its request, which only the key that made the hash can verify. */
const REQUESTS_ARE_KEPT_MINUTES = 7 * 24 * 60;
/** A minute more than a refresh token lives: a process may sign with the replaced key until it loads the promoted one. */
const TOKENS_EXPIRE_MINUTES = REFRESH_TOKEN_SECONDS / 60 + 1;

/** How many minutes after its replacement processes may still use a data key; null if unknown. */
const inUseFor: Readonly<Record<KeyPurpose, number | null>> = {
  seal: SEALING_ENDS_MINUTES,
  lookup: REQUESTS_ARE_KEPT_MINUTES,
  token: TOKENS_EXPIRE_MINUTES,
  payload: null,
  credential: null,
};

/** A key as `secret-keys list` shows it. */
export interface ListedKey extends KeyName {
  state: 'promoted' | 'added' | 'replaced' | 'retired';
  /** The id of the key-encryption key that wraps this key; null once this key is retired. */
  wrappedWith: string | null;
  addedAt: Date;
  promotedAt: Date | null;
  retiredAt: Date | null;
  /** When processes cease to use the replaced key; null if unknown, or if the key is not replaced. */
  unusedFrom: Date | null;
  /** The values that the key has encrypted, deleted ones included. 0 for a key that does not encrypt. */
  encryptedValues: number;
  /** Whether the key was never promoted, or `unusedFrom` is past. Stored values may still use the key. */
  isUnused: boolean;
}

/** All keys, including retired ones, sorted by purpose, the newest of a purpose first. */
export function listKeys(database: Database, transaction?: Transaction) {
  return rows<ListedKey>(
    database,
    `WITH key AS (
       SELECT k.*, (SELECT min(next.promoted_at) FROM data_keys next
                     WHERE next.purpose = k.purpose AND next.promoted_at > k.promoted_at) AS replaced_at
         FROM data_keys k
     ), dated AS (
       SELECT *, replaced_at + ($inUseFor::jsonb ->> purpose)::float8 * interval '1 minute' AS unused_from FROM key
     )
     SELECT purpose, id, CASE WHEN retired_at IS NOT NULL THEN 'retired' WHEN promoted_at IS NULL THEN 'added'
                              WHEN replaced_at IS NULL THEN 'promoted' ELSE 'replaced' END AS state,
            CASE WHEN retired_at IS NULL THEN wrapping_key_id END AS "wrappedWith", added_at AS "addedAt",
            promoted_at AS "promotedAt", retired_at AS "retiredAt", unused_from AS "unusedFrom",
            encrypted_values AS "encryptedValues",
            promoted_at IS NULL OR coalesce(unused_from < clock_timestamp(), false) AS "isUnused"
       FROM dated ORDER BY array_position($purposes::text[], purpose), added_at DESC, id`,
    { inUseFor: JSON.stringify(inUseFor), purposes: keyPurposes },
    transaction,
  );
}

/** The loss that retiring a key in use causes. Keys of the other purposes are never retired while in use. */
const losses: Readonly<Partial<Record<KeyPurpose, string>>> = {
  token: 'clients that logged in under it must log in again',
  payload: 'what Temporal stored under it cannot be read any more, and workflows that need it stop',
};

/**
 * Deletes the bytes of a key permanently. Throws if the key is or may be in use. With `acceptLoss`, a replaced token or payload
 * key is retired even if sessions or histories still need it, but not while a running process signs or encrypts with it.
 */
export async function retireKey(
  database: Database,
  encryption: KeyEncryption,
  key: KeyName,
  { acceptLoss }: { acceptLoss: boolean },
): Promise<void> {
  await database.transaction(async (transaction) => {
    const name = nameOfKey(key);
    const { promoted } = await lockedKeys(database, key, transaction);
    if (promoted.id === key.id) throw new Error(`${name} is the promoted key: promote another one first`);
    const users = (await listRunningProcesses(database, transaction)).filter(({ currentKeys }) =>
      currentKeys.includes(name),
    );
    if (users.length > 0)
      throw new Error(`${name} is in use by ${users.map(processName).join(', ')}: it loads the next one within 5 s`);
    await requireUnused(database, encryption, key, { acceptLoss, transaction });
    const statement = `
      UPDATE data_keys SET retired_at = clock_timestamp(), wrapped = NULL WHERE purpose = $purpose AND id = $id`;
    await rows(database, statement, { ...key }, transaction);
  });
}

async function requireUnused(
  database: Database,
  encryption: KeyEncryption,
  key: KeyName,
  { acceptLoss, transaction }: { acceptLoss: boolean; transaction: Transaction },
): Promise<void> {
  const name = nameOfKey(key);
  const listed = (await listKeys(database, transaction)).find((one) => nameOfKey(one) === name);
  // A key that was added but never promoted has not sealed or signed anything.
  if (!listed || listed.state === 'added') return;
  const loss = losses[key.purpose];
  if (loss !== undefined && acceptLoss) return;
  const remedy = loss === undefined ? '' : ` With --accept-loss it is retired now: ${loss}.`;
  if (!listed.isUnused)
    throw new Error(
      `${name} is in use ${listed.unusedFrom ? `until ${listed.unusedFrom.toISOString()}` : 'as long as Temporal keeps histories'}.${remedy}`,
    );
  const left = await valuesUnder(database, encryption, key);
  if (left > 0)
    throw new Error(`${left} values are under ${name}: move them first with secret-keys ${moveCommands[key.purpose]}`);
}

/** The command of `secret-keys` that moves the values under a replaced key to the promoted one. */
const moveCommands: Readonly<Partial<Record<KeyPurpose, string>>> = { seal: 're-seal', lookup: 're-hash' };

/** The number of values in the database that must move to the promoted key before this key can be retired. */
async function valuesUnder(database: Database, encryption: KeyEncryption, { purpose, id }: KeyName): Promise<number> {
  if (purpose === 'seal') return (await countSealedValues(database)).get(id) ?? 0;
  if (purpose !== 'lookup') return 0;
  const ring = await loadKeyRing(database, encryption);
  const { moved, faults } = await rehash(database, ring, { tell: () => undefined, dryRun: true });
  return moved + faults.length;
}
