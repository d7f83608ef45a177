/** `npm run test:runbook`: what the runbook says is done on stacks of its own, one after the other. */
import all from '../../jest.config.mjs';

const [shared] = all.projects;

/** @type {import('jest').Config} */
export default {
  ...shared,
  displayName: 'runbook',
  rootDir: '../..',
  testMatch: ['<rootDir>/test/runbook/*.test.ts'],
  testPathIgnorePatterns: [],
  testTimeout: 600_000,
  maxWorkers: 1,
  // A stack that a failed test left in pieces must not hold the others up.
  forceExit: true,
  verbose: true,
};
