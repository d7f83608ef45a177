/**
 * Carries out the security page's steps after a leak in order, on a separate database with an API process, a client, its
 * key, session and endpoint. Then checks that the leaked access has ended.
 */
import { randomBytes } from 'node:crypto';
import { openDatabase, rows } from '../../src/data/database/database';
import { sql } from '../../dev/testbed/sql';
import { startApiProcess, type ApiProcess } from '../support/service-process';
import { printedWith } from '../support/operator';
import { scratchDatabase } from '../../dev/testbed/scratch-database';
import { ApiClient, type Answer, type Json } from '../support/stack';
import { runTool } from '../support/tool';
import { until } from '../../dev/testbed/waiting';
import { commandsBelow, shellCommands } from './documents';
import { shellWords } from './shell-words';

jest.setTimeout(120_000);

const page = 'docs/operators/security.md';
const endpoints = '/api/v1/webhooks/endpoints';
const newSecretKey = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;

const scratch = scratchDatabase();
let secretKeys = newSecretKey('k1');
let api: ApiProcess;
let credentials: Credentials;
let endpoint: { id: number; secret: string };

interface Credentials {
  api_key: string;
  api_secret: string;
}

interface Tokens {
  access_token: string;
  refresh_token: string;
}

const tool = (...words: string[]) => printedWith({ databaseUrl: scratch.url, secretKeys }, ...words);
const toolJson = async (...words: string[]) => JSON.parse(await tool('--json', ...words)) as Json[];

async function startApi(): Promise<void> {
  api = await startApiProcess({ DATABASE_URL: scratch.url, SECRET_KEYS: secretKeys });
}

async function startAnew(): Promise<void> {
  await api.stop();
  await startApi();
}

beforeAll(async () => {
  await tool('clients', 'create', 'Acme Ltd', '--contact', 'ops@acme.example');
  credentials = await newCredentials();
  await startApi();
  const client = new ApiClient(api.url, credentials);
  const registered = await client.post<typeof endpoint>(endpoints, { url: 'https://hooks.acme.example/' });
  endpoint = registered.body;
});
afterAll(() => api.stop());

async function newCredentials(): Promise<Credentials> {
  const [made] = await toolJson('keys', 'create', 'Acme Ltd');
  return made as unknown as Credentials;
}

const login = ({ api_key: username, api_secret: password }: Credentials): Promise<Answer<{ data: Tokens }>> =>
  new ApiClient(api.url).post('/auth/login', { username, password });
const refresh = (token: string): Promise<Answer<{ data: Tokens }>> =>
  new ApiClient(api.url).post('/auth/refresh', { refresh_token: token });
const withToken = (token: string) => ({ authorization: `Bearer ${token}` });

async function tokensOf(owner: Credentials): Promise<Tokens> {
  return (await login(owner)).body.data;
}

const done = new Set<string>();

/** The commands below this heading, in order. Marks them as run. */
function commandsOf(heading: string, language?: string): string[] {
  const commands = commandsBelow(page, heading, language);
  commands.forEach((command) => done.add(command));
  return commands;
}

/** Runs a command of the page. Repeats it while it is rejected because a process has not loaded a key. */
async function run(command: string, leaked = ''): Promise<string> {
  const words = shellWords(command).slice(4);
  const typed = await Promise.all(words.map(async (word) => (word === '<leaked>' ? leaked : keyIn(word))));
  return until(command, () => tool(...typed).catch(unlessProcessesLag));
}

function unlessProcessesLag(error: Error): undefined {
  if (!/within 5 s|in 5 s/.test(error.message)) throw error;
}

/** `seal/<new>` is the added key, `seal/<old>` the previous one. */
async function keyIn(word: string): Promise<string> {
  const [, purpose, which] = /^(\w+)\/<(new|old)>$/.exec(word) ?? [];
  if (!purpose) return word;
  const state = which === 'new' ? 'added' : 'replaced';
  const found = (await toolJson('secret-keys', 'list')).find(
    ({ key, state: its }) => its === state && String(key).startsWith(`${purpose}/`),
  );
  return String(found?.['key']);
}

const dataKeys = async () => (await toolJson('secret-keys', 'list')).filter(({ state }) => state !== 'key-encryption');

test("When a client's API secret leaked, then the old key and its sessions end immediately, and the new key works", async () => {
  const thief = await tokensOf(credentials);
  const moves = await new ApiClient(api.url).post(
    endpoints,
    { url: 'https://thief.example/' },
    withToken(thief.access_token),
  );
  expect(moves.status).toBe(201);

  const commands = commandsOf("A client's API secret");
  const printed = new Map<string, string>();
  for (const command of commands.slice(0, -1))
    printed.set(command.split(' ')[5] ?? '', await run(command, credentials.api_key));
  expect(printed.get('list')).toContain('thief.example');
  const write = await new ApiClient(api.url).post(
    endpoints,
    { url: 'https://again.example/' },
    withToken(thief.access_token),
  );
  expect(write.status).toBe(403);
  expect((await login(credentials)).status).toBe(401);
  expect((await refresh(thief.refresh_token)).status).toBe(401);

  const words = (printed.get('create') ?? '').split(/\s+/);
  const fresh = {
    api_key: words.find((word) => word.startsWith('dgk_')) ?? '',
    api_secret: words.find((word) => word.startsWith('dgs_')) ?? '',
  };
  expect((await login(fresh)).status).toBe(401);
  await run(commands.at(-1) ?? '');
  expect((await login(fresh)).status).toBe(200);
  expect((await login(credentials)).status).toBe(401);
  expect((await refresh(thief.refresh_token)).status).toBe(401);
  credentials = fresh;
});

test('When SECRET_KEYS leaked, then the new key wraps every data key, and the old one opens nothing', async () => {
  const leaked = secretKeys;
  const fresh = newSecretKey('k2');
  secretKeys = `${fresh},${leaked}`;
  await startAnew();
  const printed = [];
  for (const command of commandsOf('SECRET_KEYS')) printed.push(await run(command));
  expect(printed.at(-1)).toMatch(/: all are wrapped with k2\.$/);

  secretKeys = fresh;
  await startAnew();
  expect((await login(credentials)).status).toBe(200);
  const withOld = printedWith({ databaseUrl: scratch.url, secretKeys: leaked }, 'keys', 'create', 'Acme Ltd');
  await expect(withOld).rejects.toThrow('k2');
});

test('When a copy of the database leaked, then no value uses the keys in the copy, and all values stay readable', async () => {
  const thief = await tokensOf(credentials);
  const before = (await dataKeys()).filter(({ state }) => state === 'promoted').map(({ key }) => String(key));
  for (const command of commandsOf('A copy of the database')) {
    if (command.endsWith('retire seal/<old>')) await passDays(8);
    const printed = await run(command);
    if (/re-(seal|hash)$/.test(command)) expect(printed).toMatch(/; 0 are not\.$/);
    if (command.includes(' retire ')) expect(printed).toMatch(/ is retired\.$/);
  }

  const after = await dataKeys();
  const stateOf = (name: string | undefined) => after.find(({ key }) => key === name)?.['state'];
  const old = (purpose: string) => before.find((name) => name.startsWith(`${purpose}/`));
  expect(['token', 'seal', 'lookup'].map((purpose) => stateOf(old(purpose)))).toEqual(Array(3).fill('retired'));
  expect(stateOf(old('payload'))).toBe('replaced');
  expect(new Set(after.map((key) => key['wrapped_with']).filter(Boolean))).toEqual(new Set(['k2']));

  await until('the process to drop the token key', async () => {
    const { status } = await new ApiClient(api.url).get('/api/v1/wallets', withToken(thief.access_token));
    return status === 401;
  });
  expect((await refresh(thief.refresh_token)).status).toBe(401);
  const secret = await new ApiClient(api.url, credentials).get(`${endpoints}/${endpoint.id}/secret`);
  expect(secret.body).toMatchObject({ secret: endpoint.secret });
});

async function passDays(days: number): Promise<void> {
  await sql(scratch.database)`UPDATE data_keys SET promoted_at = promoted_at - ${days} * interval '1 day'`;
}

test('When a database password leaked, then its connections are closed, and only the new password connects', async () => {
  const role = `leaked_${randomBytes(6).toString('hex')}`;
  const as = (password: string) => {
    const url = Object.assign(new URL(scratch.url), { username: role, password });
    return openDatabase(url.href, 1);
  };
  const [leaked, fresh] = ['leaked-password-1', 'fresh-password-2'];
  await rows(scratch.database, `CREATE ROLE ${role} LOGIN PASSWORD '${leaked}'`);
  const thief = as(leaked);
  const [session] = await sql(thief)<{ pid: number }>`SELECT pg_backend_pid() AS pid`;
  for (const statement of commandsOf('A password of the database', 'sql')) {
    const typed = statement.replace('digital_goods_service', role).replace('<new>', fresh);
    await rows(scratch.database, typed);
  }
  await until('the connection to close', async () => {
    const found = await sql(scratch.database)`SELECT FROM pg_stat_activity WHERE pid = ${session?.pid ?? 0}`;
    return found.length === 0;
  });
  await expect(sql(as(leaked))`SELECT 1`).rejects.toThrow('password authentication failed');
  const owner = as(fresh);
  expect(await sql(owner)`SELECT 1 AS one`).toEqual([{ one: 1 }]);
  await owner.close();
  await thief.close();
  await rows(scratch.database, `DROP ROLE ${role}`);

  for (const command of commandsOf('A password of the database')) await run(command);
});

test('When a webhook secret leaked, then its client has another, and operators see who displayed it', async () => {
  const client = new ApiClient(api.url, credentials);
  const rotated = await client.post<{ secret: string }>(`${endpoints}/${endpoint.id}/secret/rotate`, {});
  expect(rotated.body.secret).not.toBe(endpoint.secret);
  const [command = ''] = commandsOf('A webhook secret');
  const output = await run(command);
  expect(output).toMatch(/127\.0\.0\.1/);
  expect(output).not.toContain(rotated.body.secret);
});

test("When a supplier's secret leaked, then purchases by other parties are searched for", async () => {
  const [attention = '', reconcile = ''] = commandsOf("A supplier's secret");
  await run(attention);
  // The search may find purchases of other tests. Only the search itself is checked.
  const { stdout, stderr } = await runTool`--json ${shellWords(reconcile).slice(4)}`;
  expect(JSON.parse(stdout)).toEqual(expect.any(Array));
  // A slow search shows its progress.
  expect(stderr).toMatch(/^(simulator: \d+ sales are read \.\.\.\n)*$/);
});

test("When an operator's machine is lost, then all its possible changes are listed", async () => {
  for (const command of commandsOf("An operator's machine")) await run(command);
});

test('When the page shows a command, then one of these tests ran it', () => {
  expect(shellCommands(page).filter((command) => !done.has(command))).toEqual([]);
});
