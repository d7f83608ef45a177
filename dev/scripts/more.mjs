/**
 * `npm run test:more -- <name> [arguments]`: tests that take long, or need a browser or other tools. CONTRIBUTING.md says what each
 * one does. The arguments are those of Jest, or of the program.
 */
import { spawn } from 'node:child_process';

const jest = (...args) => ['node_modules/jest/bin/jest.js', ...args];
/** The files of a project, one after the other. Each test may take some minutes. Jest takes no time limit from a project. */
const project = (name, minutes, ...options) =>
  jest('--selectProjects', name, '--runInBand', '--verbose', `--testTimeout=${minutes * 60_000}`, ...options);
const file = (path) => jest('--runTestsByPath', path);

const commands = {
  'client-faults': {
    args: [...file('test/faults/one-stack.test.ts'), '--testNamePattern=client library'],
    env: { CLIENT_FAULT_ORDERS: '1000' },
  },
  compose: { args: ['dist/deploy/production/compose-config.js'] },
  console: { args: project('console', 4) },
  // The tests are the steps of one procedure.
  deploying: { args: project('deploying', 5, '--bail') },
  examples: { args: file('test/examples/examples.test.ts') },
  files: { args: project('files', 4) },
  fuzz: { args: file('test/api/fuzz.test.ts'), env: { FUZZ_REQUESTS: '10000' } },
  generators: { args: project('generators', 5) },
  kubernetes: { args: ['dist/deploy/production/kubernetes.js'] },
  monitoring: { args: ['dist/test/monitoring/run.js'] },
  office: { args: project('office', 4) },
  // A stack that a failed test left broken must not delay the others.
  runbook: { args: project('runbook', 10, '--forceExit') },
  schemathesis: { args: ['dist/test/schemathesis/run.js'] },
  ui: { args: project('ui', 4) },
};

const [name = '', ...args] = process.argv.slice(2);
if (!Object.hasOwn(commands, name)) {
  console.error(`Name what to test: npm run test:more -- ${Object.keys(commands).join('|')}`);
  process.exit(2);
}
const command = commands[name];
const child = spawn(process.execPath, [...command.args, ...args], {
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  env: { ...command.env, ...process.env },
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
process.on('disconnect', () => child.kill('SIGTERM'));
child.on('exit', (code, signal) => process.exit(signal ? 1 : code));
