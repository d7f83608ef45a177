/** Key changes on a separate database, where rows stand for processes. docs/operators/keys.md. */
import { randomBytes, randomUUID } from 'node:crypto';
import { rows } from '../../src/data/database/database';
import { sql } from '../../dev/testbed/sql';
import { keyNamed, nameOfKey, ensureDataKeys, type KeyName } from '../../src/data/keys/data-keys';
import { reportProcess, withdrawProcess, wrappingKeyName } from '../../src/data/maintenance/running-processes';
import { loadKeyRing } from '../../src/data/keys/loaded-keys';
import { rewrapKeys } from '../../src/data/keys/rotation';
import { sealedColumns, type SealedColumn } from '../../src/data/keys/sealed-columns';
import { familyStorage } from '../../src/data/purchases/families';
import { claimNextPurchase, type ClaimedPurchase } from '../../src/data/purchases/purchases';
import type { Family } from '../../src/domain/orders/families';
import { storeOperatorGoods } from '../../src/ordering/purchasing/operator-goods';
import { LocalKeyEncryption, readSecretKeys } from '../../src/security/key-encryption';
import { keyPurposes, type KeyPurpose } from '../../src/security/key-ring';
import { esimField, Sealer } from '../../src/security/sealing';
import { newKey } from '../support/keys';
import { createOrder } from '../support/ledger-orders';
import { newHolder } from '../../dev/testbed/ledger-rows';
import { ownSecretKeys, printedBy } from '../support/operator';
import { placedOrder, standingOf } from '../support/placed-order';
import { scratchDatabase } from '../../dev/testbed/scratch-database';
import type { Json } from '../support/stack';

const scratch = scratchDatabase();
const { database } = scratch;
const secretKeys = readSecretKeys(ownSecretKeys);
const encryption = new LocalKeyEncryption(secretKeys);
const ringNow = () => loadKeyRing(database, encryption);

beforeAll(() => ensureDataKeys(database, encryption));

const command = (...words: string[]) => printedBy(scratch.url, 'secret-keys', ...words);

async function listed(name: string): Promise<Json | undefined> {
  const printed = await printedBy(scratch.url, '--json', 'secret-keys', 'list');
  return (JSON.parse(printed) as Json[]).find(({ key }) => key === name);
}

/** Adds a key and returns its name. */
async function added(purpose: KeyPurpose): Promise<string> {
  const [name = ''] = (await command('add', purpose)).split(' ');
  return name;
}

/** Promotes a new key and returns the name of the key that it replaces. */
async function replaced(purpose: KeyPurpose): Promise<string> {
  const { id } = (await ringNow()).current(purpose);
  await command('promote', await added(purpose));
  return nameOfKey({ purpose, id });
}

/** Moves the promotions of all keys of the purpose into the past. */
async function age(purpose: KeyPurpose, interval: string): Promise<void> {
  await sql(database)`UPDATE data_keys SET promoted_at = promoted_at - ${interval}::interval
       WHERE purpose = ${purpose}`;
}

/** A running process that holds these keys, and uses the last one of each purpose. */
async function running(dataKeys: string[], wrappingKeys = encryption.keys.map(wrappingKeyName)) {
  const self = { process: randomUUID(), role: 'api', host: 'host-1', pid: 4711, pollsOrdersAs: null };
  const currentKeys = keyPurposes.flatMap((of) => dataKeys.filter((name) => name.startsWith(of)).slice(-1));
  await reportProcess(database, { ...self, wrappingKeys, dataKeys, currentKeys });
  return {
    takesOver: (name: string) =>
      reportProcess(database, { ...self, wrappingKeys, dataKeys: [...dataKeys, name], currentKeys: [name] }),
    ends: () => withdrawProcess(database, self.process),
    vanishes: () =>
      sql(database)`UPDATE running_processes SET seen_at = seen_at - interval '2 minutes'
           WHERE process = ${self.process}`,
  };
}

describe('Adding and promoting', () => {
  test('When a key is added, then it opens and verifies, and the earlier key seals until the new one is promoted', async () => {
    const before = (await ringNow()).current('seal');
    const name = await added('seal');
    expect((await ringNow()).current('seal')).toEqual(before);
    expect((await ringNow()).all('seal').map(({ id }) => `seal/${id}`)).toContain(name);
    expect(await listed(name)).toMatchObject({ state: 'added', values: 0, encrypted: 0, wrapped_with: 'test' });
    await command('promote', name);
    expect((await ringNow()).current('seal').id).toBe(keyNamed(name)?.id);
    expect(await listed(name)).toMatchObject({ state: 'promoted' });
    expect(await listed(`seal/${before.id}`)).toMatchObject({ state: 'replaced' });
  });

  test('When a running process does not hold the key, then the promotion is rejected and the error names the process', async () => {
    const name = await added('token');
    const process = await running(['token/elder']);
    await expect(command('promote', name)).rejects.toThrow(
      `api 4711 on host-1 does not hold ${name}: it loads the key within 5 s, unless its log says why not`,
    );
    await process.takesOver(name);
    expect((await listed(name))?.['held_by']).toEqual(['api 4711 on host-1']);
    await command('promote', name);
    await process.ends();
  });

  test('When a process has ended without a report, then no promotion waits for it', async () => {
    const name = await added('token');
    const process = await running([]);
    await process.vanishes();
    await command('promote', name);
    await process.ends();
  });

  test('When a running process lacks the key-encryption key, then no key is added', async () => {
    const process = await running([], ['other']);
    await expect(command('add', 'seal')).rejects.toThrow(
      /^api 4711 on host-1 does not hold test#[0-9a-f]{8}: restart it with that key in SECRET_KEYS first$/,
    );
    await process.ends();
  });

  test('When an operator adds a second credential key, then the error names the alternative', async () => {
    await expect(command('add', 'credential')).rejects.toThrow('replace the secrets of clients instead');
  });

  test('When a key does not exist, then the error names the command that lists keys', async () => {
    await expect(command('promote', 'seal/none')).rejects.toThrow(
      'There is no key seal/none. See them with: secret-keys list',
    );
  });
});

describe('Re-wrapping', () => {
  const next = newKey('next');
  const both = new LocalKeyEncryption([next, ...secretKeys]);

  test('When a running process lacks the new key-encryption key, then no data key is wrapped with it', async () => {
    const process = await running([]);
    await expect(rewrapKeys(database, both)).rejects.toThrow(
      /^api 4711 on host-1 does not hold next#[0-9a-f]{8}: restart it with that key in SECRET_KEYS first$/,
    );
    await process.ends();
  });

  test('When a running process holds a different key with the same id, then re-wrapping is rejected', async () => {
    const mistyped = new LocalKeyEncryption([newKey('next')]);
    const process = await running([], mistyped.keys.map(wrappingKeyName));
    await expect(rewrapKeys(database, both)).rejects.toThrow('api 4711 on host-1 does not hold next#');
    await process.ends();
  });

  test('When every process holds the new key-encryption key, then the data keys stay the same, and the earlier one can be removed', async () => {
    const before = await ringNow();
    expect(await rewrapKeys(database, both)).toBeGreaterThan(0);
    expect(await rewrapKeys(database, both)).toBe(0);
    const after = await loadKeyRing(database, new LocalKeyEncryption([next]));
    for (const purpose of keyPurposes) expect(after.all(purpose)).toEqual(before.all(purpose));
    await expect(ringNow()).rejects.toThrow('wrapped with the key-encryption key next, which is not in SECRET_KEYS');
    const back = new LocalKeyEncryption([...secretKeys, next]);
    await rewrapKeys(database, back);
    const [test] = encryption.keys.map(wrappingKeyName);
    expect(await listed(String(test))).toMatchObject({
      state: 'key-encryption',
      values: keyPurposes.flatMap((purpose) => before.all(purpose)).length,
    });
  });
});

/** Stores the goods of a new order as the worker does. Returns the number of stored units. */
async function delivered(family: Family, sealer: Sealer, code: string = randomUUID()): Promise<number> {
  const order = await placedOrder(database, family);
  const purchase = (await claimNextPurchase(database, order)) as ClaimedPurchase;
  const outcome = { state: 'DELIVERED', supplierOrderId: 'S1', cost: null, failureCode: null, detail: null } as const;
  const iccid = `89${randomBytes(8).readBigUInt64BE().toString().padStart(17, '1').slice(0, 17)}`;
  const goods =
    family === 'ESIM'
      ? { kind: 'esim' as const, iccid, suppliersIccid: `${iccid}F`, activationCode: 'LPA:1$rsp.example.com$CODE' }
      : {
          kind: 'voucher' as const,
          cardNumber: code,
          pinCode: '1234',
          claimUrl: `https://claim.example/${code}`,
          referenceNumber: 'R1',
        };
  const units = [{ position: 1, goods }];
  const stored = await familyStorage[family].storeUnits({ database, sealer }, purchase, outcome, units);
  return stored?.present.length ?? 0;
}

describe('Re-sealing', () => {
  /** Seals the column's name into each sealed column. */
  async function fillEveryColumn(sealer: Sealer): Promise<void> {
    await delivered('VOUCHER', sealer);
    await delivered('ESIM', sealer);
    const { orderId } = await placedOrder(database, 'TOPUP');
    await sql(database)`INSERT INTO quarantined_goods (order_id, reason, sealed)
         VALUES (${orderId}, 'OPERATOR', '')`;
    await sql(database)`INSERT INTO order_texts (order_id, nonce) VALUES (${orderId}, 'n')`;
    await sql(database)`INSERT INTO claims (client_id, order_id, kind, sealed_text, due_at)
       SELECT client_id, id, 'NOT_RECEIVED', '', now() FROM orders WHERE id = ${orderId}`;
    await sql(database)`WITH endpoint AS (
         INSERT INTO webhook_endpoints (nonce, client_id, url, description, event_types, enabled, sealed_secret)
         SELECT 'n', min(id), 'https://client.example', '', '{}', false, '' FROM clients RETURNING id)
       INSERT INTO webhook_previous_secrets (endpoint_id, sealed_secret, valid_until) SELECT id, '', now() FROM endpoint`;
    await sql(database)`INSERT INTO supplier_tokens (supplier, name, sealed_token, expires_at, claimed_until)
       VALUES ('test', 'api', '', now(), now())`;
    await sql(database)`
      INSERT INTO approval_proposals (nonce, operation, proposer, proposer_id, proposer_role, accountable, door, roles, sealed_call)
       VALUES ('n', 'wallets fund', 'alice', '1', 'finance', 'alice', 'CLI', '{finance}', '')`;
    await sql(database)`INSERT INTO funding_requests (client_id, wallet_id, amount, reference, expires_at)
       SELECT client_id, id, 1, 'RF18539007547034', now() FROM wallets LIMIT 1`;
    await sql(database)`WITH file AS (INSERT INTO bank_files (name, account, format, imported_by)
         VALUES ('a', 'b', 'csv', 'alice') RETURNING id),
            booking AS (
              INSERT INTO bank_bookings (file_id, nonce, account, booked_on, direction, is_reversal, amount, currency, sealed_keys)
              SELECT id, 'n', 'b', now(), 'DEBIT', false, 1, 'USD', '' FROM file RETURNING id)
       INSERT INTO bank_entries (file_id, booking_id, nonce, account, booked_on, direction, is_reversal, amount, currency, refs, sealed_entry)
       SELECT file.id, booking.id, 'n', 'b', now(), 'DEBIT', false, 1, 'USD', '{}', '' FROM file, booking`;
    for (const { table, column, key, name, place } of sealedColumns) {
      const [first, second = '0'] = key;
      const found = await rows<{ first: number; second: number; name: string }>(
        database,
        `SELECT ${first} AS first, ${second} AS second, ${name} AS name FROM ${table} t`,
      );
      expect(found.length).toBeGreaterThan(0);
      for (const row of found) {
        const sealed = sealer.seal(place(row), nameAsJson({ table, column }));
        const also = column === 'sealed_words' ? ', words_at = now()' : '';
        const statement = `UPDATE ${table} SET ${column} = $sealed${also} WHERE ${first} = $first AND ${second} = $second`;
        await rows(database, statement, { first: row.first, second: row.second, sealed });
      }
    }
  }

  /** JSON, because the service parses some of the sealed values. */
  function nameAsJson({ table, column }: Pick<SealedColumn, 'table' | 'column'>): string {
    return JSON.stringify(`${table}.${column}`);
  }

  async function openedOfEach(sealer: Sealer): Promise<Set<string>> {
    const texts = new Set<string>();
    for (const { table, column, key, name, place } of sealedColumns) {
      const [first, second = '0'] = key;
      const found = await rows<{ first: number; second: number; name: string; sealed: Buffer }>(
        database,
        `SELECT ${first} AS first, ${second} AS second, ${name} AS name, ${column} AS sealed FROM ${table} t`,
      );
      for (const row of found) texts.add(sealer.open(place(row), row.sealed));
    }
    return texts;
  }

  test('When a key is promoted and values are re-sealed, then each value opens under the promoted key, and the earlier key can be retired', async () => {
    await fillEveryColumn(new Sealer(await ringNow()));
    const before = await replaced('seal');
    const name = `seal/${(await ringNow()).current('seal').id}`;
    await age('seal', '10 minutes');
    await expect(command('retire', before)).rejects.toThrow(`${before} is in use until `);
    await age('seal', '10 minutes');
    await expect(command('retire', before)).rejects.toThrow(
      /values are under seal\/\w+: move them first with secret-keys re-seal/,
    );

    const printed = await command('re-seal');
    expect(printed).toMatch(new RegExp(`^\\d+ values are sealed under ${name} now; 0 are not.$`));
    expect(await command('re-seal')).toBe(`0 values are sealed under ${name} now; 0 are not.`);
    expect(await listed(before)).toMatchObject({ values: 0 });
    expect(await listed(name)).toMatchObject({ encrypted: Number.parseInt(printed, 10) });
    expect(
      await sql(database)`SELECT FROM audit_entries WHERE command LIKE '%re-seal'
         AND action = 'secret_key.changed'`,
    ).toEqual([]);
    await command('retire', before);

    const ring = await ringNow();
    expect(ring.find('seal', keyNamed(before)?.id ?? '')).toBeUndefined();
    const expected = sealedColumns.map(nameAsJson);
    expect(await openedOfEach(new Sealer(ring))).toEqual(new Set(expected));
    expect(await listed(before)).toMatchObject({ state: 'retired', wrapped_with: null });
  });

  test('When a value cannot be decrypted, then an error names it, the other values move, and its key cannot be retired', async () => {
    await delivered('VOUCHER', new Sealer(await ringNow()));
    const damaged = await sql.first(database)<{ order_id: number }>`UPDATE vouchers
         SET sealed_codes = substr(sealed_codes, 1, length(sealed_codes) - 1)
        WHERE (order_id, unit) = (SELECT order_id, unit FROM vouchers ORDER BY order_id DESC LIMIT 1) RETURNING order_id`;
    const before = await replaced('seal');
    await age('seal', '1 hour');
    const printed = jest.spyOn(console, 'error').mockImplementation();
    expect(await command('re-seal')).toMatch(/; 1 are not\.$/);
    expect(printed.mock.calls.flat().join()).toContain(
      `vouchers ${damaged?.order_id}/1: sealed_codes cannot be decrypted`,
    );
    printed.mockRestore();
    expect(process.exitCode).toBe(1);
    process.exitCode = 0;
    await expect(command('retire', before)).rejects.toThrow('1 values are under');
    await sql(database)`DELETE FROM vouchers WHERE order_id = ${damaged?.order_id}`;
    await command('retire', before);
  });

  test('When a running process still seals with a key, then the key cannot be retired', async () => {
    const before = await replaced('seal');
    await age('seal', '1 hour');
    await command('re-seal');
    const process = await running([before]);
    await expect(command('retire', before)).rejects.toThrow(`${before} is in use by api 4711 on host-1`);
    await process.ends();
    await command('retire', before);
  });

  test('When a value is sealed under a missing key, then the list shows the key as missing', async () => {
    const foreign = new Sealer(await ringNow()).seal('x', 'x');
    foreign.write('zzzz', 1);
    await sql(database)`UPDATE webhook_previous_secrets SET sealed_secret = ${foreign}`;
    const key: KeyName = { purpose: 'seal', id: foreign.subarray(1, 1 + (foreign[0] ?? 0)).toString() };
    expect(await listed(nameOfKey(key))).toMatchObject({ state: 'missing', values: 1 });
    await sql(database)`DELETE FROM webhook_previous_secrets`;
  });

  test('When the schema has a bytea column, then sealedColumns lists it, or it is a hash or a wrapped key', async () => {
    const columns = await sql(database)<{ name: string }>`SELECT table_name || '.' || column_name AS name
         FROM information_schema.columns
        WHERE data_type = 'bytea' AND table_schema = 'public'
          AND table_name IN (SELECT table_name FROM information_schema.tables WHERE table_type = 'BASE TABLE')`;
    const isHash = (name: string) => name.endsWith('_hash') || name === 'data_keys.wrapped';
    const sealed = columns.map(({ name }) => name).filter((name) => !isHash(name));
    expect(sealed.sort()).toEqual(sealedColumns.map(({ table, column }) => `${table}.${column}`).sort());
  });
});

describe('Re-hashing', () => {
  test('When processes hash under two keys and store the same code concurrently, then it is stored once', async () => {
    const name = await added('lookup');
    const behind = new Sealer(await ringNow());
    await command('promote', name);
    const ahead = new Sealer(await ringNow());
    for (let round = 0; round < 10; round++) {
      const code = `CODE-${randomUUID()}`;
      const sealers = [behind, ahead, behind, ahead];
      const stored = await Promise.all(sealers.map((sealer) => delivered('VOUCHER', sealer, code)));
      expect(stored.reduce((sum, count) => sum + count, 0)).toBe(1);
    }
  });

  test("When a code of an operator's goods is hashed under an earlier key, then none of the goods is stored", async () => {
    const code = `CODE-${randomUUID()}`;
    await delivered('VOUCHER', new Sealer(await ringNow()), code);
    await replaced('lookup');
    const sealer = new Sealer(await ringNow());
    const order = await createOrder(database, await newHolder(database, 20), { quantity: 2 });
    const purchase = (await claimNextPurchase(database, order)) as ClaimedPurchase;
    const goods = [`CODE-${randomUUID()}`, code].map((cardNumber) => ({
      kind: 'voucher' as const,
      cardNumber,
      pinCode: '1234',
    }));
    expect(await storeOperatorGoods({ database, sealer }, purchase, goods)).toBeUndefined();
    expect(await standingOf(database, order.orderId)).toMatchObject({
      delivered: 0,
      purchases: [{ state: 'SENT', stored: 0 }],
    });
    expect(await sql(database)`SELECT unit FROM vouchers WHERE order_id = ${order.orderId}`).toEqual([]);
  });

  test('When hashes are recomputed, then all are under the promoted key, and the earlier keys can be retired', async () => {
    const code = `CODE-${randomUUID()}`;
    await delivered('VOUCHER', new Sealer(await ringNow()), code);
    await delivered('ESIM', new Sealer(await ringNow()));
    const before = await replaced('lookup');
    const others = (await ringNow())
      .all('lookup')
      .slice(1)
      .map(({ id }) => `lookup/${id}`);
    expect(others).toContain(before);
    await age('lookup', '8 days');
    await expect(command('retire', before)).rejects.toThrow('move them first with secret-keys re-hash');
    const process = await running([before]);
    await expect(command('re-hash')).rejects.toThrow('api 4711 on host-1 does not use lookup/');
    await process.ends();
    expect(await command('re-hash')).toMatch(/^[1-9]\d* values are hashed under lookup\/\w+ now; 0 are not\.$/);
    expect(await command('re-hash')).toMatch(/^0 values are hashed /);
    for (const other of others) await command('retire', other);

    const ring = await ringNow();
    expect(ring.all('lookup')).toHaveLength(1);
    expect(await delivered('VOUCHER', new Sealer(ring), code)).toBe(0);
    const profile = await sql.one(database)<{ id: number; iccid: Buffer; hash: Buffer }>`
      SELECT order_id AS id, iccid, iccid_hash AS hash FROM esim_orders WHERE iccid_hash IS NOT NULL
       ORDER BY order_id DESC LIMIT 1`;
    const written = new Sealer(ring).open(esimField(profile.id, 'iccid'), profile.iccid);
    expect(new Sealer(ring).lookupHash(written.replace(/F$/, ''))).toEqual(profile.hash);
  });

  test('When a key was replaced less than 7 days ago, then it cannot be retired, because requests may be repeated', async () => {
    const before = await replaced('lookup');
    await command('re-hash');
    await expect(command('retire', before)).rejects.toThrow(`${before} is in use until `);
  });
});

describe('Retiring', () => {
  test('When a key is promoted, then it cannot be retired, unlike a key that was never promoted', async () => {
    const { id } = (await ringNow()).current('payload');
    await expect(command('retire', `payload/${id}`)).rejects.toThrow('is the promoted key: promote another one first');
    const name = await added('payload');
    await command('retire', name);
    expect(await listed(name)).toMatchObject({ state: 'retired' });
  });

  test('When a token key was replaced, then it cannot be retired until the last refresh token has expired, unless the operator accepts the loss', async () => {
    const before = await replaced('token');
    await age('token', '7 days');
    await expect(command('retire', before)).rejects.toThrow(
      /is in use until .*\. With --accept-loss it is retired now: clients that logged in under it must log in again\.$/,
    );
    await age('token', '1 minute');
    await command('retire', before);
    const leaked = await replaced('token');
    await command('retire', leaked, '--accept-loss');
  });

  test('When a payload key was replaced, then it can be retired only with --accept-loss, because histories may need it', async () => {
    const before = await replaced('payload');
    await age('payload', '1 year');
    await expect(command('retire', before)).rejects.toThrow('is in use as long as Temporal keeps histories');
    expect((await listed(before))?.['in_use_until']).toBe('its histories are gone from Temporal');
    await command('retire', before, '--accept-loss');
  });

  test('When a seal key is in use, then --accept-loss does not retire it', async () => {
    const before = await replaced('seal');
    await expect(command('retire', before, '--accept-loss')).rejects.toThrow('is in use until');
  });
});
