/** Entries of the attention list that operators settle, because the service cannot detect that they are settled. */
import { raiseAttention } from '../../src/data/operations/attention';
import { readStoredMetrics } from '../../src/data/operations/metrics';
import { findOrderToMail, reportUndeliverable } from '../../src/data/orders/order-mails';
import { listUnmailedOrders } from '../../src/data/orders/order-search';
import { firstRow, rows } from '../../src/data/database/database';
import { wholeService } from '../../src/domain/operations/attention-kinds';
import { printedBy } from '../support/operator';
import { placedOrder } from '../support/placed-order';
import { scratchDatabase } from '../support/scratch-database';
import type { Json } from '../support/stack';

const { database, url } = scratchDatabase();
const supplier = 'simulator';
const reason = 'Claimed back, credit note 17';

async function listed(): Promise<Json[]> {
  return JSON.parse(await printedBy(url, '--json', 'attention')) as Json[];
}

const settle = (id: number) => printedBy(url, 'attention', 'settle', id, '--reason', reason);

test('When an operator settles an entry, then it leaves the list with the settlement and returns only with a new reason', async () => {
  const raise = (units: number) =>
    raiseAttention(database, { supplier }, 'GOODS_APART', `${units} units are of no order`);
  await raise(2);
  const [entry] = await listed();
  await settle(Number(entry?.['id']));
  expect(await listed()).toEqual([]);
  expect(await rows(database, 'SELECT settlement FROM attention')).toEqual([{ settlement: reason }]);
  await raise(3);
  expect(await listed()).toMatchObject([
    { kind: 'GOODS_APART', supplier, reason: '3 units are of no order' },
  ]);
  expect(await rows(database, 'SELECT settlement FROM attention')).toEqual([{ settlement: null }]);
});

test('When an entry clears itself or does not exist, then it cannot be settled', async () => {
  await raiseAttention(database, { supplier }, 'SUPPLIER_DOWN', 'No answer for 10 minutes');
  const entry = (await listed()).find(({ kind }) => kind === 'SUPPLIER_DOWN');
  await expect(settle(Number(entry?.['id']))).rejects.toThrow('SUPPLIER_DOWN clears itself');
  await expect(settle(999)).rejects.toThrow('The list has no entry 999');
  expect((await listed()).map(({ kind }) => kind)).toContain('SUPPLIER_DOWN');
});

test('When an undeliverable mail is settled, then the service no longer sends, counts or lists it', async () => {
  await rows(database, 'TRUNCATE attention');
  const order = await placedOrder(database, 'VOUCHER');
  const { orderId } = order;
  await rows(
    database,
    `UPDATE orders SET status = 'FAILED', completed_at = now() - interval '1 hour', sealed_email = 'sealed'
      WHERE id = $orderId`,
    { orderId },
  );
  const isDue = async () => ({
    toSend: (await findOrderToMail(database, 'VOUCHER', order)) !== undefined,
    backlog: (await readStoredMetrics(database)).backlog[0]?.mails,
    listed: (await listed()).map(({ kind }) => kind),
  });
  await reportUndeliverable(database, orderId);
  expect(await isDue()).toEqual({ toSend: true, backlog: 1, listed: ['MAIL_UNDELIVERABLE'] });

  await settle(Number((await listed())[0]?.['id']));
  await reportUndeliverable(database, orderId);
  expect(await isDue()).toEqual({ toSend: false, backlog: 0, listed: [] });
  expect(await listUnmailedOrders(database, 0, 10)).toEqual([]);
  expect(await rows(database, 'SELECT mailed_at FROM orders WHERE id = $orderId', { orderId })).toEqual([
    { mailed_at: null },
  ]);
});

test('When the list is read, then each entry has its client, amount, age and the command that resolves it', async () => {
  await rows(database, 'TRUNCATE attention');
  const { orderId, clientId } = await placedOrder(database, 'VOUCHER');
  const { name } = (await firstRow<{ name: string }>(
    database,
    'SELECT name FROM clients WHERE id = $clientId',
    {
      clientId,
    },
  )) as { name: string };
  await raiseAttention(database, { orderId }, 'REFUND_DUE', 'The wallet is closed');
  await raiseAttention(database, { supplier }, 'SUPPLIER_DOWN', 'It is down');
  await raiseAttention(database, wholeService, 'NO_WORKERS', 'No worker runs');
  await rows(database, `UPDATE attention SET since = now() - interval '3 hours' WHERE kind = 'REFUND_DUE'`);
  const entries = await listed();
  expect(entries).toMatchObject([
    {
      kind: 'REFUND_DUE',
      order_id: orderId,
      client: name,
      amount: '10 USD',
      age: '3h',
      resolve: `orders refund ${orderId} --reason <text>`,
    },
    { kind: 'SUPPLIER_DOWN', client: null, amount: null, resolve: `orders retry --supplier ${supplier}` },
    { kind: 'NO_WORKERS', order_id: null, supplier: null, resolve: 'deploy status' },
  ]);
  expect(entries[1]?.['age']).toMatch(/^\d+s$/);
});
