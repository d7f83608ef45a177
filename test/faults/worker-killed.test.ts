/** The shortest fault test, part of `npm test`: no order is lost or bought twice when the worker dies. */
import type { Database } from '../../src/data/database/database';
import { stackDatabase } from '../support/clients';
import { killTwice, testOrdersDuring } from '../support/orders-under-faults';
import { startOwnStack, type OwnStack } from '../support/own-stack';

jest.setTimeout(240_000);

let stack: OwnStack;
let database: Database;
beforeAll(async () => {
  stack = await startOwnStack('worker-killed');
  database = stackDatabase();
});
afterAll(async () => {
  await database.close();
  await stack.stop();
});

describe('When the worker is killed twice while orders are placed', () => {
  testOrdersDuring(
    () => ({ stack, database }),
    () => killTwice(stack, 'worker'),
  );
});
