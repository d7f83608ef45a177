/** The Python package as a client gets it: generated from the present document, and installed by its address. */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { codeBlocks, root } from '../documents/documents';
import { newClient, stackDatabase } from '../support/clients';
import { orderOf } from '../support/orders';
import { loadStack } from '../support/stack';

const run = promisify(execFile);
const page = 'docs/clients/generated-clients.md';
const database = stackDatabase();

let folder: string;
let python: string;
let env: NodeJS.ProcessEnv;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'python-package-'));
  python = join(folder, 'bin/python');
  await run('python3', ['-m', 'venv', folder]);
  const url = loadStack().api_url;
  const install = codeBlocks(page).find(({ code }) => code.startsWith('pip install '))?.code ?? '';
  await run('sh', ['-ec', `${join(folder, 'bin')}/${install.replace('http://127.0.0.1:3000', url)}`]);
  const { credentials } = await newClient(database, { USD: 1_000 });
  const { api_key: API_KEY, api_secret: API_SECRET } = credentials;
  env = { ...process.env, API_URL: url, API_KEY, API_SECRET };
});
afterAll(async () => {
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

test('When the document has changed, then the Python package was generated again', async () => {
  const program = join(root, 'packages/python/generate.mjs');
  await expect(run(process.execPath, [program, '--check'])).resolves.toBeDefined();
});

test('When the program of the page runs, then it places its first order', async () => {
  const blocks = codeBlocks(page);
  const file = join(folder, 'first_order.py');
  writeFileSync(file, blocks.find(({ language }) => language === 'python')?.code ?? '');
  const { stdout } = await run(python, [file], { env });
  const [printed] = blocks.filter(({ language }) => language === '');
  const ofAnyOrder = (text: string) => text.replace(/\d+/, 'n').trim();
  expect(ofAnyOrder(stdout)).toBe(ofAnyOrder(printed?.code ?? ''));
});

test('When the package places an order of each family, then it reads the order, the wallet and the events', async () => {
  const bodies = {
    voucher: orderOf('voucher_instant'),
    topup: orderOf('topup_instant'),
    esim: orderOf('esim_instant'),
  };
  const home = join(folder, 'program');
  mkdirSync(home);
  cpSync(join(__dirname, 'python/package.py'), join(home, 'package.py'));
  const { stdout } = await run(python, [join(home, 'package.py')], {
    env: { ...env, BODIES: JSON.stringify(bodies) },
  });
  expect(JSON.parse(stdout)).toEqual({
    voucher: 'DELIVERED',
    topup: 'DELIVERED',
    esim: 'DELIVERED',
    rejected: 'DUPLICATE_CLIENT_REFERENCE',
    has_events: true,
    currency: 'USD',
  });
});
