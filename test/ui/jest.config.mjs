/** `npm run test:ui`: operators at work in the Temporal UI, with a stopwatch, on a stack of their own. */
import all from '../../jest.config.mjs';

const stack = all.projects.find(({ displayName }) => displayName === 'stack');

/** @type {import('jest').Config} */
export default {
  ...stack,
  displayName: 'ui',
  rootDir: '../..',
  testMatch: ['<rootDir>/test/ui/*.test.ts'],
  testTimeout: 240_000,
  maxWorkers: 1,
  verbose: true,
};
