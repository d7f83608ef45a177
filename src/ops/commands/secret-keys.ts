/** `secret-keys`: the keys of the service itself. What clients log in with is `keys`. docs/operators/keys.md. */
import { InvalidArgumentError, type Command } from 'commander';
import { recordOperation } from '../../data/operations/audit';
import type { Database } from '../../data/database/database';
import { keyNamed, nameOf, type KeyName } from '../../data/keys/data-keys';
import {
  listKeyHolders,
  processName,
  wrappingKeyName,
  type KeyHolder,
} from '../../data/operations/running-processes';
import { loadKeyRing } from '../../data/keys/loaded-keys';
import { rehash, reseal, type Moved } from '../../data/keys/move-values';
import {
  listKeys,
  retireKey,
  type ListedKey,
  addKey,
  promoteKey,
  requireUsedByAll,
  rewrapKeys,
} from '../../data/keys/rotation';
import { countSealedValues } from '../../data/keys/sealed-columns';
import { LocalKeyEncryption, type KeyEncryption } from '../../security/key-encryption';
import { keyPurposes, type KeyPurpose } from '../../security/key-ring';
import { show, type Row } from '../output';
import { withProgress } from '../progress';
import { LONG_STATEMENTS_MS, withDatabase } from '../session';

export function addSecretKeyCommands(program: Command): void {
  const keys = program.command('secret-keys').description('Keys that seal, hash, sign and encrypt');

  keys
    .command('list')
    .description(
      'Every key: its state, how much is under it, until when it is needed, which processes hold it',
    )
    .action((_options: object, command: Command) =>
      withKeys(async (database, encryption) => show(command, await rowsOf(database, encryption))),
    );

  keys
    .command('add')
    .description('Make a key that all processes can open and verify with; it is put to use by promote')
    .argument('<purpose>', keyPurposes.join(', '), purpose)
    .action((of: KeyPurpose) =>
      withKeys(async (database, encryption) => {
        const name = await addKey(database, encryption, of);
        console.log(`${name} is added. Put it to use with: secret-keys promote ${name}`);
      }),
    );

  keys
    .command('promote')
    .description(
      'Seal, hash or sign with a key from now on; refused while a running process does not hold it',
    )
    .argument('<key>', 'such as seal/1f2e3d4c', keyName)
    .action((key: KeyName) =>
      withKeys(async (database) => {
        await promoteKey(database, key);
        console.log(`${nameOf(key)} is in use from now on.`);
      }),
    );

  keys
    .command('re-seal')
    .description('Move what is sealed under other keys to the promoted one; may be interrupted and repeated')
    .action(() => withKeys(resealAll));

  keys
    .command('re-hash')
    .description('Make the look-up hashes anew under the promoted key; may be interrupted and repeated')
    .action(() => withKeys(rehashAll));

  keys
    .command('re-wrap')
    .description(
      'Wrap all keys with the first of SECRET_KEYS; refused while a running process does not hold it',
    )
    .action(() =>
      withKeys(async (database, encryption) => {
        const count = await rewrapKeys(database, encryption);
        console.log(`${count} keys are wrapped anew: all are wrapped with ${encryption.keys[0]?.id}.`);
      }),
    );

  keys
    .command('retire')
    .description('Delete a key for good; refused while anything is under it')
    .argument('<key>', 'such as seal/1f2e3d4c', keyName)
    .option('--accept-loss', 'of token and payload keys: though what is under it is of no use then')
    .action((key: KeyName, { acceptLoss = false }: { acceptLoss?: boolean }) =>
      withKeys(async (database, encryption) => {
        await retireKey(database, encryption, key, { acceptLoss });
        console.log(`${nameOf(key)} is retired.`);
      }),
    );
}

function withKeys(work: (database: Database, encryption: KeyEncryption) => Promise<void>): Promise<void> {
  return withDatabase(
    (database, { secretKeys }) => work(database, new LocalKeyEncryption(secretKeys)),
    LONG_STATEMENTS_MS,
  );
}

function purpose(text: string): KeyPurpose {
  const known = keyPurposes.find((name) => name === text);
  if (!known) throw new InvalidArgumentError(`Give one of ${keyPurposes.join(', ')}.`);
  return known;
}

function keyName(text: string): KeyName {
  const key = keyNamed(text);
  if (!key) throw new InvalidArgumentError('Give a key as secret-keys list names it, such as seal/1f2e3d4c.');
  return key;
}

async function resealAll(database: Database, encryption: KeyEncryption): Promise<void> {
  const ring = await loadKeyRing(database, encryption);
  const { id } = ring.current('seal');
  const moved = await withProgress((tell) => reseal(database, ring, tell));
  await recordMoved(database, 'secret_values.resealed', `secret_key/seal/${id}`, moved);
  const counts = await countSealedValues(database);
  const elsewhere = [...counts].filter(([under]) => under !== id).reduce((sum, [, count]) => sum + count, 0);
  tellMoved(moved, { now: `are sealed under seal/${id} now`, left: elsewhere, again: 're-seal' });
}

async function rehashAll(database: Database, encryption: KeyEncryption): Promise<void> {
  const ring = await loadKeyRing(database, encryption);
  const name = nameOf({ purpose: 'lookup', id: ring.current('lookup').id });
  await requireUsedByAll(database, name);
  const moved = await withProgress((tell) => rehash(database, ring, { tell }));
  await recordMoved(database, 'secret_values.rehashed', `secret_key/${name}`, moved);
  tellMoved(moved, { now: `are hashed under ${name} now`, left: moved.faults.length, again: 're-hash' });
}

/** Not a row each: they are as many as there are orders. */
async function recordMoved(
  database: Database,
  action: 'secret_values.resealed' | 'secret_values.rehashed',
  object: string,
  { moved }: Moved,
): Promise<void> {
  if (moved > 0) await recordOperation(database, { action, object, after: { moved } });
}

function tellMoved(
  { moved, faults }: Moved,
  { now, left, again }: { now: string; left: number; again: string },
): void {
  for (const fault of faults) console.error(fault);
  console.log(`${moved} values ${now}; ${left} are not.`);
  if (left === 0) return;
  console.error(`Repeat secret-keys ${again} for those that were in use or written meanwhile.`);
  process.exitCode = 1;
}

/** Data keys, then keys that values name and nobody has, then key-encryption keys. */
async function rowsOf(database: Database, encryption: KeyEncryption): Promise<Row[]> {
  const [keys, holders] = [await listKeys(database), await listKeyHolders(database)];
  const counts = await countSealedValues(database);
  const known = keys.filter(({ state }) => state !== 'retired').map(nameOf);
  const missing = [...counts].filter(([id]) => !known.includes(`seal/${id}`));
  return [
    ...keys.map((key) => rowOf(key, counts, holders)),
    ...missing.map(([id, values]) => ({ ...noRow, key: `seal/${id}`, state: 'missing', values })),
    ...wrappingRows(encryption, keys, holders),
  ];
}

/** The key-encryption keys that the tool or a running process has. */
function wrappingRows(
  encryption: KeyEncryption,
  keys: readonly ListedKey[],
  holders: readonly KeyHolder[],
): Row[] {
  const held = holders.flatMap(({ wrappingKeys }) => wrappingKeys);
  return [...new Set([...encryption.keys.map(wrappingKeyName), ...held])].map((name) => ({
    ...noRow,
    key: name,
    state: 'key-encryption',
    values: keys.filter(({ wrappedWith }) => name.startsWith(`${wrappedWith}#`)).length,
    held_by: namesOf(holders.filter(({ wrappingKeys }) => wrappingKeys.includes(name))),
  }));
}

const noRow = {
  key: '',
  state: '',
  values: null,
  wrapped_with: null,
  added_at: null,
  promoted_at: null,
  in_use_until: null,
  held_by: [] as string[],
} satisfies Row;

function rowOf(key: ListedKey, counts: ReadonlyMap<string, number>, holders: readonly KeyHolder[]): Row {
  const { purpose: of, id, state, wrappedWith, addedAt, promotedAt, unusedFrom } = key;
  const isReplaced = state === 'replaced';
  return {
    key: nameOf(key),
    state,
    values: of === 'seal' && state !== 'retired' ? (counts.get(id) ?? 0) : null,
    wrapped_with: wrappedWith,
    added_at: addedAt,
    promoted_at: promotedAt,
    in_use_until: isReplaced ? (unusedFrom ?? 'its histories are gone from Temporal') : null,
    held_by: namesOf(holders.filter(({ dataKeys }) => dataKeys.includes(nameOf(key)))),
  };
}

function namesOf(holders: readonly KeyHolder[]): string[] {
  return holders.map(processName);
}
