/** Waiting orders do not starve deliveries, and waiting deliveries do not starve orders. */
import { rows, type Database } from '../../../src/data/database/database';
import { sql } from '../../../dev/testbed/sql';
import { second } from '../../../src/domain/time';
import { fund } from '../../../dev/testbed/clients';
import { newClient, type OwnClient } from '../../support/clients';
import { orderOf, ordersPath, place } from '../../support/orders';
import type { Service } from '../../support/orders-under-faults';
import { Receiver, register } from '../../support/receiver';
import { until } from '../../../dev/testbed/waiting';

/** Connections of the worker's two pools. */
export const ORDERS_POOL = 4;
export const WEBHOOKS_POOL = 3;

let database: Database;
const receivers: Receiver[] = [];

async function newReceiver({ api }: OwnClient): Promise<Receiver> {
  const receiver = await Receiver.listen();
  receivers.push(receiver);
  await register(api, receiver);
  return receiver;
}

/** Runs the work while the table is locked and at least this many connections wait for it. */
async function whileLocked(
  table: string,
  waiting: number,
  load: () => Promise<unknown>,
  work: () => Promise<void>,
): Promise<void> {
  let loaded: Promise<unknown> = Promise.resolve();
  await database.transaction(async (transaction) => {
    await rows(database, `LOCK TABLE ${table} IN SHARE MODE`, {}, transaction);
    loaded = load();
    await until(`${waiting} waiting for ${table}`, async () => {
      const found = await sql.first(database)<{ count: number }>`SELECT count(DISTINCT pid) FROM pg_locks
           WHERE relation = ${table}::regclass AND NOT granted`;
      return (found?.count ?? 0) >= waiting;
    });
    await work();
  });
  await loaded;
}

/** Registers the tests of this subject, on a started stack that other subjects share. */
export function testStarvation(started: () => Service): void {
  beforeAll(() => {
    ({ database } = started());
  });
  afterAll(() => receivers.forEach((receiver) => receiver.close()));

  test('When orders hold every connection of their pool, then webhooks are still delivered', async () => {
    const buyer = await newClient(database, { USD: 1_000 });
    const listener = await newClient(database, { USD: 1 });
    const receiver = await newReceiver(listener);
    const creates = () =>
      Promise.all(
        Array.from({ length: 3 * ORDERS_POOL }, () => buyer.api.post(ordersPath, orderOf('voucher_instant'))),
      );
    await whileLocked('supplier_purchases', ORDERS_POOL, creates, async () => {
      await fund(database, listener.wallets['USD'] as number, 2);
      // Sooner than the statement timeout, which frees an order's connection.
      await receiver.untilTaken(1, 12);
    });
  });

  test('When deliveries hold every connection of their pool, then orders are still placed and settled', async () => {
    const buyer = await newClient(database, { USD: 1_000 });
    const listener = await newClient(database, { USD: 1 });
    const own = [];
    for (let count = 0; count < 3 * WEBHOOKS_POOL; count++) own.push(await newReceiver(listener));
    const event = () => fund(database, listener.wallets['USD'] as number, 2);
    await whileLocked('webhook_attempts', WEBHOOKS_POOL, event, async () => {
      expect((await place(buyer.api, orderOf('voucher_instant'))).status).toBe('DELIVERED');
    });
    await Promise.all(own.map((receiver) => receiver.untilTaken(1)));
  });

  test('When a log of 100,000 events is replayed, then the request is answered immediately, and new events do not wait', async () => {
    const events = 100_000;
    const client = await newClient(database, { USD: 1 });
    const other = await newClient(database, { USD: 1 });
    // In batches that stay within the statement timeout on a busy machine.
    for (let part = 0; part < 10; part++) {
      await sql(database)`INSERT INTO events (client_id, order_id, type, data)
       SELECT ${client.id}, NULL, 'wallet.credited', '{}' FROM generate_series(1, ${events / 10})`;
    }
    const others = await newReceiver(other);
    const own = await newReceiver(client);
    const [endpoint] = (await client.api.get<{ id: number }[]>('/api/v1/webhooks/endpoints')).body;
    const began = Date.now();
    const answer = await client.api.post(`/api/v1/webhooks/endpoints/${endpoint?.id}/replay`, {
      since: '2020-01-01T00:00:00Z',
    });
    expect(answer).toMatchObject({ status: 202, body: { events: events + 1 } });
    expect(Date.now() - began).toBeLessThan(10 * second);
    await own.untilTaken(100);

    await fund(database, client.wallets['USD'] as number, 7);
    await fund(database, other.wallets['USD'] as number, 7);
    await others.untilTaken(1);
    await until('the new event', async () => own.taken.some(({ data }) => data['amount'] === '7.00'));
    expect(own.seen.length).toBeLessThan(events / 2);
    await client.api.patch(`/api/v1/webhooks/endpoints/${endpoint?.id}`, { enabled: false });
  });
}
