/** Supplier circuits. The calls of all processes open them, real orders test them, and answers close them. */
import { sql } from '../../dev/testbed/sql';
import { reviewCircuits } from '../../src/data/suppliers/supplier-circuits';
import { recordCall, recordCalls } from '../../src/data/suppliers/supplier-calls';
import { recordSupplierBlocked, reviewSupplierHealth } from '../../src/data/suppliers/supplier-health';
import { claimNextPurchase, type ClaimedPurchase } from '../../src/data/purchases/purchases';
import type { Family } from '../../src/domain/orders/families';
import { safeText } from '../../src/domain/safe-text';
import { CircuitBreaker } from '../../src/ordering/purchasing/circuit-breaker';
import { observedSuppliers } from '../../src/ordering/purchasing/limited-and-observed-calls';
import { handleReport } from '../../src/ordering/purchasing/purchase-reports';
import { SentPurchases } from '../../src/ordering/purchasing/conclusive-lookups';
import { Sealer } from '../../src/security/sealing';
import type { NotBought, PurchaseReport, Supplier } from '../../src/domain/suppliers/port';
import {
  CallHeldBack,
  SupplierAccountBlocked,
  SupplierOutcomeUnknown,
  SupplierUnavailable,
} from '../../src/domain/suppliers/supplier-errors';
import { newKeyRing } from '../support/keys';
import { placedOrder } from '../support/placed-order';
import { scratchDatabase } from '../../dev/testbed/scratch-database';
import { until } from '../../dev/testbed/waiting';
import { plainTraits } from '../support/plain-supplier';

const { database } = scratchDatabase();
const sealer = new Sealer(newKeyRing());
beforeEach(() => sql(database)`TRUNCATE supplier_circuits, supplier_health, supplier_calls, attention CASCADE`);

const delivered: PurchaseReport = { state: 'DELIVERED', supplierOrderId: 'P1', goods: [] };
const refused = { failureCode: 'UNKNOWN' as const, detail: safeText`refused`, goods: [] };
const nothingBought = (because: NotBought['because']): NotBought => ({ state: 'NOT_BOUGHT', because, ...refused });
const down = new SupplierUnavailable(safeText`503`);
const unknown = new SupplierOutcomeUnknown(safeText`timeout`);
const noCredit = new SupplierAccountBlocked(safeText`no credit`);

/** A worker process that calls the supplier "moody". */
function newProcess() {
  let next: PurchaseReport | Error = delivered;
  const purchase = async () => {
    if (next instanceof Error) throw next;
    return next;
  };
  const moody: Supplier = { name: 'moody', traits: plainTraits, purchase, find: purchase };
  const circuits = new CircuitBreaker(database);
  const observe = () => undefined;
  const all = observedSuppliers(new Map([['moody', moody]]), { database, sealer, circuits, observe });
  const supplier = all.get('moody') as Supplier;
  const reference = 'order-1-nonce-0001';
  const unit = { reference, sku: 'SKU', units: 1, unitValue: '10', currency: 'USD' };
  const repeated = async (times: number, outcome: PurchaseReport | Error, call: () => Promise<unknown>) => {
    next = outcome;
    for (let time = 0; time < times; time++) await call().catch(() => undefined);
  };
  return {
    buys: (times: number, outcome: PurchaseReport | Error, family: Family = 'VOUCHER') =>
      repeated(times, outcome, () => supplier.purchase({ ...unit, family }, () => true)),
    finds: (times: number, outcome: PurchaseReport | Error, family: Family = 'VOUCHER') =>
      repeated(times, outcome, () => supplier.find({ ...unit, family })),
    shares: () => circuits.share(),
  };
}

interface Circuit {
  family: string;
  reason: string;
  /** Seconds until an order may test the circuit. */
  testIn: number;
}

const circuits = () =>
  sql(database)<Circuit>`SELECT family, reason, round(extract(epoch
       FROM probe_at - now()))::integer AS "testIn"
       FROM supplier_circuits WHERE supplier = 'moody' ORDER BY family`;
const isTestDue = () => sql(database)`UPDATE supplier_circuits SET probe_at = now() - interval '1 second'`;
const failingCalls = () => sql(database)`SELECT call FROM supplier_calls WHERE supplier = 'moody' ORDER BY call`;
const opens = () => until('the circuit', async () => (await circuits())[0]);
const closes = () => until('no circuit', async () => (await circuits()).length === 0);
const aboutHalfAMinute = expect.closeTo(30, -1) as number;

/** A process that has seen the open circuit. */
async function processWithOpenCircuit() {
  const worker = newProcess();
  await worker.buys(10, down);
  await opens();
  await worker.shares();
  return worker;
}

describe('A circuit opens', () => {
  test('When half of ten purchases and lookups in two processes fail or have an unknown outcome, then the circuit opens immediately', async () => {
    const [one, other] = [newProcess(), newProcess()];
    await one.buys(2, delivered);
    await one.finds(1, delivered);
    await one.finds(2, down);
    await one.shares();
    await other.buys(2, delivered);
    await other.buys(2, unknown);
    await other.shares();
    expect(await circuits()).toEqual([]);
    await other.finds(1, unknown);
    expect(await opens()).toEqual({
      family: 'VOUCHER',
      reason: '5 of 10 calls failed within a minute',
      testIn: aboutHalfAMinute,
    });
  });

  test.each([
    ['only nine calls were made', 0, 9],
    ['less than half of them fail', 6, 5],
    ['another process has answers for the same family', 11, 10],
  ])('When %s, then the circuit stays closed', async (_, answered, failed) => {
    const [one, other] = [newProcess(), newProcess()];
    await other.buys(answered, delivered);
    await other.shares();
    await one.buys(failed, down);
    await one.shares();
    expect(await circuits()).toEqual([]);
  });

  test('When calls failed more than a minute ago, then they do not count', async () => {
    const worker = newProcess();
    await worker.buys(9, down);
    await worker.shares();
    await sql(database)`UPDATE supplier_calls SET counted_from = counted_from - interval '61 seconds'`;
    await worker.buys(1, down);
    await worker.shares();
    expect(await circuits()).toEqual([]);
  });

  test('When calls wait too long under our own limit, then the circuit stays closed, and the calls do not count as failing calls', async () => {
    const worker = newProcess();
    await worker.buys(20, new CallHeldBack(safeText`too many calls wait`, 1));
    await worker.finds(20, new CallHeldBack(safeText`too many calls wait`, 1));
    await worker.buys(1, down);
    await until('the failing call', async () => (await failingCalls()).length > 0);
    await worker.shares();
    expect(await circuits()).toEqual([]);
    expect(await failingCalls()).toEqual([{ call: 'purchase' }]);
  });

  test('When calls failed throughout the minute, then they count together, and only those of the last minute', async () => {
    const failed = (calls: number) =>
      recordCalls(database, [
        {
          supplier: 'moody',
          family: 'VOUCHER',
          call: 'purchase',
          calls,
          failed: calls,
          lastSuccessAt: null,
          lastError: '503',
        },
      ]);
    const countedAgo = (seconds: number) =>
      sql(database)`UPDATE supplier_calls SET counted_from = now() - make_interval(secs => ${seconds})`;
    await failed(3);
    await countedAgo(35);
    await failed(3);
    await countedAgo(25);
    await failed(3);
    await countedAgo(15);
    await failed(1);
    expect(await circuits()).toEqual([]);
    await failed(3);
    expect(await circuits()).toMatchObject([{ reason: '10 of 10 calls failed within a minute' }]);
  });

  test('When the purchases of one family fail, then the circuit opens only for that family', async () => {
    const worker = newProcess();
    await worker.buys(20, delivered, 'TOPUP');
    await worker.buys(10, down, 'ESIM');
    await worker.shares();
    expect(await circuits()).toMatchObject([{ family: 'ESIM' }]);
  });

  test('When our account is refused once, then the circuit opens immediately', async () => {
    const worker = newProcess();
    await worker.buys(1, noCredit, 'TOPUP');
    expect(await opens()).toEqual({
      family: 'TOPUP',
      reason: 'It refuses our account: no credit',
      testIn: aboutHalfAMinute,
    });
  });

  test('When every call is answered, then no statement runs until one shares all counts', async () => {
    const worker = newProcess();
    await worker.buys(50, delivered);
    await worker.finds(50, delivered);
    const counted = () => sql(database)`SELECT call, calls, failed FROM supplier_calls ORDER BY call`;
    expect(await counted()).toEqual([]);
    await worker.shares();
    expect(await counted()).toEqual([
      { call: 'find', calls: [50], failed: [0] },
      { call: 'purchase', calls: [50], failed: [0] },
    ]);
  });
});

describe('While a circuit is open', () => {
  test('When a purchase tests the circuit, then no other order tests the circuit for 30 s', async () => {
    const worker = await processWithOpenCircuit();
    await isTestDue();
    await worker.buys(1, down);
    await until('the next test', async () => ((await circuits())[0]?.testIn ?? 0) > 0);
    expect(await circuits()).toMatchObject([{ testIn: aboutHalfAMinute }]);
  });

  test('When purchases without another source are sent before the test is due, then the test is not delayed', async () => {
    const worker = await processWithOpenCircuit();
    await sql(database)`UPDATE supplier_circuits SET probe_at = now() + interval '5 seconds'`;
    await worker.buys(3, down);
    await worker.shares();
    expect((await circuits())[0]?.testIn).toBeLessThanOrEqual(5);
  });

  test.each<[string, PurchaseReport]>([
    ['delivers', delivered],
    ['accepts a purchase', { state: 'PENDING', goods: [] }],
    ['rejects an order', { state: 'REJECTED', ...refused }],
    ['does not sell the product', nothingBought('not-here')],
  ])('When the supplier %s, then the circuit closes, and earlier failures do not open it again', async (_, report) => {
    const worker = await processWithOpenCircuit();
    await worker.buys(1, report);
    await closes();
    await worker.buys(1, down);
    await worker.shares();
    expect(await circuits()).toEqual([]);
  });

  test.each<[string, PurchaseReport | Error]>([
    ['cannot sell for the moment', nothingBought('temporary')],
    ['reports that our account is empty', nothingBought('our-account')],
    ['fails again', down],
  ])('When the supplier %s, then the circuit stays open', async (_, outcome) => {
    const worker = await processWithOpenCircuit();
    await worker.buys(1, outcome);
    await worker.finds(1, delivered);
    await worker.shares();
    expect(await circuits()).toHaveLength(1);
  });

  test('When another process has seen the circuit, then a response to that process closes the circuit', async () => {
    await processWithOpenCircuit();
    const other = newProcess();
    await other.shares();
    await other.buys(1, delivered);
    await closes();
  });

  test('When no order has tested the circuit for an hour, then maintenance closes it', async () => {
    await processWithOpenCircuit();
    const testDueAgo = (minutes: number) =>
      sql(database)`UPDATE supplier_circuits SET probe_at = now() - make_interval(mins => ${minutes})`;
    await testDueAgo(59);
    await reviewCircuits(database);
    expect(await circuits()).toHaveLength(1);
    await testDueAgo(61);
    await reviewCircuits(database);
    expect(await circuits()).toEqual([]);
  });
});

describe('When a clock that was six hours ahead was set back', () => {
  test('then an open circuit is tested within half a minute, and its age counts from now', async () => {
    await processWithOpenCircuit();
    await sql(database)`UPDATE supplier_circuits
         SET opened_at = opened_at + interval '6 hours', probe_at = probe_at + interval '6 hours'`;
    await reviewCircuits(database);
    expect(await circuits()).toMatchObject([{ testIn: aboutHalfAMinute }]);
    expect(await sql(database)`SELECT opened_at <= now() AS past FROM supplier_circuits`).toEqual([{ past: true }]);
  });

  test('then earlier counts of calls do not keep a circuit closed', async () => {
    const worker = newProcess();
    await worker.buys(30, delivered);
    await worker.shares();
    await sql(database)`UPDATE supplier_calls SET counted_from = counted_from + interval '6 hours'`;
    await worker.buys(10, down);
    await worker.shares();
    expect(await circuits()).toHaveLength(1);
  });
});

describe('An account that was refused after a purchase was accepted', () => {
  const purchase = { supplier: 'moody', family: 'VOUCHER', call: 'purchase' };
  const refusesLater = () => recordSupplierBlocked(database, purchase, 'no credit', true);

  test('When the supplier accepts another purchase, then the circuit stays open until a delivery', async () => {
    await refusesLater();
    const worker = newProcess();
    await worker.shares();
    await worker.buys(1, { state: 'PENDING', goods: [] });
    await worker.shares();
    expect(await circuits()).toHaveLength(1);
    await worker.buys(1, delivered);
    await closes();
  });

  test('When the report of a purchase refuses our account, then acceptance does not close the circuit', async () => {
    const order = await placedOrder(database, 'VOUCHER');
    const claimed = (await claimNextPurchase(database, order)) as ClaimedPurchase;
    const deps = { database, sealer, suppliers: new Map(), sentPurchases: new SentPurchases() };
    await handleReport({ ...deps, priceChangeLimitPercent: 20 }, claimed, nothingBought('our-account'));
    expect(await sql(database)`SELECT supplier, family, closes_on_acceptance AS closes FROM supplier_circuits`).toEqual(
      [{ supplier: claimed.supplier, family: 'VOUCHER', closes: false }],
    );
  });

  test('When the account is unblocked, then maintenance closes the circuit', async () => {
    await refusesLater();
    await reviewCircuits(database);
    expect(await circuits()).toHaveLength(1);
    await sql(database)`UPDATE supplier_health SET blocked_at = now() - interval '3 minutes'`;
    await recordCall(database, purchase);
    await reviewSupplierHealth(database);
    await reviewCircuits(database);
    expect(await circuits()).toEqual([]);
  });
});
