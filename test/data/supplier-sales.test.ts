/** Our costs at suppliers, and the balances that they use up. */
import { randomUUID } from 'node:crypto';
import { rows } from '../../src/data/database/database';
import { sql } from '../../dev/testbed/sql';
import {
  listBalances,
  reviewBalances,
  setBalanceAlert,
  storeBalances,
} from '../../src/data/suppliers/supplier-balances';
import { readStoredMetrics } from '../../src/data/maintenance/metrics';
import { noteDifferences, storeDifferences } from '../../src/data/purchases/settlement-differences';
import { countSupplierSales } from '../../src/data/suppliers/supplier-sales';
import { countOrderResults } from '../../src/data/orders/order-results';
import { settleOrder } from '../../src/data/orders/settle-order';
import { hour } from '../../src/domain/time';
import { placedOrder } from '../support/placed-order';
import { scratchDatabase } from '../../dev/testbed/scratch-database';

const { database } = scratchDatabase();
beforeEach(async () => {
  await sql(database)`TRUNCATE supplier_balances, supplier_balance_alerts, supplier_sales, attention CASCADE`;
  // The orders of other tests ended long ago.
  await sql(database)`UPDATE orders SET completed_at = completed_at - interval '30 days'`;
});

interface Sale {
  supplier?: string;
  cost: string | null;
  currency: string | null;
  state?: string;
  daysAgo?: number;
}

/** An ended order with one purchase. Returns the reference of the purchase. */
async function sold({ supplier = 'acme', cost, currency, state = 'DELIVERED', daysAgo = 0 }: Sale) {
  const { orderId } = await placedOrder(database, 'VOUCHER');
  await settleOrder(database, orderId, { failureCode: 'UNKNOWN' });
  const [purchase] = await rows<{ reference: string }>(
    database,
    `UPDATE supplier_purchases SET supplier = $supplier, cost = $cost::numeric, cost_currency = $currency, state = $state,
            because = CASE $state WHEN 'REPLACED' THEN 'temporary' END
      WHERE order_id = $orderId RETURNING reference`,
    { orderId, supplier, cost, currency, state },
  );
  await rows(
    database,
    `UPDATE orders SET completed_at = now() - $daysAgo * interval '1 day', placed_at = now() - $daysAgo * interval '1 day'
      WHERE id = $orderId`,
    { orderId, daysAgo },
  );
  return { orderId, reference: purchase?.reference as string };
}

/** The order bought at another supplier instead. */
function replaced({ orderId, reference }: { orderId: number; reference: string }, supplier: string) {
  return sql(database)`
    INSERT INTO supplier_purchases (reference, order_id, batch, first_unit, units, source_id, sku, why, state, supplier, replaces)
     VALUES (${randomUUID()}, ${orderId}, 10001, 1, 1, 2, 'SKU', 'after another', 'DELIVERED', ${supplier}, ${reference})`;
}

const balance = (amount: string, currency = 'USD') => storeBalances(database, 'acme', [{ amount, currency }]);
const listed = async () => {
  await reviewBalances(database, ['acme']);
  return sql(database)<{ supplier: string; reason: string }>`SELECT supplier, reason FROM attention
       WHERE kind = 'BALANCE_LOW' AND cleared_at IS NULL`;
};

describe('A balance', () => {
  test('When a balance is below the threshold, then it is listed until an operator tops it up or removes the threshold', async () => {
    await balance('99.99');
    expect(await listed()).toEqual([]);
    expect(await setBalanceAlert(database, 'acme', 'USD', '100')).toBeNull();
    expect(await listed()).toEqual([{ supplier: 'acme', reason: 'The balance is 99.99 USD; the threshold is 100' }]);
    await balance('100');
    expect(await listed()).toEqual([]);
    await balance('20');
    expect(await listed()).toHaveLength(1);
    expect(await setBalanceAlert(database, 'acme', 'USD', null)).toBe('100');
    expect(await listed()).toEqual([]);
  });

  test('When a threshold is set in another currency, then it does not apply', async () => {
    await balance('5', 'EUR');
    await setBalanceAlert(database, 'acme', 'USD', '100');
    expect(await listed()).toEqual([]);
  });

  test('When a balance is below the costs of two days, then it is listed until it is topped up', async () => {
    // 60 in three days.
    await sold({ cost: '45.5', currency: 'USD', daysAgo: 3 });
    await sold({ cost: '14.5', currency: 'USD' });
    await sold({ cost: '900', currency: 'EUR' });
    await sold({ cost: '900', currency: 'USD', supplier: 'other' });
    await sold({ cost: '900', currency: 'USD', state: 'REJECTED' });
    await countSupplierSales(database);
    await balance('39');
    expect(await listed()).toEqual([
      { supplier: 'acme', reason: expect.stringMatching(/^The balance is 39 USD; lasts (1.9|2) days, /) },
    ]);
    await balance('41');
    expect(await listed()).toEqual([]);
  });

  test('When the first sale was today, then today counts as a whole day', async () => {
    await sold({ cost: '10', currency: 'USD' });
    await countSupplierSales(database);
    await balance('20');
    expect(await listBalances(database)).toMatchObject([
      { dailyCost: '10.00', daysLeft: 2, isLow: false, below: null },
    ]);
    await balance('19.99');
    expect(await listed()).toHaveLength(1);
  });

  test('When the supplier of a balance is no longer configured, then the balance is not listed', async () => {
    await balance('1');
    await setBalanceAlert(database, 'acme', 'USD', '100');
    expect(await listed()).toHaveLength(1);
    await reviewBalances(database, ['other']);
    expect(await sql(database)`SELECT FROM attention WHERE kind = 'BALANCE_LOW' AND cleared_at IS NULL`).toEqual([]);
  });
});

describe('Purchases of ended orders', () => {
  test('When purchases are counted repeatedly, then each counts once, and purchases older than a week do not count', async () => {
    await sold({ cost: '10', currency: 'USD', daysAgo: 8 });
    await sold({ cost: '3', currency: 'USD' });
    await sold({ cost: null, currency: null });
    for (let times = 0; times < 3; times++) await countSupplierSales(database);
    expect(
      await sql(database)`SELECT currency, sum(cost)::float8 AS cost FROM supplier_sales
           WHERE supplier = 'acme' GROUP BY 1 ORDER BY 1`,
    ).toEqual([
      { currency: '', cost: 0 },
      { currency: 'USD', cost: 3 },
    ]);
  });

  test('When a clock that was six hours ahead was set back, then orders that end now count', async () => {
    const ahead = `date_bin('5 minutes', now(), 'epoch') + interval '6 hours'`;
    await rows(
      database,
      `INSERT INTO supplier_sales (sold_from, supplier, currency, cost, failovers) VALUES (${ahead}, 'acme', 'USD', 50, 0)`,
    );
    await rows(
      database,
      `INSERT INTO order_results (ended_from, supplier, family, product_id, failure_code, orders)
       VALUES (${ahead}, 'acme', 'VOUCHER', 1, 'UNKNOWN', 50)`,
    );
    await sold({ cost: '3', currency: 'USD' });
    await countSupplierSales(database);
    await countOrderResults(database);
    expect(await sql(database)`SELECT cost::float8 FROM supplier_sales`).toEqual([{ cost: 3 }]);
    expect(await sql(database)`SELECT orders FROM order_results`).toEqual([{ orders: 1 }]);
  });

  test('When another supplier, not the same one, replaced a purchase, then it counts as a failover', async () => {
    await replaced(await sold({ cost: null, currency: null, state: 'REPLACED' }), 'other');
    await replaced(await sold({ cost: null, currency: null, state: 'REPLACED' }), 'acme');
    await countSupplierSales(database);
    const { failovers } = await readStoredMetrics(database);
    expect(failovers.filter(({ replaced: times }) => times > 0)).toEqual([{ supplier: 'acme', replaced: 1 }]);
  });
});

test('When a supplier is paused, has an open circuit or a balance, then metrics show it', async () => {
  await sql(database)`INSERT INTO supplier_pauses (supplier, family, reason) VALUES ('acme', 'ESIM', 'Test')`;
  await sql(database)`INSERT INTO supplier_circuits (supplier, family, reason, opened_at, probe_at)
     VALUES ('acme', 'TOPUP', 'Test', now() - interval '1 minute', now())`;
  await sql(database)`INSERT INTO supplier_calls (supplier, family, call, last_success_at)
       VALUES ('acme', 'VOUCHER', 'purchase', now())`;
  await sold({ cost: '10', currency: 'USD' });
  await countSupplierSales(database);
  await balance('25');
  const metrics = await readStoredMetrics(database);
  expect(metrics.daysLeft).toEqual([{ supplier: 'acme', currency: 'USD', days: 2.5 }]);
  expect(metrics.circuits).toEqual(
    expect.arrayContaining([
      { supplier: 'acme', family: 'TOPUP', open: expect.closeTo(60, -1) },
      { supplier: 'acme', family: 'VOUCHER', open: 0 },
    ]),
  );
  expect(metrics.pauses).toEqual(
    expect.arrayContaining([
      { supplier: 'acme', family: 'ESIM', paused: expect.closeTo(0, -1) },
      { supplier: 'acme', family: '', paused: 0 },
    ]),
  );
});

test('When a comparison finds several differences, then all are looked up before the first is stored, so their numbers follow the time', async () => {
  const ends = new Date();
  const differences = [1, 3, 2].map((hoursAgo) => ({
    kind: 'sold-unknown' as const,
    reference: `${hoursAgo} hours ago`,
    orderId: null,
    at: new Date(ends.getTime() - hoursAgo * hour),
    detail: 'not ours',
  }));
  await database.transaction(async (transaction) => {
    await noteDifferences(database, differences, transaction);
    await storeDifferences(database, { supplier: 'new', begins: ends, ends, source: 'FILE' }, transaction);
  });
  const stored = await sql(database)<{ reference: string }>`
    SELECT reference FROM statement_differences WHERE supplier = 'new' ORDER BY number`;
  expect(stored.map(({ reference }) => reference)).toEqual(['3 hours ago', '2 hours ago', '1 hours ago']);
});
