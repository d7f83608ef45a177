#!/usr/bin/env node
/**
 * Shows how well the tests watch the code: changes one place of the sources at a time and runs the tests nearest to it.
 * A mutant that no test notices survives. `npm run test:mutants -- [--seed 1] [--count 20] [--tests 8] [path ...]` draws
 * `count` mutants of the files whose path begins with a given one. The same seed and sources give the same mutants. The
 * command restores the sources at the end, also after an interruption. docs/developers/reliability.md.
 *
 * Unit and component tests always run; tests on the stack run if `STACK_FILE` names one. A mutant changes only the modules
 * that a test file imports, not the processes of the stack.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { clearTimeout, setTimeout } from 'node:timers';
import { parseArgs } from 'node:util';
import { isRest, nameOf } from './test-groups.mjs';
import { build, bundledFiles, bundleWorkflows, compileFile, dist, filesIn, root, workflowBundles } from './build.mjs';

const ts = createRequire(import.meta.url)('typescript');

const { values, positionals: folders } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '20' },
    tests: { type: 'string', default: '8' },
  },
});
const [seed, count, maxTests] = [values.seed, values.count, values.tests].map(Number);

/** A mutant whose tests take longer counts as one that never ends, and therefore as noticed. */
const TIME_LIMIT_MS = 180_000;
/** Schema changes run once in the life of a database, and their tests import them by folder. */
const notMutated = /^src\/data\/schema\/migrations\//;
const workflowBundle = 'workflows/index.ts';

/** Operators and their replacements. */
const swapped = new Map([
  ['===', '!=='],
  ['!==', '==='],
  ['<', '<='],
  ['<=', '<'],
  ['>', '>='],
  ['>=', '>'],
  ['+', '-'],
  ['-', '+'],
  ['*', '/'],
  ['/', '*'],
  ['&&', '||'],
  ['||', '&&'],
]);

/** The possible replacements of a node, with the kind of change. */
function changesOf(node, source) {
  const changes = [];
  const add = (what, at, instead) => changes.push({ what, start: at.getStart(source), end: at.end, instead });
  if (ts.isBinaryExpression(node)) {
    const operator = node.operatorToken.getText(source);
    // A sum of texts is a sentence, mostly of a log.
    const isText = operator === '+' && /['"`]/.test(node.getText(source));
    if (swapped.has(operator) && !isText) add('operator', node.operatorToken, swapped.get(operator));
  }
  if (ts.isIfStatement(node)) ['true', 'false'].forEach((value) => add('condition', node.expression, value));
  if (ts.isConditionalExpression(node)) ['true', 'false'].forEach((value) => add('condition', node.condition, value));
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken)
    add('negation', node, node.operand.getText(source));
  if (ts.isNumericLiteral(node)) add('constant', node, String(Number(node.text.replaceAll('_', '')) + 1));
  if (node.kind === ts.SyntaxKind.TrueKeyword) add('constant', node, 'false');
  if (node.kind === ts.SyntaxKind.FalseKeyword) add('constant', node, 'true');
  if (ts.isExpressionStatement(node) && !ts.isStringLiteral(node.expression)) add('statement', node, ';');
  return changes;
}

/** Every mutant of a file. */
function mutantsOf(file) {
  const text = readFileSync(join(root, file), 'utf8');
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found = [];
  const visit = (node) => {
    if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isImportDeclaration(node)) return;
    for (const change of changesOf(node, source)) {
      const line = source.getLineAndCharacterOfPosition(change.start).line + 1;
      found.push({ file, line, text, ...change });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** A generator of numbers from 0 to 1 that gives the same for the same seed (mulberry32). */
function randomFrom(state) {
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function drawn(all, random) {
  const rest = [...all];
  return Array.from({ length: Math.min(count, rest.length) }, () => {
    const [chosen] = rest.splice(Math.floor(random() * rest.length), 1);
    return chosen;
  });
}

/** The files that a file imports. A test that reads the bundle of the workflows imports the workflows. */
function importsOf(file) {
  const text = readFileSync(join(root, file), 'utf8');
  const imported = ts.preProcessFile(text).importedFiles.flatMap(({ fileName }) => {
    if (!fileName.startsWith('.')) return [];
    const path = relative(root, join(root, dirname(file), fileName));
    return [`${path}.ts`, `${path}/index.ts`, path].filter(
      (each) => /\.ts$/.test(each) && existsSync(join(root, each)),
    );
  });
  return /dist\/workflow-bundle/.test(text) ? [...imported, workflowBundle] : imported;
}

/** Who imports a file, for every file. */
function importersOf(files) {
  const importers = new Map(files.map((file) => [file, []]));
  for (const file of files) for (const imported of importsOf(file)) importers.get(imported)?.push(file);
  return importers;
}

const runnable = process.env.STACK_FILE
  ? /^test\/(?!operators\/(?:runbook|office)|deploying|ui|console).*\.test\.ts$/
  : /\.(unit|component)\.test\.ts$/;
const isUnit = (file) => /\.unit\.test\.ts$/.test(file);
const isRun = (file) => runnable.test(file) && (isUnit(file) || !isRest(nameOf(join(root, file))));

/** The test files that reach a source, the nearest first. */
function testsNear(file, importers) {
  const seen = new Set([file]);
  for (const each of seen) for (const importer of importers.get(each) ?? []) seen.add(importer);
  return [...seen].filter(isRun).slice(0, maxTests);
}

let running;

/** Ends Jest with its workers. */
const endTests = () => running && process.kill(-running.pid, 'SIGKILL');

/** Runs tests until one fails. Returns `killed`, `survived` or `timed out`. */
async function outcomeOf(tests) {
  const jest = ['node_modules/jest/bin/jest.js', '--bail=1', '--forceExit', '--runTestsByPath', ...tests];
  running = spawn(process.execPath, jest, { cwd: root, stdio: 'ignore', detached: true });
  let isLate = false;
  const limit = setTimeout(() => {
    isLate = true;
    endTests();
  }, TIME_LIMIT_MS);
  const [code] = await once(running, 'exit');
  clearTimeout(limit);
  running = undefined;
  if (isLate) return 'timed out';
  return code === 0 ? 'survived' : 'killed';
}

/** Both bundles, because tests replay with each. */
async function bundleAll() {
  for (const name of workflowBundles) await bundleWorkflows(name);
}

/** Writes a source and its build: only unit tests load the source itself. */
async function write(file, text) {
  writeFileSync(join(root, file), text);
  await compileFile(file);
  if (inBundle.has(join(dist, file.replace(/\.ts$/, '.js')))) await bundleAll();
}

async function outcomeWith({ file, text, start, end, instead }, tests) {
  changed = { file, text };
  try {
    await write(file, text.slice(0, start) + instead + text.slice(end));
    return await outcomeOf(tests);
  } finally {
    await write(file, text);
    changed = undefined;
  }
}

if (!(await build(['service', 'tests']))) process.exit(1);
const inBundle = bundledFiles();
const sources = ['src', 'workflows', 'activities'].flatMap((folder) => filesIn(root, folder, /\.ts$/));
const importers = importersOf([...sources, ...['test', 'dev'].flatMap((folder) => filesIn(root, folder, /\.ts$/))]);
const isChosen = (file) => folders.length === 0 || folders.some((folder) => file.startsWith(folder));
const testsOf = new Map(
  sources.filter((file) => isChosen(file) && !notMutated.test(file)).map((file) => [file, testsNear(file, importers)]),
);
const covered = [...testsOf.keys()].filter((file) => testsOf.get(file).length > 0);
const mutants = covered.flatMap(mutantsOf);
console.log(
  `${mutants.length} mutants in ${covered.length} files; no test imports ${testsOf.size - covered.length} more`,
);

let changed;
process.on('exit', () => {
  if (!changed) return;
  writeFileSync(join(root, changed.file), changed.text);
  // The next build makes everything anew: the mutant may be in it.
  ['.compiled', '.bundled', '.bundled-traced'].forEach((stamp) => rmSync(join(dist, stamp), { force: true }));
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    endTests();
    process.exit(1);
  });
}

const outcomes = { killed: 0, survived: 0, 'timed out': 0 };
const survivors = [];
const drawnMutants = drawn(mutants, randomFrom(seed));
for (const [index, mutant] of drawnMutants.entries()) {
  const { file, line, what, text, start, end, instead } = mutant;
  const shown = `${file}:${line} ${what}: ${text.slice(start, end).replace(/\s+/g, ' ').slice(0, 80)} -> ${instead}`;
  const began = performance.now();
  const outcome = await outcomeWith(mutant, testsOf.get(file));
  outcomes[outcome] += 1;
  if (outcome === 'survived') survivors.push(shown);
  const seconds = Math.round((performance.now() - began) / 1_000);
  console.log(`${index + 1}/${drawnMutants.length} ${outcome} (${seconds} s) ${shown}`);
}
console.log(
  `\nSeed ${seed}: ${Object.entries(outcomes)
    .map(([name, times]) => `${times} ${name}`)
    .join(', ')}`,
);
if (survivors.length > 0) console.log(`Survivors:\n  ${survivors.join('\n  ')}`);
