/** The rules for money that the database enforces for every writer. */
import { rows } from '../../src/data/database/database';
import { sql } from '../../dev/testbed/sql';
import {
  cancelFundingRequest,
  creditFundingRequest,
  fundingRequestsWith,
  requestFunding,
} from '../../src/data/funding/funding-requests';
import { verifyLedger } from '../../src/data/ledger-verification';
import { Exact } from '../../src/domain/prices/money';
import { Sealer } from '../../src/security/sealing';
import { stackKeyRing } from '../../dev/testbed/stack-keys';
import { balanceOf, unsoundWallets } from '../support/records';
import { scratchDatabase } from '../../dev/testbed/scratch-database';
import { newHolder, post, rejectionOf } from '../../dev/testbed/ledger-rows';
import { useNew } from '../support/made';

const { database } = scratchDatabase();
const holder = useNew(() => newHolder(database, 100));

const balance = () => balanceOf(database, holder.walletId);

describe('the ledger', () => {
  const history = /never changed or removed/;

  test.each([
    ['its amount is changed', 'UPDATE transactions SET amount = amount + 1 WHERE wallet_id = $walletId'],
    ['only its remarks are changed', `UPDATE transactions SET remarks = 'x' WHERE wallet_id = $walletId`],
    ['its status is changed', `UPDATE transactions SET status = 'FAILED' WHERE wallet_id = $walletId`],
    ['it is deleted', 'DELETE FROM transactions WHERE wallet_id = $walletId'],
  ])('When an entry is completed and %s, then the database rejects the change', async (_what, statement) => {
    expect(await rejectionOf(database, statement, { walletId: holder.walletId })).toMatch(history);
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
      Object.entries({ kind: 'FUNDING', type: 'CREDIT', status: 'COMPLETED', amount: 1, balance_after: 1, ...special })
        .map(([name, value]) => `${typeof value === 'number' ? value : `'${value}'`} AS ${name}`)
        .join();
    for (const special of [{ amount: 0 }, { amount: -1 }, { type: 'GIFT' }, { status: 'DONE' }, { kind: 'WISH' }]) {
      expect(await insert(entry(special))).toMatch(/violates check constraint/);
    }
  });

  test('When two entries of a wallet have the same number, then the database rejects the second', async () => {
    const again = `INSERT INTO transactions (wallet_id, client_id, sequence, kind, transaction_type, amount,
                     balance_after, reference_number, remarks) VALUES ($walletId, $clientId, 1, 'FUNDING', 'CREDIT', 1, 1, 'r', 'r')`;
    expect(await rejectionOf(database, again, { walletId: holder.walletId, clientId: holder.clientId })).toMatch(
      /duplicate key/,
    );
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
    await sql(database)`UPDATE wallets SET closed_at = now() WHERE id = ${holder.walletId}`;
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

describe('a funding request', () => {
  const request = async (): Promise<number> => {
    const given = { ...holder, amount: new Exact('12.34'), purchaseOrder: 'PO 4711', days: 30 };
    const made = await requestFunding(database, new Sealer(await stackKeyRing()), given);
    if (made.outcome !== 'REQUESTED') throw new Error(made.outcome);
    return made.id;
  };
  const entries = () =>
    sql(database)<{ id: number; reference: string; remarks: string }>`
      SELECT id, reference_number AS reference, remarks FROM transactions
       WHERE wallet_id = ${holder.walletId} AND kind = 'FUNDING'`;
  const change = (id: number, statement: string) =>
    rows(database, `UPDATE funding_requests SET ${statement} WHERE id = $id`, { id });
  const expire = (id: number) => change(id, 'expires_at = now()');

  test('When 50 processes credit it concurrently, then it is credited once, with its reference', async () => {
    const id = await request();
    const credits = await Promise.all(Array.from({ length: 50 }, () => creditFundingRequest(database, id)));
    const [credited] = credits.filter(({ outcome }) => outcome === 'CREDITED');
    expect(credits.filter(({ outcome }) => outcome === 'CREDITED')).toHaveLength(1);
    expect(credits.filter((one) => one !== credited)).toEqual(
      Array.from({ length: 49 }, () => ({ outcome: 'NOT_PENDING', state: 'CREDITED' })),
    );
    const [entry] = await entries();
    const [stored] = await fundingRequestsWith(database, [entry?.reference ?? '']);
    expect(await entries()).toEqual([{ ...entry, remarks: `Bank transfer ${stored?.reference}` }]);
    expect(stored).toMatchObject({ id, state: 'CREDITED', transactionId: entry?.id });
    expect(await balance()).toBe('112.34');
    expect((await verifyLedger(database, 10)).findings).toEqual([]);
  });

  test('When it is credited and cancelled concurrently, then exactly one of both happens', async () => {
    for (let round = 0; round < 20; round += 1) {
      const id = await request();
      const before = await entries();
      const both = [() => creditFundingRequest(database, id), () => cancelFundingRequest(database, id)] as const;
      const [credit, isCancelled] = await Promise.all(
        round % 2 === 0 ? [both[0](), both[1]()] : [both[1](), both[0]()].reverse(),
      );
      expect(credit).toMatchObject(
        isCancelled ? { outcome: 'NOT_PENDING', state: 'CANCELLED' } : { outcome: 'CREDITED' },
      );
      expect(await entries()).toHaveLength(before.length + (isCancelled ? 0 : 1));
    }
  });

  test('When its transaction is undone, its time is over or its wallet is closed, then it is not credited', async () => {
    const id = await request();
    const undone = database.transaction(async (transaction) => {
      expect(await creditFundingRequest(database, id, transaction)).toMatchObject({ outcome: 'CREDITED' });
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    await sql(database)`UPDATE wallets SET closed_at = now() WHERE id = ${holder.walletId}`;
    const { walletId } = holder;
    expect(await creditFundingRequest(database, id)).toEqual({ outcome: 'WALLET_CLOSED', walletId });
    await sql(database)`UPDATE wallets SET closed_at = NULL WHERE id = ${walletId}`;
    await expire(id);
    expect(await creditFundingRequest(database, id)).toEqual({ outcome: 'NOT_PENDING', state: 'EXPIRED' });
    expect(await cancelFundingRequest(database, id)).toBe(false);
    expect(await creditFundingRequest(database, 2_147_483_647)).toEqual({ outcome: 'NO_REQUEST' });
    expect(await entries()).toEqual([]);
  });

  test('When a writer ends it twice, or credits it with another entry, then the database rejects the change', async () => {
    const [id, cancelled] = [await request(), await request()];
    await cancelFundingRequest(database, cancelled);
    const entry = `transaction_id = (SELECT id FROM transactions WHERE wallet_id = ${holder.walletId} LIMIT 1), ended_at = now()`;
    await expect(change(id, `state = 'CREDITED', ${entry}`)).rejects.toThrow('is not credited by transaction');
    await expect(change(cancelled, `state = 'CREDITED', ${entry}`)).rejects.toThrow('has ended');
    await expect(change(cancelled, `state = 'PENDING', ended_at = NULL`)).rejects.toThrow('has ended');
  });
});

test('When a wallet is changed without a ledger entry, then unsoundWallets reports it', async () => {
  await sql(database)`UPDATE wallets SET balance = balance + 1 WHERE id = ${holder.walletId}`;
  expect(await unsoundWallets(database)).toEqual([holder.walletId]);
  await sql(database)`UPDATE wallets SET balance = balance - 1 WHERE id = ${holder.walletId}`;
  expect(await unsoundWallets(database)).toEqual([]);
});
