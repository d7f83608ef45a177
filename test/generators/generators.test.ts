/**
 * `npm run test:more -- generators`: code generators understand the published document. Clients that they make log in, place and read
 * an order of each family, and survive the keys of a later release. docs/developers/api-reference.md#generated-clients.
 */
import { execFile, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { codeBlocksBelow, root } from '../documents/documents';
import { newClient, useDatabase } from '../support/clients';
import { orderOf } from '../support/orders';
import { pythonFolder } from '../support/python';
import { loadStack } from '../../dev/testbed/loaded-stack';
import type { ApiClient, Resource } from '../support/stack';
import { generateClient, generatorJar, installGenerator, missingCommand, oapiCodegen } from './generator';
import { laterService, type LaterService } from '../support/later-service';

/** Above 2^24 with a tenth: a client that reads money in 32 bits loses digits of it. */
const BALANCE = 997_413.9;

/** What the programs in this folder print. */
interface Read {
  balance: number;
  orders: Record<Family, { id: number; status: string; charged_amount: number }>;
  has_events: boolean;
}
type Family = 'voucher' | 'topup' | 'esim';
type Command = [command: string, args: string[], env?: NodeJS.ProcessEnv];

const run = promisify(execFile);
/** The commands that OpenAPI Generator needs. */
const openApiGenerator = ['java -version', 'mvn --version'];
const document = join(root, 'docs/clients/openapi.json');
const database = useDatabase();

let folder: string;
let later: LaterService;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'generators-'));
  later = await laterService(loadStack().api_url);
  if (missingCommand(openApiGenerator) === undefined) await generatorJar();
});
afterAll(() => {
  later.close();
  rmSync(folder, { recursive: true, force: true });
});

test.each(['clients', 'operators'])('When Redocly lints the document for %s, then it reports no error', (name) => {
  const tool = join(root, 'dev/scripts/tool.mjs');
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const args = [tool, 'redocly', 'lint', `docs/${name}/openapi.json`, '--format', 'json'];
  const { stdout } = spawnSync(process.execPath, args, { encoding: 'utf8', env });
  const { totals, problems } = JSON.parse(stdout) as {
    totals: { errors: number };
    problems: { severity: string; ruleId: string; message: string }[];
  };
  expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(totals.errors).toBe(0);
});

/** Compiles a Go program with the package `dgo` next to it. Returns the command that runs it. */
async function goProgram(home: string, source: string): Promise<Command> {
  cpSync(join(__dirname, source), join(home, 'main.go'));
  await run('go', ['mod', 'init', 'orders'], { cwd: home });
  await run('go', ['mod', 'tidy'], { cwd: home });
  await run('go', ['vet', './...'], { cwd: home });
  await run('go', ['build', '-o', 'program', '.'], { cwd: home });
  return [join(home, 'program'), []];
}

/** Maven writes what it rejects to its output, which the error of a command lacks. */
async function runMaven(args: readonly string[], cwd: string): Promise<void> {
  const { status, stdout } = spawnSync('mvn', ['--batch-mode', '--quiet', ...args], { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(stdout);
}

/** The commands that a generator or its language needs. */
const needs: Readonly<Record<string, readonly string[]>> = {
  'openapi-generator (Python)': [...openApiGenerator, 'python3 --version'],
  'openapi-generator (Go)': [...openApiGenerator, 'go version'],
  'openapi-generator (Java, native)': [...openApiGenerator, 'javac --version'],
  'openapi-generator (PHP)': [
    ...openApiGenerator,
    'php --version',
    'php -r require("/usr/share/php/GuzzleHttp/autoload.php");',
  ],
  'oapi-codegen': ['go version'],
  'openapi-python-client': ['python3 --version'],
};

/** Generates and compiles a client. Returns the command that runs its program. */
const clients: Readonly<Record<string, () => Promise<Command>>> = {
  async 'openapi-generator (Java, native)'() {
    const home = join(folder, 'java');
    const packages = 'invokerPackage=dgo,apiPackage=dgo.api,modelPackage=dgo.model';
    // Otherwise each optional parameter that the document gets is another argument of a method.
    const options = `${packages},library=native,useSingleRequestParameter=true`;
    await generateClient('java', document, home, options);
    cpSync(join(__dirname, 'java/Orders.java'), join(home, 'src/main/java/Orders.java'));
    const classPath = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:build-classpath';
    const output = join(home, 'class-path.txt');
    await runMaven(['compile', classPath, `-Dmdep.outputFile=${output}`], home);
    const path = [join(home, 'target/classes'), readFileSync(output, 'utf8').trim()].join(delimiter);
    return ['java', ['-cp', path, 'Orders']];
  },
  async 'openapi-generator (PHP)'() {
    const home = join(folder, 'php');
    await generateClient('php', document, home, 'invokerPackage=Dgo');
    return ['php', [join(__dirname, 'php/orders.php')], { CLIENT: home }];
  },
  async 'oapi-codegen'() {
    const home = join(folder, 'oapi-codegen');
    await oapiCodegen(document, join(home, 'dgo'));
    return goProgram(home, 'oapi-codegen/main.go');
  },
  async 'openapi-python-client'() {
    const python = pythonFolder('python-client', join(root, 'packages/python/requirements.txt'));
    const program = join(__dirname, 'openapi-python-client/orders.py');
    const wheel = join(root, 'dist/docs/downloads/digital_goods_client-1.0.0-py3-none-any.whl');
    return [join(python, 'bin/python'), [program], { PYTHONPATH: wheel }];
  },
  async 'openapi-generator (Python)'() {
    const home = join(folder, 'python');
    await generateClient('python', document, home, 'packageName=dgo');
    const python = pythonFolder('generators', join(root, 'test/client/python/requirements.txt'));
    return [join(python, 'bin/python'), [join(root, 'test/client/python/orders.py')], { PYTHONPATH: home }];
  },
  async 'openapi-generator (Go)'() {
    const home = join(folder, 'go');
    await generateClient('go', document, join(home, 'dgo'), 'packageName=dgo,withGoMod=false');
    return goProgram(home, 'go/main.go');
  },
  async 'openapi-typescript'() {
    const home = join(folder, 'typescript');
    mkdirSync(home);
    const generator = join(root, 'packages/client/node_modules/.bin/openapi-typescript');
    await run(generator, [document, '-o', join(home, 'schema.d.ts')]);
    cpSync(join(__dirname, 'typescript/orders.mts'), join(home, 'orders.mts'));
    const types = ['--types', 'node', '--typeRoots', join(root, 'node_modules/@types')];
    const options = ['--strict', '--target', 'es2022', '--module', 'nodenext', ...types];
    const compiler = require.resolve('typescript/bin/tsc');
    await run(process.execPath, [compiler, ...options, join(home, 'orders.mts')], { cwd: home });
    return [process.execPath, [join(home, 'orders.mjs')]];
  },
};

const bodies = JSON.stringify({
  voucher: orderOf('voucher_instant'),
  topup: orderOf('topup_instant'),
  esim: orderOf('esim_instant'),
});

const missing = new Map(Object.keys(clients).map((name) => [name, missingCommand(needs[name] ?? [])]));
for (const [name, command] of missing)
  if (command !== undefined) console.warn(`Skipped: ${name}. This machine cannot run \`${command}\`.`);
const testable = Object.entries(clients).filter(([name]) => missing.get(name) === undefined);

describe.each(testable)('When a client is made by %s', (_generator, make) => {
  let command: Command;
  beforeAll(async () => {
    command = await make();
  });

  async function read(url: string): Promise<{ read: Read; api: ApiClient }> {
    const { api, credentials } = await newClient(database, { USD: BALANCE });
    const [program, args, env = {}] = command;
    const { api_key: KEY, api_secret: SECRET } = credentials;
    const { stdout } = await run(program, args, {
      env: { ...process.env, ...env, API: url, KEY, SECRET, BODIES: bodies },
    });
    return { read: JSON.parse(stdout) as Read, api };
  }

  async function expectExact({ read: seen, api }: { read: Read; api: ApiClient }): Promise<void> {
    expect(seen.balance).toBe(BALANCE);
    expect(seen.has_events).toBe(true);
    const paths: Record<Family, string> = { voucher: 'orders', topup: 'topups/orders', esim: 'esim/orders' };
    for (const [family, { id, status, charged_amount }] of Object.entries(seen.orders)) {
      const { body } = await api.get<Resource>(`/api/v1/${paths[family as Family]}/${id}`);
      expect(body).toMatchObject({ id, status, charged_amount });
      expect(status).toBe('DELIVERED');
    }
    expect(Object.keys(seen.orders)).toEqual(expect.arrayContaining(['voucher', 'topup', 'esim']));
  }

  test('then it logs in, and places and reads an order of each family, with exact amounts', async () => {
    await expectExact(await read(loadStack().api_url));
  });

  test('and a later release adds keys, then it still does', async () => {
    await expectExact(await read(later.url));
  });
});

const pageTest = missingCommand([...openApiGenerator, 'go version']) === undefined ? test : test.skip;

pageTest('When the page about generated clients is followed, then a Go program places its first order', async () => {
  const page = 'docs/clients/generated-clients.md';
  const home = join(folder, 'page');
  mkdirSync(home);
  await installGenerator(join(home, 'bin'));
  const section = codeBlocksBelow(page, 'go');
  const blocks = section.filter(({ language }) => language === 'sh' || language === 'go');
  const steps = blocks.map(({ language, code }) => (language === 'go' ? `cat > main.go <<'END'\n${code}\nEND` : code));
  const script = ['set -eu -o pipefail', ...steps].join('\n');
  const { credentials } = await newClient(database, { USD: 100 });
  const env = {
    ...process.env,
    PATH: `${join(home, 'bin')}:${process.env['PATH'] ?? ''}`,
    API_URL: loadStack().api_url,
    API_KEY: credentials.api_key,
    API_SECRET: credentials.api_secret,
  };
  const { stdout } = await run('bash', ['-c', script], { cwd: home, env, maxBuffer: 64 * 1024 * 1024 });
  const [printed] = section.filter(({ language }) => language === '');
  const ofAnyOrder = (text: string) => text.replace(/\d+/, 'n').trim();
  expect(ofAnyOrder(stdout.trim().split('\n').at(-1) as string)).toBe(ofAnyOrder(printed?.code as string));
  expect(readFileSync(join(home, 'first-order/main.go'), 'utf8')).toContain('package main');
});
