/** Webhooks survive a kill of the worker between commit and delivery. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../../src/data/database/database';
import { sql } from '../../../dev/testbed/sql';
import { newClient } from '../../support/clients';
import { orderOf, place } from '../../support/orders';
import type { Service } from '../../support/orders-under-faults';
import { kill, type OwnStack } from '../../support/own-stack';
import { Receiver, register } from '../../support/receiver';
import { until } from '../../../dev/testbed/waiting';

let stack: OwnStack;
let database: Database;

/** Registers the tests of this subject, on a started stack that other subjects share. */
export function testWebhooks(started: () => Service): void {
  beforeAll(() => {
    ({ stack, database } = started());
  });

  test.each([
    ['before anything was sent', 0],
    ['while the receiver does not answer', 1_000],
  ])('When the worker is killed after the commit, %s, then every event arrives', async (_when, wait) => {
    const client = await newClient(database, { USD: 1_000 });
    const receiver = await Receiver.listen();
    await register(client.api, receiver);
    receiver.answer = () => null;
    const orders = await Promise.all(Array.from({ length: 5 }, () => place(client.api, orderOf('voucher_instant'))));
    expect(orders.every(({ status }) => status === 'DELIVERED')).toBe(true);
    await sleep(wait);
    const killed = kill(stack, 'worker');
    receiver.answer = () => 204;
    await killed;

    const events = await sql(database)<{ id: string }>`SELECT id FROM events WHERE client_id = ${client.id}
         AND order_id IS NOT NULL`;
    expect(events).toHaveLength(10);
    const taken = () => new Set(receiver.taken.map(({ id }) => id));
    await until('every event', async () => events.every(({ id }) => taken().has(id)), 60);
    expect(receiver.faults).toEqual([]);
    receiver.close();
  });
}
