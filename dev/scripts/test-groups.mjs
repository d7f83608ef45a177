/** The groups of test files. Names are paths below `test/`, without the suffix for the needs of a file. */
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const testFolder = join(dirname(fileURLToPath(import.meta.url)), '../../test');

/**
 * `npm test` leaves these out; `npm run test:all` runs them. They test the tools around the service (ops CLI, client library,
 * documents, development tools, tasks of the back office), or they take long and `npm test` proves the same guarantee by one example.
 */
export const restTests = [
  'client/*',
  'examples/*',
  'fault-harness/*',
  'metrics/*',
  'operators/server/temporal-ui',
  'operators/cli/*',
  'production/*',
  'stack/*',
  'supply-chain/*',
  'temporal/*',
  'tracing/*',
  'api/console-session',
  'api/console-stream',
  'api/refund-texts',
  'data/data-keys',
  'data/declared-rows',
  'data/grants',
  'data/hot-statements',
  'data/key-rotation',
  'data/migrations',
  'data/poolers',
  'documents/adding-a-family',
  'documents/client-commands',
  'documents/operators-commands',
  'documents/reconciliation',
  'documents/security-commands',
  'documents/simulator-commands',
  'documents/webhook-receivers',
  'faults/kills',
  'faults/one-client',
  'faults/one-stack',
  'faults/shared-limits',
  'identity/device',
  'identity/provider',
  'operators/server/bank-files',
  'operators/server/confirmed-prices',
  'operators/server/followed-rates',
  'operators/server/offers',
  'operators/server/previews',
  'ordering/temporal-storage',
  'replay/stages',
  'security/tls',
  'suppliers/reloadly-outcomes',
  'suppliers/simulator-adapter',
  'suppliers/simulator-behaviour',
  'suppliers/simulator-purchases',
  'workflows/webhook-endpoint-failures',
];

/** The slowest files, in this order. The others follow in Jest's order. */
export const longestTests = [
  'faults/kills',
  'faults/one-stack',
  'workflows/orders',
  'api/webhooks-scenarios',
  'api/esim-orders',
  'workflows/messages',
  'workflows/webhook-endpoint-failures',
  'replay/replay',
  'ordering/temporal-storage',
  'operators/cli/order-decisions',
  'replay/stages',
  'api/refund-texts',
  'api/esim-life',
  'workflows/webhook-endpoint',
  'security/tls',
  'operators/cli/ledger-verify',
  'operators/cli/webhooks',
  'operators/cli/temporal-audit',
  'workflows/esim-monitor',
  'api/notification-mail',
  'client/repeats',
  'client/library',
  'ordering/restarts',
  'api/topup-refresh',
  'api/console-stream',
  'api/operator-scenarios',
  'operators/cli/reconcile',
  'operators/cli/claims',
  'operators/cli/refunds',
  'examples/examples',
];

/**
 * What CI leaves out, because it needs many minutes, a browser or other languages, or because an earlier step of `.ci/run` proves the
 * same. CI draws from these: dev/scripts/draw-tests.mjs. `subjects`: the folders and files that they test above all. `areSteps`: each
 * test of a file continues the one before. `needsQuiet`: they are not drawn, because other tests run beside them.
 */
export const leftOut = [
  {
    tests: 'console/*',
    command: 'npm run test:more -- console',
    needsBrowser: true,
    subjects: ['packages/console', 'packages/parts', 'src/api/console'],
  },
  {
    tests: 'operators/office/*',
    command: 'npm run test:more -- office',
    needsBrowser: true,
    subjects: ['packages/office', 'packages/parts', 'src/operators/operations', 'src/operators/server'],
  },
  {
    // Its tests have the patience of a person.
    tests: 'ui/stopwatch',
    command: 'npm run test:more -- ui',
    needsBrowser: true,
    needsQuiet: true,
    subjects: ['docs/operators/temporal-ui.md', 'workflows/order'],
  },
  {
    tests: 'ui/*',
    command: 'npm run test:more -- ui',
    needsBrowser: true,
    subjects: [
      'docs/operators/temporal-ui.md',
      'src/api/guides/page',
      'src/api/openapi/page',
      'src/operators/server/temporal-ui',
      'workflows/order',
    ],
  },
  {
    // It measures the memory of its process, which a draw shares with other files.
    tests: 'files/*',
    command: 'npm run test:more -- files',
    needsQuiet: true,
    subjects: ['src/operators/operations/files', 'src/operators/operations/money-in'],
  },
  {
    tests: 'operators/runbook/*',
    command: 'npm run test:more -- runbook',
    areSteps: true,
    subjects: [
      'docs/operators/runbook.md',
      'src/operators/operations',
      'src/operators/cli',
      'src/ordering/maintenance',
    ],
  },
  {
    tests: 'deploying/*',
    command: 'npm run test:more -- deploying',
    areSteps: true,
    subjects: ['docs/operators/deploying.md', 'src/operators/cli', 'src/temporal', 'src/worker'],
  },
  {
    tests: 'generators/*',
    command: 'npm run test:more -- generators',
    subjects: ['docs/clients/generated-clients.md', 'docs/clients/openapi.json', 'src/api/openapi'],
  },
  {
    tests: 'faults/kills',
    command: 'npm test -- test/faults/kills.test.ts',
    subjects: ['activities', 'src/ordering', 'workflows'],
  },
  {
    // The flood keeps every core busy, beside all other tests.
    tests: 'faults/one-client',
    command: 'npm test -- test/faults/one-client.test.ts',
    needsQuiet: true,
    subjects: ['src/api/rate-limits', 'src/async', 'src/ordering/placement'],
  },
  {
    tests: 'ordering/temporal-storage',
    command: 'npm test -- test/ordering/temporal-storage.test.ts',
    subjects: ['activities', 'src/temporal', 'workflows'],
  },
];

/** The first entry of what CI leaves out that has the file of this name. Unit tests always run. */
export function leftOutOf(name) {
  return leftOut.find(({ tests }) => tests === name || tests === `${dirname(name)}/*`);
}

/** Whether `npm test` leaves out the file of this name. Unit tests always run. */
export function isRest(name) {
  return restTests.includes(name) || restTests.includes(`${dirname(name)}/*`);
}

/** The name of the test file at an absolute path. */
export function nameOf(path) {
  return relative(testFolder, path).replace(/(\.(unit|component))?\.test\.ts$/, '');
}
