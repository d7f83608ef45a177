/** How test files are grouped. Names are paths below `test/`, without the ending that says what a file needs. */
import { dirname, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const testFolder = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * Only `npm run test:long` and `npm run test:all` run these. They take long, and a test of `npm test` proves the same
 * guarantee at one example.
 */
export const longTests = [
  'client/faults',
  'client/package',
  'documents/adding-a-family',
  'documents/client-commands',
  'documents/operators-commands',
  'documents/reconciliation',
  'documents/security-commands',
  'examples/examples',
  'faults/clocks',
  'faults/door',
  'faults/keys',
  'faults/kills',
  'faults/one-client',
  'faults/several-processes',
  'faults/shared-limits',
  'faults/starvation',
  'faults/stopping',
  'faults/webhooks',
  'ops/temporal-audit',
  'ordering/temporal-storage',
  'replay/stages',
  'supply-chain/audit',
  'supply-chain/image',
  'supply-chain/licences',
  'tracing/traces',
];

/** These take longest, in this order. The others follow as Jest orders them. */
export const longestTests = [
  'faults/kills',
  'security/canary',
  'workflows/orders',
  'api/webhooks-scenarios',
  'api/esim-orders',
  'workflows/messages',
  'workflows/webhook-endpoint-failures',
  'replay/replay',
  'faults/worker-killed',
  'faults/keys',
  'client/faults',
  'faults/several-processes',
  'replay/stages',
  'documents/adding-a-family',
  'api/refund-texts',
  'api/esim-life',
  'workflows/webhook-endpoint',
  'security/tls',
  'faults/clocks',
  'faults/starvation',
  'faults/door',
  'faults/stopping',
  'faults/webhooks',
  'ops/order-decisions',
  'ops/webhooks',
  'workflows/esim-monitor',
  'api/notification-mail',
  'client/repeats',
  'client/library',
  'ordering/restarts',
  'api/topup-refresh',
  'api/console-stream',
  'api/operator-scenarios',
  'tracing/traces',
];

/** The name of the test file at an absolute path. */
export function nameOf(path) {
  return relative(testFolder, path).replace(/(\.(unit|component))?\.test\.ts$/, '');
}
