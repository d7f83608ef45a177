/** Decisions of operators about waiting orders. The output of each command states its result. */
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { callControl } from '../../../dev/stack/controls';
import { rows } from '../../../src/data/database/database';
import { sql } from '../../../dev/testbed/sql';
import { verifyLedger } from '../../../src/data/ledger-verification';
import { ordersQueue } from '../../../src/temporal/task-queues';
import { newClient, useClient, useDatabase } from '../../support/clients';
import { ops, runOps } from '../../support/operator';
import { ended, orderOf, place, reached, read } from '../../support/orders';
import { balanceOf, entriesOf } from '../../support/records';
import { loadStack } from '../../../dev/testbed/loaded-stack';
import { until } from '../../../dev/testbed/waiting';
import { closed, workflowOf } from '../../support/workflows';
import { serviceTemporalClient } from '../../../dev/testbed/temporal-clients';
import { useMade } from '../../support/made';

jest.setTimeout(120_000);

const database = useDatabase();
const temporal = useMade(serviceTemporalClient, ({ connection }) => connection.close());
const client = useClient(database, { USD: 1_000 });

/** An order that waits for an operator. */
async function waiting(): Promise<number> {
  const { id } = await place(client.api, orderOf('voucher_needs_operator'));
  await until(
    `order ${id} on the list`,
    async () => {
      const listed = await ops`orders attention`;
      return listed.some(({ order_id }) => order_id === id);
    },
    60,
  );
  return id;
}

const sentence = async (...words: (string | number)[]) => {
  const { stdout, stderr, exitCode } = await runOps`orders ${words}`;
  return { said: `${stdout}${stderr}`.trim(), exitCode };
};

test('When an order waits, then each step is reported, until an operator delivers it', async () => {
  const id = await waiting();
  const retried = await sentence('retry', id);
  expect(retried.said).toMatch(
    new RegExp(`^Order ${id} retried and still waits: .* The next attempt is at 20\\d\\d-.*Z\\.$`),
  );

  // After an outage operators retry all waiting orders, also repeatedly.
  const dry = await sentence('retry', '--supplier', 'simulator', '--dry-run');
  expect(dry.said).toMatch(/^\d+ open orders of supplier simulator \(.* USD.*\) would retry at once\.$/);
  const bulk = await sentence('retry', '--supplier', 'simulator', '--since', '1h');
  expect(bulk.said).toMatch(/\d+ orders? retr(?:y|ies) at once; \d+ had no workflow and were restarted; 0 failed\./);
  const workflow = await workflowOf(temporal, database, id);
  const { events } = await workflow.fetchHistory();
  const retrySignals = events?.filter(
    ({ workflowExecutionSignaledEventAttributes: sent }) => sent?.signalName === 'retryNow',
  );
  expect(retrySignals).toHaveLength(2);

  // First the tasks of its workflow fail, then Temporal does not run it any more.
  await workflow.terminate('A mistake');
  await closed(workflow);
  const { workflowId } = workflow;
  await temporal.workflow.start('noWorkflowOfThisName', { workflowId, taskQueue: ordersQueue });
  const failing = await sentence('retry', id);
  expect(failing.said).toMatch(
    new RegExp(`Workflow ${workflowId} makes no progress: its tasks fail with ".*noWorkflowOfThisName.*"\\. See`),
  );
  expect(failing.exitCode).toBe(1);
  const undecided = await sentence('resolve', id, 'ask-again');
  expect(undecided.said).toMatch(`Workflow ${workflowId} makes no progress: its tasks fail with "`);
  const broken = temporal.workflow.getHandle(workflowId);
  await broken.terminate('It cannot go on');
  await closed(broken);
  const again = await sentence('retry', id);
  expect(again.said).toContain(`Temporal did not run the workflow of order ${id}: it was restarted.`);
  expect(again.said).toContain(`Order ${id} retried`);

  const file = join(tmpdir(), `goods-${id}.json`);
  writeFileSync(file, JSON.stringify([{ card_number: `BY-HAND-${id}`, pin_code: '1234' }]));
  const resolved = await sentence('resolve', id, 'delivered', '--reason', 'From the portal', '--goods', file);
  expect(resolved.said).toMatch(/^Order \d+ is resolved\. It is DELIVERED: 1 of 1 units|^The goods are stored/);
  expect(resolved.exitCode).toBe(0);
  expect(await ended(client.api, id)).toMatchObject({ status: 'DELIVERED' });
  expect((await read(client.api, id)).vouchers).toMatchObject([{ card_number: `BY-HAND-${id}` }]);
  expect(await sentence('retry', id)).toEqual({ said: `Order ${id} is DELIVERED: that is final`, exitCode: 1 });
});

test('When all goods of one purchase are unusable and those of another are good, then UNUSABLE refunds the first, and the client keeps the others', async () => {
  const owner = await newClient(database, { USD: 10_000 });
  await sql(database)`UPDATE clients SET bulk_limit = 1000 WHERE id = ${owner.id}`;
  // The supplier sells at most 500 units in one purchase, and delivers these some seconds later.
  const { id } = await place(owner.api, orderOf('voucher_delayed', { quantity: 503 }));
  const purchases = (columns: string) =>
    rows<{ reference: string }>(
      database,
      `SELECT ${columns} FROM supplier_purchases WHERE order_id = $id ORDER BY reference`,
      { id },
    );
  const reference = (await purchases('reference'))[1]?.reference ?? '';
  const behaviour = (method: string, path: string, body?: object) =>
    callControl(loadStack().simulator_url, method, path, body);
  await behaviour('PUT', 'behaviour', { reference, modes: { unreadable_units: [1, 2, 3] } });

  await reached(owner.api, id, 'PARTIALLY_DELIVERED');
  await until(`order ${id} on the list`, async () => {
    const listed = await ops`orders attention`;
    return listed.find((entry) => entry['id'] === id && entry['kind'] === 'OUTCOME_UNKNOWN');
  });
  expect(await sentence('resolve', id, 'unusable', '--reason', 'Ticket 7')).toMatchObject({ exitCode: 0 });

  const order = await ended(owner.api, id);
  expect(order).toMatchObject({ status: 'FAILED', charged_amount: 5_030, refunded_amount: 30 });
  expect(order.vouchers).toHaveLength(500);
  expect(await entriesOf(database, id)).toMatchObject([
    { type: 'DEBIT', amount: '5030' },
    { type: 'CREDIT', amount: '30' },
  ]);
  expect(await balanceOf(database, owner.wallets['USD'] as number)).toBe('5000');
  expect(await purchases('state, units, stored')).toEqual([
    { state: 'DELIVERED', units: 500, stored: 500 },
    { state: 'REJECTED', units: 3, stored: 0 },
  ]);
  const listed = await ops`orders attention`;
  expect(listed.filter((entry) => entry['id'] === id)).toMatchObject([{ kind: 'GOODS_APART' }]);
  const { findings } = await verifyLedger(database, 1_000);
  expect(findings.filter(({ subject }) => subject === `order ${id}`)).toEqual([]);
  await behaviour('DELETE', `behaviour?reference=${reference}`);
});

test('When no order can be retried, then the output names the reason', async () => {
  expect(await sentence('retry', 2_000_000_000)).toEqual({
    said: 'There is no order 2000000000. Find it with: orders find',
    exitCode: 1,
  });
  expect((await sentence('retry')).said).toBe('Name an order, or a supplier with --supplier');
  expect((await sentence('retry', '--supplier', 'nobody')).said).toBe('Supplier nobody has no open orders.');
});
