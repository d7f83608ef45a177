/** What is written down of how suppliers answer. */
import { firstRow, rows } from '../../src/data/database/database';
import {
  recordSupplierBlocked,
  recordSupplierFailure,
  recordSupplierSuccess,
} from '../../src/data/operations/supplier-health';
import { scratchDatabase } from '../support/scratch-database';

const { database } = scratchDatabase();
beforeEach(() => rows(database, 'TRUNCATE supplier_health, supplier_call_health, attention'));

const purchase = { supplier: 'acme', family: 'VOUCHER', call: 'purchase' };

interface Health {
  failing: boolean;
  blocked: boolean;
  lastError: string | null;
  version: string;
}

async function health(): Promise<Health> {
  const row = await firstRow<Health>(
    database,
    `SELECT failing_since IS NOT NULL AS failing, last_error AS "lastError", xmin::text || ctid::text AS version,
            EXISTS (SELECT FROM supplier_health WHERE supplier = 'acme' AND blocked_since IS NOT NULL) AS blocked
       FROM supplier_call_health WHERE supplier = 'acme' AND family = 'VOUCHER' AND call = 'purchase'`,
  );
  if (!row) throw new Error('Nothing is written of the supplier');
  return row;
}

const fails = (error = 'TIMEOUT') => recordSupplierFailure(database, purchase, error);
const refuses = () => recordSupplierBlocked(database, purchase, 'insufficient credit');
const answers = () => recordSupplierSuccess(database, purchase);
const attention = () =>
  rows(database, 'SELECT kind, supplier, reason FROM attention WHERE cleared_at IS NULL');

test('When a supplier fails and answers again, then it fails no more', async () => {
  await fails();
  expect(await health()).toMatchObject({ failing: true, blocked: false, lastError: 'TIMEOUT' });
  await answers();
  expect(await health()).toMatchObject({ failing: false });
});

test('When the results of a supplier do not change, then nothing is written', async () => {
  await answers();
  const { version } = await health();
  await Promise.all([1, 2, 3].map(answers));
  expect((await health()).version).toBe(version);
  await fails();
  const failing = await health();
  await fails();
  expect((await health()).version).toBe(failing.version);
  await rows(
    database,
    `UPDATE supplier_call_health SET failing_since = NULL, last_failure_at = NULL, last_error = NULL,
            last_success_at = now() - interval '11 s'`,
  );
  const before = await health();
  await answers();
  expect((await health()).version).not.toBe(before.version);
});

test('When a supplier fails on, then since its first failure, with its last error', async () => {
  await fails('TIMEOUT');
  await rows(database, "UPDATE supplier_call_health SET failing_since = now() - interval '1 hour'");
  await fails('HTTP 503');
  expect(
    await firstRow(
      database,
      "SELECT failing_since < now() - interval '59 min' AS old, last_error FROM supplier_call_health",
    ),
  ).toEqual({
    old: true,
    last_error: 'HTTP 503',
  });
});

test('When it refuses our account, then it is listed for attention at once, and does not count as down', async () => {
  await fails();
  await refuses();
  expect(await health()).toMatchObject({ failing: false, blocked: true });
  expect(await attention()).toEqual([
    { kind: 'ACCOUNT_BLOCKED', supplier: 'acme', reason: 'It refuses our account: insufficient credit' },
  ]);
});

test('When one kind of call passes while another is refused, then the account still counts as blocked', async () => {
  await refuses();
  await answers();
  expect(await health()).toMatchObject({ failing: false, blocked: true });
});

test('When lookups and purchases of another family pass, then failing purchases still count as failing', async () => {
  await fails();
  for (const call of [
    { ...purchase, call: 'find' },
    { ...purchase, family: 'TOPUP' },
    { ...purchase, family: '', call: 'stock' },
  ])
    await recordSupplierSuccess(database, call);
  expect(await health()).toMatchObject({ failing: true, lastError: 'TIMEOUT' });
});
