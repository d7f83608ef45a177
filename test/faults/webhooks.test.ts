import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StackFile } from '../../stack/stack-file';
import { rows } from '../../src/data/database';
import { newClient, stackDatabase } from '../support/clients';
import { place, orderOf } from '../support/orders';
import { Receiver } from '../support/receiver';
import { until } from '../support/waiting';

/** The worker's process as the stack's supervisor knows it now. */
function workerPid(): number {
  const stack = JSON.parse(readFileSync(process.env['STACK_FILE'] as string, 'utf8')) as StackFile;
  return stack.pids['worker'] as number;
}

describe('webhooks when the worker is killed', () => {
  const database = stackDatabase();
  afterAll(() => database.close());

  test.each([
    ['before anything was sent', 0],
    ['while a receiver does not answer', 1_000],
  ])('When it is killed after the commit and %s, then every event comes', async (_when, wait) => {
    const client = await newClient(database, { USD: 1_000 });
    const receiver = await Receiver.listen();
    const endpoint = { url: receiver.url };
    receiver.secret = (
      await client.api.post<{ secret: string }>('/api/v1/webhooks/endpoints', endpoint)
    ).body.secret;
    receiver.answer = () => null;
    const orders = await Promise.all(
      Array.from({ length: 5 }, () => place(client.api, orderOf('voucher_instant'))),
    );
    expect(orders.every(({ status }) => status === 'DELIVERED')).toBe(true);
    await sleep(wait);
    process.kill(workerPid(), 'SIGKILL');
    receiver.answer = () => 204;

    const events = await rows<{ id: string }>(
      database,
      'SELECT id FROM events WHERE client_id = $1 AND order_id IS NOT NULL',
      [client.id],
    );
    expect(events).toHaveLength(10);
    const taken = () => new Set(receiver.taken.map(({ id }) => id));
    await until(
      'every event',
      async () => (events.every(({ id }) => taken().has(id)) ? true : undefined),
      60,
    );
    expect(receiver.faults).toEqual([]);
    receiver.close();
  });
});
