/** The data keys of a new database, and the behaviour of a process that cannot use them. */
import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { openDatabase, rows } from '../../src/data/database/database';
import { sql } from '../../dev/testbed/sql';
import { keyNamed, type KeyName, ensureDataKeys, storeEncryptedValues } from '../../src/data/keys/data-keys';
import { holdKeys, loadKeyRing } from '../../src/data/keys/loaded-keys';
import {
  deleteEndedProcesses,
  listRunningProcesses,
  reportProcess,
} from '../../src/data/maintenance/running-processes';
import { retireKey, addKey, listKeys, promoteKey } from '../../src/data/keys/rotation';
import { migrate } from '../../src/data/schema/migrate';
import { LocalKeyEncryption, type SecretKey } from '../../src/security/key-encryption';
import { keyPurposes, type KeyRing } from '../../src/security/key-ring';
import { newKey } from '../support/keys';
import { emptyDatabase, scratchDatabase, type ScratchDatabase } from '../../dev/testbed/scratch-database';
import { until } from '../../dev/testbed/waiting';

const scratch = scratchDatabase();
const log = pino({ level: 'silent' });
const keys = [newKey('k1')];

/** The key ring of a process that starts with these key-encryption keys. */
async function started({ database }: ScratchDatabase, secretKeys: SecretKey[]): Promise<KeyRing> {
  const encryption = new LocalKeyEncryption(secretKeys);
  await ensureDataKeys(database, encryption);
  return loadKeyRing(database, encryption);
}

const contents = (ring: KeyRing) => keyPurposes.map((purpose) => ring.all(purpose));

describe('A new database', () => {
  test('When several processes start concurrently, then they hold the same keys, one for each purpose', async () => {
    const rings = await Promise.all([1, 2, 3, 4].map(() => started(scratch, keys)));
    const [first] = rings.map(contents);
    expect(first?.map((held) => held.length)).toEqual([1, 1, 1, 1, 1]);
    expect(new Set(first?.flat().map(({ secret }) => secret.toString('hex'))).size).toBe(5);
    for (const ring of rings) expect(contents(ring)).toEqual(first);
  });

  test('When the stored keys are read, then they contain no plaintext key', async () => {
    const ring = await started(scratch, keys);
    const stored = await sql(scratch.database)<{ wrapped: Buffer }>`SELECT wrapped FROM data_keys`;
    const all = Buffer.concat(stored.map(({ wrapped }) => wrapped));
    for (const { secret } of contents(ring).flat()) expect(all.includes(secret)).toBe(false);
  });

  test('When a statement deletes keys, then the database rejects it', async () => {
    await expect(sql(scratch.database)`DELETE FROM data_keys`).rejects.toThrow('never deleted');
    await expect(sql(scratch.database)`TRUNCATE data_keys`).rejects.toThrow('never deleted');
  });

  test('When a process starts without the key-encryption key, then the error names the missing key', async () => {
    await started(scratch, keys);
    await expect(started(scratch, [newKey('k2')])).rejects.toThrow(
      /^The data key \w+\/\w+ is wrapped with the key-encryption key k1, which is not in SECRET_KEYS\. Add it again\.$/,
    );
    await expect(started(scratch, [newKey('k1')])).rejects.toThrow(
      /^The data key \w+\/\w+ cannot be decrypted with the key-encryption key k1 of SECRET_KEYS\. Check whether that is another key with the same id\.$/,
    );
    expect(contents(await started(scratch, [newKey('k2'), ...keys]))).toEqual(contents(await started(scratch, keys)));
  });

  test('When two wrapped keys are swapped in the database, then they do not open', async () => {
    await started(scratch, keys);
    const exchange = `UPDATE data_keys a SET wrapped = b.wrapped FROM data_keys b
                       WHERE a.purpose IN ('token', 'payload') AND b.purpose IN ('token', 'payload') AND a.purpose <> b.purpose`;
    await rows(scratch.database, exchange);
    await expect(started(scratch, keys)).rejects.toThrow('cannot be decrypted');
    await rows(scratch.database, exchange);
    await started(scratch, keys);
  });

  test('When the database has no keys yet, then the error of a process that only reads keys names the processes that add them', async () => {
    const empty = await emptyDatabase();
    await migrate(empty.url);
    await expect(loadKeyRing(empty.database, new LocalKeyEncryption(keys))).rejects.toThrow(
      'The database has no seal key yet: the API or a worker adds it at its first start.',
    );
    await empty.drop();
  });
});

describe('A running process', () => {
  const encryption = new LocalKeyEncryption(keys);
  const names = (ring: KeyRing) =>
    keyPurposes.flatMap((purpose) => ring.all(purpose).map(({ id }) => `${purpose}/${id}`));
  /** The values that the promoted keys have encrypted, by purpose. */
  const encryptedValues = async (): Promise<Record<string, number>> => {
    const listed = await listKeys(scratch.database);
    const used = listed.filter((key) => key.state === 'promoted' && key.encryptedValues > 0);
    return Object.fromEntries(used.map(({ purpose, encryptedValues: values }) => [purpose, values]));
  };

  test('When a process holds keys, then it reports them until it stops', async () => {
    await started(scratch, keys);
    const held = await holdKeys({ database: scratch.database, encryption, log, role: 'worker' });
    expect(await listRunningProcesses(scratch.database)).toMatchObject([
      {
        role: 'worker',
        pid: process.pid,
        wrappingKeys: [expect.stringMatching(/^k1#[0-9a-f]{8}$/)],
        dataKeys: names(held.ring),
        currentKeys: names(held.ring),
      },
    ]);
    await held.stop();
    expect(await listRunningProcesses(scratch.database)).toEqual([]);
  });

  test('When a process lacks the key-encryption key, then it reports no keys, and no promotion waits for it', async () => {
    await started(scratch, keys);
    const lacking = new LocalKeyEncryption([newKey('k2')]);
    const holding = holdKeys({ database: scratch.database, encryption: lacking, log, role: 'api' });
    await expect(holding).rejects.toThrow('wrapped with the key-encryption key k1');
    expect(await listRunningProcesses(scratch.database)).toEqual([]);
  });

  test('When the connections of a process are lost, then the process still loads added, promoted and retired keys', async () => {
    const { database } = scratch;
    await started(scratch, keys);
    const own = openDatabase(scratch.url, 2);
    const held = await holdKeys({ database: own, encryption, log, role: 'api' });
    const { ring } = held;
    await sql(database)`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()`;
    const before = ring.current('token').id;
    const name = await addKey(database, encryption, 'token');
    await until('the key', async () => names(ring).includes(name));
    expect(ring.current('token').id).toBe(before);
    const added = keyNamed(name) as KeyName;
    await until('the promotion', async () =>
      promoteKey(database, added).then(
        () => true,
        () => undefined,
      ),
    );
    await until('its use', async () => ring.current('token').id === added.id);
    const old = { purpose: 'token' as const, id: before };
    const retired = () => retireKey(database, encryption, old, { acceptLoss: true });
    await until('the end of the one before', async () =>
      retired().then(
        () => true,
        () => undefined,
      ),
    );
    await until('its absence', async () => ring.find('token', before) === undefined);
    await held.stop();
    await own.close();
  });

  test('When processes encrypt values, then the keys count them within seconds and at a stop, so that a kill loses only the last seconds', async () => {
    const { database } = scratch;
    await started(scratch, keys);
    const hold = () => holdKeys({ database, encryption, log, role: 'worker' });
    const [killed, stopping] = [await hold(), await hold()];
    killed.ring.encrypting('seal', 3);
    killed.ring.encrypting('payload', 7);
    await until('the count', async () => (await encryptedValues())['payload'] === 7);
    expect(await encryptedValues()).toEqual({ seal: 3, payload: 7 });
    stopping.ring.encrypting('seal', 2 ** 31);
    await stopping.stop();
    expect(await encryptedValues()).toEqual({ seal: 2 ** 31 + 3, payload: 7 });
    await killed.stop();
    expect(await encryptedValues()).toEqual({ seal: 2 ** 31 + 3, payload: 7 });
  });

  test('When counts cannot be stored, then they are stored with the next ones', async () => {
    const ring = await started(scratch, keys);
    ring.encrypting('payload', 2);
    const closed = openDatabase(scratch.url, 1);
    await closed.close();
    await expect(storeEncryptedValues(closed, ring)).rejects.toThrow();
    ring.encrypting('payload');
    expect(ring.counted()).toMatchObject([{ values: 3 }]);
    const before = await encryptedValues();
    await storeEncryptedValues(scratch.database, ring);
    await storeEncryptedValues(scratch.database, ring);
    const { seal = 0, payload = 0 } = before;
    expect(await encryptedValues()).toEqual({ seal, payload: payload + 3 });
  });

  test('When a process cannot unwrap an added key, then it keeps the other keys and does not report the added one', async () => {
    const { database } = scratch;
    await started(scratch, keys);
    const held = await holdKeys({ database, encryption, log, role: 'api' });
    const { ring } = held;
    const before = names(ring);
    await sql(database)`INSERT INTO data_keys (purpose, id, wrapped, wrapping_key_id)
         VALUES ('seal', 'broken', 'x', 'k1')`;
    const seenAt = async () =>
      (await sql(database)<{ at: Date }>`SELECT seen_at AS at FROM running_processes`)[0]?.at.getTime();
    const first = await seenAt();
    await until('another turn', async () => (await seenAt()) !== first);
    expect(names(ring)).toEqual(before);
    expect((await listRunningProcesses(database)).flatMap(({ dataKeys }) => dataKeys)).toEqual(before);
    await sql(database)`UPDATE data_keys SET retired_at = now(), wrapped = NULL WHERE id = 'broken'`;
    await held.stop();
  });

  test('When a process ended more than an hour ago, then its report is deleted', async () => {
    const { database } = scratch;
    const held = {
      role: 'api',
      host: 'h',
      pid: 1,
      pollsOrdersAs: null,
      wrappingKeys: [],
      dataKeys: [],
      currentKeys: [],
    };
    await reportProcess(database, { process: randomUUID(), ...held });
    await reportProcess(database, { process: randomUUID(), ...held, pid: 2 });
    await sql(database)`UPDATE running_processes SET seen_at = seen_at - interval '61 minutes' WHERE pid = 1`;
    await deleteEndedProcesses(database);
    expect(await sql(database)`SELECT pid FROM running_processes`).toEqual([{ pid: 2 }]);
    await sql(database)`DELETE FROM running_processes`;
  });
});
