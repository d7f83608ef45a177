/** `secret-keys`: the service's own keys. `keys` manages the API keys of clients. docs/operators/keys.md. */
import { Argument, InvalidArgumentError, type Command } from 'commander';
import { recordOperation } from '../../../data/audit/audit-entries';
import type { Database } from '../../../data/database/database';
import { keyNamed, nameOfKey, type KeyName } from '../../../data/keys/data-keys';
import {
  listRunningProcesses,
  processName,
  wrappingKeyName,
  type RunningProcess,
} from '../../../data/maintenance/running-processes';
import { loadKeyRing } from '../../../data/keys/loaded-keys';
import { rehash, reseal, type MovedValues } from '../../../data/keys/move-values';
import {
  listKeys,
  retireKey,
  type ListedKey,
  addKey,
  promoteKey,
  requireUsedByAll,
  rewrapKeys,
} from '../../../data/keys/rotation';
import { countSealedValues } from '../../../data/keys/sealed-columns';
import type { KeyEncryption } from '../../../security/key-encryption';
import { keyPurposes, type KeyPurpose } from '../../../security/key-ring';
import { withProgress } from '../output';
import { LONG_STATEMENT_MS } from '../../../data/database/database';
import { keyEncryption, onDatabase } from '../command-resources';
import { plural } from '../../operations/text';

export function addSecretKeyCommands(program: Command): void {
  const keys = program.command('secret-keys').description('The keys that seal, hash, sign and encrypt');

  keys
    .command('list')
    .description(
      'Every key: its state, the number of values under it, until when it is needed, which processes hold it',
    )
    .action(onKeys(listAll));

  keys
    .command('add')
    .description('Make a key with which all processes can open and verify. promote puts it to use')
    .addArgument(new Argument('<purpose>', 'the use of the key').choices(keyPurposes))
    .action(
      onKeys(async (database, encryption, purpose: KeyPurpose) => {
        const name = await addKey(database, encryption, purpose);
        return `${name} is added. Put it to use with: secret-keys promote ${name}`;
      }),
    );

  keys
    .command('promote')
    .description('Seal, hash or sign with a key from now on. Rejected while a running process does not hold it')
    .argument('<key>', 'such as seal/1f2e3d4c', keyName)
    .action(
      onKeys(async (database, _encryption, key: KeyName) => {
        await promoteKey(database, key);
        return `${nameOfKey(key)} is in use from now on.`;
      }),
    );

  keys
    .command('re-seal')
    .description('Seal all values under the promoted key. You can interrupt and repeat it')
    .action(onKeys(resealAll));

  keys
    .command('re-hash')
    .description('Renew the lookup hashes under the promoted key. You can interrupt and repeat it')
    .action(onKeys(rehashAll));

  keys
    .command('re-wrap')
    .description('Wrap all keys with the first of SECRET_KEYS. Rejected while a running process does not hold it')
    .action(
      onKeys(async (database, encryption) => {
        const count = await rewrapKeys(database, encryption);
        return `${plural(count, 'key is', 'keys are')} wrapped anew: all are wrapped with ${encryption.keys[0]?.id}.`;
      }),
    );

  keys
    .command('retire')
    .description('Delete a key permanently. Rejected while values are under it')
    .argument('<key>', 'such as seal/1f2e3d4c', keyName)
    .option('--accept-loss', 'for token and payload keys: the values under it become useless')
    .action(
      onKeys(async (database, encryption, key: KeyName, options: { acceptLoss?: boolean }) => {
        await retireKey(database, encryption, key, { acceptLoss: options.acceptLoss ?? false });
        return `${nameOfKey(key)} is retired.`;
      }),
    );
}

function onKeys<Args extends readonly unknown[]>(
  work: (database: Database, encryption: KeyEncryption, ...args: Args) => Promise<readonly object[] | string>,
) {
  return onDatabase(({ database }, ...args: Args) => work(database, keyEncryption(), ...args), LONG_STATEMENT_MS);
}

function keyName(text: string): KeyName {
  const key = keyNamed(text);
  if (!key) throw new InvalidArgumentError('Give a key as in secret-keys list, such as seal/1f2e3d4c.');
  return key;
}

async function resealAll(database: Database, encryption: KeyEncryption): Promise<string> {
  const ring = await loadKeyRing(database, encryption);
  const { id } = ring.current('seal');
  const moved = await withProgress((progress) => reseal(database, ring, progress));
  await recordMoved(database, 'secret_values.resealed', `secret_key/seal/${id}`, moved);
  const counts = await countSealedValues(database);
  const underOtherKeys = [...counts].filter(([keyId]) => keyId !== id).map(([, count]) => count);
  const remaining = underOtherKeys.reduce((sum, count) => sum + count, 0);
  return reportMoved(moved, { result: `are sealed under seal/${id} now`, remaining, command: 're-seal' });
}

async function rehashAll(database: Database, encryption: KeyEncryption): Promise<string> {
  const ring = await loadKeyRing(database, encryption);
  const name = nameOfKey({ purpose: 'lookup', id: ring.current('lookup').id });
  await requireUsedByAll(database, name);
  const moved = await withProgress((progress) => rehash(database, ring, { tell: progress }));
  await recordMoved(database, 'secret_values.rehashed', `secret_key/${name}`, moved);
  return reportMoved(moved, {
    result: `are hashed under ${name} now`,
    remaining: moved.faults.length,
    command: 're-hash',
  });
}

/** One audit entry for all values, because their number grows with the orders. */
async function recordMoved(
  database: Database,
  action: 'secret_values.resealed' | 'secret_values.rehashed',
  object: string,
  { moved }: MovedValues,
): Promise<void> {
  if (moved > 0) await recordOperation(database, { action, object, after: { moved } });
}

function reportMoved(
  { moved, faults }: MovedValues,
  { result, remaining, command }: { result: string; remaining: number; command: string },
): string {
  for (const fault of faults) console.error(fault);
  if (remaining > 0) {
    console.error(`Repeat secret-keys ${command} for values that were in use or written during this run.`);
    process.exitCode = 1;
  }
  return `${moved} values ${result}; ${remaining} are not.`;
}

/** The rows of `secret-keys list`: data keys, missing data keys that values need, key-encryption keys. */
async function listAll(database: Database, encryption: KeyEncryption) {
  const keys = await listKeys(database);
  const processes = await listRunningProcesses(database);
  const counts = await countSealedValues(database);
  const available = keys.filter(({ state }) => state !== 'retired').map(nameOfKey);
  const missing = [...counts].filter(([id]) => !available.includes(`seal/${id}`));
  return [
    ...keys.map((key) => rowOf(key, counts, processes)),
    ...missing.map(([id, values]) => ({ ...emptyRow, key: `seal/${id}`, state: 'missing', values })),
    ...wrappingRows(encryption, keys, processes),
  ];
}

/** The key-encryption keys of the ops CLI and of running processes. */
function wrappingRows(encryption: KeyEncryption, keys: readonly ListedKey[], processes: readonly RunningProcess[]) {
  const held = processes.flatMap(({ wrappingKeys }) => wrappingKeys);
  return [...new Set([...encryption.keys.map(wrappingKeyName), ...held])].map((name) => ({
    ...emptyRow,
    key: name,
    state: 'key-encryption',
    values: keys.filter(({ wrappedWith }) => name.startsWith(`${wrappedWith}#`)).length,
    held_by: namesOf(processes.filter(({ wrappingKeys }) => wrappingKeys.includes(name))),
  }));
}

const emptyRow = {
  key: '',
  state: '',
  values: null,
  encrypted: null,
  wrapped_with: null,
  added_at: null,
  promoted_at: null,
  in_use_until: null,
  held_by: [],
};

function rowOf(key: ListedKey, counts: ReadonlyMap<string, number>, processes: readonly RunningProcess[]) {
  const { purpose, id, state, wrappedWith, addedAt, promotedAt, unusedFrom, encryptedValues } = key;
  const isReplaced = state === 'replaced';
  return {
    key: nameOfKey(key),
    state,
    values: purpose === 'seal' && state !== 'retired' ? (counts.get(id) ?? 0) : null,
    encrypted: encryptedValues,
    wrapped_with: wrappedWith,
    added_at: addedAt,
    promoted_at: promotedAt,
    in_use_until: isReplaced ? (unusedFrom ?? 'its histories are gone from Temporal') : null,
    held_by: namesOf(processes.filter(({ dataKeys }) => dataKeys.includes(nameOfKey(key)))),
  };
}

function namesOf(processes: readonly RunningProcess[]): string[] {
  return processes.map(processName);
}
