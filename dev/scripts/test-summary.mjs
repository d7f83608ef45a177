#!/usr/bin/env node
/**
 * Prints `N passed, N failed` from Jest's JSON: `node dev/scripts/test-summary.mjs <exit code so far> results.json ...`.
 * Any other failure (build, lint, a test file that did not load) counts as one.
 */
import { readFileSync } from 'node:fs';

const [code, ...files] = process.argv.slice(2);

function countOf(file) {
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

const counts = files.map(countOf);
const sum = (name) => counts.reduce((total, each) => total + each[name], 0);
const failed = sum('failed');
const failures = failed === 0 && code !== '0' ? 1 : failed;
console.log(`${sum('passed')} passed, ${failures} failed`);
process.exitCode = failures === 0 ? 0 : 1;
