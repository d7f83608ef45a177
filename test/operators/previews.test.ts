/** What operations say before they change money, prices and rates. docs/operators/office.md. */
import { randomUUID } from 'node:crypto';
import { openDatabase, rows } from '../../src/data/database/database';
import { tryOut, actingAs, inOneTransaction } from '../../src/data/database/acting-person';
import { postEntry } from '../../src/data/wallets/ledger';
import { Exact } from '../../src/domain/prices/money';
import { sentenceOf } from '../../src/operations/failure';
import { storeUnits } from '../support/fulfilment';
import { createOrder, endOrder } from '../support/ledger-orders';
import { newHolder, type Holder } from '../support/ledger-rows';
import { operatingPeople, type OperatingPeople, type OperatingPerson } from '../support/operating-people';
import { balanceOf } from '../support/records';
import { scratchDatabase } from '../support/scratch-database';

const scratch = scratchDatabase();
const { database } = scratch;
const reason = 'Ticket 4711';

let people: OperatingPeople;
let ada: OperatingPerson;
let holder: Holder;
beforeAll(async () => {
  people = await operatingPeople(scratch);
  ada = people.as('ada', 'admin');
});
afterAll(() => people.close());
beforeEach(async () => {
  holder = await newHolder(database, 1_000);
});

const balance = async () => Number(await balanceOf(database, holder.walletId));

/** An ended order of units that cost 9.99 each. */
async function delivered(quantity: number): Promise<number> {
  const { orderId } = await createOrder(database, holder, { productId: 999, quantity });
  await storeUnits(database, orderId, quantity);
  await endOrder(database, orderId);
  return orderId;
}

/** Previews the operation, then runs it: both must say the same. */
async function rejectedTwice(operation: string, given: object): Promise<string> {
  const messageOf = (promise: Promise<unknown>) => promise.then(() => 'done', sentenceOf);
  const preview = await messageOf(ada.preview(operation, given));
  expect(await messageOf(ada.run(operation, given))).toBe(preview);
  return preview;
}

describe('Money', () => {
  const fund = (more: object) => ({
    wallet: holder.walletId,
    amount: '2.5',
    reference: randomUUID(),
    reason,
    ...more,
  });

  test('When money is added, then the preview has the old and the new balance, and nothing has changed', async () => {
    expect(await ada.preview('wallets fund', fund({}))).toMatch(
      /^Credits 2\.5 USD in wallet \d+ of \S+, which holds 1000 and will hold 1002\.5\.$/,
    );
    expect(await ada.preview('wallets adjust', fund({ amount: '-0.5' }))).toMatch(
      /^Debits 0\.5 USD .* which holds 1000 and will hold 999\.5\.$/,
    );
    expect(await balance()).toBe(1_000);
    expect(await rows(database, 'SELECT FROM audit_entries WHERE reason = $reason', { reason })).toEqual([]);
  });

  test('When the run rejects an entry, then the preview rejects it with the same message', async () => {
    expect(await rejectedTwice('wallets fund', fund({ amount: '0.001' }))).toContain(
      '0.001 is not an amount of USD: above 0, 2 decimals',
    );
    expect(await rejectedTwice('wallets adjust', fund({ amount: '-1000.01' }))).toContain('holds only');
    const opened = await ada.run('wallets open', { client: String(holder.clientId), currency: 'JPY' });
    const [{ id: yen }] = opened.data as [{ id: number }];
    expect(await rejectedTwice('wallets adjust', fund({ wallet: yen, amount: '0.5' }))).toContain(
      '0.5 is not an amount of JPY: above 0, 0 decimals',
    );
    const reference = randomUUID();
    await ada.run('wallets fund', fund({ reference }));
    expect(await rejectedTwice('wallets fund', fund({ reference, amount: '3' }))).toContain(
      'belongs to another entry: FUNDING CREDIT of 2.5',
    );
    expect(await ada.preview('wallets fund', fund({ reference }))).toMatch(
      /^Nothing changes: wallet \d+ of \S+, which holds 1002\.5 USD, has the entry with the reference /,
    );
  });

  test('When the run rejects a refund, then the preview rejects it with the same message', async () => {
    const order = await delivered(1);
    const refund = (more: object) => ({
      ...{
        order,
        amount: '1',
        reason_code: 'GOODWILL',
        reference: 'first',
        note: 'Jane Doe',
        reason,
        ...more,
      },
    });
    expect(await rejectedTwice('orders refund', refund({ amount: '0.001' }))).toContain(
      '0.001 is not an amount of USD, which has 2 decimals',
    );
    expect(await rejectedTwice('orders refund', refund({ amount: '99999' }))).toContain('more are not left');
    expect(await rejectedTwice('orders refund', refund({ order: order + 1_000_000 }))).toContain(
      'There is no order',
    );
    expect(await ada.preview('orders refund', refund({}))).toMatch(/^Refunds 1 USD of order /);
    expect(await balance()).toBe(990);
    await ada.run('orders refund', refund({}));
    expect(await rejectedTwice('orders refund', refund({ amount: '2' }))).toContain(
      'belongs to another refund',
    );
    expect(await ada.preview('orders refund', refund({}))).toContain('Nothing changes: order');
  });

  test('When refunds wait for a closed wallet, then the preview of its opening has the old and the new balance', async () => {
    const order = await delivered(1);
    await ada.run('wallets adjust', fund({ amount: String(-(await balance())), reason }));
    await ada.run('wallets close', { wallet: holder.walletId });
    const refund = { order, amount: '3', reason_code: 'GOODWILL', reference: 'r', reason };
    expect(await ada.preview('orders refund', refund)).toContain('It waits, because the wallet is closed.');
    await ada.run('orders refund', refund);
    expect(await ada.preview('wallets reopen', { wallet: holder.walletId })).toMatch(
      /^Opens wallet \d+ of \S+, which holds 0 USD\. With the refunds that wait for it, it will hold 3 USD\.$/,
    );
    expect(await balance()).toBe(0);
    await ada.run('wallets reopen', { wallet: holder.walletId });
    expect(await ada.preview('wallets reopen', { wallet: holder.walletId })).toContain('Nothing changes');
    expect(await balance()).toBe(3);
  });

  test('When an import of refunds is resumed, then the preview says what waits, and that an ended import is rejected', async () => {
    const order = await delivered(2);
    const text = `order,units,amount,reason_code,reference\n${order},1,,INVALID_GOODS,line`;
    const file = { name: 'refunds.csv', text };
    expect(await ada.preview('refunds import', { file, reason })).toContain('Credits 1 refunds of');
    const [{ id }] = (await ada.run('refunds import', { file, reason })).data as [{ id: number }];
    await ada.run('refunds pause', { import: id });
    expect(await ada.preview('refunds resume', { import: id })).toBe(
      `Import ${id}, which is PAUSED, goes on: 1 of its refunds wait to be credited, and 0 are credited.`,
    );
    await rows(database, 'UPDATE refund_imports SET ended_at = now(), paused = false WHERE id = $id', { id });
    expect(await rejectedTwice('refunds resume', { import: id })).toContain('has ended');
  });

  test('When the work of a preview throws inside a larger transaction, then the transaction goes on', async () => {
    const operated = openDatabase(scratch.url, 1, { isOperated: true });
    const entry = (amount: string) => ({
      ...({ walletId: holder.walletId, kind: 'FUNDING', type: 'CREDIT', remarks: 'Test' } as const),
      ...{ amount: new Exact(amount), reference: randomUUID() },
    });
    const person = { operator: 'ada', command: 'wallets fund', reason, statementMs: 5_000 };
    await actingAs(person, () =>
      inOneTransaction(operated, async () => {
        await postEntry(operated, entry('1'));
        await tryOut(operated, () => postEntry(operated, entry('10')));
        await expect(tryOut(operated, () => postEntry(operated, entry('0.001')))).rejects.toThrow('0.001');
        await postEntry(operated, entry('2'));
      }),
    );
    await operated.close();
    expect(await balance()).toBe(1_003);
  });
});
