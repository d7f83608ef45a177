/** `suppliers`: operators see the state of suppliers, pause and resume them, and set thresholds for balances. */
import { sql } from '../../../dev/testbed/sql';
import { raiseAttention } from '../../../src/data/attention/attention';
import { recordCall } from '../../../src/data/suppliers/supplier-calls';
import { recordSupplierBlocked } from '../../../src/data/suppliers/supplier-health';
import { storeBalances } from '../../../src/data/suppliers/supplier-balances';
import { printedBy } from '../../support/operator';
import { scratchDatabase } from '../../../dev/testbed/scratch-database';
import type { Json } from '../../support/stack';

const scratch = scratchDatabase();
const { database } = scratch;
const run = (...words: string[]) => printedBy(scratch.url, 'suppliers', ...words);
const json = async (...words: string[]) =>
  JSON.parse(await printedBy(scratch.url, '--json', 'suppliers', ...words)) as Json[];
const listed = () =>
  sql(database)`SELECT kind, reason FROM attention WHERE supplier = 'simulator' AND cleared_at IS NULL
       ORDER BY kind`;
beforeEach(
  () =>
    sql(database)`
    TRUNCATE supplier_pauses, supplier_circuits, supplier_health, supplier_calls, supplier_balances,
              supplier_balance_alerts, attention CASCADE`,
);

const purchase = { supplier: 'simulator', family: 'VOUCHER', call: 'purchase' };

test('When a configured supplier has no recorded data, then it is listed', async () => {
  expect(await json('list')).toEqual([
    { supplier: 'simulator', paused: [], circuits_open: [], balances: [], days_left: [], failing_calls: [] },
  ]);
});

test('When a supplier fails, refuses our account and reports a balance, then list and show print it', async () => {
  await recordCall(database, { ...purchase, family: 'TOPUP' }, 'TIMEOUT');
  await recordSupplierBlocked(database, purchase, 'no credit');
  await storeBalances(database, 'simulator', [{ amount: '12.50', currency: 'USD' }]);
  expect(await json('list')).toEqual([
    {
      supplier: 'simulator',
      paused: [],
      circuits_open: ['VOUCHER'],
      blocked_since: expect.any(String),
      balances: ['12.5 USD'],
      days_left: ['unknown (USD)'],
      failing_calls: ['purchase (TOPUP)'],
    },
  ]);
  expect(await json('show', 'simulator')).toMatchObject([
    { what: 'circuit open', of: 'VOUCHER', detail: expect.stringMatching(/^It refuses our account: no credit; /) },
    { what: 'account blocked', of: null, detail: 'no credit' },
    { what: 'balance', of: 'USD', detail: '12.5 USD; daily costs unknown; no threshold' },
    { what: 'purchase fails', of: 'TOPUP', detail: 'TIMEOUT' },
  ]);
});

describe('A pause', () => {
  test('When a supplier is paused, then it is on the attention list with the reason until it is resumed', async () => {
    expect(await run('pause', 'simulator', '--reason', 'Used codes')).toBe(
      'simulator is paused for all families. Resume it with: suppliers resume simulator',
    );
    expect(await listed()).toEqual([
      { kind: 'SUPPLIER_PAUSED', reason: expect.stringMatching(/^All families are paused since .*: Used codes$/) },
    ]);
    expect(await json('list')).toMatchObject([{ paused: ['all'] }]);
    expect(await run('resume', 'simulator', '--reason', 'Repaired')).toBe('simulator is used again for all families.');
    expect(await listed()).toEqual([]);
  });

  test('When two families are paused, then one can be resumed without the other', async () => {
    await run('pause', 'simulator', '--family', 'esim', '--reason', 'Slow');
    await run('pause', 'simulator', '--family', 'topups', '--reason', 'Wrong amounts');
    expect(await run('resume', 'simulator', '--family', 'esim', '--reason', 'Repaired')).toBe(
      'simulator is used again for ESIM.',
    );
    expect(await listed()).toEqual([
      { kind: 'SUPPLIER_PAUSED', reason: expect.stringMatching(/^TOPUP is paused since .*: Wrong amounts$/) },
    ]);
    await expect(run('resume', 'simulator', '--family', 'esim', '--reason', 'Again')).rejects.toThrow(
      'simulator is not paused for ESIM. See the pauses with: suppliers list',
    );
  });

  test('When a supplier is paused for all families, then no single family can be resumed', async () => {
    await run('pause', 'simulator', '--reason', 'Used codes');
    await expect(run('resume', 'simulator', '--family', 'esim', '--reason', 'Repaired')).rejects.toThrow(
      'simulator is paused for all families. Resume it without --family',
    );
    expect(await listed()).toHaveLength(1);
  });

  test('When a paused supplier is no longer configured, then it can still be resumed', async () => {
    await sql(database)`INSERT INTO supplier_pauses (supplier, reason) VALUES ('former', 'Contract ends')`;
    expect(await run('resume', 'former', '--reason', 'It is gone')).toBe('former is used again for all families.');
  });

  test('When a supplier is paused and resumed, then the audit log has both with operator and reason', async () => {
    await run('pause', 'simulator', '--family', 'esim', '--reason', 'Slow', '--operator', 'kim');
    await run('resume', 'simulator', '--reason', 'Repaired', '--operator', 'lee');
    const entries = await sql(database)`SELECT operator, command, reason, action FROM audit_entries
        WHERE object = 'supplier_pause/simulator/ESIM' ORDER BY id DESC LIMIT 2`;
    expect(entries).toEqual([
      { operator: 'lee', command: 'suppliers resume', reason: 'Repaired', action: 'supplier_pause.deleted' },
      { operator: 'kim', command: 'suppliers pause', reason: 'Slow', action: 'supplier_pause.created' },
    ]);
  });
});

describe('A balance threshold', () => {
  test('When a threshold is set above the balance, then the balance is listed until the threshold is removed', async () => {
    await storeBalances(database, 'simulator', [{ amount: '12.50', currency: 'USD' }]);
    expect(await run('alert', 'simulator', '--currency', 'USD', '--below', '500')).toBe(
      'The alert of simulator is below 500 USD (before: none).',
    );
    expect(await listed()).toEqual([{ kind: 'BALANCE_LOW', reason: 'The balance is 12.5 USD; the threshold is 500' }]);
    expect(await json('show', 'simulator')).toMatchObject([{ what: 'balance low', of: 'USD' }]);
    expect(await run('alert', 'simulator', '--currency', 'USD')).toBe(
      'The alert of simulator is removed for USD (before: 500).',
    );
    expect(await listed()).toEqual([]);
  });

  test('When this machine does not configure a supplier, then a threshold of another one leaves its entry', async () => {
    await raiseAttention(database, { supplier: 'elsewhere' }, 'BALANCE_LOW', 'The balance is 1 USD');
    await run('alert', 'simulator', '--currency', 'USD', '--below', '5');
    expect(await sql(database)`SELECT supplier FROM attention WHERE cleared_at IS NULL`).toEqual([
      { supplier: 'elsewhere' },
    ]);
  });

  test('When the supplier has reported no balance in the currency, then the output says so', async () => {
    expect(await run('alert', 'simulator', '--currency', 'EUR', '--below', '5')).toContain(
      'simulator has reported no balance in EUR yet.',
    );
    await expect(run('alert', 'simulator', '--currency', 'ZZZ', '--below', '5')).rejects.toThrow();
  });
});

test.each([
  ['show', 'nobody'],
  ['pause', 'nobody', '--reason', 'Test'],
  ['resume', 'nobody', '--reason', 'Test'],
  ['alert', 'nobody', '--currency', 'USD'],
])('When `suppliers %s` names an unknown supplier, then the error lists the configured suppliers', async (...words) => {
  await expect(run(...words)).rejects.toThrow('There is no supplier "nobody". Configured: simulator.');
});

test.each([
  [['--family', 'cars', '--reason', 'Test'], 'Give one of vouchers, topups, esim.'],
  [[], "required option '--reason <text>' not specified"],
])('When a supplier is paused with %j, then the ops CLI names the fault', async (options, says) => {
  const exits = jest.spyOn(process, 'exit').mockImplementation(() => {
    throw new Error('exits');
  });
  const errors = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  await expect(run('pause', 'simulator', ...options)).rejects.toThrow('exits');
  expect(errors.mock.calls.join()).toContain(says);
  exits.mockRestore();
  errors.mockRestore();
  expect(await listed()).toEqual([]);
});
