#!/usr/bin/env node
/**
 * Prints `N passed, N failed` from jest's JSON: `node dev/scripts/test-summary.mjs results.json [exit code so far]`.
 * Whatever failed beside the tests themselves (build, lint, a file that did not load) counts as a failure.
 */
import { readFileSync } from 'node:fs';

const [file, code = '0'] = process.argv.slice(2);

function count() {
  try {
    const results = JSON.parse(readFileSync(file, 'utf8'));
    return {
      passed: results.numPassedTests,
      failed: results.numFailedTests + results.numRuntimeErrorTestSuites,
    };
  } catch {
    return { passed: 0, failed: 1 };
  }
}

const { passed, failed } = count();
const failures = failed === 0 && code !== '0' ? 1 : failed;
console.log(`${passed} passed, ${failures} failed`);
process.exitCode = failures === 0 ? 0 : 1;
