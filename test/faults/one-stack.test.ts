/**
 * Secrets, kills, stops, keys and starvation on one stack with traces and few connections to its database. Starting a stack takes
 * 16 s of CPU, so these subjects share it. Each one leaves the stack running and its ledger sound.
 */
import type { Database } from '../../src/data/database/database';
import { stackDatabase } from '../../dev/testbed/clients';
import { startOwnStack, type OwnStack } from '../support/own-stack';
import { TraceCollector } from '../tracing/traces';
import { testBankFiles } from './one-stack/bank-files';
import { testCanary } from './one-stack/canary';
import { testClientLibrary } from './one-stack/client-library';
import { testClocks } from './one-stack/clocks';
import { testDoor } from './one-stack/door';
import { testFirstTask } from './one-stack/first-task';
import { testKeys } from './one-stack/keys';
import { testRefunds } from './one-stack/refunds';
import { testSeveralProcesses } from './one-stack/several-processes';
import { ORDERS_POOL, testStarvation, WEBHOOKS_POOL } from './one-stack/starvation';
import { testStopping } from './one-stack/stopping';
import { testWebhooks } from './one-stack/webhooks';

jest.setTimeout(300_000);

let collector: TraceCollector;
let stack: OwnStack;
let database: Database;
beforeAll(async () => {
  process.env['DATABASE_POOL_SIZE'] = String(ORDERS_POOL);
  process.env['WEBHOOKS_DATABASE_POOL_SIZE'] = String(WEBHOOKS_POOL);
  collector = await TraceCollector.listen();
  stack = await startOwnStack('one-stack');
  database = stackDatabase();
});
afterAll(async () => {
  await database.close();
  await stack.stop();
  collector.close();
});

describe.each([
  // First: it reads all that the service has written.
  ['While orders carry secrets', testCanary],
  // Before processes are killed: a key waits for each process that reported lately, so also for one that was killed.
  ['While keys change', testKeys],
  ['With two processes of each kind', testSeveralProcesses],
  ['With two workers, one ahead of the other', testClocks],
  ['While a file of refunds is imported', testRefunds],
  ['While a bank file is imported', testBankFiles],
  ['While webhooks are delivered', testWebhooks],
  ['While the worker is killed in the first task of an order', testFirstTask],
  ['While no worker takes orders', testDoor],
  ['While the API stops', testStopping],
  ['While calls of the client library are lost, cut, late and rejected, and the API is killed', testClientLibrary],
  // Last: it leaves 100,000 events.
  ['While orders or deliveries hold every connection', testStarvation],
])('%s', (_subject, testSubject) => testSubject(() => ({ stack, database, collector })));
