#!/usr/bin/env node
/**
 * Removes the safeguards of `safeguards.txt` one at a time and shows the failing tests: a safeguard whose removal fails no test
 * is not tested. `node dev/scripts/without-safeguards.mjs [--list] [name ...]`; the sources are restored afterwards.
 * `--draw 5` draws five that need no build and runs them in a copy of the project, at most two minutes.
 * docs/developers/reliability.md.
 */
import { spawn, spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const scripts = dirname(fileURLToPath(import.meta.url));
const project = dirname(dirname(scripts));
const DRAW_LIMIT_MS = 120_000;
/** The project, or a copy of it. */
let root = project;

/**
 * Reads a paragraph of the list: `name: tests`, then for each change `- file: text` and `+ replacement`. A line that begins with
 * `|` continues the text above it.
 */
function safeguardOf(paragraph) {
  const [head, ...lines] = paragraph.replaceAll(/\n\| ?/g, '\0').split('\n');
  const [name, tests] = head.split(': ');
  const changes = [];
  for (const line of lines.map((line) => line.replaceAll('\0', '\n'))) {
    const [, file, text] = /^- ([^:]+): (.*)$/s.exec(line) ?? [];
    if (file !== undefined) changes.push({ file, text });
    else changes.at(-1).instead = line.slice(2);
  }
  return { name, tests: tests.split(', '), changes };
}

/** The test file of a name. Its suffix states its needs (jest.config.mjs). */
function testFile(name, test) {
  const endings = ['.unit.test.ts', '.component.test.ts', '.test.ts'];
  const file = endings.map((ending) => test + ending).find((path) => existsSync(join(root, path)));
  if (file === undefined) throw new Error(`${name}: no test file ${test}.*test.ts`);
  return file;
}

/** The sources that a safeguard is in, with and without it. */
function sourcesOf({ name, tests, changes }) {
  const before = new Map(changes.map(({ file }) => [file, readFileSync(join(root, file), 'utf8')]));
  const after = new Map(before);
  for (const { file, text, instead } of changes) {
    if (!after.get(file).includes(text)) throw new Error(`${name}: ${file} no longer holds: ${text}`);
    after.set(file, after.get(file).replaceAll(text, instead));
  }
  return { name, before, after, files: tests.map((test) => testFile(name, test)) };
}

function write(sources) {
  for (const [file, source] of sources) writeFileSync(join(root, file), source);
}

const isUnit = (file) => file.endsWith('.unit.test.ts');

/** Whether a test of the copy without a build uses the build: the stack runs from it, and so do the workflows. */
function usesBuild(file) {
  if (isUnit(file)) return false;
  const source = readFileSync(join(root, file), 'utf8');
  return !file.endsWith('.component.test.ts') || /workflow-harness|\/recording'|'dist/.test(source);
}

/** Ends the tests that run, with the servers that they have started: a run without its end leaves them. */
function endRun(signal) {
  try {
    process.kill(-running.pid, signal);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

/** The names of the tests that fail, or the reason why none could. */
async function failuresOf(file) {
  const results = join(folder, 'results.json');
  rmSync(results, { force: true });
  const jest = ['node_modules/jest/bin/jest.js'];
  if (!drawn && !isUnit(file)) jest.unshift('dev/scripts/bootstrap.mjs');
  // A test that fails may leave a server open, for which jest would wait.
  const options = ['--forceExit', '--json', `--outputFile=${results}`, `--cacheDirectory=${folder}/cache`];
  // Many tests wait for what a safeguard no longer does.
  if (drawn) options.push(`--testTimeout=${DRAW_LIMIT_MS / 12}`);
  running = spawn(process.execPath, [...jest, ...options, file], { cwd: root, detached: true });
  let output = '';
  for (const stream of [running.stdout, running.stderr]) stream.on('data', (text) => (output += text));
  const closed = once(running, 'close');
  const limit = drawn && setTimeout(() => endRun('SIGTERM'), Math.max(1, remainingMs()));
  await once(running, 'exit');
  clearTimeout(limit);
  endRun('SIGTERM');
  await closed;
  const { testResults } = existsSync(results) ? JSON.parse(readFileSync(results, 'utf8')) : { testResults: [] };
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  const failed = tests.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName);
  if (tests.length === 0 && remainingMs() <= 0) return { why: 'not run: no time left', isLate: true };
  if (tests.length === 0) return { why: `could not run:\n${output.slice(-3_000)}` };
  if (failed.length === 0) return { why: 'NOT MISSED' };
  // Its preparation failed, or the change broke more than the safeguard.
  if (failed.length === tests.length && tests.length > 1) return { why: 'every test fails' };
  return { failed };
}

/** So many of the safeguards whose tests need no build. */
function draw(count) {
  const quick = chosen.filter(({ files }) => !files.some(usesBuild));
  return Array.from({ length: Math.min(count, quick.length) }, () => quick.splice(randomInt(quick.length), 1)[0]);
}

/** Copies the project without what is built or installed, and links the packages. */
function copyTo(copy) {
  const left = ['.git', '.run', 'dist', 'node_modules'];
  cpSync(project, copy, { recursive: true, filter: (path) => !left.includes(basename(path)) });
  symlinkSync(join(project, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

function remainingMs() {
  return drawn ? Math.ceil(DRAW_LIMIT_MS - performance.now()) : Infinity;
}

const { values, positionals: named } = parseArgs({
  options: { list: { type: 'boolean' }, draw: { type: 'string' } },
  allowPositionals: true,
});
const safeguards = readFileSync(join(scripts, 'safeguards.txt'), 'utf8').trimEnd().split('\n\n').map(safeguardOf);
const unknown = named.filter((name) => !safeguards.some((safeguard) => safeguard.name === name));
const wanted = named.length > 0 ? safeguards.filter(({ name }) => named.includes(name)) : safeguards;
const faults = unknown.map((name) => `${name}: no such safeguard; --list shows them`);
const chosen = wanted.flatMap((safeguard) => {
  try {
    return [sourcesOf(safeguard)];
  } catch (error) {
    faults.push(error.message);
    return [];
  }
});
if (faults.length > 0) {
  console.error(faults.join('\n'));
  process.exit(1);
}
if (values.list) {
  const list = chosen.map(({ name, files }) => `${name}: ${files.join(', ')}\n`).join('');
  // An exit would cut off what a pipe has not taken yet.
  await new Promise((written) => process.stdout.write(list, written));
  process.exit();
}

const folder = mkdtempSync(join(tmpdir(), 'safeguards-'));
let changed = new Map();
let running;
process.on('exit', () => {
  write(changed);
  rmSync(folder, { recursive: true });
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    if (running) endRun(signal);
    process.exit(1);
  });
}

const drawn = values.draw && draw(Number(values.draw));
const removals = drawn ?? chosen;
if (drawn) root = copyTo(join(folder, 'copy'));
for (const [index, { name, before, after, files }] of removals.entries()) {
  changed = before;
  write(after);
  for (const file of files) {
    const { failed, why, isLate } = await failuresOf(file);
    console.log(`${index + 1}/${removals.length} ${name}, ${file}:\n  ${failed?.join('\n  ') ?? why}`);
    if (!failed && !isLate) process.exitCode = 1;
  }
  write(before);
}
// `dist` still holds the last change.
if (!drawn) spawnSync(process.execPath, ['dev/scripts/build.mjs', 'service', 'tests'], { cwd: root, stdio: 'inherit' });
