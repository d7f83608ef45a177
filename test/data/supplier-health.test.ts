/** What is written down of how suppliers answer. */
import { firstRow, rows } from '../../src/data/database';
import { recordSupplierFailure, recordSupplierSuccess } from '../../src/data/supplier-health';
import { scratchDatabase } from '../support/scratch-database';

const { database } = scratchDatabase();
beforeEach(() => rows(database, 'TRUNCATE supplier_health, attention'));

interface Health {
  failing: boolean;
  blocked: boolean;
  lastError: string | null;
  version: string;
}

async function health(): Promise<Health> {
  const row = await firstRow<Health>(
    database,
    `SELECT failing_since IS NOT NULL AS failing, blocked_since IS NOT NULL AS blocked,
            last_error AS "lastError", xmin::text || ctid::text AS version
       FROM supplier_health WHERE supplier = 'acme'`,
  );
  if (!row) throw new Error('Nothing is written of the supplier');
  return row;
}

const fails = (error = 'TIMEOUT', blocked = false) => recordSupplierFailure(database, 'acme', error, blocked);
const answers = () => recordSupplierSuccess(database, 'acme');
const attention = () =>
  rows(database, 'SELECT kind, supplier, reason FROM attention WHERE cleared_at IS NULL');

test('When a supplier fails and answers again, then it fails no more', async () => {
  await fails();
  expect(await health()).toMatchObject({ failing: true, blocked: false, lastError: 'TIMEOUT' });
  await answers();
  expect(await health()).toMatchObject({ failing: false });
});

test('When a supplier goes on as before, then nothing is written', async () => {
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
    "UPDATE supplier_health SET failing_since = NULL, last_success_at = now() - interval '11 s'",
  );
  const before = await health();
  await answers();
  expect((await health()).version).not.toBe(before.version);
});

test('When a supplier fails on, then since its first failure, with its last error', async () => {
  await fails('TIMEOUT');
  await rows(database, "UPDATE supplier_health SET failing_since = now() - interval '1 hour'");
  await fails('HTTP 503');
  expect(
    await firstRow(
      database,
      "SELECT failing_since < now() - interval '59 min' AS old, last_error FROM supplier_health",
    ),
  ).toEqual({
    old: true,
    last_error: 'HTTP 503',
  });
});

test('When it refuses our account, then operators are told at once, and it does not count as down', async () => {
  await fails();
  await fails('insufficient credit', true);
  expect(await health()).toMatchObject({ failing: false, blocked: true });
  expect(await attention()).toEqual([
    { kind: 'ACCOUNT_BLOCKED', supplier: 'acme', reason: 'It refuses our account: insufficient credit' },
  ]);
});

test('When one kind of call passes while another is refused, then the account still counts as blocked', async () => {
  await fails('insufficient credit', true);
  await answers();
  expect(await health()).toMatchObject({ failing: false, blocked: true });
});
