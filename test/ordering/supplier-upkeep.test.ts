/** What operators are told of suppliers, and stock taken over from each of them whatever the others do. */
import { rows } from '../../src/data/database';
import {
  recordSupplierFailure,
  recordSupplierSuccess,
  reviewSupplierHealth,
} from '../../src/data/supplier-health';
import { syncStock } from '../../src/catalogue/stock-sync';
import { syncAllVariants } from '../../src/catalogue/variant-sync';
import { checkLateGoods } from '../../src/ordering/late-goods';
import { Sealer } from '../../src/security/sealing';
import {
  SupplierAccountBlocked,
  SupplierUnavailable,
  type StockReport,
  type Supplier,
} from '../../src/suppliers/port';
import { ownWords } from '../../src/domain/own-words';
import { placedOrder } from '../support/placed-order';
import { scratchDatabase } from '../support/scratch-database';
import { newKeyRing } from '../support/keys';

const sealer = new Sealer(newKeyRing());

const { database } = scratchDatabase();
beforeEach(() => rows(database, 'TRUNCATE supplier_health, attention'));

const listed = () =>
  rows<{ kind: string; reason: string }>(
    database,
    'SELECT kind, supplier, reason FROM attention WHERE cleared_at IS NULL ORDER BY kind, supplier',
  );
const failingSince = (minutes: number) =>
  rows(database, `UPDATE supplier_health SET failing_since = now() - make_interval(mins => $minutes)`, {
    minutes,
  });
const blockedAgo = (minutes: number) =>
  rows(database, `UPDATE supplier_health SET blocked_at = now() - make_interval(mins => $minutes)`, {
    minutes,
  });
/** As the supplier of placed orders is called. */
const supplier = 'simulator';

describe('A supplier that is down', () => {
  test('When it has not answered for 10 minutes, then operators see since when and how many orders wait', async () => {
    await placedOrder(database, 'VOUCHER');
    await placedOrder(database, 'ESIM');
    await recordSupplierFailure(database, supplier, 'TIMEOUT', false);
    await failingSince(9);
    await reviewSupplierHealth(database);
    expect(await listed()).toEqual([]);
    await failingSince(11);
    await reviewSupplierHealth(database);
    expect(await listed()).toEqual([
      {
        kind: 'SUPPLIER_DOWN',
        supplier,
        reason: expect.stringMatching(/^It has not answered since .*; 2 orders wait for it$/),
      },
    ]);
    await recordSupplierSuccess(database, supplier);
    await reviewSupplierHealth(database);
    expect(await listed()).toEqual([]);
  });
});

describe('A blocked account', () => {
  test('When nothing was refused for 2 minutes and calls pass, then it is free', async () => {
    await recordSupplierFailure(database, supplier, 'no credit', true);
    await recordSupplierSuccess(database, supplier);
    await reviewSupplierHealth(database);
    expect(await listed()).toMatchObject([
      { kind: 'ACCOUNT_BLOCKED', reason: 'It refuses our account: no credit' },
    ]);
    await blockedAgo(3);
    await reviewSupplierHealth(database);
    expect(await listed()).toEqual([]);
  });

  test('When it is refused and then silent, then it is told why it is refused, until calls pass', async () => {
    await recordSupplierFailure(database, supplier, 'no credit', true);
    await recordSupplierFailure(database, supplier, 'TIMEOUT', false);
    await blockedAgo(60);
    await reviewSupplierHealth(database);
    expect(await listed()).toMatchObject([
      { kind: 'ACCOUNT_BLOCKED', reason: 'It refuses our account: no credit' },
    ]);
  });
});

describe('Stock', () => {
  function supplierWith(name: string, stock: () => StockReport[]): [string, Supplier] {
    const notAsked = () => Promise.reject(new Error('not asked for'));
    const pages = async function* () {
      yield stock();
    };
    const traits = {
      repeatedReference: 'returns-first',
      lookup: 'none',
      lookupConclusiveAfterMs: 0,
      maxUnits: 1,
      concurrency: 'unlimited' as const,
    } as const;
    return [name, { name, traits, purchase: notAsked, find: notAsked, stock: pages }];
  }

  const fails = (error: Error) => () => {
    throw error;
  };

  test('When one supplier fails, then the stock of the others is taken over, and it is known how each answers', async () => {
    await rows(database, `INSERT INTO categories (name) VALUES ('Any') ON CONFLICT DO NOTHING`);
    await rows(
      database,
      `INSERT INTO voucher_products (name, category_id, country_code, currency_code, supplier, supplier_sku)
       SELECT 'Card', min(id), 'USA', 'USD', 'good', 'CARD' FROM categories`,
    );
    const suppliers = new Map([
      supplierWith('down', fails(new SupplierUnavailable(ownWords`out of reach`))),
      supplierWith('blocked', fails(new SupplierAccountBlocked(ownWords`no credit`))),
      supplierWith('good', () => [{ sku: 'CARD', active: true, available: 7 }]),
    ]);
    await expect(syncStock(database, suppliers)).rejects.toThrow('down: out of reach; blocked: no credit');
    expect(await rows(database, `SELECT stock FROM voucher_products WHERE supplier = 'good'`)).toEqual([
      { stock: 7 },
    ]);
    expect(
      await rows(
        database,
        `SELECT supplier, failing_since IS NOT NULL AS failing, blocked_since IS NOT NULL AS blocked
           FROM supplier_health ORDER BY supplier`,
      ),
    ).toEqual([
      { supplier: 'blocked', failing: false, blocked: true },
      { supplier: 'down', failing: true, blocked: false },
      { supplier: 'good', failing: false, blocked: false },
    ]);
    expect(await listed()).toMatchObject([{ kind: 'ACCOUNT_BLOCKED' }]);
  });

  test('When its stock is known but orders wait, then it does not count as answering', async () => {
    await placedOrder(database, 'VOUCHER');
    await recordSupplierFailure(database, supplier, 'TIMEOUT', false);
    await syncStock(database, new Map([supplierWith(supplier, () => [])]));
    expect(await rows(database, 'SELECT FROM supplier_health WHERE failing_since IS NOT NULL')).toHaveLength(
      1,
    );
  });
});

describe('One supplier of two', () => {
  const fails = () => Promise.reject(new SupplierUnavailable(ownWords`out of reach`));
  const traits = { repeatedReference: 'returns-first', lookup: 'by-reference' } as const;
  const limits = { lookupConclusiveAfterMs: 0, maxUnits: 1, concurrency: 'unlimited' as const };
  /** Throws from everything, some of it before there is a promise. */
  const broken: Supplier = {
    name: 'broken',
    traits: { ...traits, ...limits },
    purchase: fails,
    find: fails,
    stock: () => {
      throw new Error('not even a promise');
    },
    esimPlans: fails,
    statement: () => {
      throw new SupplierUnavailable(ownWords`not even a page`);
    },
  };

  async function working(): Promise<Supplier & { asked: string[] }> {
    const asked: string[] = [];
    const find: Supplier['find'] = async () => {
      asked.push('find');
      return { state: 'NOT_FOUND' };
    };
    return {
      ...{ name: 'working', traits: { ...traits, ...limits }, purchase: fails, find, asked },
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

  test('When it throws whatever it is asked, then stock, plans and late goods of the other are looked at all the same', async () => {
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
      await rows(database, 'UPDATE orders SET supplier = $name WHERE id = $orderId', { orderId, name });
      await rows(
        database,
        `UPDATE supplier_purchases SET state = 'WITHDRAWN', attempt = 1, late_check_at = now() WHERE order_id = $orderId`,
        { orderId },
      );
    }
    await expect(syncStock(database, suppliers)).rejects.toThrow('broken: Error');
    await expect(syncAllVariants({ database, suppliers }, () => undefined)).rejects.toThrow('broken:');
    expect(await checkLateGoods({ database, sealer, suppliers })).toBe(1);
    expect(other.asked).toEqual(['stock', 'plans', 'find']);
  });
});
