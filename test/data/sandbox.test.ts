/** The ledger entries for money that sandbox clients credit to themselves. */
import { rows } from '../../src/data/database/database';
import { sql } from '../../dev/testbed/sql';
import { fundWallet, listScenarios, storeScenarios } from '../../src/data/clients/sandbox';
import { ensureDataKeys } from '../../src/data/keys/data-keys';
import { readSecretKeys } from '../../src/security/key-encryption';
import { LocalKeyEncryption } from '../../src/security/key-encryption';
import { Exact } from '../../src/domain/prices/money';
import { newHolder } from '../../dev/testbed/ledger-rows';
import { ownSecretKeys, printedBy } from '../support/operator';
import { scratchDatabase } from '../../dev/testbed/scratch-database';

const { database, url } = scratchDatabase();
beforeAll(async () => {
  await storeScenarios(database, []);
  await ensureDataKeys(database, new LocalKeyEncryption(readSecretKeys(ownSecretKeys)));
});

test('When a client funds its wallet, then the ledger verification succeeds', async () => {
  const { clientId, walletId: id } = await newHolder(database);
  const caller = { clientId, apiKeyId: null, memberId: null, address: null, requestId: 'test' };
  for (const amount of ['0.01', '99.99', '10000000'])
    await fundWallet(database, caller, { id, currencyCode: 'USD' }, new Exact(amount));
  const balance = 'SELECT balance, entry_count AS entries FROM wallets WHERE id = $id';
  expect(await rows(database, balance, { id })).toEqual([{ balance: '10000100.0000', entries: 3 }]);
  expect(await printedBy(url, 'ledger', 'verify')).toMatch(/^Everything adds up: 1 wallets, 3 entries,/);
});

test('When the audit cannot be written, then nothing is credited', async () => {
  const { clientId, walletId: id } = await newHolder(database);
  const caller = { clientId, apiKeyId: 2_147_483_647, memberId: null, address: null, requestId: 'test' };
  await expect(fundWallet(database, caller, { id, currencyCode: 'USD' }, new Exact(1))).rejects.toThrow();
  expect(await sql(database)`SELECT FROM transactions WHERE wallet_id = ${id}`).toEqual([]);
});

test('When scenarios are stored again, then they replace the earlier ones, and their keys keep their order', async () => {
  await storeScenarios(database, [{ name: 'old', body: {} }]);
  await storeScenarios(database, [{ z: 1, a: 2 }]);
  expect(JSON.stringify(await listScenarios(database))).toBe('[{"z":1,"a":2}]');
});
