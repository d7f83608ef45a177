#!/usr/bin/env node
/**
 * Takes the safeguards of orders away, one at a time, and shows which tests turn red: a safeguard that
 * nothing misses is not tested. `node scripts/without-safeguards.mjs [name ...]`; the sources are put back
 * afterwards. docs/developers/reliability.md.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const purchasing = 'src/ordering/purchasing.ts';
const purchaseCalls = 'src/ordering/purchase-calls.ts';
const purchases = 'src/data/orders/purchases.ts';
const moves = 'src/data/orders/settle-order.ts';
const migration = 'src/data/migrations/0009-attention.ts';
const claiming = 'src/data/orders/statements/claim-purchase.sql';
const placing = 'src/data/orders/statements/place-order.sql';
const settling = 'src/data/orders/statements/settle-order.sql';
const intakes = 'src/data/orders/intakes.ts';

/** What each safeguard is in the sources (file, text, what stands there without it), and the tests that must miss it. */
const safeguards = {
  lease: {
    without: [[purchasing, 'performance.now() - claimedAt < SEND_LEASE_MS', 'claimedAt > 0']],
    tests: ['test/ordering/purchasing'],
  },
  'conclusive-window': {
    without: [
      [
        purchaseCalls,
        'return SEND_LEASE_MS + traits.lookupConclusiveAfterMs;',
        'return 0 * traits.lookupConclusiveAfterMs;',
      ],
    ],
    tests: ['test/ordering/purchasing'],
  },
  confirmed: {
    without: [
      [purchasing, 'if (purchase.confirmed) return', 'if (purchase.sentMsAgo === -1) return'],
      [purchases, " AND state = 'SENT' AND NOT confirmed", " AND state = 'SENT'"],
      [
        purchases,
        'AND state = $state AND confirmed = $confirmed',
        'AND state = $state AND $confirmed::boolean IS NOT NULL',
      ],
    ],
    tests: ['test/ordering/purchasing'],
  },
  'closing-at-the-end': {
    without: [
      [
        settling,
        "AND purchase.state = 'READY' AND (moved.row)",
        "AND purchase.state = 'NONE' AND (moved.row)",
      ],
    ],
    tests: ['test/ordering/purchasing'],
  },
  'no-end-while-open': {
    without: [[settling, "WHERE state IN ('SENT', 'PENDING')) = 0", "WHERE state IN ('NONE')) = 0"]],
    tests: ['test/ordering/purchasing'],
  },
  'unique-hashes': {
    without: [
      [migration, 'CREATE UNIQUE INDEX vouchers_by_code', 'CREATE INDEX vouchers_by_code'],
      [migration, 'CREATE UNIQUE INDEX vouchers_by_claim', 'CREATE INDEX vouchers_by_claim'],
    ],
    tests: ['test/ordering/purchasing'],
  },
  'open-order-at-claim': {
    without: [[claiming, ' AND o.completed_at IS NULL', '']],
    tests: ['test/ordering/conditions'],
  },
  'attempt-of-a-claim': {
    without: [
      [
        purchases,
        'reference = $reference AND attempt = $attempt',
        'reference = $reference AND $attempt::integer > -1',
      ],
    ],
    tests: ['test/ordering/conditions'],
  },
  'standing-at-the-end': {
    without: [[settling, 'AND o.delivered_quantity = $delivered', 'AND $delivered::integer IS NOT NULL']],
    tests: ['test/ordering/conditions'],
  },
  'result-of-the-end': {
    without: [[moves, 'if (!moved) throw', 'if (!moved && order.quantity === 0) throw']],
    tests: ['test/ordering/conditions'],
  },
  'ended-purchases-take-nothing': {
    without: [
      [
        'src/data/orders/statements/purchase-to-store.sql',
        "AND state NOT IN ('DELIVERED', 'REJECTED', 'WITHDRAWN') FOR UPDATE",
        'FOR UPDATE',
      ],
    ],
    tests: ['test/ordering/purchasing'],
  },
  fence: {
    without: [
      [placing, "AND nonce = $nonce AND state = 'RESERVED'", "AND nonce = $nonce AND state <> 'PLACED'"],
    ],
    tests: ['test/data/orders'],
  },
  'fence-under-lock': {
    without: [
      [
        intakes,
        "WHERE order_id = $orderId AND state = 'RESERVED' RETURNING order_id`,\n    { orderId },",
        'WHERE order_id = $orderId RETURNING order_id`,\n    { orderId },',
      ],
    ],
    tests: ['test/data/orders'],
  },
};

/** The failed tests of a run of jest, by their full names. */
function failedTests(tests) {
  const folder = mkdtempSync(join(tmpdir(), 'safeguards-'));
  const results = join(folder, 'results.json');
  const jest = ['node_modules/jest/bin/jest.js', '--json', `--outputFile=${results}`, ...tests];
  spawnSync(process.execPath, jest, { cwd: root, stdio: 'ignore' });
  const { testResults } = JSON.parse(readFileSync(results, 'utf8'));
  rmSync(folder, { recursive: true });
  return testResults.flatMap(({ assertionResults, message, name }) =>
    assertionResults.length === 0
      ? [`${name} could not run: ${message}`]
      : assertionResults.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName),
  );
}

function withoutIt(changes, work) {
  const files = new Map(changes.map(([file]) => [file, readFileSync(join(root, file), 'utf8')]));
  try {
    for (const [file, text, instead] of changes) {
      const source = readFileSync(join(root, file), 'utf8');
      if (!source.includes(text)) throw new Error(`${file} no longer holds: ${text}`);
      writeFileSync(join(root, file), source.replaceAll(text, instead));
    }
    return work();
  } finally {
    for (const [file, source] of files) writeFileSync(join(root, file), source);
  }
}

const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(safeguards);
let unmissed = 0;
for (const name of names) {
  const { without, tests } = safeguards[name];
  const failed = withoutIt(without, () => failedTests(tests));
  console.log(`${name}: ${failed.length} tests turn red`);
  for (const test of failed) console.log(`  ${test}`);
  if (failed.length === 0) unmissed += 1;
}
process.exit(unmissed === 0 ? 0 : 1);
