#!/usr/bin/env node
/**
 * Ends a complete check: `node dev/scripts/test-summary.mjs '<names of the other checks that failed>' results.json ...` reads
 * Jest's results. It runs the failed files once more, alone: on a loaded machine a test may be late. Of drawn files (`drawn.json`), it
 * runs parts again. It names the tests that passed only then, and what failed outside the tests. The last line is `N passed, N failed`, where each of those counts as one.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { incompleteAnswers, wrongAnswers } from '../../test/support/answers-reporter.mjs';

/** More failed files than this are no matter of load. */
const MOST_FILES_AGAIN = 6;

const [otherChecks, ...files] = process.argv.slice(2);
const runs = files.map(resultsIn);
const failedIn = (run) => run.testResults.filter(({ status }) => status === 'failed');
const failedFiles = runs.flatMap(failedIn);
// The reporter of answers fails Jest's run, and leaves the file, if no test received a documented answer or an exception is not needed.
const answersAreWrong = existsSync(incompleteAnswers);
const isRunAgain = failedFiles.length > 0 && failedFiles.length <= MOST_FILES_AGAIN;
const again = isRunAgain
  ? runs.flatMap((run, index) => runAlone(failedIn(run), basename(files[index]) === 'drawn.json'))
  : failedFiles;

const stable = runs.flatMap((run) => run.testResults.filter(({ status }) => status !== 'failed'));
const passed = namesOf([...stable, ...again], 'passed').length;
const failed = namesOf(again, 'failed').length + again.filter(isUnloaded).length;
// The failed files, run again, may have received the missing answers.
const wrong = answersAreWrong ? wrongAnswers(incompleteAnswers) : [];
const outside = [
  ...otherChecks.split(' ').filter(Boolean),
  ...(wrong.length > 0 ? [`documented answers: ${wrong.join(', ')}`] : []),
  ...files
    .filter((_file, index) => !hasStarted(runs[index]) && !answersAreWrong)
    .map((file) => `Jest: no results in ${file}`),
];

const failedFirst = new Set(namesOf(failedFiles, 'failed'));
const late = isRunAgain ? namesOf(again, 'passed').filter((name) => failedFirst.has(name)) : [];
if (late.length > 0) console.log(`Passed only when run alone:\n  ${late.join('\n  ')}`);
if (outside.length > 0) console.log(`Failed outside the tests:\n  ${outside.join('\n  ')}`);
console.log(`${passed} passed, ${failed + outside.length} failed`);
process.exitCode = failed + outside.length === 0 ? 0 : 1;

/** The results of a run of Jest, which writes none if it could not start. */
function resultsIn(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return { success: false, testResults: [] };
  }
}

function runAlone(ofFailed, areDrawn) {
  if (ofFailed.length === 0) return [];
  const names = ofFailed.map(({ name }) => name);
  const folder = mkdtempSync(join(tmpdir(), 'again-'));
  const results = join(folder, 'results.json');
  console.log(`\nOnce more, alone:\n  ${names.join('\n  ')}`);
  if (areDrawn) {
    spawnSync('node', ['dev/scripts/draw-tests.mjs', results, ...names], { stdio: 'inherit' });
  } else {
    const env = answersAreWrong ? { ...process.env, ANSWERS_SEEN: incompleteAnswers } : process.env;
    const output = ['--json', `--outputFile=${results}`, '--runTestsByPath', ...names];
    spawnSync('npm', ['test', '--', '--runInBand', '--forceExit', ...output], { stdio: 'inherit', env });
  }
  const { testResults } = resultsIn(results);
  rmSync(folder, { recursive: true });
  return testResults.length === names.length ? testResults : ofFailed;
}

function namesOf(testFiles, status) {
  return testFiles.flatMap(({ assertionResults }) =>
    assertionResults.filter((test) => test.status === status).map(({ fullName }) => fullName),
  );
}

/** The file failed as a whole, with no failed test. */
function isUnloaded(file) {
  return file.status === 'failed' && namesOf([file], 'failed').length === 0;
}

/** Jest writes no results if it cannot start, and reports failure without a failed file if a reporter fails. */
function hasStarted({ success, testResults }) {
  return success || testResults.some(({ status }) => status === 'failed');
}
