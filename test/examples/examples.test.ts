/** The examples do what they say, against the real stack: `npm run test:examples`. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { newClient, stackDatabase } from '../support/clients';
import { entriesOf } from '../support/records';
import { loadStack } from '../support/stack';
import { root, textOf } from '../documents/documents';

const database = stackDatabase();
afterAll(() => database.close());

/** Runs an example as a client with some money of its own. */
async function run(command: string, file: string): Promise<{ code: number | null; out: string }> {
  const { credentials } = await newClient(database, { USD: 1_000 });
  const { api_url: url } = loadStack();
  const env = {
    ...process.env,
    API_URL: url,
    BASE_URL: url,
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
    expect(await entriesOf(database, Number(/Order (\d+)/.exec(out)?.[1]))).toMatchObject([
      { kind: 'ORDER' },
    ]);
  },
);

interface Operation {
  tags: string[];
}

test('When the collection runs, then every call of the API is answered as it should be', async () => {
  const { code, out } = await run(process.execPath, 'examples/collection/run.mjs');
  const { paths } = JSON.parse(textOf('docs/clients/openapi.json')) as {
    paths: Record<string, Record<string, Operation>>;
  };
  const documented = Object.values(paths).flatMap((methods) => Object.values(methods));
  const forClients = documented.filter(({ tags }) => !tags.includes('Suppliers'));
  const lines = out.trim().split('\n');
  expect(lines.filter((line) => !/^(2\d\d|400|409) (GET|POST|PATCH|DELETE) [\w{}./-]+$/.test(line))).toEqual(
    [],
  );
  expect({ code, calls: lines.length }).toEqual({ code: 0, calls: forClients.length });
});
