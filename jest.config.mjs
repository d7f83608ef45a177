/**
 * The name of a test file tells what it needs:
 * - `*.unit.test.ts` nothing but its own process: no server, no database, no build;
 * - `*.component.test.ts` servers that it starts itself: a simulator, a mail server, Temporal with skipped time;
 * - `*.test.ts` the running stack (see test/support/global-setup.ts).
 *
 * `npm test` runs the projects unit, component and stack, `npm run test:all` also the rest. `npm run test:more -- <name>` runs a
 * folder that has a project of its own.
 */
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { restTests } from './dev/scripts/test-groups.mjs';

/** The files with this ending that `npm test` leaves out, and the others. */
const restFiles = (ending) => restTests.map((name) => `**/test/${name}${ending}`);
const otherFiles = (ending) => [`**/test/**/*${ending}`, ...restFiles(ending).map((file) => `!${file}`)];

const swc = (parser) => ['@swc/jest', { jsc: { parser, target: 'es2022' }, module: { type: 'commonjs' } }];

/**
 * Packages that each unit test loads for itself. Metrics, traces and the runtime of workers register themselves once for the whole
 * process, and Temporal's packages load our failure converter from its source.
 */
const ownPackages = ['prom-client', '@opentelemetry', '@temporalio/(?!proto)[^/]*'];

/** As a pattern: Jest replaces no `<rootDir>` in those of transforms. */
const root = import.meta.dirname.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

const swcSources = { '\\.ts$': swc({ syntax: 'typescript' }) };
const sharedPackages = { '/node_modules/.*\\.[mc]?js$': '<rootDir>/test/support/shared-packages.cjs' };
const ofJest = '/node_modules/(jest|@jest|expect)';

/** dev/scripts/draw-tests.mjs runs parts of files. */
const { PART_RESULTS: drawnResults } = process.env;
const environment = drawnResults === undefined ? 'one-realm' : 'a-part';
const ofDrawn =
  drawnResults === undefined ? [] : [['<rootDir>/test/support/results-so-far.mjs', { file: drawnResults }]];

const fromSources = {
  testEnvironment: `<rootDir>/test/support/${environment}.cjs`,
  testEnvironmentOptions: { globalsCleanup: 'off' },
  transform: { ...swcSources, ...sharedPackages },
  transformIgnorePatterns: [`/node_modules/(${ownPackages.join('|')})/`, ofJest],
  modulePathIgnorePatterns: ['<rootDir>/dist', '<rootDir>/packages/.*/dist', '<rootDir>/.run'],
  // From its sources, so that what is tested needs no build; test/client/package.component.test.ts tests the package.
  moduleNameMapper: {
    '^@digital-goods/client$': '<rootDir>/packages/client/src/index.ts',
    // Operations import them on demand, under the names that Node needs.
    '^(\\.\\./.*/(temporal/connection|ordering/(refund-imports|replacements)|reading-thread))\\.js$': '$1',
  },
};

/** Folders that need a browser, many minutes or other languages: `npm run test:more -- <name>`. */
const ownProjects = [
  { folder: 'console', isOnStack: true },
  { folder: 'generators', isOnStack: true },
  { folder: 'operators/office', isOnStack: true },
  { folder: 'ui', isOnStack: true },
  { folder: 'deploying', isOnStack: false },
  { folder: 'operators/runbook', isOnStack: false },
  { folder: 'files', isOnStack: false },
];

/** Not by `testPathIgnorePatterns`: that option on the command line would replace these. */
const notOnStack = [
  '!**/*.{unit,component}.test.ts',
  `!**/test/{${ownProjects.map(({ folder }) => folder).join()}}/**`,
];

/** The build, which its test files share. A copy of the project without a build (dev/scripts/without-safeguards.mjs) has only the sources. */
const built = existsSync(join(import.meta.dirname, 'dist'))
  ? {
      ...fromSources,
      transform: {
        // Not the testbed, whose state is that of the test file's own stack.
        [`^${root}/(src|workflows|activities|dev(?!/testbed)|fakes)/.*\\.ts$`]:
          '<rootDir>/test/support/shared-sources.cjs',
        ...fromSources.transform,
      },
      transformIgnorePatterns: [ofJest],
    }
  : fromSources;

const onStack = {
  ...built,
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
};

/** @type {import('jest').Config} */
export default {
  // Tests wait more than they compute: on two cores three workers take two thirds of the time of two. Runs of many files have more:
  // dev/scripts/test.mjs.
  maxWorkers: 3,
  testSequencer: '<rootDir>/test/support/longest-first.mjs',
  // The scenarios of webhooks, which wait a minute each, are played side by side.
  maxConcurrency: 30,
  testTimeout: 90_000,
  reporters: [
    'default',
    '<rootDir>/test/support/answers-reporter.mjs',
    '<rootDir>/test/support/summary-reporter.mjs',
    ...ofDrawn,
  ],
  projects: [
    { ...fromSources, displayName: 'unit', testMatch: ['<rootDir>/test/**/*.unit.test.ts'] },
    { ...built, displayName: 'component', testMatch: otherFiles('.component.test.ts') },
    { ...onStack, displayName: 'stack', testMatch: [...otherFiles('.test.ts'), ...notOnStack] },
    { ...built, displayName: 'rest-component', testMatch: restFiles('.component.test.ts') },
    { ...onStack, displayName: 'rest-stack', testMatch: [...restFiles('.test.ts'), ...notOnStack] },
    ...ownProjects.map(({ folder, isOnStack }) => ({
      ...(isOnStack ? onStack : built),
      displayName: basename(folder),
      testMatch: [`<rootDir>/test/${folder}/*.test.ts`, '!**/*.unit.test.ts'],
    })),
  ],
};
