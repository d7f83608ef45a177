/**
 * The Python package as a client gets it: installed by its address, or generated with the commands of the page. Without Python, the
 * project cannot make it.
 */
import { execFile, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { codeBlocks, root, textOf } from '../documents/documents';
import { newClient, useDatabase } from '../support/clients';
import { ADDED_LATER, laterService } from '../support/later-service';
import { orderOf } from '../support/orders';
import { loadStack } from '../../dev/testbed/loaded-stack';

const run = promisify(execFile);
const page = 'docs/clients/generated-clients.md';
const blocks = codeBlocks(page);
const hasPython = spawnSync('python3', ['-m', 'venv', '--help']).status === 0;
const withPython = hasPython ? test : test.skip;
const database = useDatabase();

let folder: string;
let python: string;
let env: NodeJS.ProcessEnv;
beforeAll(async () => {
  if (!hasPython) return;
  await run(process.execPath, ['dev/scripts/build.mjs', 'downloads'], { cwd: root });
  folder = mkdtempSync(join(tmpdir(), 'python-package-'));
  const install = blocks.find(({ code }) => code.startsWith('pip install '))?.code ?? '';
  python = await runIn(folder, install);
  const { credentials } = await newClient(database, { USD: 1_000 });
  const { api_key: API_KEY, api_secret: API_SECRET } = credentials;
  env = { ...process.env, API_URL: loadStack().api_url, API_KEY, API_SECRET };
});
afterAll(() => {
  if (hasPython) rmSync(folder, { recursive: true, force: true });
});

/** Runs a page's commands in a new virtual environment, with the pip and the generator of the build. Returns its Python. */
async function runIn(home: string, commands: string): Promise<string> {
  await run('python3', ['-m', 'venv', '--without-pip', home]);
  const program = join(home, 'bin/python');
  const PATH = [join(root, '.run/python-generator/bin'), process.env['PATH']].join(delimiter);
  const here = commands.replace('http://127.0.0.1:3000', loadStack().api_url);
  await run('sh', ['-ec', here], { cwd: home, env: { ...process.env, PATH, PIP_PYTHON: program } });
  return program;
}

withPython('When the program of the page runs, then it places its first order', async () => {
  const file = join(folder, 'first_order.py');
  writeFileSync(file, blocks.find(({ language }) => language === 'python')?.code ?? '');
  const { stdout } = await run(python, [file], { env });
  const [printed] = blocks.filter(({ language }) => language === '');
  const ofAnyOrder = (text: string) => text.replace(/\d+/, 'n').trim();
  expect(ofAnyOrder(stdout)).toBe(ofAnyOrder(printed?.code ?? ''));
});

withPython(
  'When the service was built without Python, then the commands of the page generate the same modules',
  async () => {
    const block = blocks.find(({ code }) => code.includes('openapi-python-client generate'))?.code ?? '';
    const [install = '', ...commands] = block.split('\n');
    // The build has installed the generator already, in exactly this version.
    const generator = install.replace('pip install ', '');
    expect(readFileSync(join(root, 'packages/python/requirements.txt'), 'utf8')).toContain(`${generator}\n`);
    const generated = await modulesOf(await runIn(join(folder, 'generated'), commands.join('\n')));
    expect(generated.length).toBeGreaterThan(100);
    expect(generated).toEqual(await modulesOf(python));
  },
);

async function packageFolder(program: string): Promise<string> {
  const { stdout } = await run(program, ['-c', 'import digital_goods_client as it; print(it.__path__[0])']);
  return stdout.trim();
}

/** The modules of the installed package. */
async function modulesOf(program: string): Promise<string[]> {
  const files = readdirSync(await packageFolder(program), { recursive: true, encoding: 'utf8' });
  return files.filter((file) => file.endsWith('.py')).sort();
}

/** What a program of this folder prints. It runs outside of the checkout. */
async function printedBy(program: string, variables: NodeJS.ProcessEnv = {}): Promise<unknown> {
  const home = join(folder, 'program');
  mkdirSync(home, { recursive: true });
  cpSync(join(__dirname, 'python', program), join(home, program));
  const { stdout } = await run(python, [join(home, program)], { env: { ...env, ...variables } });
  return JSON.parse(stdout);
}

withPython(
  'When the package places an order of each family, then it reads the order, the wallet and the events',
  async () => {
    const bodies = {
      voucher: orderOf('voucher_instant'),
      topup: orderOf('topup_instant'),
      esim: orderOf('esim_instant'),
    };
    expect(await printedBy('package.py', { BODIES: JSON.stringify(bodies) })).toEqual({
      voucher: 'DELIVERED',
      topup: 'DELIVERED',
      esim: 'DELIVERED',
      rejected: 'DUPLICATE_CLIENT_REFERENCE',
      has_events: true,
      currency: 'USD',
    });
  },
);

withPython(
  'When a list has not changed, then a read with its tag gets 304, and a later read without it the list',
  async () => {
    expect(await printedBy('unchanged.py')).toEqual({ status: 304, parsed: null, is_whole: true });
  },
);

withPython('When a value of a request needs a type of the package, then the page names the type', async () => {
  const home = await packageFolder(python);
  const sourceOf = (file: string) => readFileSync(join(home, file), 'utf8');
  const sources = await modulesOf(python);
  const inApi = sources
    .filter((file) => file.startsWith('api/'))
    .map(sourceOf)
    .join('\n');
  const bodies = [...inApi.matchAll(/^    body: (\w+)/gm)].map(([, name = '']) => name);
  const models = sources.filter((file) => file.startsWith('models/')).map(sourceOf);
  const ofBodies = models.filter((source) => bodies.some((name) => source.includes(`class ${name}:`)));
  const asked = [inApi, ...ofBodies].join('\n');
  const enumerations = models.flatMap((source) => /^class (\w+)\(StrEnum\):/m.exec(source)?.[1] ?? []);
  const needed = enumerations.filter((name) => new RegExp(`import ${name}$`, 'm').test(asked));
  const table = /^\| value \| type in [^]*?\n\n/m.exec(textOf(page))?.[0] ?? '';
  const named = [...table.matchAll(/`([A-Z]\w+)`/g)].map(([, name]) => name);
  expect(named.sort()).toEqual(needed.sort());
});

withPython(
  'When a later release adds a family or another value, then the package reads every row that has it',
  async () => {
    const later = await laterService(loadStack().api_url);
    try {
      expect(await printedBy('later.py', { API_URL: later.url })).toEqual({
        family: [ADDED_LATER],
        topup_type: [ADDED_LATER],
        field_type: [ADDED_LATER],
        delivery_mode: [ADDED_LATER],
        delivery_time: [ADDED_LATER],
        scopes: [ADDED_LATER],
      });
    } finally {
      later.close();
    }
  },
);
