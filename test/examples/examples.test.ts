/** The examples work against the real stack: `npm run test:more -- examples`. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newClient, type OwnClient, useDatabase } from '../support/clients';
import { sql } from '../../dev/testbed/sql';
import { orderOf, place } from '../support/orders';
import { entriesOf } from '../support/records';
import { accepted, topupOrders } from '../support/variant-orders';
import { loadStack } from '../../dev/testbed/loaded-stack';
import { codeBlocks, root, textOf } from '../documents/documents';

const database = useDatabase();

/** Runs an example as a new funded client, or as the given one. */
async function run(command: string, file: string, client?: OwnClient): Promise<{ code: number | null; out: string }> {
  const { credentials } = client ?? (await newClient(database, { USD: 1_000 }));
  const { api_url: url } = loadStack();
  const env = {
    ...process.env,
    API_URL: url,
    API_KEY: credentials.api_key,
    API_SECRET: credentials.api_secret,
    WEBHOOK_URL: 'http://127.0.0.1:9/hook',
  };
  const program = spawn(command, [join(root, file)], { env, timeout: 80_000 });
  let out = '';
  program.stdout.on('data', (chunk: Buffer) => (out += String(chunk)));
  program.stderr.on('data', (chunk: Buffer) => (out += String(chunk)));
  const [code] = (await once(program, 'close')) as [number | null];
  return { code, out };
}

const python = spawnSync('python3', ['--version']).status === 0 ? test : test.skip;

python(
  'When the Python example runs, then its order is delivered and charged once, and its webhook verified',
  async () => {
    const { code, out } = await run('python3', 'examples/python/order.py');
    expect(out).toMatch(
      /^.+ costs 10\nOrder \d+ is PENDING\nOrder \d+ is DELIVERED with 1 voucher\nWebhook order\.delivered verified\n$/,
    );
    expect(code).toBe(0);
    expect(await entriesOf(database, Number(/Order (\d+)/.exec(out)?.[1]))).toMatchObject([{ kind: 'ORDER' }]);
  },
);

python('When the Python example reconciles an account, then everything agrees', async () => {
  const client = await newClient(database, { USD: 1_000 });
  await place(client.api, orderOf('voucher_instant'));
  await accepted(client.api, topupOrders, orderOf('topup_reject_unknown'));
  const { code, out } = await run('python3', 'examples/python/reconcile.py', client);
  expect({ code, out }).toEqual({ code: 0, out: '2 orders, USD 990.20 at the end\nEverything agrees, to the cent\n' });
});

const go = spawnSync('go', ['version']).status === 0 ? test : test.skip;

go('When the Go example reconciles an account, then everything agrees', async () => {
  const client = await newClient(database, { USD: 1_000 });
  await place(client.api, orderOf('voucher_instant'));
  await accepted(client.api, topupOrders, orderOf('topup_reject_unknown'));
  const folder = mkdtempSync(join(tmpdir(), 'go-example-'));
  const program = join(folder, 'reconcile');
  const built = spawnSync('go', ['build', '-o', program, join(root, 'examples/go/reconcile.go')]);
  expect(String(built.stderr)).toBe('');
  const { code, out } = await run(program, '', client);
  rmSync(folder, { recursive: true });
  expect({ code, out }).toEqual({ code: 0, out: '2 orders, USD 990.20 at the end\nEverything agrees, to the cent\n' });
});

const withoutSettings = { API_URL: '', API_KEY: '', API_SECRET: '' };

test.each([
  ['node', [process.execPath, 'examples/node/reconciled-statement.mjs']],
  ['python', ['python3', 'examples/python/reconcile.py']],
  ['the collection', [process.execPath, 'examples/collection/run.mjs']],
])(
  'When an example in %s runs below the folder of a stack, then it uses the client demo of that stack',
  (_language, [command = '', file = '']) => {
    if (command === 'python3' && spawnSync('python3', ['--version']).status !== 0) return;
    const home = mkdtempSync(join(tmpdir(), 'example-'));
    mkdirSync(join(home, '.run'));
    mkdirSync(join(home, 'below'));
    copyFileSync(process.env['STACK_FILE'] as string, join(home, '.run/stack.json'));
    const env = { ...process.env, ...withoutSettings, WEBHOOK_URL: 'http://127.0.0.1:9/hook' };
    const { status, stdout, stderr } = spawnSync(command, [join(root, file)], {
      cwd: join(home, 'below'),
      env,
      encoding: 'utf8',
    });
    rmSync(home, { recursive: true });
    // Other tests order as this client at the same time: its statements may disagree, but they are read.
    expect(`${stdout}${stderr}`).not.toContain('start a stack');
    expect(stdout).not.toBe('');
    expect(status).not.toBeNull();
  },
);

test('When the webhook example runs, then it verifies the final event of its order and deletes its endpoint', async () => {
  const client = await newClient(database, { USD: 1_000 });
  const { code, out } = await run(process.execPath, 'examples/node/verified-webhook.mjs', client);
  expect(out).toMatch(/^Order (\d+) is PENDING\nVerified: order\.delivered of order \1, 1 delivered\n$/);
  expect(code).toBe(0);
  expect((await client.api.get('/api/v1/webhooks/endpoints')).body).toEqual([]);
});

describe('The example of a reconciled statement', () => {
  const reconcile = (client: OwnClient) => run(process.execPath, 'examples/node/reconciled-statement.mjs', client);

  test('When orders were delivered and refunded, then everything agrees', async () => {
    const client = await newClient(database, { USD: 1_000 });
    await place(client.api, orderOf('voucher_instant'));
    await accepted(client.api, topupOrders, orderOf('topup_reject_unknown'));
    const { code, out } = await reconcile(client);
    expect(out).toMatch(/^USD 0\.00 at the beginning, 990\.20 at the end\n2 orders: 19\.80 charged, 10\.00 refunded\n/);
    expect(out).toContain('Everything agrees, to the cent');
    expect(code).toBe(0);
  });

  test('When an order has another amount than its entry, then the example names the order and exits with 1', async () => {
    const client = await newClient(database, { USD: 1_000 });
    const { id } = await place(client.api, orderOf('voucher_instant'));
    await sql(database)`UPDATE orders SET total_payable = total_payable + 1 WHERE id = ${id}`;
    const { code, out } = await reconcile(client).finally(
      () => sql(database)`UPDATE orders SET total_payable = total_payable - 1 WHERE id = ${id}`,
    );
    expect(out).toMatch(new RegExp(`Order ${id} says 10\\.80, entry \\d+ says 9\\.80`));
    expect(code).toBe(1);
  });
});

test('When the page about the library is followed, then npm installs it by its address, and a program places an order', async () => {
  const page = 'docs/clients/client-library.md';
  const { credentials } = await newClient(database, { USD: 100 });
  const url = loadStack().api_url;
  const home = mkdtempSync(join(tmpdir(), 'library-'));
  const blocks = codeBlocks(page);
  const program = blocks.find(({ language }) => language === 'js')?.code ?? '';
  writeFileSync(join(home, 'order.mjs'), program);
  const script = blocks.filter(({ language }) => language === 'sh').map(({ code }) => code);
  const env = { ...process.env, API_URL: url, API_KEY: credentials.api_key, API_SECRET: credentials.api_secret };
  const { stdout, stderr } = spawnSync('sh', ['-ec', script.join('\n').replaceAll('http://127.0.0.1:3000', url)], {
    cwd: home,
    env,
    encoding: 'utf8',
  });
  rmSync(home, { recursive: true });
  const [printed] = blocks.filter(({ language }) => language === '');
  const ofAnyOrder = (text: string) => text.replace(/\d+/, 'n').trim();
  expect(stderr).toBe('');
  expect(ofAnyOrder(stdout.trim().split('\n').at(-1) ?? '')).toBe(ofAnyOrder(printed?.code ?? ''));
});

interface Operation {
  tags: string[];
}

test('When the collection runs, then every API call has the expected answer', async () => {
  const { code, out } = await run(process.execPath, 'examples/collection/run.mjs');
  const { paths } = JSON.parse(textOf('docs/clients/openapi.json')) as {
    paths: Record<string, Record<string, Operation>>;
  };
  const documented = Object.values(paths).flatMap((methods) => Object.values(methods));
  const forClients = documented.filter(({ tags }) => !tags.includes('Suppliers'));
  const lines = out.trim().split('\n');
  expect(lines.filter((line) => !/^(2\d\d|400|403|409) (GET|POST|PUT|PATCH|DELETE) [\w{}./-]+$/.test(line))).toEqual(
    [],
  );
  expect({ code, calls: lines.length }).toEqual({ code: 0, calls: forClients.length });
});
