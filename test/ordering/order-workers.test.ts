/** What the API knows of the workers that would work on a new order. */
import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import type { Client } from '@temporalio/client';
import { openDatabase, rows } from '../../src/data/database';
import { reportProcess } from '../../src/data/keys/key-holders';
import { OrderWorkers } from '../../src/ordering/order-workers';
import { scratchDatabase } from '../support/scratch-database';
import { temporalClient } from '../support/workflows';

const log = pino({ level: 'silent' });
const scratch = scratchDatabase();
let temporal: Client;
let passedMs = 0;

beforeAll(async () => {
  temporal = await temporalClient();
});
afterAll(() => temporal.connection.close());
beforeEach(() => {
  const now = performance.now.bind(performance);
  jest.spyOn(performance, 'now').mockImplementation(() => now() + passedMs);
});
afterEach(async () => {
  jest.restoreAllMocks();
  await rows(scratch.database, 'DELETE FROM key_holders');
});

/** Workers as an API sees them that looked once, and again after 16 s. */
async function afterSixteenSeconds(database = scratch.database): Promise<OrderWorkers> {
  const workers = new OrderWorkers({ database, temporal, log });
  await workers.look();
  expect(workers.areThere).toBe(true);
  passedMs += 16_000;
  await workers.look();
  return workers;
}

const worker = (pollsOrdersAs: string | null, role = 'worker') =>
  reportProcess(scratch.database, {
    ...{ process: randomUUID(), role, host: 'host-1', pid: 4711, pollsOrdersAs },
    ...{ wrappingKeys: [], dataKeys: [], currentKeys: [] },
  });

const silent = (seconds: number) =>
  rows(scratch.database, `UPDATE key_holders SET seen_at = seen_at - $seconds * interval '1 second'`, {
    seconds,
  });

test('When a worker of the current version gave a sign of life, then workers are there', async () => {
  await worker('');
  expect((await afterSixteenSeconds()).areThere).toBe(true);
});

test('When no worker did for 15 s, then none is there, until one answers or is seen', async () => {
  const workers = await afterSixteenSeconds();
  expect(workers.areThere).toBe(false);
  workers.sawAnswer();
  expect(workers.areThere).toBe(true);
  passedMs += 16_000;
  await workers.look();
  expect(workers.areThere).toBe(false);
  await worker('');
  await workers.look();
  expect(workers.areThere).toBe(true);
});

test.each([
  ['of another version', () => worker('1.4.0')],
  ['that takes no tasks of orders yet', () => worker(null)],
  ['that vanished', () => worker('').then(() => silent(16))],
  ['that is an API', () => worker('', 'api')],
])('When there is but a process %s, then no worker is there', async (_which, made) => {
  await made();
  expect((await afterSixteenSeconds()).areThere).toBe(false);
});

test('When a worker is of a release that does not tell, then it is there', async () => {
  await rows(
    scratch.database,
    `INSERT INTO key_holders (process, role, host, pid, wrapping_keys, data_keys, current_keys, seen_at)
     VALUES (gen_random_uuid(), 'worker', 'host-1', 1, '{}', '{}', '{}', clock_timestamp())`,
  );
  expect((await afterSixteenSeconds()).areThere).toBe(true);
});

test('When the database does not answer, or nobody has looked lately, then workers are taken to be there', async () => {
  const closed = openDatabase(scratch.url, 1);
  await closed.close();
  const workers = await afterSixteenSeconds(closed);
  expect(workers.areThere).toBe(true);

  const shut = await afterSixteenSeconds();
  expect(shut.areThere).toBe(false);
  passedMs += 6_000;
  expect(shut.areThere).toBe(true);
});
