/** The settings of the program's sessions, whatever the server and the address say. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Client } from '@temporalio/client';
import express from 'express';
import { pino } from 'pino';
import { apiReadiness } from '../../src/api/probes/routes';
import { oneRow, openDatabase, rows, type Database } from '../../src/data/database/database';
import { sql } from '../../dev/testbed/sql';
import { clientAt } from '../../src/data/database/connection-settings';
import { identityRows, openIdentityPool } from '../../src/data/identity/identity-pool';
import { migrate, prepareSchema } from '../../src/data/schema/migrate';
import { workerReadiness } from '../../src/worker/probes';
import { nameOf, scratchDatabase } from '../../dev/testbed/scratch-database';
import { loadStack } from '../../dev/testbed/loaded-stack';

const scratch = scratchDatabase();
const server = openDatabase(loadStack().database_url, 1);
const opened: Database[] = [];
afterAll(() => Promise.all([server, ...opened].map((database) => database.close())));

function open(url = scratch.url, options: Parameters<typeof openDatabase>[2] = {}): Database {
  const database = openDatabase(url, 1, options);
  opened.push(database);
  return database;
}

const setForDatabase = (setting: string, value: string) =>
  rows(server, `ALTER DATABASE ${nameOf(scratch)} SET ${setting} = '${value}'`);

const shown = `
SELECT current_setting('DateStyle') AS dates, current_setting('IntervalStyle') AS intervals,
       current_setting('TimeZone') AS zone, current_setting('bytea_output') AS bytes,
       current_setting('extra_float_digits') AS digits, current_setting('standard_conforming_strings') AS strings,
       current_setting('search_path') AS path, current_setting('transaction_isolation') AS isolation,
       current_setting('synchronous_commit') AS durable, current_setting('lock_timeout') AS lock,
       current_setting('idle_session_timeout') AS idle, current_setting('client_min_messages') AS messages,
       current_setting('statement_timeout') AS statement, current_setting('app.wakes_outbox') AS wakes`;

const needed = {
  dates: 'ISO, YMD',
  intervals: 'postgres',
  zone: 'UTC',
  bytes: 'hex',
  digits: '1',
  strings: 'on',
  path: 'public',
  isolation: 'read committed',
  durable: 'on',
  lock: '0',
  idle: '0',
  messages: 'warning',
  statement: '15s',
  wakes: 'off',
};

/** What /ready of an API with this pool answers. Its Temporal server never does. */
async function readiness(database: Database): Promise<{ status: number; failing: string[] }> {
  const gone = async () => Promise.reject(new Error('gone'));
  const parts = {
    database,
    log: pino({ level: 'silent' }),
    stopping: new AbortController().signal,
    temporal: { withDeadline: gone } as unknown as Client,
    orderWorkers: { areAvailable: true },
    temporalStorage: { isFailing: false },
  };
  const probes = createServer(express().get('/ready', apiReadiness(parts))).listen(0, '127.0.0.1');
  await once(probes, 'listening');
  try {
    const answer = await fetch(`http://127.0.0.1:${(probes.address() as AddressInfo).port}/ready`);
    return { status: answer.status, ...((await answer.json()) as { failing: string[] }) };
  } finally {
    probes.close();
  }
}

/** What API and workers do with the database first. */
const prepared = (url: string) => prepareSchema({ mode: 'sandbox', database: { url } });

const hostileAddress = () => {
  const url = new URL(scratch.url);
  url.searchParams.set('options', '-c DateStyle=German -c statement_timeout=7000 -c jit=on');
  url.searchParams.set('statement_timeout', '8000');
  return url.href;
};

describe('When the database, the role and the address have other settings', () => {
  const ofServer = {
    DateStyle: 'SQL, DMY',
    IntervalStyle: 'iso_8601',
    TimeZone: 'Pacific/Apia',
    bytea_output: 'escape',
    extra_float_digits: '-5',
    standard_conforming_strings: 'off',
    search_path: 'pg_catalog',
    default_transaction_isolation: 'serializable',
    synchronous_commit: 'off',
    lock_timeout: '1ms',
    idle_session_timeout: '1h',
    client_min_messages: 'debug1',
    statement_timeout: '9000',
    'app.wakes_outbox': 'on',
  };
  beforeAll(async () => {
    for (const [setting, value] of Object.entries(ofServer)) await setForDatabase(setting, value);
  });
  afterAll(async () => void (await rows(server, `ALTER DATABASE ${nameOf(scratch)} RESET ALL`)));

  test.each([false, true])(
    'then each session of the service has those that it needs (operators: %s)',
    async (isOperated) => {
      for (const url of [scratch.url, hostileAddress()]) {
        const database = open(url, { isOperated, statementMs: 15_000 });
        expect(await oneRow(database, shown)).toEqual(needed);
        const inTransaction = await database.transaction((transaction) => rows(database, shown, {}, transaction));
        expect(inTransaction).toEqual([needed]);
        expect(await sql.one(database)`SHOW jit`).toEqual({ jit: 'off' });
      }
    },
  );

  test('then each session of the sign-in has those that it needs', async () => {
    const pool = openIdentityPool(hostileAddress(), 'identity_members');
    const found = await identityRows(pool, shown).finally(() => pool.end());
    expect(found).toEqual([{ ...needed, path: 'identity_members' }]);
  });

  test('then those that listen and migrate have them, without a limit of a statement', async () => {
    const client = clientAt(hostileAddress(), 'digital-goods-test');
    await client.connect();
    const { rows: found } = await client.query(shown).finally(() => client.end());
    expect(found).toEqual([{ ...needed, statement: '0' }]);
  });

  test('then the schema is up to date, and times and bytes are read', async () => {
    expect(await migrate(scratch.url)).toEqual([]);
    const database = open();
    expect(
      await sql.one(database)`
      SELECT '2026-02-03T04:05:06.789Z'::timestamptz AS at, '\\x00ff'::bytea AS bytes, 0.1::float8 + 0.2 AS sum`,
    ).toEqual({ at: new Date('2026-02-03T04:05:06.789Z'), bytes: Buffer.from([0, 255]), sum: 0.1 + 0.2 });
  });
});

describe('When a setting does not hold', () => {
  const reason = /setting session_replication_role of PostgreSQL is "replica", and the program needs "origin"/;
  beforeAll(() => setForDatabase('session_replication_role', 'replica'));
  afterAll(async () => void (await rows(server, `ALTER DATABASE ${nameOf(scratch)} RESET ALL`)));

  test('then `migrate` and the start of a process name it', async () => {
    await expect(migrate(scratch.url)).rejects.toThrow(reason);
    await expect(prepared(scratch.url)).rejects.toThrow(reason);
  });

  test('then /ready of API and worker are 503 and name the database', async () => {
    const database = open();
    const workflowService = { getSystemInfo: async () => ({}) };
    const temporal = { connection: { workflowService } } as unknown as Client;
    const ofWorker = await workerReadiness({ database, temporal, workers: () => [] });
    expect(JSON.parse(ofWorker.body)).toMatchObject({ failing: expect.arrayContaining(['postgresql']) });
    expect(await readiness(database)).toMatchObject({ status: 503, failing: ['postgresql', 'temporal'] });
  });
});

test('When something else changes a setting of a session, then /ready is 503 until it holds again', async () => {
  const database = open();
  const failing = async () => (await readiness(database)).failing;
  expect(await failing()).toEqual(['temporal']);
  await sql(database)`SET statement_timeout = 0`;
  expect(await failing()).toEqual(['postgresql', 'temporal']);
  await sql(database)`SET statement_timeout = 15000`;
  expect(await failing()).toEqual(['temporal']);
});
