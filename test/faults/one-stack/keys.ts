/**
 * Key changes while two API processes serve: each process can always read what the other one writes.
 * docs/operators/keys.md.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ROOT } from '../../../dev/stack/run-directory';
import { firstRow, rows, type Database } from '../../../src/data/database/database';
import { sql } from '../../../dev/testbed/sql';
import { nameOfKey } from '../../../src/data/keys/data-keys';
import { rewrapKeys } from '../../../src/data/keys/rotation';
import { LocalKeyEncryption, readSecretKeys } from '../../../src/security/key-encryption';
import type { KeyPurpose } from '../../../src/security/key-ring';
import { Sealer, webhookSecret } from '../../../src/security/sealing';
import { newClient, type OwnClient } from '../../support/clients';
import { newKey } from '../../support/keys';
import { stackKeyRing, stackSecretKeys } from '../../../dev/testbed/stack-keys';
import { ops, printedBy } from '../../support/operator';
import { orderOf, ordersPath, type VoucherOrder } from '../../support/orders';
import type { Service } from '../../support/orders-under-faults';
import { type OwnStack } from '../../support/own-stack';
import { serviceEnvironment, startApiProcess, type ApiProcess } from '../../support/service-process';
import { ApiClient, type Json } from '../../support/stack';
import { until } from '../../../dev/testbed/waiting';

/** Longer than the 5 s between two key reloads of a process. */
const ONE_TURN_MS = 6_000;
/** Between two sets of requests. */
const PAUSE_MS = 200;

let stack: OwnStack;
let database: Database;
let second: ApiProcess;
function program(script: string, args: string[], special: NodeJS.ProcessEnv = {}): ChildProcess {
  return spawn(process.execPath, [join(ROOT, 'dist/src', script), ...args], {
    env: { ...serviceEnvironment(), ...special },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
}

/** Sends client requests to both processes in sequence during the work. Returns the errors. */
async function errorsDuring(client: OwnClient, work: () => Promise<void>): Promise<string[]> {
  const faults: string[] = [];
  let isOver = false;
  const urls = [stack.now().api_url, second.url];
  const running = (async () => {
    for (let turn = 0; !isOver; turn++, await sleep(PAUSE_MS)) {
      const [here, there] = turn % 2 === 0 ? urls : urls.toReversed();
      await tryBoth(client, here as string, there as string).catch((error: Error) => faults.push(error.message));
    }
  })();
  await work().finally(() => (isOver = true));
  await running;
  return faults;
}

/** Logs in at one process. Orders, reads and refreshes at the other process with those tokens. */
async function tryBoth({ api }: OwnClient, here: string, there: string): Promise<void> {
  const tokens = await loggedIn(here);
  const read = await fetch(`${there}/api/v1/wallets`, { headers: { authorization: `Bearer ${tokens.access_token}` } });
  if (read.status !== 200) throw new Error(`a token is rejected with ${read.status}`);
  const refreshed = await posted(`${there}/auth/refresh`, { refresh_token: tokens.refresh_token });
  if (!('data' in refreshed)) throw new Error(`a refresh is rejected: ${JSON.stringify(refreshed)}`);

  const order = await api.post<VoucherOrder>(ordersPath, orderOf('voucher_instant'));
  if (order.status !== 200) throw new Error(`an order request is rejected: ${JSON.stringify(order.body)}`);
  const token = await api.accessToken();
  for (const url of [here, there]) {
    const shown = await fetch(`${url}${ordersPath}/${order.body.id}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const { vouchers } = (await shown.json()) as VoucherOrder;
    if (!vouchers?.every(({ card_number, claim_url }) => card_number ?? claim_url))
      throw new Error(`the codes of order ${order.body.id} cannot be read`);
  }
}

/** A session of a new client, because logins are counted by API key. */
async function loggedIn(url: string): Promise<{ access_token: string; refresh_token: string }> {
  const { credentials } = await newClient(database, { USD: 1 });
  const answer = await posted(`${url}/auth/login`, { username: credentials.api_key, password: credentials.api_secret });
  return answer['data'] as { access_token: string; refresh_token: string };
}

async function posted(url: string, body: object): Promise<Json> {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  return (await answer.json()) as Json;
}

const command = (...words: string[]) => printedBy(stack.now().database_url, 'secret-keys', ...words);

async function added(purpose: KeyPurpose): Promise<string> {
  const [name = ''] = (await command('add', purpose)).split(' ');
  return name;
}

/** Retries the promotion until it is accepted, as operators do. */
async function promoted(name: string): Promise<void> {
  await until(`${name} promoted`, async () => command('promote', name).catch(() => undefined), 20);
}

/** Registers the tests of this subject, on a started stack that other subjects share. */
export function testKeys(started: () => Service): void {
  beforeAll(async () => {
    ({ stack, database } = started());
    // The second process serves only the orders that the first process placed.
    second = await startApiProcess({ SIMULATOR_SECRET: 'no-supplier-is-called' });
  });

  afterAll(async () => {
    await second?.stop();
  });

  test('When keys are added and promoted, then neither process rejects a token or hides a code', async () => {
    const client = await newClient(database, { USD: 100_000 });
    const session = await loggedIn(second.url);
    const errors = await errorsDuring(client, async () => {
      for (const purpose of ['token', 'seal', 'lookup', 'payload'] as const) await promoted(await added(purpose));
      await sleep(ONE_TURN_MS);
    });
    expect(errors).toEqual([]);
    expect(
      await posted(`${stack.now().api_url}/auth/refresh`, { refresh_token: session.refresh_token }),
    ).toHaveProperty('data');
  });

  test('When a process is frozen, then a key that it has not loaded is not promoted until the process continues', async () => {
    process.kill(second.pid, 'SIGSTOP');
    const name = await added('token');
    try {
      await until('the others', async () => {
        const [key] = (await ops`secret-keys list`).filter(({ key }) => key === name);
        // The API, the operators' process, the worker and the bulk worker of the stack.
        return (key?.['held_by'] as string[]).length === 4;
      });
      await expect(command('promote', name)).rejects.toThrow(
        new RegExp(`^api ${second.pid} on \\S+ does not hold ${name}: it loads the key within 5 s`),
      );
    } finally {
      process.kill(second.pid, 'SIGCONT');
    }
    await promoted(name);
  });

  test('When running processes lack a key-encryption key, then no data key is wrapped with it', async () => {
    const next = new LocalKeyEncryption([newKey('next'), ...readSecretKeys(stackSecretKeys())]);
    await expect(rewrapKeys(database, next)).rejects.toThrow(/^api \d+ .*, worker \d+ .* does not hold next#/);
  });

  test('When a process is started without the key-encryption key, then it exits with a message that names the key', async () => {
    const lacking = `other:${newKey().secret.toString('base64')}`;
    const child = program('api/main.js', [], { SECRET_KEYS: lacking });
    let said = '';
    child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
    expect(await once(child, 'exit')).toEqual([1, null]);
    expect(said).toMatch(
      /^The data key \w+\/\w+ is wrapped with the key-encryption key k1, which is not in SECRET_KEYS\. Add it again\.\n$/,
    );
  });

  describe('Sealing anew', () => {
    const VALUES = 12_000;

    /** Inserts values of a deleted endpoint, which no other code reads. */
    async function fill(clientId: number): Promise<void> {
      const sealer = new Sealer(await stackKeyRing());
      await rows(
        database,
        `WITH endpoint AS (
         INSERT INTO webhook_endpoints (nonce, client_id, url, description, event_types, enabled, sealed_secret, deleted_at)
         VALUES ('many', $clientId, 'https://client.example', '', '{}', false, $sealed, now()) RETURNING id)
       INSERT INTO webhook_previous_secrets (endpoint_id, sealed_secret, valid_until)
       SELECT id, $sealed, now() FROM endpoint, generate_series(1, $count)`,
        { clientId, sealed: sealer.seal(webhookSecret('many'), 'the secret'), count: VALUES },
      );
    }

    async function under(id: string): Promise<number> {
      const found = await firstRow<{ count: number }>(
        database,
        `SELECT count(*) AS count FROM webhook_previous_secrets WHERE encode(substr(sealed_secret, 2, length($id)), 'escape') = $id`,
        { id },
      );
      return found?.count ?? 0;
    }

    test('When resealing is killed and repeated while orders are placed, then every value stays readable', async () => {
      const client = await newClient(database, { USD: 100_000 });
      await fill(client.id);
      const before = (await stackKeyRing()).current('seal').id;
      const name = await added('seal');
      await promoted(name);
      const { id } = (await stackKeyRing()).current('seal');
      expect(name).toBe(nameOfKey({ purpose: 'seal', id }));

      const errors = await errorsDuring(client, async () => {
        const tool = program('operators/cli/main.js', ['secret-keys', 're-seal']);
        const ended = once(tool, 'exit');
        await until('some values moved', async () => (await under(id)) > 0);
        tool.kill('SIGKILL');
        await ended;
        const [moved, left] = [await under(id), await under(before)];
        expect(left).toBeGreaterThan(0);
        expect(moved + left).toBe(VALUES);

        await command('re-seal');
      });
      expect(errors).toEqual([]);
      expect(await command('re-seal')).toMatch(/; 0 are not\.$/);
      process.exitCode = 0;
      const sealer = new Sealer(await stackKeyRing());
      const all = await sql(database)<{ sealed: Buffer }>`SELECT sealed_secret AS sealed
           FROM webhook_previous_secrets`;
      expect(new Set(all.map(({ sealed }) => sealer.open(webhookSecret('many'), sealed)))).toEqual(
        new Set(['the secret']),
      );
      expect(await under(id)).toBe(VALUES);
      expect((await ops`secret-keys list`).find(({ key }) => key === `seal/${before}`)).toMatchObject({ values: 0 });
    });
  });

  test('When a client orders under the new keys, then both processes give the same answer', async () => {
    const client = await newClient(database, { USD: 100 });
    const there = new ApiClient(second.url, client.credentials);
    const { body } = await client.api.post<Json>(ordersPath, orderOf('voucher_instant'));
    const { body: shown } = await there.get<Json>(`${ordersPath}/${String(body['id'])}`);
    expect(shown['vouchers']).toEqual(body['vouchers']);
  });
}
