#!/usr/bin/env node
/**
 * Removes the safeguards of `safeguards.txt` one at a time and shows the failing tests: a safeguard whose removal fails no test
 * is not tested. `node dev/scripts/without-safeguards.mjs [--list] [name ...]`; the sources are restored afterwards.
 * docs/developers/reliability.md.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const scripts = dirname(fileURLToPath(import.meta.url));
const root = dirname(dirname(scripts));

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

/** Whether a test uses `dist`: the stack runs from it, and so do the workflows. */
function needsBuild(file) {
  if (file.endsWith('.unit.test.ts')) return false;
  const source = readFileSync(join(root, file), 'utf8');
  return !file.endsWith('.component.test.ts') || /workflow-harness|\/recording'|'dist/.test(source);
}

/** The names of the tests that fail, or the reason why none could. */
async function failuresOf(file) {
  const results = join(folder, 'results.json');
  rmSync(results, { force: true });
  const jest = ['node_modules/jest/bin/jest.js'];
  if (needsBuild(file)) jest.unshift('dev/scripts/bootstrap.mjs');
  // A test that fails may leave a server open, for which jest would wait.
  running = spawn(process.execPath, [...jest, '--forceExit', '--json', `--outputFile=${results}`, file], {
    cwd: root,
  });
  let output = '';
  for (const stream of [running.stdout, running.stderr]) stream.on('data', (text) => (output += text));
  await once(running, 'close');
  const { testResults } = existsSync(results)
    ? JSON.parse(readFileSync(results, 'utf8'))
    : { testResults: [] };
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  const failed = tests.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName);
  if (tests.length === 0) return { why: `could not run:\n${output.slice(-3_000)}` };
  if (failed.length === 0) return { why: 'NOT MISSED' };
  // Its preparation failed, or the change broke more than the safeguard.
  if (failed.length === tests.length && tests.length > 1) return { why: 'every test fails' };
  return { failed };
}

const safeguards = readFileSync(join(scripts, 'safeguards.txt'), 'utf8')
  .trimEnd()
  .split('\n\n')
  .map(safeguardOf);
const named = process.argv.slice(2).filter((name) => name !== '--list');
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
if (process.argv.includes('--list')) {
  for (const { name, files } of chosen) console.log(`${name}: ${files.join(', ')}`);
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
    running?.kill(signal);
    process.exit(1);
  });
}

for (const [index, { name, before, after, files }] of chosen.entries()) {
  changed = before;
  write(after);
  for (const file of files) {
    const { failed, why } = await failuresOf(file);
    console.log(`${index + 1}/${chosen.length} ${name}, ${file}:\n  ${failed?.join('\n  ') ?? why}`);
    if (!failed) process.exitCode = 1;
  }
  write(before);
}
// `dist` still holds the last change.
spawnSync(process.execPath, ['dev/scripts/build.mjs', 'service', 'tests'], { cwd: root, stdio: 'inherit' });
