/** `npm run test:runbook`: carries out the runbook on separate stacks, one after the other. */
import all from '../../jest.config.mjs';

const [shared] = all.projects;

/** @type {import('jest').Config} */
export default {
  ...shared,
  displayName: 'runbook',
  rootDir: '../..',
  testMatch: ['<rootDir>/test/runbook/*.test.ts'],
  testTimeout: 600_000,
  maxWorkers: 1,
  // A stack that a failed test left broken must not delay the others.
  forceExit: true,
  verbose: true,
};
