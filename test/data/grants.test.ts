/** What the roles may do that work on the schema without owning it. docs/decisions/0033-roles-hold-what-they-need.md. */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { ActivityDependencies } from '../../activities/dependencies';
import { maintenance } from '../../activities/maintenance';
import { openDatabase, rows, type Database } from '../../src/data/database';
import { roleNames } from '../../src/data/grants';
import { migrate } from '../../src/data/migrate';
import { prepareSchema } from '../../src/data/prepare-schema';
import { ensureRoles } from '../../src/data/roles';
import { newClient, fund } from '../support/clients';
import { scratchDatabase } from '../support/scratch-database';
import { loadStack } from '../support/stack';

const scratch = scratchDatabase();
const { database: owner } = scratch;
const names = roleNames(new URL(scratch.url).pathname.slice(1));
const password = () => randomBytes(18).toString('base64url');

let urls: { service: string; codec: string };
let service: Database;
let codec: Database;
beforeAll(async () => {
  urls = (await ensureRoles(scratch.url, { service: password(), codec: password() })) as typeof urls;
  expect(await migrate(scratch.url)).toEqual(['grants']);
  service = openDatabase(urls.service, 1);
  codec = openDatabase(urls.codec, 1);
  const { wallets } = await newClient(owner, { USD: 10 });
  await fund(owner, wallets['USD'] as number, 5);
});
afterAll(async () => {
  await service.close();
  await codec.close();
  // The database is gone by now, and with it all that the roles had.
  const server = openDatabase(loadStack().database_url, 1);
  for (const name of Object.values(names)) await rows(server, `DROP ROLE ${name}`);
  await server.close();
});

async function tablesWithoutRight(role: string): Promise<string[]> {
  const found = await rows<{ name: string }>(
    owner,
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'v', 'p')
        AND NOT has_table_privilege($role, oid, 'SELECT') ORDER BY relname`,
    { role },
  );
  return found.map(({ name }) => name);
}

test('When a table is made, then a line of grants.sql says what the service may do with it', async () => {
  expect(await tablesWithoutRight(names.service)).toEqual([]);
});

test('When the codec server reads, then it has the view of payload keys and nothing else', async () => {
  const all = await rows<{ name: string }>(
    owner,
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'v', 'p')
        AND relname <> 'payload_keys' ORDER BY relname`,
  );
  expect(await tablesWithoutRight(names.codec)).toEqual(all.map(({ name }) => name));
  await rows(codec, 'SELECT * FROM payload_keys');
});

test.each([
  'UPDATE transactions SET amount = 1',
  'UPDATE transactions SET remarks = NULL',
  'DELETE FROM transactions',
  'TRUNCATE transactions',
  'TRUNCATE events',
  'DROP TABLE transactions',
  'ALTER TABLE transactions DISABLE TRIGGER ALL',
  'ALTER TABLE wallets DROP CONSTRAINT wallets_balance_check',
  'DROP FUNCTION post_entry',
  'CREATE TABLE mine (id integer)',
  'CREATE FUNCTION mine() RETURNS integer LANGUAGE sql AS $$ SELECT 1 $$',
  'DELETE FROM orders',
  'DELETE FROM vouchers',
  'DELETE FROM wallets',
  'DELETE FROM goods_apart',
  'DELETE FROM data_keys',
  "INSERT INTO migrations (name) VALUES ('0099-mine')",
  'UPDATE api_keys SET client_id = 1',
  'UPDATE api_keys SET revoked_at = NULL',
  "INSERT INTO api_keys (client_id, api_key, secret_hash) VALUES (1, 'mine', '')",
  "UPDATE clients SET status = 'ACTIVE'",
  "INSERT INTO clients (name, contact_email) VALUES ('Mine', 'me@mine.example')",
  'UPDATE forex_rates SET rate = 1',
  'CREATE ROLE mine',
])('When the service runs %s, then PostgreSQL refuses it', async (statement) => {
  await expect(rows(service, statement)).rejects.toThrow(/permission denied|must be owner/);
});

test('When whoever asks may make no roles, then there are none, and nothing breaks', async () => {
  expect(await ensureRoles(urls.service, { service: password(), codec: password() })).toBeUndefined();
});

test('When the schema is up to date, then the service starts on it; where it is older a sentence says who mends it', async () => {
  const starting = (url: string, mode: 'sandbox' | 'production' = 'sandbox') =>
    prepareSchema({ mode, database: { url, poolSize: 1, preparesStatements: true } });
  await starting(urls.service, 'production');
  const [newest] = await rows<{ name: string }>(
    owner,
    'DELETE FROM migrations WHERE name = (SELECT max(name) FROM migrations) RETURNING name',
  );
  await expect(starting(urls.service)).rejects.toThrow(
    `its schema is older than this release (${newest?.name} is missing): run npm run ops -- migrate`,
  );
  await rows(owner, 'INSERT INTO migrations (name) VALUES ($name)', { name: newest?.name ?? '' });
});

test('When production logs in as the owner of the schema, then it does not start', async () => {
  const database = { url: scratch.url, poolSize: 1, preparesStatements: true };
  await expect(prepareSchema({ mode: 'production', database })).rejects.toThrow(
    'its user owns the schema, which production refuses',
  );
});

test('When maintenance runs as the service, then it may delete what is past its use', async () => {
  const context = { database: service, suppliers: new Map(), eventRetentionDays: 90 };
  const tasks = maintenance(context as unknown as ActivityDependencies);
  for (const task of ['deletePastUse', 'foldCounters', 'abandonExpiredCreates', 'reviewSuppliers'] as const) {
    await tasks[task]();
  }
});

/** The environment of a running program, as the system has it. */
function environmentOf(program: string): Map<string, string> {
  const pid = loadStack().pids[program] as number;
  const entries = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  return new Map(entries.map((entry) => [entry.split('=', 1)[0] ?? '', entry.slice(entry.indexOf('=') + 1)]));
}

const onLinux = process.platform === 'linux' ? test : test.skip;

onLinux('When the stack runs, then each of its programs has its own role and no secret of another', () => {
  const secrets = [
    'DATABASE_URL',
    'SECRET_KEYS',
    'SIMULATOR_SECRET',
    'CODEC_SERVER_SECRET',
    'POSTGRES_PASSWORD',
  ];
  const told = (program: string) => secrets.filter((name) => environmentOf(program).has(name));
  const userOf = (program: string) => new URL(environmentOf(program).get('DATABASE_URL') ?? '').username;
  const { service: serviceRole, codec: codecRole } = roleNames(
    new URL(loadStack().database_url).pathname.slice(1),
  );
  for (const program of ['api', 'worker']) {
    expect(told(program)).toEqual(['DATABASE_URL', 'SECRET_KEYS', 'SIMULATOR_SECRET']);
    expect(userOf(program)).toBe(serviceRole);
  }
  expect(told('codec-server')).toEqual(['DATABASE_URL', 'SECRET_KEYS', 'CODEC_SERVER_SECRET']);
  expect(userOf('codec-server')).toBe(codecRole);
  expect(told('simulator')).toEqual(['SIMULATOR_SECRET']);
  for (const program of ['mail-catcher', 'temporal']) expect(told(program)).toEqual([]);
});
