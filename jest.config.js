/** Folders of tests that need no running stack. Everything else gets one (see test/support/global-setup.ts). */
const unitFolders = ['domain', 'harness', 'security', 'simulator', 'stack', 'suppliers', 'workflows'];
const units = unitFolders.map((folder) => `<rootDir>/test/${folder}/**/*.test.ts`);

const shared = {
  testEnvironment: 'node',
  transform: { '\\.ts$': ['@swc/jest', { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' } }] },
  modulePathIgnorePatterns: ['<rootDir>/dist', '<rootDir>/.run'],
};

/** @type {import('jest').Config} */
module.exports = {
  maxWorkers: 2,
  testTimeout: 90_000,
  projects: [
    { ...shared, displayName: 'unit', testMatch: units },
    {
      ...shared,
      displayName: 'stack',
      testMatch: ['<rootDir>/test/**/*.test.ts'],
      testPathIgnorePatterns: unitFolders.map((folder) => `<rootDir>/test/${folder}/`),
      globalSetup: '<rootDir>/test/support/global-setup.ts',
      globalTeardown: '<rootDir>/test/support/global-teardown.ts',
    },
  ],
};
