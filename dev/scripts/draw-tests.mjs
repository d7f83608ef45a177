#!/usr/bin/env node
/**
 * Runs parts of three test files of those that CI leaves out (dev/scripts/test-groups.mjs), in at most three minutes: two whose subject
 * changed lately, one of any; or of the given files. `node dev/scripts/draw-tests.mjs [file for the results [test file ...]]`.
 * CHANGED_SINCE names the commit of the last run, where a machine knows it. A clone knows none: the last 20 commits of the main line
 * count as new.
 */
import { spawn, spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { leftOut, leftOutOf } from './test-groups.mjs';
import { chooseFiles } from './chosen-files.mjs';
import { root } from './install.mjs';

const FILES = 3;
/** No test of a file begins later: the rest of the limit is for the stack, and for tests that have begun. */
const SECONDS_EACH = 35;
const LIMIT_MS = 180_000;

/** The files that changed since the last run; none if Git does not know the commit. */
function changedFiles() {
  const since = process.env.CHANGED_SINCE || 'HEAD~20';
  const { stdout, status } = spawnSync('git', ['diff', '--name-only', since], { cwd: root, encoding: 'utf8' });
  return status === 0 ? stdout.split('\n').filter(Boolean) : [];
}

function filesOf({ tests }) {
  const folder = tests.slice(0, tests.lastIndexOf('/'));
  const files = readdirSync(join(root, 'test', folder)).filter((file) => /(?<!\.unit)\.test\.ts$/.test(file));
  return files
    .filter((file) => leftOutOf(`${folder}/${file.split('.')[0]}`)?.tests === tests)
    .map((file) => `test/${folder}/${file}`);
}

const { findChromium } = createRequire(import.meta.url)(join(root, 'dist/test/ui/browser.js'));
const hasBrowser = findChromium() !== undefined;
if (!hasBrowser) console.log('No Chromium is found: no test of a browser is drawn.');
const [resultsFile = '.run/drawn.json', ...given] = process.argv.slice(2);
// Other tests may run at the same time.
const entries = leftOut
  .filter(({ needsBrowser, needsQuiet }) => (hasBrowser || !needsBrowser) && !needsQuiet)
  .map((entry) => ({ ...entry, files: filesOf(entry) }));
const files = given.length > 0 ? given : chooseFiles(entries, changedFiles(), FILES);
console.log(`Drawn: ${files.join(', ')}`);

const steps = entries.filter(({ areSteps }) => areSteps).flatMap(({ files: ofSteps }) => ofSteps);
const options = ['--runInBand', '--forceExit', `--testTimeout=${LIMIT_MS / 2}`, '--runTestsByPath', ...files];
const child = spawn(process.execPath, ['node_modules/jest/bin/jest.js', ...options], {
  cwd: root,
  stdio: 'inherit',
  env: {
    ...process.env,
    PART_SECONDS: String(SECONDS_EACH),
    PART_STEPS: JSON.stringify(steps),
    PART_RESULTS: resolve(resultsFile),
    TEST_RUN_DIR: '.run/drawn',
  },
});
let isOver = false;
setTimeout(() => {
  isOver = true;
  console.log('The three minutes are over.');
  // At SIGTERM, the browser would end before the tests, which would then fail.
  child.kill('SIGKILL');
}, LIMIT_MS).unref();
child.on('exit', (code) => process.exit(code ?? (isOver ? 0 : 1)));
