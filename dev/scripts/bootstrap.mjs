#!/usr/bin/env node
/**
 * The entry of `npm start`, `npm test` and the other commands: installs and builds missing or stale parts, then runs the
 * program of its arguments, if any: `node dev/scripts/bootstrap.mjs [--build <part,...|all|none>] [program] [arguments]`.
 * Builds what tests need if the arguments name no parts. Reports on standard error: standard output is the program's. Plain Node,
 * so that it works in a clean clone.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

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

const namesParts = process.argv[2] === '--build';
const parts = namesParts ? process.argv[3] : 'service,library';
const command = process.argv.slice(namesParts ? 4 : 2);
checkNode();
checkFolder();
await install();
if (parts !== 'none') {
  const { build } = await import('./build.mjs');
  if (!(await build(parts === 'all' ? undefined : parts.split(',')))) process.exit(1);
}
if (command.length > 0) run(command);
