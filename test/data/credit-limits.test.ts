/** Credit limits of wallets: what debits may spend, and what is always possible. docs/specification.md#wallets. */
import { sql } from '../../dev/testbed/sql';
import { verifyLedger } from '../../src/data/ledger-verification';
import { setCreditLimit } from '../../src/data/wallets/credit-limits';
import { readWalletStatement } from '../../src/data/wallets/wallet-statement';
import type { OrderRejection } from '../../src/domain/orders/order-messages';
import { Exact } from '../../src/domain/prices/money';
import { createOrder, deliveredOrder, endOrder, houseBrand, reserveOrder } from '../support/ledger-orders';
import { placeOrder } from '../../src/data/orders/place-order';
import { newHolder, post, type Holder } from '../../dev/testbed/ledger-rows';
import { balanceOf } from '../support/records';
import { scratchDatabase } from '../../dev/testbed/scratch-database';

const { database } = scratchDatabase();

/** A client whose wallet is empty and has the limit. */
async function debtor(limit: number): Promise<Holder> {
  const holder = await newHolder(database);
  await setCreditLimit(database, holder.walletId, new Exact(limit));
  return holder;
}

const order = (holder: Holder, price: string) => createOrder(database, holder, { price });
const outcome = async (holder: Holder, price: string) => (await order(holder, price)).placement;
const refused = (refusal: OrderRejection) => ({ outcome: 'REFUSED', refusal });
const balance = ({ walletId }: Holder) => balanceOf(database, walletId);

afterEach(async () => expect((await verifyLedger(database, 10)).findings).toEqual([]));

test('When the limit is 100 and the balance 0, then orders of exactly 100 are possible, and no cent more', async () => {
  const holder = await debtor(100);
  expect(await outcome(holder, '99')).toMatchObject({ outcome: 'PLACED' });
  expect(await outcome(holder, '1.01')).toEqual(refused('INSUFFICIENT_BALANCE'));
  expect(await outcome(holder, '1')).toMatchObject({ outcome: 'PLACED' });
  expect(await outcome(holder, '0.01')).toEqual(refused('INSUFFICIENT_BALANCE'));
  expect(await balance(holder)).toBe('-100');
});

test('When 50 orders arrive concurrently, then the balance never passes the limit', async () => {
  const holder = await debtor(100);
  const keys = await Promise.all(Array.from({ length: 50 }, () => reserveOrder(database, holder, { price: '7' })));
  const placed = await Promise.all(keys.map((key) => placeOrder(database, key)));
  expect(placed.filter((placement) => placement.outcome === 'PLACED')).toHaveLength(14);
  expect(await balance(holder)).toBe('-98');
});

test('When the limit is lowered below the debt, then it stops debits, and credits are still possible', async () => {
  const holder = await debtor(100);
  const { orderId } = await order(holder, '5');
  await order(holder, '95');
  await setCreditLimit(database, holder.walletId, new Exact(10));
  expect(await balance(holder)).toBe('-100');
  expect(await outcome(holder, '0.01')).toEqual(refused('INSUFFICIENT_BALANCE'));
  expect(await post(database, holder, -0.01)).toBe(false);
  expect(await endOrder(database, orderId)).toMatchObject({ status: 'FAILED' });
  expect(await balance(holder)).toBe('-95');
  expect(await post(database, holder, 85.5)).toBe(true);
  expect(await outcome(holder, '0.5')).toMatchObject({ outcome: 'PLACED' });
  expect(await outcome(holder, '0.01')).toEqual(refused('INSUFFICIENT_BALANCE'));

  const periods = [new Date(0), new Date(), new Date(Date.now() + 60_000)];
  const statements = await Promise.all(
    periods
      .slice(1)
      .map((to, index) => readWalletStatement(database, holder.walletId, { from: periods[index] as Date, to })),
  );
  expect(statements.map((one) => [one?.openingBalance, one?.closingBalance])).toEqual([
    ['0.00', '-10.00'],
    ['-10.00', '-10.00'],
  ]);
  let expected = new Exact(0);
  for await (const { type, amount, balanceAfter } of statements[0]?.entries() ?? []) {
    expected = type === 'CREDIT' ? expected.plus(amount) : expected.minus(amount);
    expect(balanceAfter).toBe(expected.toFixed(2));
  }
});

test('When a code pays for an order, then a debt beyond the limit does not reject it', async () => {
  const holder = await debtor(100);
  const productId = await houseBrand(database);
  const orderId = await deliveredOrder(database, holder, { productId, faceValue: '100' });
  await setCreditLimit(database, holder.walletId, new Exact(10));
  const redeems = { orderId, unit: 1 };
  expect((await createOrder(database, holder, { family: 'TOPUP', price: '99', redeems })).placement).toMatchObject({
    outcome: 'PLACED',
  });
  expect(await balance(holder)).toBe('-99');
  expect(await outcome(holder, '1')).toEqual(refused('INSUFFICIENT_BALANCE'));
});

test('When a limit changes between two entries, then its history names the entry from which it holds', async () => {
  const holder = await debtor(100);
  await post(database, holder, -60);
  for (const limit of [70, 80, 80]) await setCreditLimit(database, holder.walletId, new Exact(limit));
  expect(
    await sql(database)`SELECT from_entry, credit_limit::float FROM credit_limits
       WHERE wallet_id = ${holder.walletId} ORDER BY id`,
  ).toEqual([
    { from_entry: 1, credit_limit: 100 },
    { from_entry: 2, credit_limit: 70 },
    { from_entry: 2, credit_limit: 80 },
  ]);
});
