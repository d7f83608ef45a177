/** Entries of the attention list that operators settle, because the service cannot detect that they are settled. */
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { clearAttention, raiseAttention } from '../../../src/data/attention/attention';
import { readStoredMetrics } from '../../../src/data/maintenance/metrics';
import { findOrderToMail, reportUndeliverable } from '../../../src/data/orders/order-mails';
import { listUnmailedOrders } from '../../../src/data/orders/order-search';
import { sql } from '../../../dev/testbed/sql';
import { wholeService } from '../../../src/domain/attention/attention-kinds';
import { ensureDataKeys } from '../../../src/data/keys/data-keys';
import { LocalKeyEncryption, readSecretKeys } from '../../../src/security/key-encryption';
import { sentenceOf } from '../../../src/operators/operations/failure';
import { ownSecretKeys, printedBy, printedWith } from '../../support/operator';
import { placedOrder } from '../../support/placed-order';
import { scratchDatabase } from '../../../dev/testbed/scratch-database';
import type { Json } from '../../support/stack';

const { database, url } = scratchDatabase();
const supplier = 'simulator';
const reason = 'Claimed back, credit note 17';

// Reasons and notes about orders are sealed.
beforeAll(() => ensureDataKeys(database, new LocalKeyEncryption(readSecretKeys(ownSecretKeys))));

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
  expect(await sql(database)`SELECT settlement FROM attention`).toEqual([{ settlement: reason }]);
  await raise(3);
  expect(await listed()).toMatchObject([{ kind: 'GOODS_APART', supplier, reason: '3 units are of no order' }]);
  expect(await sql(database)`SELECT settlement FROM attention`).toEqual([{ settlement: null }]);
});

test('When an entry clears itself or does not exist, then it cannot be settled', async () => {
  await raiseAttention(database, { supplier }, 'SUPPLIER_DOWN', 'No answer for 10 minutes');
  const entry = (await listed()).find(({ kind }) => kind === 'SUPPLIER_DOWN');
  await expect(settle(Number(entry?.['id']))).rejects.toThrow('SUPPLIER_DOWN clears itself');
  await expect(settle(999)).rejects.toThrow('The list has no entry 999');
  expect((await listed()).map(({ kind }) => kind)).toContain('SUPPLIER_DOWN');
});

test('When an undeliverable mail is settled, then the service no longer sends, counts or lists it', async () => {
  await sql(database)`TRUNCATE attention CASCADE`;
  const order = await placedOrder(database, 'VOUCHER');
  const { orderId } = order;
  await sql(database)`UPDATE orders
       SET status = 'FAILED', completed_at = now() - interval '1 hour', sealed_email = 'sealed'
      WHERE id = ${orderId}`;
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
  expect(await sql(database)`SELECT mailed_at FROM orders WHERE id = ${orderId}`).toEqual([{ mailed_at: null }]);
});

test('When the list is read, then each entry has its client, amount, age and the command that resolves it', async () => {
  await sql(database)`TRUNCATE attention CASCADE`;
  const { orderId, clientId } = await placedOrder(database, 'VOUCHER');
  const { name } = (await sql.first(database)<{ name: string }>`SELECT name FROM clients
       WHERE id = ${clientId}`) as { name: string };
  await raiseAttention(database, { orderId }, 'REFUND_DUE', 'The wallet is closed');
  await raiseAttention(database, { supplier }, 'SUPPLIER_DOWN', 'It is down');
  await raiseAttention(database, wholeService, 'NO_WORKERS', 'No worker runs');
  await sql(database)`UPDATE attention SET since = now() - interval '3 hours' WHERE kind = 'REFUND_DUE'`;
  const entries = await listed();
  expect(entries).toMatchObject([
    {
      kind: 'REFUND_DUE',
      order_id: orderId,
      client: name,
      amount: '10 USD',
      age: '3h',
      resolve: `orders show ${orderId}`,
    },
    { kind: 'SUPPLIER_DOWN', client: null, amount: null, resolve: `orders retry --supplier ${supplier}` },
    { kind: 'NO_WORKERS', order_id: null, supplier: null, resolve: 'deploy status' },
  ]);
  expect(entries[1]?.['age']).toMatch(/^\d+s$/);
});

test('When the list is filtered, then it has only the entries of the kind, the client and the supplier', async () => {
  await sql(database)`TRUNCATE attention CASCADE`;
  const { orderId, clientId } = await placedOrder(database, 'VOUCHER');
  await raiseAttention(database, { orderId }, 'REFUND_DUE', 'The wallet is closed');
  await raiseAttention(database, { supplier }, 'SUPPLIER_DOWN', 'It is down');
  const kinds = async (...words: (string | number)[]) =>
    (JSON.parse(await printedBy(url, '--json', 'attention', ...words)) as Json[]).map(({ kind }) => kind);
  expect(await kinds('--kind', 'supplier_down')).toEqual(['SUPPLIER_DOWN']);
  expect(await kinds('--client', clientId)).toEqual(['REFUND_DUE']);
  expect(await kinds('--supplier', 'nobody')).toEqual([]);
  expect(await kinds('--supplier', supplier)).toContain('SUPPLIER_DOWN');
});

test('When a person takes an entry, then others see it and cannot take it, until it is released', async () => {
  await sql(database)`TRUNCATE attention CASCADE`;
  await raiseAttention(database, { supplier }, 'SUPPLIER_DOWN', 'It is down');
  const number = Number((await listed())[0]?.['id']);
  const as = (operator: string, verb: string, ...words: string[]) =>
    printedBy(url, 'attention', verb, number, ...words, '--operator', operator);
  await as('alice', 'take');
  await as('alice', 'take');
  await expect(as('bob', 'take')).rejects.toThrow('is taken by alice');
  await as('bob', 'note', 'They call back at noon');
  expect(await listed()).toMatchObject([
    {
      taken_by: 'alice',
      taken_at: expect.any(String),
      notes: [{ by: 'bob', text: 'They call back at noon', at: expect.stringMatching(/Z$/) }],
    },
  ]);
  const text = await printedBy(url, 'attention');
  expect(text.split('\n')[0]).toContain('taken by alice');
  expect(text).toContain('They call back at noon');
  const own = JSON.parse(await printedBy(url, '--json', 'attention', '--taken-by', 'alice')) as Json[];
  expect(own).toHaveLength(1);
  expect(JSON.parse(await printedBy(url, '--json', 'attention', '--not-taken'))).toEqual([]);
  await as('bob', 'release');
  await expect(as('bob', 'release')).rejects.toThrow('No operator has taken');
  await as('bob', 'take');
  expect(await listed()).toMatchObject([{ taken_by: 'bob' }]);
});

test('When a taken entry ends, then nobody has it, and its notes do not change what Temporal shows', async () => {
  await sql(database)`TRUNCATE attention CASCADE`;
  await raiseAttention(database, { supplier }, 'SUPPLIER_DOWN', 'It is down');
  const number = Number((await listed())[0]?.['id']);
  await sql(database)`UPDATE attention SET mirrored = true`;
  await printedBy(url, 'attention', 'take', number);
  await printedBy(url, 'attention', 'note', number, 'It is an outage of their data centre');
  expect(await sql(database)`SELECT mirrored FROM attention`).toEqual([{ mirrored: true }]);
  await clearAttention(database, { supplier }, ['SUPPLIER_DOWN']);
  expect(await sql(database)`SELECT * FROM attention_takings`).toEqual([]);
  await expect(printedBy(url, 'attention', 'take', number)).rejects.toThrow('The list has no entry');
  await raiseAttention(database, { supplier }, 'SUPPLIER_DOWN', 'It is down again');
  expect(await listed()).toMatchObject([{ taken_by: null, notes: [{ text: 'It is an outage of their data centre' }] }]);
});

test('When the list is read in pages, then each entry is on one page', async () => {
  await sql(database)`TRUNCATE attention CASCADE`;
  for (const name of ['a', 'b', 'c', 'd', 'e'])
    await raiseAttention(database, { supplier: name }, 'SUPPLIER_DOWN', 'It is down');
  const page = async (...words: (string | number)[]) =>
    JSON.parse(await printedBy(url, '--json', 'attention', '--limit', 2, ...words)) as Json[];
  const seen: unknown[] = [];
  for (let last: Json | undefined; ;) {
    const found = await page(...(last ? ['--after', Number(last['id'])] : []));
    seen.push(...found.map((entry) => entry['supplier']));
    last = found.at(-1);
    if (found.length < 2) break;
  }
  expect(seen).toEqual(['a', 'b', 'c', 'd', 'e']);
});

test('When the list is sorted by amount or kind, then its pages continue in that sequence, and entries without an amount come last', async () => {
  await sql(database)`TRUNCATE attention CASCADE`;
  await raiseAttention(database, { supplier }, 'SUPPLIER_DOWN', 'It is down');
  const placed = [];
  for (const amount of [5, 20, 10]) {
    const { orderId } = await placedOrder(database, 'VOUCHER');
    await sql(database)`UPDATE orders SET total_payable = ${amount} WHERE id = ${orderId}`;
    await raiseAttention(database, { orderId }, 'REFUND_DUE', 'The wallet is closed');
    placed.push(orderId);
  }
  const [small, large, middle] = placed;
  const inPages = async (sort: string) => {
    const seen: Json[] = [];
    for (let last: Json | undefined; ; last = seen.at(-1)) {
      const behind = last ? ['--after', Number(last['id'])] : [];
      const words = ['attention', '--sort', sort, '--limit', 2, ...behind];
      const page = JSON.parse(await printedBy(url, '--json', ...words)) as Json[];
      if (page.length === 0) return seen.map((entry) => entry['order_id']);
      seen.push(...page);
    }
  };
  expect(await inPages('amount')).toEqual([large, middle, small, null]);
  expect(await inPages('kind')).toEqual([small, large, middle, null]);
  expect(await inPages('age')).toEqual([null, small, large, middle]);
});

test('When people read the list, then its lines fit the terminal', async () => {
  await sql(database)`TRUNCATE attention CASCADE`;
  await raiseAttention(database, { supplier }, 'SUPPLIER_DOWN', 'It does not answer. '.repeat(40));
  const lines = (await printedBy(url, 'attention')).split('\n');
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
  expect(lines[0]).toMatch(/^\d+ SUPPLIER_DOWN simulator for \d+s$/);
  expect(lines.at(-1)).toBe('  > orders retry --supplier simulator');
});

test('When the command of an entry is longer than a line, then it stays in one line, so that people can copy it', async () => {
  await sql(database)`TRUNCATE attention CASCADE`;
  const { orderId } = await placedOrder(database, 'VOUCHER');
  await raiseAttention(database, { orderId }, 'OUTCOME_UNKNOWN', 'The outcome is unknown');
  expect((await printedBy(url, 'attention')).split('\n').at(-1)).toBe(
    `  > orders resolve ${orderId} ask-again|not-bought|delivered|elsewhere|unusable --reason <text>`,
  );
});

test('When Temporal does not answer, then the list says so first', async () => {
  const said = jest.spyOn(console, 'error').mockImplementation();
  const answers = { databaseUrl: url, secretKeys: ownSecretKeys, temporalAddress: '127.0.0.1:1' };
  await printedWith(answers, 'attention');
  expect(said.mock.calls.flat().join()).toContain('Temporal does not answer at 127.0.0.1:1');
  said.mockRestore();
}, 20_000);

test('When PostgreSQL accepts connections but does not answer, then a command says so within 10 s', async () => {
  const silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const began = performance.now();
  const run = printedBy(`postgres://a:b@127.0.0.1:${port}/c`, 'orders', 'attention');
  expect(await run.catch(sentenceOf)).toMatch(/^PostgreSQL at DATABASE_URL cannot be used/);
  expect(performance.now() - began).toBeLessThan(10_000);
  silent.close();
}, 20_000);
