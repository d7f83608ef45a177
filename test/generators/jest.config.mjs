/** `npm run test:generators`: clients that code generators make from the OpenAPI document, on a stack of its own. */
import all from '../../jest.config.mjs';

const stack = all.projects.find(({ displayName }) => displayName === 'stack');

/** @type {import('jest').Config} */
export default {
  ...stack,
  displayName: 'generators',
  rootDir: '../..',
  testMatch: ['<rootDir>/test/generators/*.test.ts'],
  testTimeout: 300_000,
  maxWorkers: 1,
  verbose: true,
};
