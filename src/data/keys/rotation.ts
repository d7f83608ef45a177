/**
 * Rotates data keys while the service runs: add, promote, move the values of the older key, retire.
 * docs/decisions/0028-wrap-data-keys.md, docs/operators/keys.md.
 */
import type { KeyEncryption, WrappingKey } from '../../security/key-encryption';
import { type KeyPurpose, keyPurposes } from '../../security/key-ring';
import { rows, type Database, type Transaction } from '../database/database';
import {
  insertDataKey,
  listDataKeys,
  lockedKeys,
  markPromoted,
  nameOf,
  type KeyName,
  newDataKey,
} from './data-keys';
import { listKeyHolders, processName, wrappingKeyName, type HeldKeys } from '../operations/running-processes';
import { REFRESH_TOKEN_SECONDS } from '../../security/tokens';
import { loadKeyRing } from './loaded-keys';
import { rehash } from './move-values';
import { countSealedValues } from './sealed-columns';

/** Adds a key, with which all processes then open and verify. Returns its name. */
export async function addKey(
  database: Database,
  encryption: KeyEncryption,
  purpose: KeyPurpose,
): Promise<string> {
  if (purpose === 'credential')
    throw new Error(
      'The credential key stays: replace the secrets of clients instead (keys create, keys revoke)',
    );
  await requireHeldByAll(database, 'wrappingKeys', wrappingKeyName(newestOf(encryption)));
  const key = newDataKey();
  await database.transaction((transaction) =>
    insertDataKey(database, encryption, { purpose, ...key }, transaction),
  );
  return nameOf({ purpose, ...key });
}

/** Promotes the key: from now on it seals and signs. Throws while a running process lacks it. */
export async function promoteKey(database: Database, key: KeyName): Promise<void> {
  await database.transaction(async (transaction) => {
    const { found, promoted } = await lockedKeys(database, key, transaction);
    if (found.id === promoted.id) return;
    await requireHeldByAll(database, 'dataKeys', nameOf(key), transaction);
    await markPromoted(database, key, transaction);
  });
}

/** Wraps every data key with the newest key-encryption key. Throws while a running process lacks that one. */
export async function rewrapKeys(database: Database, encryption: KeyEncryption): Promise<number> {
  const newest = newestOf(encryption);
  return database.transaction(async (transaction) => {
    await rows(database, 'SELECT FROM data_keys WHERE retired_at IS NULL FOR UPDATE', {}, transaction);
    await requireHeldByAll(database, 'wrappingKeys', wrappingKeyName(newest), transaction);
    const keys = await listDataKeys(database, transaction);
    const others = keys.filter(({ wrappingKeyId }) => wrappingKeyId !== newest.id);
    for (const stored of others) {
      const { purpose, id, wrapped, wrappingKeyId } = stored;
      const secret = await encryption.unwrap({ keyId: wrappingKeyId, wrapped }, nameOf(stored));
      const rewrapped = await encryption.wrap(secret, nameOf(stored));
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

/** Throws while a running process seals, signs or hashes with another key of the purpose. */
export async function requireUsedByAll(database: Database, name: string): Promise<void> {
  const others = (await listKeyHolders(database)).filter(({ currentKeys }) => !currentKeys.includes(name));
  if (others.length > 0)
    throw new Error(`${others.map(processName).join(', ')} does not use ${name} yet: try again in 5 s`);
}

async function requireHeldByAll(
  database: Database,
  kind: keyof HeldKeys,
  key: string,
  transaction?: Transaction,
): Promise<void> {
  const lacking = (await listKeyHolders(database, transaction)).filter(
    (holder) => !holder[kind].includes(key),
  );
  if (lacking.length === 0) return;
  const remedy =
    kind === 'wrappingKeys'
      ? 'restart it with that key in SECRET_KEYS first'
      : 'it loads the key within 5 s, unless its log says why not';
  throw new Error(`${lacking.map(processName).join(', ')} does not hold ${key}: ${remedy}`);
}

function newestOf({ keys: [newest] }: KeyEncryption): WrappingKey {
  if (!newest) throw new Error('There is no key-encryption key');
  return newest;
}

/** After this time no process seals with a replaced key, or stores a value sealed with it. */
const SEALING_ENDS_MINUTES = 15;
/** An `Idempotency-Key` is kept for 7 days, with the hash of its request. */
const REQUESTS_ARE_KEPT_MINUTES = 7 * 24 * 60;
/** Until the last refresh token under the replaced key expires. A process may sign it before it loads the next key. */
const TOKENS_EXPIRE_MINUTES = REFRESH_TOKEN_SECONDS / 60 + 1;

/** Minutes for which a replaced key may still be in use; null if unknown. */
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
  /** The key-encryption key; null once the key is retired. */
  wrappedWith: string | null;
  addedAt: Date;
  promotedAt: Date | null;
  retiredAt: Date | null;
  /** When the use of a replaced key ends, apart from stored values; null if unknown, or if the key is not replaced. */
  unusedFrom: Date | null;
  isUnused: boolean;
}

/** All keys, including retired ones, by purpose, the newest first. */
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
            promoted_at IS NULL OR coalesce(unused_from < clock_timestamp(), false) AS "isUnused"
       FROM dated ORDER BY array_position($purposes::text[], purpose), added_at DESC, id`,
    { inUseFor: JSON.stringify(inUseFor), purposes: keyPurposes },
    transaction,
  );
}

/** The loss if a key in use is retired. */
const losses: Readonly<Partial<Record<KeyPurpose, string>>> = {
  token: 'clients that logged in under it must log in again',
  payload: 'what Temporal stored under it cannot be read any more, and workflows that need it stop',
};

/**
 * Deletes the bytes of a key permanently. Throws if the key is or may be in use. `acceptLoss` retires replaced token and
 * payload keys even then.
 */
export async function retireKey(
  database: Database,
  encryption: KeyEncryption,
  key: KeyName,
  { acceptLoss }: { acceptLoss: boolean },
): Promise<void> {
  await database.transaction(async (transaction) => {
    const name = nameOf(key);
    const { promoted } = await lockedKeys(database, key, transaction);
    if (promoted.id === key.id) throw new Error(`${name} is the promoted key: promote another one first`);
    const users = (await listKeyHolders(database, transaction)).filter(({ currentKeys }) =>
      currentKeys.includes(name),
    );
    if (users.length > 0)
      throw new Error(
        `${name} is in use by ${users.map(processName).join(', ')}: it loads the next one within 5 s`,
      );
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
  const name = nameOf(key);
  const listed = (await listKeys(database, transaction)).find((one) => nameOf(one) === name);
  // An added key has never sealed or signed.
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
    throw new Error(
      `${left} values are under ${name}: move them first with secret-keys ${moves[key.purpose]}`,
    );
}

const moves: Readonly<Partial<Record<KeyPurpose, string>>> = { seal: 're-seal', lookup: 're-hash' };

/** The number of values in the database that must move before the key is retired. */
async function valuesUnder(
  database: Database,
  encryption: KeyEncryption,
  { purpose, id }: KeyName,
): Promise<number> {
  if (purpose === 'seal') return (await countSealedValues(database)).get(id) ?? 0;
  if (purpose !== 'lookup') return 0;
  const ring = await loadKeyRing(database, encryption);
  const { moved, faults } = await rehash(database, ring, { tell: () => undefined, dryRun: true });
  return moved + faults.length;
}
