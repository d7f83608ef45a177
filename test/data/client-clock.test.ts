/** The clock of a client: lists show the newest row first, in the order of the commits. */
import { sql } from '../../dev/testbed/sql';
import { listOrders } from '../../src/data/orders/order-reads';
import { placeOrder } from '../../src/data/orders/place-order';
import {
  listClientEntries,
  listClientEntriesBeyond,
  listWalletEntriesBeyond,
  type LedgerEntry,
} from '../../src/data/wallets/transactions';
import { scratchDatabase } from '../../dev/testbed/scratch-database';
import { newHolder, post, reserve, type Holder } from '../../dev/testbed/ledger-rows';
import { lockWaits } from '../support/lock-waits';

const { database } = scratchDatabase();

/** A second wallet of the client, with 100 euros. */
async function secondWallet(holder: Holder): Promise<Holder> {
  const wallet = await sql.first(database)<{ id: number }>`INSERT INTO wallets (client_id, currency_code)
       VALUES (${holder.clientId}, 'EUR') RETURNING id`;
  const second = { ...holder, walletId: (wallet as { id: number }).id };
  await post(database, second, 100);
  return second;
}

test('When a ledger entry is not committed yet, then an entry of the client’s other wallet waits and comes after it', async () => {
  const dollars = await newHolder(database, 100);
  const euros = await secondWallet(dollars);
  const open = await database.transaction();
  await sql(database, open)`SELECT
       FROM post_entry(${dollars.walletId}, 'ADJUSTMENT', 'DEBIT', 1, NULL, 'first', 'Test', NULL, NULL, NULL, NULL)`;
  const second = post(database, euros, -1);
  await lockWaits(database);
  await open.commit();
  expect(await second).toBe(true);
  const { rows: entries } = await listClientEntries(database, dollars.clientId, 0, 2);
  expect(entries.map(({ walletId }) => walletId)).toEqual([euros.walletId, dollars.walletId]);
});

test('When the server clock is set back, then later orders and entries are still listed above earlier ones', async () => {
  const holder = await newHolder(database, 100);
  const ids: number[] = [];
  for (let order = 0; order < 3; order++) {
    const key = await reserve(database, holder);
    await placeOrder(database, key);
    ids.unshift(key.orderId);
    await sql(database)`UPDATE client_clocks SET moment = moment + interval '1 hour'
         WHERE client_id = ${holder.clientId}`;
  }
  const page = { offset: 0, limit: 10 };
  const { rows: orders } = await listOrders(database, 'VOUCHER', holder.clientId, {}, page);
  expect(orders.map(({ id }) => id)).toEqual(ids);
  const times = orders.map(({ placedAt }) => placedAt.getTime());
  expect((times[0] as number) - (times[2] as number)).toBeGreaterThanOrEqual(2 * 3_600_000);
  const { rows: entries } = await listClientEntries(database, holder.clientId, 0, 3);
  expect(entries.map(({ createdAt }) => createdAt.getTime())).toEqual(times);
});

test('When a page has more rows than one read returns, then it has each row once and in order', async () => {
  const holder = await newHolder(database, 100_000);
  await sql(database)`SELECT count(*)
       FROM generate_series(1, 1200) n, post_entry(${holder.walletId}, 'ADJUSTMENT', 'DEBIT', 1, NULL,
       'many-' || n, 'Test', NULL, NULL, NULL, NULL)`;
  const { total, rows: entries } = await listClientEntries(database, holder.clientId, 100, 1_050);
  expect(total).toBe(1_201);
  expect(entries.map(({ referenceNumber }) => referenceNumber)).toEqual(
    Array.from({ length: 1_050 }, (_, index) => `many-${1_100 - index}`),
  );

  const middle = entries[549] as LedgerEntry;
  const { clientId, walletId } = holder;
  for (const [direction, newest] of [
    ['older', 550],
    ['newer', 1_051],
  ] as const) {
    const position = { id: middle.id, direction };
    const references = Array.from({ length: 500 }, (_, index) => `many-${newest - index}`);
    const parts = [
      await listClientEntriesBeyond(database, clientId, position, 500),
      await listWalletEntriesBeyond(database, clientId, walletId, position, 500),
    ];
    for (const part of parts) {
      expect(part).toMatchObject({ total: 1_201, hasMore: true });
      expect(typeof part === 'object' && part.rows.map(({ referenceNumber }) => referenceNumber)).toEqual(references);
    }
  }
});
