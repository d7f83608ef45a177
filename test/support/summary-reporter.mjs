/** Prints the progress of a run. At its end, above Jest's counts: the failed tests by name, and where the logs are. */
import { relative } from 'node:path';

const PROGRESS_EVERY_MS = 30_000;

export default class SummaryReporter {
  constructor({ rootDir }) {
    this.rootDir = rootDir;
    this.began = Date.now();
    this.printed = this.began;
  }

  onTestResult(_test, _result, { numTotalTestSuites, numPassedTests, numFailedTests, testResults }) {
    // On a terminal, Jest shows the progress itself.
    if (process.stderr.isTTY || Date.now() - this.printed < PROGRESS_EVERY_MS) return;
    this.printed = Date.now();
    const seconds = Math.round((this.printed - this.began) / 1_000);
    const files = `${testResults.length} of ${numTotalTestSuites} files`;
    console.error(`--- ${seconds} s: ${files}, ${numPassedTests} tests passed, ${numFailedTests} failed`);
  }

  onRunComplete(_contexts, { testResults }) {
    const failures = testResults.flatMap((file) => this.#failuresOf(file));
    if (failures.length > 0) console.error(`\nFailed:\n  ${failures.join('\n  ')}`);
    // The set-up of the stack sets it.
    const { STACK_FILE: stack } = process.env;
    if (!stack) return;
    const logs = relative(this.rootDir, stack).replace('stack.json', 'logs/');
    console.error(`\nLogs: ${logs}; of a stack that a test file started: .run/test/<name>/logs/`);
  }

  /** The failed tests of a file, or the file itself if it could not run. */
  #failuresOf({ testFilePath, testExecError, testResults }) {
    const file = relative(this.rootDir, testFilePath);
    const failed = testResults.filter(({ status }) => status === 'failed');
    const names = failed.map(({ fullName }) => `${file}: ${fullName}`);
    return testExecError ? [`${file} could not run`, ...names] : names;
  }
}
