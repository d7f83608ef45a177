#!/usr/bin/env node
/**
 * The entry of `npm start`, `npm test` and the other commands: installs and builds missing or stale parts, then runs the
 * program named by its first argument. Reports on standard error: standard output is the program's. Plain Node, so that it works in a clean clone.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

const jest = 'node_modules/jest/bin/jest.js';

/** The programs by name, as arguments to Node. */
const programs = {
  start: ['dist/dev/stack/main.js'],
  dev: ['dev/scripts/dev.mjs'],
  demo: ['dist/dev/stack/demo.js'],
  bench: ['dist/dev/bench/main.js'],
  'bench-webhooks': ['dist/dev/bench/webhooks.js'],
  'bench-overload': ['dist/dev/bench/overload.js'],
  'bench-growth': ['dist/dev/growth/main.js'],
  ops: ['dist/dev/stack/ops.js'],
  'suppliers-try': ['dist/dev/trial/main.js'],
  replay: ['dist/dev/stack/ops.js', 'replay'],
  'replay-record': ['dist/test/replay/record.js'],
  'test-faults': ['dist/dev/faults/main.js'],
  'prove-production': ['dist/deploy/production/main.js'],
  'test-monitoring': ['dist/test/monitoring/run.js'],
  'prove-upgrade': ['dist/deploy/production/upgrade.js'],
  'test-kubernetes': ['dist/deploy/production/kubernetes.js'],
  test: [jest],
  'test-all': [jest],
  'test-fuzz': [jest, '--runTestsByPath', 'test/api/fuzz.test.ts'],
  'test-examples': [jest, '--runTestsByPath', 'test/examples/examples.test.ts'],
  'test-client-faults': [jest, '--runTestsByPath', 'test/client/faults.test.ts'],
  'test-deploying': [jest, '--config', 'test/deploying/jest.config.mjs'],
  'test-runbook': [jest, '--config', 'test/runbook/jest.config.mjs'],
  'test-schemathesis': ['dist/test/schemathesis/run.js'],
  'test-generators': [jest, '--config', 'test/generators/jest.config.mjs'],
  'test-ui': [jest, '--config', 'test/ui/jest.config.mjs'],
  'test-console': [jest, '--config', 'test/console/jest.config.mjs'],
  openapi: ['dev/scripts/openapi.mjs'],
  screenshots: ['dist/test/ui/screenshots.js'],
  'test-unit': [jest, '--selectProjects', 'unit', '--maxWorkers=100%'],
  build: [],
};

/** The programs that run from the sources without a build. */
const needsNoBuild = ['test-unit'];

function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}

function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  fail(
    `Node 20.19 or newer is needed, this is ${process.versions.node}: install it from https://nodejs.org.`,
  );
}

/** Checks the project folder, which holds packages and build. */
function checkFolder() {
  try {
    accessSync(root, constants.W_OK);
  } catch (error) {
    fail(
      `The project folder ${root} cannot be written (${error.code}): copy the project to a folder that can.`,
    );
  }
}

/** `npm ci`, unless packages were installed after package-lock.json was last written. */
async function install() {
  const lock = statSync(join(root, 'package-lock.json'));
  const installed = statSync(join(root, 'node_modules', '.package-lock.json'), { throwIfNoEntry: false });
  if (installed && installed.mtimeMs >= lock.mtimeMs) return;
  console.error('Installing packages (npm ci) ...');
  const began = Date.now();
  const beat = () => console.error(`  ${Math.round((Date.now() - began) / 1000)} s, still installing ...`);
  const heartbeat = setInterval(beat, 10_000);
  const npm = spawn('npm', ['ci', '--no-audit', '--no-fund'], { cwd: root, stdio: ['inherit', 2, 2] });
  const [code] = await once(npm, 'exit');
  clearInterval(heartbeat);
  if (code !== 0) fail('npm ci failed: see above. It needs access to an npm registry.');
}

/** `npm test` leaves out the rest (test/support/groups.mjs), unless its arguments name files or projects. */
async function withoutRest(args) {
  const { buildArgv } = createRequire(import.meta.url)('jest');
  const { _: files, testPathPatterns = [], selectProjects } = await buildArgv(args);
  const isChosen = files.length > 0 || testPathPatterns.length > 0 || selectProjects !== undefined;
  return isChosen ? args : ['--maxWorkers=5', ...args, '--selectProjects', 'unit', 'component', 'stack'];
}

/** `npm run test:all -- --rest` runs only what `npm test` leaves out. */
function onlyTheRest(args) {
  const others = args.filter((argument) => argument !== '--rest');
  const isRest = others.length < args.length;
  return isRest ? [...others, '--selectProjects', 'rest-component', 'rest-stack'] : args;
}

const changesOfArguments = { test: withoutRest, 'test-all': onlyTheRest };

/** Runs a program in the foreground and ends as it ended. */
function run(args) {
  // The closed channel stops the stack if this process is killed.
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['inherit', 'inherit', 'inherit', 'ipc'] });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  // If npm is killed, its script would otherwise continue.
  const parent = process.ppid;
  if (process.env.npm_lifecycle_event) {
    setInterval(() => process.ppid === parent || child.kill('SIGTERM'), 500);
  }
  child.on('exit', (code, signal) => process.exit(signal ? 1 : code));
}

const [name, ...args] = process.argv.slice(2);
if (!(name in programs))
  fail(`Usage: node dev/scripts/bootstrap.mjs ${Object.keys(programs).join('|')} [arguments]`);
checkNode();
checkFolder();
await install();
if (!needsNoBuild.includes(name)) {
  const { build } = await import('./build.mjs');
  if (!(await build())) process.exit(1);
}
if (name !== 'build') {
  const change = changesOfArguments[name] ?? ((unchanged) => unchanged);
  run([...programs[name], ...(await change(args))]);
}
