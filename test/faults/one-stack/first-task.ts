/**
 * The worker is killed in each of the local activities with which an order begins: before Temporal has recorded the debit, and after.
 * docs/decisions/0032-begin-an-order-with-three-local-activities.md.
 */
import type { Client, WorkflowHandle } from '@temporalio/client';
import { temporal as protocol } from '@temporalio/proto';
import { firstRow, rows, type Database } from '../../../src/data/database/database';
import { newClient, type OwnClient } from '../../support/clients';
import { waitingStatements } from '../../support/lock-waits';
import { ended, orderOf, ordersPath } from '../../support/orders';
import type { Service } from '../../support/orders-under-faults';
import { kill, type OwnStack } from '../../support/own-stack';
import { boughtFor, entriesOf, kindsMovedBy } from '../../support/records';
import type { Resource } from '../../support/stack';
import { until } from '../../support/waiting';
import { serviceTemporalClient, workflowOf } from '../../support/workflows';

const { EVENT_TYPE_MARKER_RECORDED: MARKER } = protocol.api.enums.v1.EventType;

let stack: OwnStack;
let database: Database;
let temporal: Client;
let client: OwnClient;

/** Takes the lock. Returns the function that gives it back. */
async function lock(sql: string): Promise<() => Promise<void>> {
  let giveBack = (): void => undefined;
  const given = new Promise<void>((resolve) => (giveBack = resolve));
  let isLocked = (): void => undefined;
  const locked = new Promise<void>((resolve) => (isLocked = resolve));
  const transaction = database.transaction(async (open) => {
    await rows(database, sql, sql === lockWallet ? { wallet: client.wallets['USD'] } : {}, open);
    isLocked();
    await given;
  });
  await Promise.race([locked, transaction]);
  return async () => {
    giveBack();
    await transaction;
  };
}

const lockWallet = 'SELECT FROM wallets WHERE id = $wallet FOR UPDATE';
/** Each debit, each delivery and each refund writes events. */
const lockEvents = 'LOCK TABLE events IN SHARE MODE';

const waiters = (count: number, text: string) =>
  until(`${count} waiting: ${text}`, async () =>
    (await waitingStatements(database, text)) >= count ? true : undefined,
  );

/** Orders, and calls `work` while the debit waits for the lock. Returns the order's id, or undefined after 503. */
async function orderBehind(sql: string, scenario: string, work: () => Promise<void>): Promise<number | undefined> {
  const give = await lock(sql);
  const answer = client.api.post<Resource>(ordersPath, orderOf(scenario));
  await waiters(1, 'order_reservations');
  await work();
  await give();
  if ((await answer).status === 503) return undefined;
  const [order] = await rows<{ id: number }>(database, 'SELECT id FROM orders WHERE client_id = $id', { id: client.id });
  return order?.id;
}

async function markersOf(workflow: WorkflowHandle): Promise<number> {
  const { events } = await workflow.fetchHistory();
  return (events ?? []).filter(({ eventType }) => eventType === MARKER).length;
}

/** Registers the tests of this subject, on a started stack that other subjects share. */
export function testFirstTask(started: () => Service): void {
  beforeAll(async () => {
    ({ stack, database } = started());
    temporal = await serviceTemporalClient();
  });
  beforeEach(async () => {
    client = await newClient(database, { USD: 1_000 });
  });
  afterAll(() => temporal.connection.close());

  test('When the worker is killed while the debit waits, then the order is debited, bought and delivered once, or there is none', async () => {
    const id = await orderBehind(lockWallet, 'voucher_instant', () => kill(stack, 'worker'));
    const entries = await kindsMovedBy(database, client.id);
    if (id === undefined) return expect(entries).toEqual({ FUNDING: 1 });
    expect(await ended(client.api, id)).toMatchObject({ status: 'DELIVERED' });
    expect(await boughtFor(id)).toHaveLength(1);
    expect(entries).toEqual({ FUNDING: 1, ORDER: 1 });
  });

  test.each([
    ['buys', lockEvents, 'voucher_instant', 1, 'DELIVERED', ['ORDER']],
    ['refunds', lockWallet, 'voucher_out_of_stock', 2, 'FAILED', ['ORDER', 'REFUND']],
  ])(
    'When the worker is killed while it %s, after Temporal has recorded the debit, then nothing is bought or refunded twice',
    async (_step, sql, scenario, recorded, status, kinds) => {
      // This lock follows that of the debit, and holds back the step after it until a heartbeat has recorded the debit.
      let next: Promise<() => Promise<void>> | undefined;
      const ordering = orderBehind(sql, scenario, async () => {
        next = lock(sql);
        await waiters(1, sql.slice(0, 10));
      });
      const { id } = await until('the order', () =>
        firstRow<{ id: number }>(database, 'SELECT id FROM orders WHERE client_id = $id', { id: client.id }),
      );
      const workflow = await workflowOf(temporal, database, id);
      await until('the record of the debit', async () => ((await markersOf(workflow)) >= recorded ? true : undefined));
      await kill(stack, 'worker');
      await (await next)?.();
      expect(await ordering).toBe(id);
      expect(await ended(client.api, id)).toMatchObject({ status });
      expect(await boughtFor(id)).toHaveLength(kinds.length === 1 ? 1 : 0);
      expect((await entriesOf(database, id)).map(({ kind }) => kind)).toEqual(kinds);
    },
  );
}
