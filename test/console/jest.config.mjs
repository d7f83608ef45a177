/** `npm run test:console`: a client in the console, with a browser, on a stack of its own. */
import all from '../../jest.config.mjs';

const stack = all.projects.find(({ displayName }) => displayName === 'stack');

/** @type {import('jest').Config} */
export default {
  ...stack,
  displayName: 'console',
  rootDir: '../..',
  testMatch: ['<rootDir>/test/console/*.test.ts'],
  testTimeout: 240_000,
  maxWorkers: 1,
  verbose: true,
};
