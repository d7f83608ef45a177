/**
 * Changing keys, in steps of which none leaves a running process behind: add, promote, move what is under the key
 * before, retire. docs/decisions/0028-wrap-data-keys.md, docs/operators/keys.md.
 */
import type { Transaction } from 'sequelize';
import type { KeyEncryption, WrappingKey } from '../../security/key-encryption';
import type { KeyPurpose } from '../../security/key-ring';
import { rows, type Database } from '../database/database';
import { insertDataKey, listDataKeys, lockedKeys, markPromoted, nameOf, type KeyName } from './data-keys';
import { newDataKey } from './first-keys';
import { listKeyHolders, processName, wrappingKeyName, type HeldKeys } from './key-holders';

/** Adds a key and returns its name: from then on all processes open and verify with it. */
export async function addKey(
  database: Database,
  encryption: KeyEncryption,
  purpose: KeyPurpose,
): Promise<string> {
  if (purpose === 'credential')
    throw new Error(
      'The credential key stays: replace the secrets of clients instead (keys create, keys revoke)',
    );
  await refuseUnlessAllHold(database, 'wrappingKeys', wrappingKeyName(newestOf(encryption)));
  const key = newDataKey();
  await database.transaction((transaction) =>
    insertDataKey(database, encryption, { purpose, ...key }, transaction),
  );
  return nameOf({ purpose, ...key });
}

/** From now on the key seals and signs. Refused as long as a running process lacks it. */
export async function promoteKey(database: Database, key: KeyName): Promise<void> {
  await database.transaction(async (transaction) => {
    const { found, promoted } = await lockedKeys(database, key, transaction);
    if (found.id === promoted.id) return;
    await refuseUnlessAllHold(database, 'dataKeys', nameOf(key), transaction);
    await markPromoted(database, key, transaction);
  });
}

/** Wraps every data key with the newest key-encryption key. Refused as long as a running process lacks that. */
export async function rewrapKeys(database: Database, encryption: KeyEncryption): Promise<number> {
  const newest = newestOf(encryption);
  return database.transaction(async (transaction) => {
    await rows(database, 'SELECT FROM data_keys WHERE retired_at IS NULL FOR UPDATE', {}, transaction);
    await refuseUnlessAllHold(database, 'wrappingKeys', wrappingKeyName(newest), transaction);
    const keys = await listDataKeys(database, transaction);
    const others = keys.filter(({ wrappingKeyId }) => wrappingKeyId !== newest.id);
    for (const stored of others) {
      const { purpose, id, wrapped, wrappingKeyId } = stored;
      const secret = await encryption.unwrap({ keyId: wrappingKeyId, wrapped }, nameOf(stored));
      const anew = await encryption.wrap(secret, nameOf(stored));
      await rows(
        database,
        `UPDATE data_keys SET wrapped = $wrapped, wrapping_key_id = $keyId WHERE purpose = $purpose AND id = $id`,
        { purpose, id, ...anew },
        transaction,
      );
    }
    return others.length;
  });
}

/** Throws a sentence as long as a running process seals, signs or hashes with another key of the purpose. */
export async function refuseUnlessAllUse(database: Database, name: string): Promise<void> {
  const others = (await listKeyHolders(database)).filter(({ currentKeys }) => !currentKeys.includes(name));
  if (others.length > 0)
    throw new Error(`${others.map(processName).join(', ')} does not use ${name} yet: try again in 5 s`);
}

async function refuseUnlessAllHold(
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
      ? 'start it anew with that key in SECRET_KEYS first'
      : 'it takes it over within 5 s, unless its log says why not';
  throw new Error(`${lacking.map(processName).join(', ')} does not hold ${key}: ${remedy}`);
}

function newestOf({ keys: [newest] }: KeyEncryption): WrappingKey {
  if (!newest) throw new Error('There is no key-encryption key');
  return newest;
}
