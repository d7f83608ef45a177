/**
 * `npm run prove:production`: starts the programs of `docker-compose.yml`, with the real Temporal server on PostgreSQL,
 * and runs the order tests on them. docs/operators/production.md.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { messageOf, Problem } from '../../dev/stack/problem';
import { ROOT, RunDirectory } from '../../dev/stack/run-directory';
import { removeClusters } from './native-engine';
import { NativeStack } from './native-stack';
import { exitCodeOf } from '../../dev/stack/commands';
import { proveApiKey } from './api-key';
import { proveImage } from './image';

/** Next to the state of `npm start`. */
const RUN_DIR = '.run/production';

/** Tests of every order, webhook and operator path, and of the differences of a server on PostgreSQL. */
const tests = [
  'api/voucher-scenarios',
  'api/topup-orders',
  'api/esim-orders',
  'api/esim-life',
  'api/webhooks-scenarios',
  'api/voucher-bulk',
  'api/voucher-cancellation',
  'api/operator-scenarios',
  'temporal/codec',
  'ordering/maintenance',
  'data/grants',
  'production/temporal-version',
];

/** The proofs of the data that the tests leave behind. */
const proofs = [
  ['ledger', 'verify'],
  ['reconcile', '--dry-run'],
];

/** Tests that write false entries, which the proofs must find. They run after the proofs. */
const damage = ['api/redemption', 'operators/cli/reconcile'];

async function main(): Promise<void> {
  const directory = new RunDirectory(RUN_DIR);
  directory.lock();
  removeClusters(directory);
  directory.clear();
  const stack = await NativeStack.prepare(directory, console.log);
  const stop = (): void => void stack.stop().finally(() => process.exit(130));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect'] as const) process.once(signal, stop);
  try {
    await stack.start();
    await stack.proveClientCertificates();
    await passTests(tests);
    for (const words of proofs) await passes(words.join(' '), ['dist/dev/stack/ops.js', ...words]);
    await passTests(damage);
    await proveApiKey(directory, await stack.commandsOfTemporalUi());
    console.log('The Temporal UI works through the operators’ process if Temporal demands an API key.');
    await proveImage(directory, await stack.commandOf('api'), console.log);
    console.log('The programs of docker-compose.yml pass the order tests, on the Temporal server that the file names.');
  } finally {
    await stack.stop();
    directory.unlock();
  }
}

/** Runs test files in sequence, because their time limits assume an otherwise idle machine. */
async function passTests(names: readonly string[]): Promise<void> {
  const files = names.map((name) => `test/${name}.test.ts`);
  const projects = ['--selectProjects', 'stack', 'rest-stack'];
  const jest = ['node_modules/jest/bin/jest.js', ...projects, '--runInBand'];
  await passes('The tests', [...jest, '--runTestsByPath', ...files]);
}

async function passes(what: string, args: string[]): Promise<void> {
  const env = { ...process.env, RUN_DIR, STACK_FILE: join(ROOT, RUN_DIR, 'stack.json') };
  const child = spawn(process.execPath, args, { cwd: ROOT, env, stdio: 'inherit' });
  const code = await exitCodeOf(child);
  if (code !== 0) throw new Problem(`${what} did not pass on the programs of docker-compose.yml: see above.`);
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(messageOf(error));
    process.exit(1);
  },
);
