/** Workflows of orders learn of each change of the attention list once, also if a process ends or fails while it notifies them. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { pino } from 'pino';
import { sql } from '../../dev/testbed/sql';
import { raiseAttention } from '../../src/data/attention/attention';
import { leaseUnmirrored, markMirrored, type UnmirroredEntry } from '../../src/data/attention/mirroring';
import { mirrorAttention } from '../../src/ordering/maintenance/attention-mirror';
import { createOrder } from '../support/ledger-orders';
import { newHolder } from '../../dev/testbed/ledger-rows';
import { lockWaits } from '../support/lock-waits';
import { scratchDatabase } from '../../dev/testbed/scratch-database';
import { until } from '../../dev/testbed/waiting';

const { database } = scratchDatabase();
let ending: AbortController;
beforeEach(() => {
  ending = new AbortController();
});
afterEach(() => ending.abort());

/** A process that mirrors the list. `notify` signals the workflow with this id. */
function mirrorWith(notify: (workflowId: string) => Promise<void>): void {
  const getHandle = (id: string) => ({ signal: () => notify(id) });
  const temporal = { workflow: { getHandle } } as unknown as Client;
  void mirrorAttention({ database, temporal, log: pino({ level: 'silent' }) }, ending.signal);
}

async function newOrder(): Promise<number> {
  const holder = await newHolder(database, 100);
  return (await createOrder(database, holder, { family: 'VOUCHER', price: '10' })).orderId;
}

const raise = (orderId: number, reason: string) => raiseAttention(database, { orderId }, 'OUTCOME_UNKNOWN', reason);

const mirrored = (orderId: number) =>
  until('mirrored', async () => {
    return (
      (
        await sql(database)`
      SELECT FROM attention WHERE order_id = ${orderId} AND NOT mirrored`
      ).length === 0
    );
  });

test('When a process ends while it notifies a workflow, then another process notifies it of the latest change', async () => {
  const orderId = await newOrder();
  await raise(orderId, 'The supplier does not answer');
  const neverAnswered = jest.fn(() => new Promise<void>(() => undefined));
  mirrorWith(neverAnswered);
  await until('notified', async () => neverAnswered.mock.calls[0]);
  // The lease of the process ends.
  await sql(database)`UPDATE attention SET mirror_after = clock_timestamp()`;
  const notify = jest.fn(async (): Promise<void> => undefined);
  // The entry changes while the workflow is notified of it.
  notify.mockImplementationOnce(() => raise(orderId, 'The supplier still does not answer'));
  mirrorWith(notify);
  await until('notified of the change', async () => notify.mock.calls[1], 10);
  await mirrored(orderId);
  expect(notify).toHaveBeenCalledTimes(2);
});

test('When several processes mirror the list, then only one of them notifies a workflow of a change', async () => {
  // Longer than the interval between two reads of the list.
  const notify = jest.fn(() => sleep(3_000));
  mirrorWith(notify);
  mirrorWith(notify);
  const orderId = await newOrder();
  await raise(orderId, 'The supplier does not answer');
  await mirrored(orderId);
  await sleep(2_500);
  expect(notify).toHaveBeenCalledTimes(1);
});

test('When a process notifies a workflow for longer than its lease, then it leaves the mirrored entry as it is', async () => {
  const orderId = await newOrder();
  await raise(orderId, 'The supplier does not answer');
  let finish: () => void = () => undefined;
  const slow = jest.fn(() => new Promise<void>((resolve) => (finish = resolve)));
  mirrorWith(slow);
  await until('notified', async () => slow.mock.calls[0]);
  await sql(database)`UPDATE attention SET mirror_after = clock_timestamp()`;
  const notify = jest.fn(async (): Promise<void> => undefined);
  mirrorWith(notify);
  await mirrored(orderId);
  finish();
  await sleep(2_500);
  expect([slow.mock.calls.length, notify.mock.calls.length]).toEqual([1, 1]);
});

test('When an entry changes while it is marked as mirrored, then it is due at once', async () => {
  const orderId = await newOrder();
  await raise(orderId, 'The supplier does not answer');
  const [leased] = await leaseUnmirrored(database, 1);
  let marking: Promise<void> | undefined;
  await database.transaction(async (transaction) => {
    const reason = 'The supplier still does not answer';
    await raiseAttention(database, { orderId }, 'OUTCOME_UNKNOWN', reason, transaction);
    marking = markMirrored(database, leased as UnmirroredEntry);
    await lockWaits(database, 1, 'UPDATE attention SET mirrored');
  });
  await marking;
  const due = await leaseUnmirrored(database, 1);
  expect(due).toMatchObject([{ id: leased?.id }]);
  await markMirrored(database, due[0] as UnmirroredEntry);
  await mirrored(orderId);
});

test('When the notifications of many entries fail, then a later change is notified nevertheless', async () => {
  const [failing, later] = [await newOrder(), await newOrder()];
  await sql(database)`INSERT INTO attention (kind, order_id, reason)
       SELECT 'KIND_' || number, ${failing}, 'x' FROM generate_series(1, 100) number`;
  const notify = jest.fn(async (workflowId: string) => {
    if (workflowId.startsWith(`order-${failing}-`)) throw new Error('rejected');
  });
  mirrorWith(notify);
  await until('the failures', async () => notify.mock.calls.length >= 100);
  await raise(later, 'The supplier does not answer');
  await mirrored(later);
});
