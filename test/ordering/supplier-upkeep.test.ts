/** Attention entries about suppliers, and the stock of each supplier, independent of other suppliers. */
import { rows } from '../../src/data/database/database';
import { sql } from '../../dev/testbed/sql';
import { recordCall } from '../../src/data/suppliers/supplier-calls';
import {
  recordSupplierBlocked,
  reviewSupplierHealth,
  reviewUnsentPurchases,
} from '../../src/data/suppliers/supplier-health';
import { raiseAttention } from '../../src/data/attention/attention';
import { countOrderResults } from '../../src/data/orders/order-results';
import { settleOrder } from '../../src/data/orders/settle-order';
import { storeScenarios } from '../../src/data/clients/sandbox';
import type { Family } from '../../src/domain/orders/families';
import { reviewUnusualFailures } from '../../src/ordering/maintenance/attention-reviews';
import { callAndRecord, syncStock } from '../../src/catalogue/supplier-reports';
import { syncAllVariants } from '../../src/catalogue/variant-sync';
import { checkLateGoods } from '../../src/ordering/purchasing/late-goods';
import { SentPurchases } from '../../src/ordering/purchasing/conclusive-lookups';
import { Sealer } from '../../src/security/sealing';
import type { StockReport, Supplier } from '../../src/domain/suppliers/port';
import { CallHeldBack, SupplierAccountBlocked, SupplierUnavailable } from '../../src/domain/suppliers/supplier-errors';
import { safeText } from '../../src/domain/safe-text';
import { placedOrder } from '../support/placed-order';
import { scratchDatabase } from '../../dev/testbed/scratch-database';
import { newKeyRing } from '../support/keys';
import { notAsked, plainTraits } from '../support/plain-supplier';

const sealer = new Sealer(newKeyRing());

const { database } = scratchDatabase();
beforeEach(() => sql(database)`TRUNCATE supplier_health, supplier_calls, attention CASCADE`);

const listed = () =>
  sql(database)<{ kind: string; reason: string }>`SELECT kind, supplier, reason FROM attention
       WHERE cleared_at IS NULL ORDER BY kind, supplier`;
/** The failing calls failed for this many minutes, and last failed `untilAgo` minutes ago. */
const failed = (minutes: number, untilAgo = 0) =>
  sql(database)`UPDATE supplier_calls
       SET failing_since = now() - make_interval(mins => ${minutes + untilAgo}),
            last_failure_at = now() - make_interval(mins => ${untilAgo}) WHERE failing_since IS NOT NULL`;
const blockedAgo = (minutes: number) =>
  sql(database)`UPDATE supplier_health SET blocked_at = now() - make_interval(mins => ${minutes})`;
/** The supplier of the placed orders. */
const supplier = 'simulator';
const purchase = { supplier, family: 'VOUCHER', call: 'purchase' };
const failsToSell = () => recordCall(database, purchase, 'TIMEOUT');
const refusesUs = () => recordSupplierBlocked(database, purchase, 'no credit');
const sells = () => recordCall(database, purchase);
const findsPurchases = () => recordCall(database, { ...purchase, call: 'find' });

describe('A supplier that is down', () => {
  test('When purchases at a supplier fail for 10 minutes while it answers lookups, then the supplier is listed with the start and the number of waiting orders', async () => {
    await placedOrder(database, 'VOUCHER');
    await placedOrder(database, 'ESIM');
    await failsToSell();
    await failed(9);
    await findsPurchases();
    await reviewSupplierHealth(database);
    expect(await listed()).toEqual([]);
    await failed(11);
    await findsPurchases();
    await reviewSupplierHealth(database);
    expect(await listed()).toEqual([
      {
        kind: 'SUPPLIER_DOWN',
        supplier,
        reason: expect.stringMatching(
          /^Calls "purchase \(VOUCHER\)" have failed since .*: TIMEOUT; 1 orders wait for it$/,
        ),
      },
    ]);
    await sells();
    await reviewSupplierHealth(database);
    expect(await listed()).toEqual([]);
  });

  test('When the service holds back the reads of a list, then the supplier is not down', async () => {
    const held = () => Promise.reject(new CallHeldBack(safeText`too many calls wait`, 1_000));
    await expect(callAndRecord(database, supplier, 'stock', held)).rejects.toThrow('too many calls wait');
    expect(await sql(database)`SELECT FROM supplier_calls`).toEqual([]);
  });

  test('When a call failed once long ago, then the supplier is not down', async () => {
    await failsToSell();
    await failed(0, 55);
    await reviewSupplierHealth(database);
    expect(await listed()).toEqual([]);
  });

  test('When a failing call was not made for an hour, then it is listed only while orders wait for it', async () => {
    const { orderId } = await placedOrder(database, 'VOUCHER');
    await sql(database)`UPDATE supplier_purchases SET supplier = 'idle' WHERE order_id = ${orderId}`;
    const idle = { supplier: 'idle', family: 'VOUCHER', call: 'purchase' };
    await recordCall(database, idle, 'TIMEOUT');
    await failed(20, 61);
    await reviewSupplierHealth(database);
    expect(await listed()).toMatchObject([{ kind: 'SUPPLIER_DOWN', supplier: 'idle' }]);
    await sql(database)`UPDATE supplier_purchases SET state = 'PENDING' WHERE order_id = ${orderId}`;
    await reviewSupplierHealth(database);
    expect(await listed()).toEqual([]);
  });
});

describe('A purchase that is not sent', () => {
  const placedAgo = (orderId: number, minutes: number) =>
    rows(
      database,
      `WITH moved AS (UPDATE supplier_purchases SET supplier = $supplier WHERE order_id = $orderId)
       UPDATE orders SET placed_at = now() - make_interval(mins => $minutes) WHERE id = $orderId`,
      { orderId, minutes, supplier: 'silent' },
    );

  test('When an unsent purchase waits for 10 minutes for any reason, then it is listed until it is sent', async () => {
    const { orderId } = await placedOrder(database, 'TOPUP');
    await placedAgo(orderId, 9);
    await reviewUnsentPurchases(database);
    expect(await listed()).toEqual([]);
    await placedAgo(orderId, 11);
    await reviewUnsentPurchases(database);
    expect(await listed()).toEqual([
      {
        kind: 'PURCHASES_NOT_SENT',
        supplier: 'silent',
        reason: expect.stringMatching(`^Purchases of 1 orders are not sent; order ${orderId} has waited since `),
      },
    ]);
    await sql(database)`UPDATE supplier_purchases SET state = 'SENT' WHERE order_id = ${orderId}`;
    await reviewUnsentPurchases(database);
    expect(await listed()).toEqual([]);
  });

  test('When another purchase of the order was made meanwhile, then the unsent purchase is not listed', async () => {
    const { orderId } = await placedOrder(database, 'VOUCHER');
    await placedAgo(orderId, 30);
    await sql(database)`
      INSERT INTO supplier_purchases (reference, order_id, batch, first_unit, units, source_id, supplier, sku, why, state)
       VALUES ('made', ${orderId}, 2, 2, 1, 1, 'silent', 'SKU', 'the only source', 'DELIVERED')`;
    await reviewUnsentPurchases(database);
    expect(await listed()).toEqual([]);
  });
});

describe('A blocked account', () => {
  test('When no call was refused for 2 minutes and calls succeed, then the account counts as unblocked', async () => {
    await refusesUs();
    await sells();
    await reviewSupplierHealth(database);
    expect(await listed()).toMatchObject([{ kind: 'ACCOUNT_BLOCKED', reason: 'It refuses our account: no credit' }]);
    await blockedAgo(3);
    await reviewSupplierHealth(database);
    expect(await listed()).toEqual([]);
  });

  test('When a blocked account still delays an order, then it stays blocked, although other calls succeed', async () => {
    const { orderId } = await placedOrder(database, 'TOPUP');
    await raiseAttention(database, { orderId }, 'SUPPLIER_BLOCKED', 'It is refused');
    await refusesUs();
    await blockedAgo(3);
    await findsPurchases();
    await reviewSupplierHealth(database);
    expect((await listed()).map(({ kind }) => kind)).toEqual(['ACCOUNT_BLOCKED', 'SUPPLIER_BLOCKED']);
  });

  test('When the supplier refuses our account and then times out, then the refusal stays listed until calls succeed', async () => {
    await refusesUs();
    await failsToSell();
    await blockedAgo(60);
    await reviewSupplierHealth(database);
    expect(await listed()).toMatchObject([{ kind: 'ACCOUNT_BLOCKED', reason: 'It refuses our account: no credit' }]);
  });
});

describe('Failures of orders', () => {
  beforeEach(() => sql(database)`TRUNCATE order_results, sandbox_scenarios`);

  /** Orders of one product that ended `minutesAgo`. An empty code means delivered. */
  const ended = (orders: number, code: string, { minutesAgo = 1, product = 1, from = supplier } = {}) =>
    sql(database)`INSERT INTO order_results (ended_from, supplier, family, product_id, failure_code, orders)
       VALUES (now() - make_interval(mins => ${minutesAgo}), ${from}, 'VOUCHER', ${product}, ${code}, ${orders})`;
  const yesterday = { minutesAgo: 20 * 60 };

  async function reasons(): Promise<string[]> {
    await reviewUnusualFailures(database);
    return (await listed()).map(({ reason }) => reason);
  }

  test('When a failure code is far more frequent than on the day before, then it is listed until its frequency is normal', async () => {
    await ended(990, '', yesterday);
    await ended(10, 'PRODUCT_OUT_OF_STOCK', yesterday);
    await ended(9, '');
    await ended(11, 'PRODUCT_OUT_OF_STOCK');
    await ended(500, 'PRODUCT_OUT_OF_STOCK', { from: 'other', ...yesterday });
    expect(await reasons()).toEqual([
      'All products: 11 of 20 orders failed with PRODUCT_OUT_OF_STOCK in 15 minutes, compared with 10 of 1000 on the day before. ' +
        'VOUCHER product 1: 11 of 20 orders failed with PRODUCT_OUT_OF_STOCK in 15 minutes, compared with 10 of 1000 on the day before',
    ]);
    await ended(10_000, '', { minutesAgo: 2 });
    expect(await reasons()).toEqual([]);
  });

  test('When one product of many fails, then it is listed alone', async () => {
    await ended(20, 'UNKNOWN', { product: 2 });
    await ended(1_000, '', { product: 3 });
    expect(await reasons()).toEqual([
      'VOUCHER product 2: 20 of 20 orders failed with UNKNOWN in 15 minutes; there were no orders on the day before',
    ]);
  });

  test('When many products with few orders fail, then their supplier is listed', async () => {
    for (let product = 1; product <= 20; product++) await ended(1, 'UNKNOWN', { product, minutesAgo: 60 });
    expect(await reasons()).toEqual([
      'All products: 20 of 20 orders failed with UNKNOWN in 120 minutes; there were no orders on the day before',
    ]);
  });

  test('When a supplier reports that our limit is reached, then the first failed order lists it', async () => {
    await ended(50, '');
    await ended(1, 'CLIENT_LIMIT_EXCEEDED');
    expect(await reasons()).toEqual([
      'All products: 1 of 51 orders failed with CLIENT_LIMIT_EXCEEDED in 15 minutes; there were no orders on the day before. ' +
        'VOUCHER product 1: 1 of 51 orders failed with CLIENT_LIMIT_EXCEEDED in 15 minutes; there were no orders on the day before',
    ]);
  });

  test.each([
    ['as frequent as before', 12, 40, 60],
    ['less than 20 percentage points more frequent', 3, 0, 100],
    ['less than 3 times as frequent', 14, 25, 75],
    ['of too few orders', 19, 0, 100],
  ])('When failures are %s, then nothing is listed', async (what, failed, failedBefore, deliveredBefore) => {
    await ended(failed, 'UNKNOWN');
    if (what !== 'of too few orders') await ended(20 - failed, '');
    if (failedBefore > 0) await ended(failedBefore, 'UNKNOWN', yesterday);
    await ended(deliveredBefore, '', yesterday);
    expect(await reasons()).toEqual([]);
  });

  test('When a sandbox scenario fails on purpose, then it does not count, unlike other failures of its product', async () => {
    const body = { product_id: 1, denomination: 10, quantity: 1 };
    await storeScenarios(database, [
      { name: 'voucher_out_of_stock', path: '/api/v1/orders', body, failure_code: 'PRODUCT_OUT_OF_STOCK' },
    ]);
    await ended(30, 'PRODUCT_OUT_OF_STOCK');
    expect(await reasons()).toEqual([]);
    await ended(30, 'UNKNOWN');
    expect(await reasons()).toHaveLength(1);
  });

  test('When ended orders are counted repeatedly, then each order counts once', async () => {
    const orders = await Promise.all(
      ['VOUCHER', 'VOUCHER', 'TOPUP', 'TOPUP'].map((family) => placedOrder(database, family as Family)),
    );
    const [failed, undecided, cancelled] = orders.map(({ orderId }) => orderId);
    await settleOrder(database, failed as number, { failureCode: 'PRODUCT_OUT_OF_STOCK' });
    await settleOrder(database, cancelled as number, { cancelled: true });
    await countOrderResults(database);
    await settleOrder(database, undecided as number, { failureCode: 'UNKNOWN' });
    for (let times = 0; times < 2; times++) await countOrderResults(database);
    expect(
      await sql(database)`SELECT failure_code AS code, sum(orders)::int AS orders FROM order_results
           GROUP BY 1 ORDER BY 1`,
    ).toEqual([
      { code: 'PRODUCT_OUT_OF_STOCK', orders: 1 },
      { code: 'UNKNOWN', orders: 1 },
    ]);
  });

  test('When an order exceeds the daily cap of its client, then it does not count, because no supplier was called', async () => {
    const [asked, unasked] = [await placedOrder(database, 'TOPUP'), await placedOrder(database, 'TOPUP')];
    await sql(database)`DELETE FROM supplier_purchases WHERE order_id = ${unasked.orderId}`;
    for (const { orderId } of [asked, unasked])
      await settleOrder(database, orderId, { failureCode: 'CLIENT_LIMIT_EXCEEDED' });
    await countOrderResults(database);
    expect(
      await sql(database)`SELECT sum(orders)::int AS orders FROM order_results
         WHERE failure_code = 'CLIENT_LIMIT_EXCEEDED'`,
    ).toEqual([{ orders: 1 }]);
  });
});

describe('Stock', () => {
  function supplierWith(name: string, stock: () => StockReport[]): [string, Supplier] {
    const pages = async function* () {
      yield stock();
    };
    const traits = { ...plainTraits, lookup: 'none' } as const;
    return [name, { name, traits, purchase: notAsked, find: notAsked, stock: pages }];
  }

  const fails = (error: Error) => () => {
    throw error;
  };

  test('When one supplier fails, then the stock of the others is adopted, and the health of each supplier is recorded', async () => {
    await sql(database)`INSERT INTO categories (name) VALUES ('Any') ON CONFLICT DO NOTHING`;
    await sql(database)`WITH product AS (
         INSERT INTO voucher_products (name, category_id, country_code, currency_code, supplier, supplier_sku)
         SELECT 'Card', min(id), 'USA', 'USD', 'good', 'CARD' FROM categories RETURNING id)
       INSERT INTO product_sources (family, item_id, supplier, sku) SELECT 'VOUCHER', id, 'good', 'CARD' FROM product`;
    const suppliers = new Map([
      supplierWith('down', fails(new SupplierUnavailable(safeText`out of reach`))),
      supplierWith('blocked', fails(new SupplierAccountBlocked(safeText`no credit`))),
      supplierWith('good', () => [{ sku: 'CARD', active: true, available: 7 }]),
    ]);
    await expect(syncStock(database, suppliers)).rejects.toThrow('down: out of reach; blocked: no credit');
    expect(await sql(database)`SELECT stock FROM product_sources WHERE supplier = 'good'`).toEqual([{ stock: 7 }]);
    expect(
      await sql(database)`SELECT supplier, failing_since IS NOT NULL AS failing FROM supplier_calls
           ORDER BY supplier`,
    ).toEqual([
      { supplier: 'down', failing: true },
      { supplier: 'good', failing: false },
    ]);
    expect(await listed()).toMatchObject([{ kind: 'ACCOUNT_BLOCKED' }]);
  });

  test('When the stock of a supplier is read while its purchases fail, then the purchases still count as failing', async () => {
    await failsToSell();
    await syncStock(database, new Map([supplierWith(supplier, () => [])]));
    expect(await sql(database)`SELECT call FROM supplier_calls WHERE failing_since IS NOT NULL`).toEqual([
      { call: 'purchase' },
    ]);
  });
});

describe('One supplier of two', () => {
  const fails = () => Promise.reject(new SupplierUnavailable(safeText`out of reach`));
  /** A supplier whose calls all fail. Some throw before they return a promise. */
  const broken: Supplier = {
    name: 'broken',
    traits: plainTraits,
    purchase: fails,
    find: fails,
    stock: () => {
      throw new Error('not even a promise');
    },
    esimPlans: fails,
    statement: () => {
      throw new SupplierUnavailable(safeText`not even a page`);
    },
  };

  async function working(): Promise<Supplier & { asked: string[] }> {
    const asked: string[] = [];
    const find: Supplier['find'] = async () => {
      asked.push('find');
      return { state: 'NOT_FOUND' };
    };
    return {
      name: 'working',
      traits: plainTraits,
      purchase: fails,
      find,
      asked,
      stock: async function* () {
        asked.push('stock');
        yield [];
      },
      esimPlans: async () => {
        asked.push('plans');
        return [];
      },
    };
  }

  test('When all its calls throw, then stock, plans and late goods of the other supplier are still read', async () => {
    const other = await working();
    const suppliers = new Map<string, Supplier>([
      ['broken', broken],
      ['working', other],
    ]);
    for (const name of suppliers.keys()) {
      await rows(
        database,
        `INSERT INTO esim_products (name, country_code, currency_code, supplier, supplier_sku, hydrated_at)
         VALUES ($name, 'JPN', 'USD', $name, $name, now())`,
        { name },
      );
      const { orderId } = await placedOrder(database, 'VOUCHER');
      await sql(database)`UPDATE supplier_purchases
           SET state = 'WITHDRAWN', supplier = ${name}, attempt = 1, late_check_at = now()
          WHERE order_id = ${orderId}`;
    }
    await expect(syncStock(database, suppliers)).rejects.toThrow('broken: Error');
    await expect(syncAllVariants({ database, suppliers, limitPercent: 20 }, () => undefined)).rejects.toThrow(
      'broken:',
    );
    expect(
      await checkLateGoods({
        database,
        sealer,
        suppliers,
        sentPurchases: new SentPurchases(),
        priceChangeLimitPercent: 20,
      }),
    ).toBe(1);
    expect(other.asked).toEqual(['stock', 'plans', 'find']);
  });
});
