/** `npm run test:runbook`: what the runbook says is done on stacks of its own, one after the other. */
const [shared] = require('../../jest.config.js').projects;

/** @type {import('jest').Config} */
module.exports = {
  ...shared,
  displayName: 'runbook',
  rootDir: '../..',
  testMatch: ['<rootDir>/test/runbook/*.test.ts'],
  testPathIgnorePatterns: [],
  testTimeout: 600_000,
  maxWorkers: 1,
  verbose: true,
};
