/**
 * Kills, stops and keys on one stack with default settings. Starting a stack takes 15 s of CPU, so these subjects share it.
 * Each one leaves the stack running and its ledger sound.
 */
import type { Database } from '../../src/data/database/database';
import { stackDatabase } from '../support/clients';
import { killTwice, testOrdersDuring } from '../support/orders-under-faults';
import { startOwnStack, type OwnStack } from '../support/own-stack';
import { testBankFiles } from './one-stack/bank-files';
import { testClocks } from './one-stack/clocks';
import { testDoor } from './one-stack/door';
import { testKeys } from './one-stack/keys';
import { testRefunds } from './one-stack/refunds';
import { testSeveralProcesses } from './one-stack/several-processes';
import { testStopping } from './one-stack/stopping';
import { testWebhooks } from './one-stack/webhooks';

jest.setTimeout(300_000);

let stack: OwnStack;
let database: Database;
beforeAll(async () => {
  stack = await startOwnStack('one-stack');
  database = stackDatabase();
});
afterAll(async () => {
  await database.close();
  await stack.stop();
});

describe.each([
  // First: a key waits for each process that reported lately, so also for one that was killed.
  ['While keys change', testKeys],
  ['With two processes of each kind', testSeveralProcesses],
  ['With two workers, one ahead of the other', testClocks],
  ['While a file of refunds is imported', testRefunds],
  ['While a bank file is imported', testBankFiles],
  ['While webhooks are delivered', testWebhooks],
  ['While no worker takes orders', testDoor],
  ['While the API stops', testStopping],
])('%s', (_subject, testSubject) => testSubject(() => ({ stack, database })));

describe('When the worker is killed twice while orders are placed', () => {
  testOrdersDuring(
    () => ({ stack, database }),
    () => killTwice(stack, 'worker'),
  );
});
