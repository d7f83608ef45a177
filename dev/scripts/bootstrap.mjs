#!/usr/bin/env node
/**
 * The entry of `npm start`, `npm test` and the other commands: installs and builds missing or stale parts, then runs the
 * program of its arguments, if any: `node dev/scripts/bootstrap.mjs [--build <part,...|none>] [program] [arguments]`.
 * Builds what tests need if the arguments name no parts. Reports on standard error: standard output is the program's. Plain Node,
 * so that it works in a clean clone.
 */
import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { install, percent, root } from './install.mjs';

function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}

function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  fail(`Node 20.19 or newer is needed, this is ${process.versions.node}: install it from https://nodejs.org.`);
}

/** Checks the project folder, which holds packages and build. */
function checkFolder() {
  try {
    accessSync(root, constants.W_OK);
  } catch (error) {
    fail(`The project folder ${root} cannot be written (${error.code}): copy the project to a folder that can.`);
  }
}

/** Seconds of CPU that a start of the stack takes after the build, as measured. */
const START_SECONDS = 25;

/** Builds the parts, and says the share of the start of a stack that is done. Returns that share. */
async function buildParts(names) {
  const { build, staleSteps } = await import('./build.mjs');
  const steps = [...staleSteps(names)];
  if (steps.length === 0) return 0;
  const stale = steps.reduce((sum, { seconds }) => sum + seconds, 0);
  const total = stale + (startsStack ? START_SECONDS : 0);
  let done = 0;
  const announce = ({ title, seconds }) => {
    console.error(`${title} (${percent(done / total)}) ...`);
    done += seconds;
  };
  if (!(await build(names, announce))) process.exit(1);
  return stale / total;
}

/** Runs the ops CLI in this process: a second one would double its time. */
function runHere([program, ...args]) {
  process.chdir(root);
  process.argv = [process.execPath, join(root, program), ...args];
  createRequire(import.meta.url)(process.argv[1]);
}

/** Runs a program in the foreground and ends as it ended. */
function run(args, env) {
  // The closed channel stops the stack if this process is killed.
  const stdio = ['inherit', 'inherit', 'inherit', 'ipc'];
  const child = spawn(process.execPath, args, { cwd: root, stdio, env });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  // If npm is killed, its script would otherwise continue.
  const parent = process.ppid;
  if (process.env.npm_lifecycle_event) {
    setInterval(() => process.ppid === parent || child.kill('SIGTERM'), 500);
  }
  child.on('exit', (code, signal) => process.exit(signal ? 1 : code));
}

const namesParts = process.argv[2] === '--build';
const parts = namesParts ? process.argv[3].split(',') : ['service', 'tests'];
const command = process.argv.slice(namesParts ? 4 : 2);
const startsStack = command[0] === 'dist/dev/stack/main.js';
checkNode();
checkFolder();
await install().catch((error) => fail(error.message));
const done = parts[0] === 'none' ? 0 : await buildParts(parts);
if (command[0] === 'dist/dev/stack/ops.js') runHere(command);
else if (command.length > 0) run(command, startsStack ? { ...process.env, START_DONE: String(done) } : process.env);
