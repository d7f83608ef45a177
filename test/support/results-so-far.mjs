/** Writes the results of a run after each file, as `--json` does at its end: the run may be killed. dev/scripts/test-summary.mjs. */
import { writeFileSync } from 'node:fs';

export default class ResultsSoFar {
  constructor(_config, { file }) {
    this.file = file;
    this.testResults = [];
  }

  onTestResult(_test, { testFilePath, testExecError, testResults }) {
    const failed = Boolean(testExecError) || testResults.some(({ status }) => status === 'failed');
    this.testResults.push({ name: testFilePath, status: failed ? 'failed' : 'passed', assertionResults: testResults });
    const success = this.testResults.every(({ status }) => status === 'passed');
    writeFileSync(this.file, JSON.stringify({ success, testResults: this.testResults }));
  }
}
