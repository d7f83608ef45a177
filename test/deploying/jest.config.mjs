/** `npm run test:deploying`: deploys releases and stops processes during open orders, on separate stacks. */
import all from '../../jest.config.mjs';

const [shared] = all.projects;

/** @type {import('jest').Config} */
export default {
  ...shared,
  displayName: 'deploying',
  rootDir: '../..',
  testMatch: ['<rootDir>/test/deploying/*.test.ts'],
  testTimeout: 300_000,
  maxWorkers: 1,
  verbose: true,
  // The tests are the steps of one procedure.
  bail: 1,
};
