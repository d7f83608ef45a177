/** What the audit has of calls that operators send through the Temporal UI. */
import { openDatabase, rows, type Database } from '../../src/data/database/database';
import { auditOperatorCall } from '../../src/data/operations/operator-calls';
import { recordSentCalls } from '../../src/operators/temporal-ui/record-calls';
import type { SentCall } from '../../src/operators/temporal-ui/sent-calls';
import { placedOrder } from '../support/placed-order';
import { scratchDatabase } from '../support/scratch-database';
import type { Json } from '../support/stack';

const scratch = scratchDatabase();
let operated: Database;
beforeAll(() => void (operated = openDatabase(scratch.url, 10, { isOperated: true })));
afterAll(() => operated.close());

const call = (workflowId: string, more: Partial<SentCall> = {}): SentCall => ({
  ...{ workflowId, action: 'workflow.signal_sent', command: 'retryNow', reason: undefined },
  ...{ sent: { workflow_id: workflowId }, ...more },
});

function entriesOf(object: string): Promise<Json[]> {
  const sql = `
    SELECT actor_kind, client_id, operator, door, command, reason, action, before, after
      FROM audit_entries WHERE object = $object ORDER BY id`;
  return rows<Json>(scratch.database, sql, { object });
}

test('When an operator sends calls to an order, then the audit names the person, the door, the order with its state, its client and the reason', async () => {
  const { orderId, nonce, clientId } = await placedOrder(scratch.database, 'VOUCHER');
  const workflowId = `order-${orderId}-${nonce}`;
  const record = recordSentCalls(operated);
  await record('jane', call(workflowId));
  const sent = { workflow_id: workflowId, reset_to_event: '4' };
  const reset = { action: 'workflow.reset_sent', command: 'reset', reason: 'From the start', sent } as const;
  await record('joe', call(workflowId, reset));
  const shared = {
    ...{ actor_kind: 'OPERATOR', client_id: clientId, door: 'TEMPORAL' },
    before: { status: 'PENDING', delivered: 0 },
  };
  expect(await entriesOf(`order/${orderId}`)).toEqual([
    {
      ...{ ...shared, operator: 'jane', command: 'retryNow', reason: null, action: 'workflow.signal_sent' },
      after: { workflow_id: workflowId },
    },
    {
      ...{
        ...shared,
        operator: 'joe',
        command: 'reset',
        reason: 'From the start',
        action: 'workflow.reset_sent',
      },
      after: sent,
    },
  ]);
});

test('When the workflow is none of an order or an endpoint, then the entry names the workflow', async () => {
  await recordSentCalls(operated)('jane', call('maintenance-2026-11-26T08:00:00Z'));
  expect(await entriesOf('workflow/maintenance-2026-11-26T08:00:00Z')).toMatchObject([
    { operator: 'jane', client_id: null, before: null },
  ]);
});

test('When maintenance copies a reset, which Temporal records without its caller, then the copy names who sent it', async () => {
  const { database } = scratch;
  const copy = (runId: string) =>
    auditOperatorCall(
      { database, auditDatabase: database },
      { workflowId: 'ticket-reset', runId },
      {
        ...{ at: new Date(), action: 'workflow.reset', command: 'reset', operator: null, reason: 'Again' },
        ...{ source: `ticket-reset/${runId}/terminated`, content: {} },
      },
      { before: null },
    );
  const sent = { workflow_id: 'ticket-reset', run_id: 'first' };
  const reset = { action: 'workflow.reset_sent', command: 'reset', sent } as const;
  await recordSentCalls(operated)('jane', call('ticket-reset', reset));
  await copy('first');
  await copy('another');
  const entries = await entriesOf('workflow/ticket-reset');
  expect(entries.map(({ action, operator }) => [action, operator])).toEqual([
    ['workflow.reset_sent', 'jane'],
    ['workflow.reset', 'ops/jane'],
    ['workflow.reset', null],
  ]);
});

test('When 50 people send at once, then each entry names its own', async () => {
  const people = Array.from({ length: 50 }, (_, index) => `person ${index}`);
  const record = recordSentCalls(operated);
  await Promise.all(people.map((name) => record(name, call(`ticket-${name}`, { command: name }))));
  const entries = await Promise.all(people.map((name) => entriesOf(`workflow/ticket-${name}`)));
  expect(entries.map(([entry]) => [entry?.['operator'], entry?.['command']])).toEqual(
    people.map((name) => [name, name]),
  );
});
