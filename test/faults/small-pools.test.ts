/** Starvation, and the client library under faults, on one stack with few connections to its database. */
import type { Database } from '../../src/data/database/database';
import { stackDatabase } from '../support/clients';
import { startOwnStack, type OwnStack } from '../support/own-stack';
import { testClientLibrary } from './small-pools/client-library';
import { ORDERS_POOL, testStarvation, WEBHOOKS_POOL } from './small-pools/starvation';

jest.setTimeout(240_000);

let stack: OwnStack;
let database: Database;
beforeAll(async () => {
  process.env['DATABASE_POOL_SIZE'] = String(ORDERS_POOL);
  process.env['WEBHOOKS_DATABASE_POOL_SIZE'] = String(WEBHOOKS_POOL);
  stack = await startOwnStack('small-pools');
  database = stackDatabase();
});
afterAll(async () => {
  await database.close();
  await stack.stop();
});

describe.each([
  ['While orders or deliveries hold every connection', testStarvation],
  [
    'While calls of the client library are lost, cut, late and rejected, and the API is killed',
    testClientLibrary,
  ],
])('%s', (_subject, testSubject) => testSubject(() => ({ stack, database })));
