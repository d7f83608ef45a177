/** `npm run test:office`: operators in the back office, with a browser, on a stack of its own. */
import all from '../../jest.config.mjs';

const stack = all.projects.find(({ displayName }) => displayName === 'stack');

/** @type {import('jest').Config} */
export default {
  ...stack,
  displayName: 'office',
  rootDir: '../..',
  testMatch: ['<rootDir>/test/office/*.test.ts'],
  testTimeout: 240_000,
  maxWorkers: 1,
  verbose: true,
};
