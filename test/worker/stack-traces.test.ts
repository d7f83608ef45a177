/** The stack traces of workflows, which the SDK records for the query `__stack_trace`. docs/operators/temporal-ui.md. */
import { randomUUID } from 'node:crypto';
import { QueryNotRegisteredError, type Client } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import { maintenanceWorkflow } from '../../src/domain/maintenance';
import { workflowBundle } from '../../src/temporal/bundle';
import { withoutStackTraces } from '../../src/worker/workflow-threads';
import { useClient, useDatabase } from '../support/clients';
import { orderOf, place } from '../support/orders';
import { quietRuntime } from '../support/quiet-runtime';
import { loadStack } from '../../dev/testbed/loaded-stack';
import { temporalClient } from '../../dev/testbed/temporal-clients';
import { workflowOf } from '../support/workflows';

quietRuntime();
const database = useDatabase();
const client = useClient(database, { USD: 100 });
let temporal: Client;
let connection: NativeConnection;

beforeAll(async () => {
  temporal = await temporalClient();
  connection = await NativeConnection.connect({ address: loadStack().temporal_address });
});
afterAll(() => Promise.all([temporal.connection.close(), connection.close()]));

/** The server returns the message of the SDK encoded, as that of every failure. */
const disabled = QueryNotRegisteredError;

test('When no developer debugs workflows, then the worker records no stack traces', async () => {
  const { id } = await place(client.api, orderOf('voucher_instant'));
  const workflow = await workflowOf(temporal, database, id);
  await expect(workflow.query('__stack_trace')).rejects.toThrow(disabled);
});

/** The answer of a worker of its own to the query for the stack trace of its workflow. */
async function stackTrace(createdBy: (create: () => Promise<Worker>) => Promise<Worker>): Promise<string> {
  const taskQueue = `stack-traces-${randomUUID()}`;
  const { namespace } = temporal.options;
  const worker = await createdBy(() => Worker.create({ connection, namespace, taskQueue, workflowBundle }));
  return worker.runUntil(async () => {
    const options = { taskQueue, workflowId: taskQueue, args: ['no schedule'] };
    const workflow = await temporal.workflow.start(maintenanceWorkflow, options);
    await workflow.result();
    return workflow.query<string>('__stack_trace');
  });
}

test('When a worker is created after one without stack traces, then it has them', async () => {
  await expect(stackTrace(withoutStackTraces)).rejects.toThrow(disabled);
  expect(await stackTrace((create) => create())).toEqual(expect.any(String));
});
