/** Workflows of orders learn of each change of the attention list, also if a process ends while it notifies them. */
import type { Client } from '@temporalio/client';
import { pino } from 'pino';
import { rows } from '../../src/data/database/database';
import { raiseAttention } from '../../src/data/operations/attention';
import { mirrorAttention } from '../../src/ordering/maintenance/attention-mirror';
import { createOrder } from '../support/ledger-orders';
import { newHolder } from '../support/ledger-rows';
import { scratchDatabase } from '../support/scratch-database';
import { until } from '../support/waiting';

const { database } = scratchDatabase();
const ending = new AbortController();
afterAll(() => ending.abort());

/** A process that mirrors the list. `notify` signals a workflow. */
function mirrorWith(notify: () => Promise<void>): void {
  const temporal = { workflow: { getHandle: () => ({ signal: notify }) } } as unknown as Client;
  void mirrorAttention({ database, temporal, log: pino({ level: 'silent' }) }, ending.signal);
}

const mirrored = () =>
  until('mirrored', async () => {
    const open = await rows(database, 'SELECT FROM attention WHERE NOT mirrored');
    return open.length === 0 ? true : undefined;
  });

test('When a process ends while it notifies a workflow, then another process notifies it of the latest change', async () => {
  const holder = await newHolder(database, 100);
  const { orderId } = await createOrder(database, holder, { family: 'VOUCHER', price: '10' });
  const raise = (reason: string) => raiseAttention(database, { orderId }, 'OUTCOME_UNKNOWN', reason);
  await raise('The supplier does not answer');
  const neverAnswered = jest.fn(() => new Promise<void>(() => undefined));
  mirrorWith(neverAnswered);
  await until('notified', async () => neverAnswered.mock.calls[0]);
  const notify = jest.fn(async (): Promise<void> => undefined);
  // The entry changes while the workflow is notified of it.
  notify.mockImplementationOnce(() => raise('The supplier still does not answer'));
  mirrorWith(notify);
  await mirrored();
  expect(notify).toHaveBeenCalledTimes(2);
});
