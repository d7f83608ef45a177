/** The statement of a wallet: exact to the cent, and from one snapshot. */
import { openDatabase } from '../../../src/data/database/database';
import { sql } from '../../../dev/testbed/sql';
import { readWalletStatement } from '../../../src/data/wallets/wallet-statement';
import { Exact } from '../../../src/domain/prices/money';
import { newHolder, post, type Holder } from '../../../dev/testbed/ledger-rows';
import { lockWaits } from '../../support/lock-waits';
import { runTool } from '../../support/tool';
import { loadStack } from '../../../dev/testbed/loaded-stack';
import type { Json } from '../../support/stack';
import { ownMoment } from '../../../src/domain/time';

const database = openDatabase(loadStack().database_url, 4);
afterAll(() => database.close());
let wallet: Holder;
let middle: string;

beforeAll(async () => {
  wallet = await newHolder(database, 100);
  await post(database, wallet, -30.05);
  const [moment] = await sql(database)<{ at: Date }>`SELECT max(created_at) + interval '1 ms' AS at
       FROM transactions WHERE wallet_id = ${wallet.walletId}`;
  middle = (moment as { at: Date }).at.toISOString();
  await sql(database)`SELECT pg_sleep(0.01)`;
  for (let cents = 1; cents <= 20; cents++) await post(database, wallet, cents / 100);
  await sql(database)`UPDATE clients SET name = '=cmd()' WHERE id = ${wallet.clientId}`;
});

test('When a statement is requested, then balances and entries add up to the cent', async () => {
  const { stdout } = await runTool`--json wallets statement ${wallet.walletId} --from ${middle}`;
  const lines = JSON.parse(stdout) as Json[];
  expect(lines[0]).toMatchObject({ kind: 'OPENING', balance: '69.95' });
  expect(lines.at(-1)).toMatchObject({ kind: 'CLOSING', balance: '72.05' });
  expect(lines).toHaveLength(22);
  const sum = lines.slice(1, -1).reduce((total, { amount }) => total.plus(String(amount)), new Exact('69.95'));
  expect(sum.toFixed(2)).toBe('72.05');
  expect(lines[1]).toMatchObject({ kind: 'ADJUSTMENT', type: 'CREDIT', amount: '0.01', balance: '69.96' });
});

test('When the period ends before now or has no entries, then the statement has only the entries of the period', async () => {
  const early = await runTool`--json wallets statement ${wallet.walletId} --from 2020-01-01 --to ${middle}`;
  expect((JSON.parse(early.stdout) as Json[]).map(({ kind, balance }) => [kind, balance])).toEqual([
    ['OPENING', '0.00'],
    ['ADJUSTMENT', '100.00'],
    ['ADJUSTMENT', '69.95'],
    ['CLOSING', '69.95'],
  ]);
  const none = await runTool`--json wallets statement ${wallet.walletId} --from ${middle} --to 2020-01-01`;
  expect(JSON.parse(none.stdout)).toMatchObject([{ balance: '69.95' }, { balance: '69.95' }]);
});

test('When a statement is printed as CSV or as a table, then it has a header and the same lines', async () => {
  const { stdout } = await runTool`wallets statement ${wallet.walletId} --from ${middle} --csv`;
  const [names, first, second] = stdout.split('\n');
  expect(names).toBe('at,kind,type,amount,balance,order_id,transaction_id,reference,remarks');
  expect(first).toMatch(/Z,OPENING,,,69\.95,,,,$/);
  expect(second).toMatch(/,ADJUSTMENT,CREDIT,0\.01,69\.96,,\d+,[0-9a-f-]+,Test$/);
  const table = await runTool`wallets statement ${wallet.walletId} --from ${middle}`;
  expect(table.stdout).toMatch(/^Wallet \d+ \(USD\) of =cmd\(\) \(client \d+\): 20 entries\nat +kind +type/);
  const missing = await runTool`wallets statement 999 --from ${middle}`;
  expect(missing).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('There is no wallet 999') });
});

test('When a remark contains terminal control characters, then a table omits them and JSON escapes them', async () => {
  const holder = await newHolder(database);
  const remarks = 'bank\u001b[2J\u009b1A\u202e\n2026-11-01 forged';
  await sql(database)`SELECT
       FROM post_entry(${holder.walletId}, 'FUNDING', 'CREDIT', 40, NULL, 'ref', ${remarks}, NULL, NULL, NULL, NULL)`;
  const printed = async (...words: string[]) =>
    (await runTool`${words} wallets statement ${holder.walletId} --from 2020-01-01`).stdout;
  expect((await printed()).split('\n')[3]).toMatch(/  bank\[2J1A 2026-11-01 forged$/);
  const json = await printed('--json');
  expect(json).toContain(String.raw`bank\u001b[2J\u009b1A\u202e\n2026-11-01 forged`);
  expect(JSON.parse(json)).toMatchObject([{}, { remarks }, {}]);
});

test('When entries are posted during the read, then the statement shows the wallet at the start of the read', async () => {
  const period = { from: ownMoment(middle), to: new Date(Date.now() + 60_000) };
  const statement = await readWalletStatement(database, wallet.walletId, period);
  await post(database, wallet, 5);
  const balances: string[] = [];
  for await (const { balanceAfter } of statement?.entries() ?? []) balances.push(balanceAfter);
  expect(statement).toMatchObject({ count: 20, closingBalance: '72.05' });
  expect([balances.length, balances.at(-1)]).toEqual([20, '72.05']);
});

test('When an entry of a closed period is committed late, then the statement waits for the entry and never changes later', async () => {
  const holder = await newHolder(database, 100);
  const open = await database.transaction();
  const entry = await sql.first(database, open)<{ at: Date }>`SELECT created_at AS at
       FROM post_entry(${holder.walletId}, 'ADJUSTMENT', 'DEBIT', 40, NULL, 'late', 'Test', NULL, NULL, NULL, NULL)`;
  const to = new Date((entry?.at.getTime() ?? 0) + 1);
  await sql(database)`SELECT pg_sleep(0.01)`;
  const closed = () => readWalletStatement(database, holder.walletId, { from: new Date(0), to });
  const reading = closed();
  await Promise.race([reading, lockWaits(database)]);
  await open.commit();
  expect(await reading).toMatchObject({ count: 2, closingBalance: '60.00' });
  await post(database, holder, 5);
  expect(await closed()).toMatchObject({ count: 2, closingBalance: '60.00' });
  const next = await readWalletStatement(database, holder.walletId, { from: to, to: new Date(Date.now() + 60_000) });
  expect(next).toMatchObject({ openingBalance: '60.00', count: 1, closingBalance: '65.00' });
});

test('When the statement of a closed period was read, then later entries are outside the period, even if the clock is set back', async () => {
  const holder = await newHolder(database, 100);
  const moment = () => sql.first(database)<{ moment: Date }>`SELECT moment FROM client_clocks
       WHERE client_id = ${holder.clientId}`;
  const to = new Date(((await moment())?.moment.getTime() ?? 0) + 2);
  await sql(database)`SELECT pg_sleep(0.01)`;
  await readWalletStatement(database, holder.walletId, { from: new Date(0), to });
  // The next entry gets a later time than this one, independent of the server clock.
  expect((await moment())?.moment).toEqual(to);
  await readWalletStatement(database, holder.walletId, { from: new Date(0), to: new Date(0) });
  expect((await moment())?.moment).toEqual(to);
});
