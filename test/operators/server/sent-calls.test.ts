/** What the audit has of calls that operators send to Temporal: by operations, and through the Temporal UI. */
import type { WorkflowSignalInput } from '@temporalio/client';
import { defaultPayloadConverter, type Payload } from '@temporalio/common';
import { actingAs } from '../../../src/data/database/acting-person';
import { openDatabase, type Database } from '../../../src/data/database/database';
import { sql } from '../../../dev/testbed/sql';
import { listAudit } from '../../../src/data/audit/audit-entries';
import { auditOperatorCall } from '../../../src/data/audit/operator-calls';
import { serviceWord } from '../../../src/domain/operators/operator-messages';
import { recordingMessages } from '../../../src/operators/server/recorded-messages';
import { recordSentCalls } from '../../../src/operators/server/temporal-ui/record-calls';
import type { SentCall } from '../../../src/operators/server/temporal-ui/sent-calls';
import { placedOrder } from '../../support/placed-order';
import { scratchDatabase } from '../../../dev/testbed/scratch-database';
import type { Json } from '../../support/stack';

const scratch = scratchDatabase();
let operated: Database;
beforeAll(() => void (operated = openDatabase(scratch.url, 10, { isOperated: true })));
afterAll(() => operated.close());

const call = (workflowId: string, more: Partial<SentCall> = {}): SentCall => ({
  workflowId,
  action: 'workflow.signal_sent',
  command: 'retryNow',
  reason: undefined,
  sent: { workflow_id: workflowId },
  ...more,
});

function entriesOf(object: string): Promise<Json[]> {
  return sql(scratch.database)<Json>`
    SELECT actor_kind, client_id, operator, door, command, reason, action, before, after
      FROM audit_entries WHERE object = ${object} ORDER BY id`;
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
    actor_kind: 'OPERATOR',
    client_id: clientId,
    door: 'TEMPORAL',
    before: { status: 'PENDING', delivered: 0 },
  };
  expect(await entriesOf(`order/${orderId}`)).toEqual([
    {
      ...shared,
      operator: 'jane',
      command: 'retryNow',
      reason: null,
      action: 'workflow.signal_sent',
      after: { workflow_id: workflowId },
    },
    {
      ...shared,
      operator: 'joe',
      command: 'reset',
      reason: 'From the start',
      action: 'workflow.reset_sent',
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
        at: new Date(),
        action: 'workflow.reset',
        command: 'reset',
        operator: null,
        reason: 'Again',
        source: `ticket-reset/${runId}/terminated`,
        content: {},
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

/** Copies a retry from a history, as maintenance does. */
function copyRetry(workflowId: string, event: number, call: { operator: string; messageId: string }) {
  const { database } = scratch;
  const source = `${workflowId}/run/${event}`;
  return auditOperatorCall(
    { database, auditDatabase: database },
    { workflowId, runId: 'run' },
    { at: new Date(), action: 'workflow.signalled', command: 'retryNow', reason: null, source, content: {}, ...call },
    { before: { status: 'PENDING', delivered: 0 }, after: { status: 'DELIVERED', delivered: 1 } },
  );
}

test('When an operation sends a message, then its entry is in the audit before, and the copy from the history joins it once', async () => {
  const { orderId, nonce } = await placedOrder(scratch.database, 'VOUCHER');
  const workflowId = `order-${orderId}-${nonce}`;
  const listed = async () =>
    (await listAudit(scratch.database, { object: `order/${orderId}`, limit: 10 })).filter(({ moved }) => !moved);
  const sent = { command: 'orders retry', operator: 'jane', reason: 'They are back', door: 'CLI' };
  const { signal } = recordingMessages(operated);
  const input = { signalName: 'retryNow', args: [], workflowExecution: { workflowId }, headers: {} };
  let messageId = '';
  const lost = jest.fn(async ({ headers }: WorkflowSignalInput) => {
    expect(await listed()).toMatchObject([{ ...sent, action: 'workflow.signal_sent' }]);
    messageId = String(defaultPayloadConverter.fromPayload(headers['message-id'] as Payload));
    throw new Error('The workflow does not run');
  });
  await actingAs({ ...sent, door: 'CLI', statementMs: 1_000 }, async () => {
    // The operation restarts the workflow after the first time, and sends the message again.
    await expect(signal?.(input, lost)).rejects.toThrow('does not run');
    await expect(signal?.(input, lost)).rejects.toThrow('does not run');
  });
  expect(lost).toHaveBeenCalledTimes(2);

  await copyRetry(workflowId, 5, { operator: 'ops/mallory', messageId });
  await copyRetry(workflowId, 6, { operator: 'ops/jane', messageId });
  await copyRetry(workflowId, 6, { operator: 'ops/jane', messageId });
  await copyRetry(workflowId, 7, { operator: 'ops/jane', messageId });
  const taken = { action: 'workflow.signalled', before: { status: 'PENDING' }, after: { status: 'DELIVERED' } };
  const entries = await listed();
  expect(entries).toHaveLength(3);
  expect(entries).toMatchObject([
    { ...taken, command: 'retryNow', operator: 'ops/jane' },
    { ...taken, command: 'retryNow', operator: 'ops/mallory' },
    { ...taken, ...sent, after: { message: 'retryNow', workflow_id: workflowId, status: 'DELIVERED' } },
  ]);
});

test('When a message of the Temporal UI is copied, then it is one entry with the entry from before it was sent', async () => {
  const { orderId, nonce } = await placedOrder(scratch.database, 'VOUCHER');
  const workflowId = `order-${orderId}-${nonce}`;
  await recordSentCalls(operated)('jane', call(workflowId, { sent: { workflow_id: workflowId, message_id: 'ui' } }));
  await copyRetry(workflowId, 5, { operator: 'ops/jane', messageId: 'ui' });
  const entries = await listAudit(scratch.database, { object: `order/${orderId}`, operator: 'jane', limit: 10 });
  expect(entries).toMatchObject([{ action: 'workflow.signalled', door: 'TEMPORAL', command: 'retryNow' }]);
  expect(entries[0]?.after).toEqual({ workflow_id: workflowId, status: 'DELIVERED', delivered: 1 });
});

test('When a message is the service’s own, then the audit has none', async () => {
  const { orderId, nonce } = await placedOrder(scratch.database, 'VOUCHER');
  const workflowExecution = { workflowId: `order-${orderId}-${nonce}` };
  const own = { signalName: 'retryNow', args: [serviceWord], workflowExecution, headers: {} };
  await recordingMessages(operated).signal?.(own, async ({ headers }) => expect(headers).toEqual({}));
  expect(await entriesOf(`order/${orderId}`)).toEqual([]);
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
