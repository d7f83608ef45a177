/** Expired rows are deleted in small batches, and no other rows. */
import { randomUUID } from 'node:crypto';
import { sql } from '../../dev/testbed/sql';
import { deleteOldDailyOrders } from '../../src/data/orders/order-counts';
import { deleteDecidedReservations } from '../../src/data/orders/order-reservations';
import { settleOrder } from '../../src/data/orders/settle-order';
import { placeOrder } from '../../src/data/orders/place-order';
import { deleteExpiredSessions } from '../../src/data/clients/token-sessions';
import { scratchDatabase } from '../../dev/testbed/scratch-database';
import { newHolder, newKey, reserve } from '../../dev/testbed/ledger-rows';
import { useMade } from '../support/made';

const { database } = scratchDatabase();
const holder = useMade(() => newHolder(database, 1_000));

describe('Order reservations', () => {
  const age = (orderIds: number[]) =>
    sql(database)`UPDATE order_reservations SET created_at = now() - interval '31 days'
         WHERE order_id = ANY (${orderIds})`;

  async function left(): Promise<number[]> {
    const found = await sql(database)<{ id: number }>`SELECT order_id AS id FROM order_reservations
         ORDER BY 1`;
    return found.map(({ id }) => id);
  }

  async function ended(): Promise<number> {
    const order = await reserve(database, holder);
    await placeOrder(database, order);
    await settleOrder(database, order.orderId, { failureCode: 'UNKNOWN' });
    return order.orderId;
  }

  test('When order reservations were decided long ago, then they are deleted in batches, except those that may still be read', async () => {
    const old = [await ended(), await ended(), await ended()];
    const open = await reserve(database, holder);
    await placeOrder(database, open);
    const undecided = await reserve(database, holder);
    const due = await ended();
    await sql(database)`UPDATE orders SET sealed_email = 'x' WHERE id = ${due}`;
    const late = [await ended(), await ended()];
    await age([...old, open.orderId, undecided.orderId, due, ...late]);
    const young = await ended();
    expect(await deleteDecidedReservations(database, 2)).toBe(5);
    expect(await left()).toEqual([open.orderId, undecided.orderId, due, young]);
    expect(await deleteDecidedReservations(database, 2)).toBe(0);
  });

  test('When an order is placed again after its reservation was deleted, then nothing happens', async () => {
    const order = await reserve(database, holder);
    await placeOrder(database, order);
    await settleOrder(database, order.orderId, { failureCode: 'UNKNOWN' });
    await age([order.orderId]);
    await deleteDecidedReservations(database);
    expect(await placeOrder(database, order)).toEqual({ outcome: 'ABANDONED' });
  });
});

describe('Sessions', () => {
  /** A session with tokens that expire this many minutes from now. Returns its token family. */
  async function session(...minutes: number[]): Promise<string> {
    const family = randomUUID();
    const { id: apiKeyId, clientId } = await newKey(database, holder.clientId);
    await sql(database)`INSERT INTO token_families (id, client_id, api_key_id)
         VALUES (${family}, ${clientId}, ${apiKeyId})`;
    for (const minute of minutes) {
      await sql(database)`INSERT INTO refresh_tokens (id, family_id, expires_at)
           VALUES (${randomUUID()}, ${family}, now() + make_interval(mins => ${minute}))`;
    }
    return family;
  }

  test('When tokens have expired, then they are deleted in batches, and a token family is deleted with its last token', async () => {
    const over = [await session(-90), await session(-200, -100, -80), await session(-70)];
    const living = await session(-90, 30);
    const justOver = await session(-30);
    await deleteExpiredSessions(database, 2);
    const families = await sql(database)<{ id: string }>`SELECT id FROM token_families
         WHERE id = ANY (${[...over, living, justOver]})`;
    expect(families.map(({ id }) => id).sort()).toEqual([living, justOver].sort());
    expect(over.some((id) => families.some((family) => family.id === id))).toBe(false);
    expect(await sql(database)`SELECT FROM refresh_tokens`).toHaveLength(2);
  });
});

test('When counts of daily caps are older than yesterday, then they are deleted, and newer counts stay', async () => {
  await sql(database)`INSERT INTO daily_orders
     SELECT 0, 'TOPUP', day_of(now()) - age, 'USD', 1, 1 FROM generate_series(0, 5) age`;
  expect(await deleteOldDailyOrders(database)).toBe(4);
  const left = await sql(database)<{ age: number }>`SELECT day_of(now()) - day AS age FROM daily_orders
       WHERE client_id = 0 ORDER BY age`;
  expect(left).toEqual([{ age: 0 }, { age: 1 }]);
});
