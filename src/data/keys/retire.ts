/** How long keys are needed, and their end. docs/operators/keys.md. */
import type { Transaction } from 'sequelize';
import type { KeyEncryption } from '../../security/key-encryption';
import { keyPurposes, type KeyPurpose } from '../../security/key-ring';
import { REFRESH_TOKEN_SECONDS } from '../../security/tokens';
import { rows, type Database } from '../database/database';
import { lockedKeys, nameOf, type KeyName } from './data-keys';
import { listKeyHolders, processName } from './key-holders';
import { loadKeyRing } from './load-keys';
import { rehash } from './move-values';
import { countSealedValues } from './sealed-columns';

/** No process seals with a key, or is about to place what it sealed, for so long after another was promoted. */
const SEALING_ENDS_MINUTES = 15;
/** An `Idempotency-Key` is kept for 7 days, with the hash of its request. */
const REQUESTS_ARE_KEPT_MINUTES = 7 * 24 * 60;
/** The last refresh token, signed by a process that had not heard of the next key yet. */
const TOKENS_EXPIRE_MINUTES = REFRESH_TOKEN_SECONDS / 60 + 1;

/** How long something can be under a key after another took its place, in minutes; null if that cannot be said. */
const inUseFor: Readonly<Record<KeyPurpose, number | null>> = {
  seal: SEALING_ENDS_MINUTES,
  lookup: REQUESTS_ARE_KEPT_MINUTES,
  token: TOKENS_EXPIRE_MINUTES,
  payload: null,
  credential: null,
};

/** A key as operators see it. */
export interface ListedKey extends KeyName {
  state: 'promoted' | 'added' | 'replaced' | 'retired';
  /** The key-encryption key; null once the key is retired. */
  wrappedWith: string | null;
  addedAt: Date;
  promotedAt: Date | null;
  retiredAt: Date | null;
  /** When nothing new can be under it any more; null if it can, or nobody can say. */
  unusedFrom: Date | null;
  isUnused: boolean;
}

/** Every key there ever was, by purpose, the newest first. */
export async function listKeys(database: Database, transaction?: Transaction): Promise<ListedKey[]> {
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

/** What is lost where a key is retired that may be in use. */
const losses: Readonly<Partial<Record<KeyPurpose, string>>> = {
  token: 'whoever logged in under it must log in again',
  payload: 'what Temporal stored under it can be read by nobody, and workflows that need it stop',
};

/**
 * Deletes the bytes of a key for good. Refused where something is under it, or may be; `acceptLoss` retires token and
 * payload keys all the same.
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
        `${name} is in use by ${users.map(processName).join(', ')}: it takes the next one over within 5 s`,
      );
    await refuseIfInUse(database, encryption, key, { acceptLoss, transaction });
    const statement = `
      UPDATE data_keys SET retired_at = clock_timestamp(), wrapped = NULL WHERE purpose = $purpose AND id = $id`;
    await rows(database, statement, { ...key }, transaction);
  });
}

async function refuseIfInUse(
  database: Database,
  encryption: KeyEncryption,
  key: KeyName,
  { acceptLoss, transaction }: { acceptLoss: boolean; transaction: Transaction },
): Promise<void> {
  const name = nameOf(key);
  const listed = (await listKeys(database, transaction)).find((one) => nameOf(one) === name);
  // Nothing was ever sealed or signed with it.
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

/** How many values in the database must move before the key can go. */
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
