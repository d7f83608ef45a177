/** The rules for money that the database enforces for every writer. */
import { rows } from '../../src/data/database/database';
import { balanceOf, unsoundWallets } from '../support/records';
import { scratchDatabase } from '../support/scratch-database';
import { newHolder, post, rejectionOf, type Holder } from '../support/ledger-rows';

const { database } = scratchDatabase();
let holder: Holder;
beforeEach(async () => {
  holder = await newHolder(database, 100);
});

const balance = () => balanceOf(database, holder.walletId);

describe('the ledger', () => {
  const history = /never changed or removed/;

  test.each([
    ['its amount is changed', 'UPDATE transactions SET amount = amount + 1 WHERE wallet_id = $walletId'],
    ['only its remarks are changed', `UPDATE transactions SET remarks = 'x' WHERE wallet_id = $walletId`],
    ['its status is changed', `UPDATE transactions SET status = 'FAILED' WHERE wallet_id = $walletId`],
    ['it is deleted', 'DELETE FROM transactions WHERE wallet_id = $walletId'],
  ])('When an entry is completed and %s, then the database rejects the change', async (_what, sql) => {
    expect(await rejectionOf(database, sql, { walletId: holder.walletId })).toMatch(history);
    expect(await unsoundWallets(database)).toEqual([]);
  });

  test('When a statement truncates the table, then the database rejects it', async () => {
    expect(await rejectionOf(database, 'TRUNCATE transactions CASCADE')).toMatch(history);
    expect(await balance()).toBe('100');
  });

  test('When an entry has a zero or negative amount, or an unknown type, status or kind, then the database rejects it', async () => {
    const insert = (columns: string) =>
      rejectionOf(
        database,
        `INSERT INTO transactions (wallet_id, client_id, sequence, kind, transaction_type, status, amount,
           balance_after, reference_number, remarks)
         SELECT $walletId, $clientId, 99, kind, type, status, amount, balance_after, 'r', 'r' FROM (SELECT ${columns}) entry`,
        { walletId: holder.walletId, clientId: holder.clientId },
      );
    const entry = (special: object) =>
      Object.entries({
        kind: 'FUNDING',
        type: 'CREDIT',
        status: 'COMPLETED',
        amount: 1,
        balance_after: 1,
        ...special,
      })
        .map(([name, value]) => `${typeof value === 'number' ? value : `'${value}'`} AS ${name}`)
        .join();
    for (const special of [
      { amount: 0 },
      { amount: -1 },
      { type: 'GIFT' },
      { status: 'DONE' },
      { kind: 'WISH' },
    ]) {
      expect(await insert(entry(special))).toMatch(/violates check constraint/);
    }
  });

  test('When two entries of a wallet have the same number, then the database rejects the second', async () => {
    const again = `INSERT INTO transactions (wallet_id, client_id, sequence, kind, transaction_type, amount,
                     balance_after, reference_number, remarks) VALUES ($walletId, $clientId, 1, 'FUNDING', 'CREDIT', 1, 1, 'r', 'r')`;
    expect(
      await rejectionOf(database, again, { walletId: holder.walletId, clientId: holder.clientId }),
    ).toMatch(/duplicate key/);
  });
});

describe('the balance', () => {
  test('When a debit exceeds the balance, then no entry is posted and the balance is unchanged', async () => {
    expect(await post(database, holder, -100.01)).toBe(false);
    expect(await balance()).toBe('100');
    expect(await post(database, holder, -100)).toBe(true);
    expect(await balance()).toBe('0');
  });

  test('When the wallet is closed, then it accepts neither debits nor credits', async () => {
    await rows(database, 'UPDATE wallets SET closed_at = now() WHERE id = $walletId', {
      walletId: holder.walletId,
    });
    expect(await post(database, holder, 1)).toBe(false);
    expect(await post(database, holder, -1)).toBe(false);
    expect(await balance()).toBe('100');
  });

  test('When entries are posted concurrently, then their numbers have no gaps and their amounts add up to the balance', async () => {
    const amounts = Array.from({ length: 60 }, (_, index) => (index % 3 === 0 ? 1.25 : -7));
    const posted = await Promise.all(amounts.map((amount) => post(database, holder, amount)));
    const moved = amounts.filter((_, index) => posted[index]).reduce((sum, amount) => sum + amount, 0);
    expect(posted).toContain(false);
    expect(Number(await balance())).toBe(100 + moved);
    expect(await unsoundWallets(database)).toEqual([]);
  });
});

test('When a wallet is changed without a ledger entry, then unsoundWallets reports it', async () => {
  await rows(database, 'UPDATE wallets SET balance = balance + 1 WHERE id = $walletId', {
    walletId: holder.walletId,
  });
  expect(await unsoundWallets(database)).toEqual([holder.walletId]);
  await rows(database, 'UPDATE wallets SET balance = balance - 1 WHERE id = $walletId', {
    walletId: holder.walletId,
  });
  expect(await unsoundWallets(database)).toEqual([]);
});
