/** The groups of test files. Names are paths below `test/`, without the suffix for the needs of a file. */
import { dirname, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const testFolder = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * `npm test` leaves these out; `npm run test:all` runs them. They test the tools around the service (ops CLI, client library,
 * documents, development tools, tasks of the back office), or they take long and `npm test` proves the same guarantee by one example.
 */
export const restTests = [
  'client/*',
  'examples/*',
  'fault-harness/*',
  'metrics/*',
  'operators/temporal-ui',
  'ops/*',
  'production/*',
  'simulator/*',
  'stack/*',
  'supply-chain/*',
  'temporal/*',
  'tracing/*',
  'api/console-session',
  'api/console-stream',
  'api/refund-texts',
  'data/data-keys',
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
  'operators/bank-files',
  'operators/confirmed-prices',
  'operators/followed-rates',
  'operators/offers',
  'operators/previews',
  'ordering/temporal-storage',
  'replay/stages',
  'security/tls',
  'suppliers/reloadly-outcomes',
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
  'ops/order-decisions',
  'replay/stages',
  'documents/adding-a-family',
  'api/refund-texts',
  'api/esim-life',
  'workflows/webhook-endpoint',
  'security/tls',
  'ops/ledger-verify',
  'ops/webhooks',
  'ops/temporal-audit',
  'workflows/esim-monitor',
  'api/notification-mail',
  'client/repeats',
  'client/library',
  'ordering/restarts',
  'api/topup-refresh',
  'api/console-stream',
  'api/operator-scenarios',
  'ops/reconcile',
  'ops/claims',
  'ops/refunds',
  'examples/examples',
];

/** Whether `npm test` leaves out the file of this name. Unit tests always run. */
export function isRest(name) {
  return restTests.includes(name) || restTests.includes(`${dirname(name)}/*`);
}

/** The name of the test file at an absolute path. */
export function nameOf(path) {
  return relative(testFolder, path).replace(/(\.(unit|component))?\.test\.ts$/, '');
}
