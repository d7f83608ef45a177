/** The recorded health of suppliers. */
import { rows } from '../../src/data/database/database';
import { sql } from '../../dev/testbed/sql';
import { raiseAttention } from '../../src/data/attention/attention';
import { listBalances, storeBalances } from '../../src/data/suppliers/supplier-balances';
import { recordCall, recordCalls } from '../../src/data/suppliers/supplier-calls';
import {
  forgetRemovedSuppliers,
  recordSupplierBlocked,
  reviewSupplierHealth,
} from '../../src/data/suppliers/supplier-health';
import { scratchDatabase } from '../../dev/testbed/scratch-database';

const { database } = scratchDatabase();
beforeEach(() => sql(database)`TRUNCATE supplier_health, supplier_calls, attention CASCADE`);

const purchase = { supplier: 'acme', family: 'VOUCHER', call: 'purchase' };

interface Health {
  failing: boolean;
  blocked: boolean;
  lastError: string | null;
}

async function health(): Promise<Health> {
  const row = await sql.first(database)<Health>`
    SELECT failing_since IS NOT NULL AS failing, last_error AS "lastError",
            EXISTS (SELECT FROM supplier_health WHERE supplier = 'acme' AND blocked_since IS NOT NULL) AS blocked
       FROM supplier_calls WHERE supplier = 'acme' AND family = 'VOUCHER' AND call = 'purchase'`;
  if (!row) throw new Error('Nothing is written of the supplier');
  return row;
}

const fails = (error = 'TIMEOUT') => recordCall(database, purchase, error);
const refuses = () => recordSupplierBlocked(database, purchase, 'insufficient credit');
const answers = () => recordCall(database, purchase);
const attention = () => sql(database)`SELECT kind, supplier, reason FROM attention WHERE cleared_at IS NULL`;

test('When a supplier fails and answers again, then it no longer counts as failing', async () => {
  await fails();
  expect(await health()).toMatchObject({ failing: true, blocked: false, lastError: 'TIMEOUT' });
  await answers();
  expect(await health()).toMatchObject({ failing: false });
});

test('When a process shares failures that follow a success, then the outage begins now', async () => {
  await fails();
  await sql(database)`UPDATE supplier_calls SET failing_since = now() - interval '15 min'`;
  await recordCalls(database, [
    { ...purchase, calls: 3, failed: 2, lastSuccessAt: performance.now(), lastError: 'TIMEOUT' },
  ]);
  expect(
    await sql(database)`
      SELECT now() - failing_since < interval '1 min' AS new, last_success_at > now() - interval '1 min' AS answered
         FROM supplier_calls`,
  ).toEqual([{ new: true, answered: true }]);
});

test('When a process shares a success later, then it counts from when the call ended', async () => {
  const lastSuccessAt = performance.now() - 60_000;
  await recordCalls(database, [{ ...purchase, calls: 1, failed: 0, lastSuccessAt, lastError: null }]);
  expect(
    await sql(database)`
      SELECT extract(epoch FROM now() - last_success_at)::float8 AS age FROM supplier_calls`,
  ).toEqual([{ age: expect.closeTo(60, -1) as number }]);
});

test('When a supplier keeps failing, then it has the time of its first failure and its last error', async () => {
  await fails('TIMEOUT');
  await sql(database)`UPDATE supplier_calls SET failing_since = now() - interval '1 hour'`;
  await fails('HTTP 503');
  expect(
    await sql.first(database)`SELECT failing_since < now() - interval '59 min' AS old, last_error
         FROM supplier_calls`,
  ).toEqual({ old: true, last_error: 'HTTP 503' });
});

test('When two failures are far apart, then they are no outage, and a new one begins at the second', async () => {
  await fails();
  await sql(database)`UPDATE supplier_calls
       SET failing_since = now() - interval '50 min', last_failure_at = now() - interval '50 min'`;
  await fails();
  await reviewSupplierHealth(database);
  expect(await attention()).toEqual([]);
  await sql(database)`UPDATE supplier_calls SET failing_since = now() - interval '11 min'`;
  await reviewSupplierHealth(database);
  expect(await attention()).toMatchObject([
    { kind: 'SUPPLIER_DOWN', reason: expect.stringContaining('have failed since 20') },
  ]);
});

test('When a supplier refuses our account, then it is on the attention list immediately, and does not count as down', async () => {
  await fails();
  await refuses();
  expect(await health()).toMatchObject({ failing: false, blocked: true });
  expect(await attention()).toEqual([
    { kind: 'ACCOUNT_BLOCKED', supplier: 'acme', reason: 'It refuses our account: insufficient credit' },
  ]);
});

test('When a call succeeds after a call was refused, then the account still counts as blocked', async () => {
  await refuses();
  await answers();
  expect(await health()).toMatchObject({ failing: false, blocked: true });
});

test('When lookups and purchases of another family succeed, then failing purchases still count as failing', async () => {
  await fails();
  for (const call of [
    { ...purchase, call: 'find' },
    { ...purchase, family: 'TOPUP' },
    { ...purchase, family: '', call: 'stock' },
  ])
    await recordCall(database, call);
  expect(await health()).toMatchObject({ failing: true, lastError: 'TIMEOUT' });
});

test('When a supplier is removed, then nothing of it needs a person, because no call could change it', async () => {
  await answers();
  await refuses();
  await raiseAttention(database, { supplier: 'acme' }, 'CATALOGUE_DOUBTED', 'The list lacks offers');
  await storeBalances(database, 'acme', [{ amount: '-1', currency: 'USD' }]);
  await forgetRemovedSuppliers(database, ['acme', 'other']);
  expect(await attention()).toHaveLength(2);
  expect(await listBalances(database)).toHaveLength(1);
  await forgetRemovedSuppliers(database, ['other']);
  await reviewSupplierHealth(database);
  expect(await attention()).toEqual([]);
  expect(await health()).toMatchObject({ blocked: false });
  expect(await listBalances(database)).toEqual([]);
});

describe('When a clock that was six hours ahead was set back', () => {
  /** Moves the times that the clock wrote into every row. */
  const move = async (by: string) => {
    await rows(
      database,
      `UPDATE supplier_calls SET failing_since = failing_since + $by::interval,
              last_failure_at = last_failure_at + $by::interval, last_success_at = last_success_at + $by::interval`,
      { by },
    );
    await rows(
      database,
      `UPDATE supplier_health SET blocked_since = blocked_since + $by::interval, blocked_at = blocked_at + $by::interval`,
      { by },
    );
  };
  const listed = async () => {
    await reviewSupplierHealth(database);
    return (await attention()).map(({ kind }: { kind?: string }) => kind);
  };

  test('then a supplier that keeps failing is listed after ten minutes', async () => {
    await fails();
    await move('6 hours');
    await fails();
    await move('-11 minutes');
    await fails();
    expect(await listed()).toEqual(['SUPPLIER_DOWN']);
  });

  test('then a failing call that is no longer made is not listed', async () => {
    await fails();
    await sql(database)`UPDATE supplier_calls SET failing_since = now() - interval '20 minutes'`;
    await move('6 hours');
    expect(await listed()).toEqual([]);
  });

  test('then an account counts as unblocked once a call succeeds, and not before', async () => {
    await answers();
    await refuses();
    await move('6 hours');
    expect(await listed()).toEqual(['ACCOUNT_BLOCKED']);
    await answers();
    expect(await listed()).toEqual([]);
  });

  test('then an account that is still refused stays listed even if other calls succeed', async () => {
    await refuses();
    await move('6 hours');
    await refuses();
    await answers();
    expect(await listed()).toEqual(['ACCOUNT_BLOCKED']);
  });
});
