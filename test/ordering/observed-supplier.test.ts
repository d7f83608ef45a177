/** The wrapper that limits the concurrent calls to each supplier and records their results. */
import { sql } from '../../dev/testbed/sql';
import { CircuitBreaker } from '../../src/ordering/purchasing/circuit-breaker';
import { observedSuppliers } from '../../src/ordering/purchasing/limited-and-observed-calls';
import { Sealer } from '../../src/security/sealing';
import type { PurchaseReport, PurchaseRequest, Supplier } from '../../src/domain/suppliers/port';
import { SupplierAccountBlocked, SupplierUnavailable } from '../../src/domain/suppliers/supplier-errors';
import { safeText } from '../../src/domain/safe-text';
import { newKeyRing } from '../support/keys';
import { scratchDatabase } from '../../dev/testbed/scratch-database';
import { until } from '../../dev/testbed/waiting';
import { plainTraits } from '../support/plain-supplier';

const report: PurchaseReport = { state: 'DELIVERED', supplierOrderId: 'P1', goods: [] };
const request: PurchaseRequest = {
  reference: 'order-1-nonce-0001',
  family: 'VOUCHER',
  sku: 'SKU',
  units: 1,
  unitValue: '10',
  currency: 'USD',
};
const always = () => true;

const { database } = scratchDatabase();
const circuits = new CircuitBreaker(database);
const sealer = new Sealer(newKeyRing());

function requireSupplier(name: string, purchase: Supplier['purchase']): Supplier {
  const find = async () => ({ state: 'NOT_FOUND' }) as const;
  return { name, traits: plainTraits, purchase, find, stock: noStock };
}

async function* noStock(): AsyncGenerator<never[]> {
  yield [];
}

/** The reported calls. */
const observedCalls: object[] = [];

/** Returns the observed suppliers by name. */
function observed(...suppliers: Supplier[]): (name: string) => Supplier {
  const byName = new Map(suppliers.map((supplier) => [supplier.name, supplier]));
  const all = observedSuppliers(byName, {
    database,
    sealer,
    circuits,
    observe: (labels) => observedCalls.push(labels),
  });
  return (name) => all.get(name) as Supplier;
}

async function health(supplier: string) {
  return sql.first(database)<{ failing: boolean; blocked: boolean; answered: boolean }>`
    SELECT failing_since IS NOT NULL AS failing,
            EXISTS (SELECT FROM supplier_health
                     WHERE supplier = call.supplier AND blocked_since IS NOT NULL) AS blocked,
            last_success_at IS NOT NULL AS answered
       FROM supplier_calls call WHERE supplier = ${supplier} AND family = 'VOUCHER' AND call = 'purchase'`;
}

test('When a supplier hangs, then only a limited number of calls wait for it, and another supplier is called immediately', async () => {
  const hanging: (() => void)[] = [];
  const slow = requireSupplier('slow', () => new Promise((resolve) => hanging.push(() => resolve(report))));
  const quick = requireSupplier('quick', async () => report);
  const named = observed(slow, quick);
  const calls = Array.from({ length: 80 }, () => named('slow').purchase(request, always));
  const outcomes = Promise.allSettled(calls);
  await until('the limit', async () => hanging.length >= 60);
  expect(await named('quick').purchase(request, always)).toEqual(report);
  // Lookups have a separate limit.
  expect(await named('slow').find(request)).toEqual({ state: 'NOT_FOUND' });
  await Promise.allSettled(calls.slice(60));
  expect(hanging).toHaveLength(60);
  hanging.forEach((answer) => answer());
  const rejected = (await outcomes).filter(({ status }) => status === 'rejected');
  expect(rejected).toHaveLength(20);
  for (const { reason } of rejected as PromiseRejectedResult[]) expect(reason).toBeInstanceOf(SupplierUnavailable);
  // The metric tells them from failures of the supplier.
  const heldBack = observedCalls.filter((call) => 'outcome' in call && call.outcome === 'CallHeldBack');
  expect(heldBack).toHaveLength(20);
});

test('When a supplier answers, fails or refuses our account, then its health is recorded', async () => {
  let outcome: () => Promise<PurchaseReport> = async () => report;
  const named = observed(requireSupplier('moody', () => outcome()));
  const buy = () => named('moody').purchase(request, always);
  const recorded = (wanted: object) =>
    until('the record', async () => {
      await circuits.share();
      const row = await health('moody');
      return JSON.stringify(row) === JSON.stringify(wanted);
    });
  await buy();
  await recorded({ failing: false, blocked: false, answered: true });
  outcome = () => Promise.reject(new SupplierUnavailable(safeText`503`));
  await expect(buy()).rejects.toThrow('503');
  await recorded({ failing: true, blocked: false, answered: true });
  outcome = async () => report;
  await buy();
  await recorded({ failing: false, blocked: false, answered: true });
  outcome = () => Promise.reject(new SupplierUnavailable(safeText`504`));
  await expect(buy()).rejects.toThrow('504');
  await named('moody').find(request);
  await recorded({ failing: true, blocked: false, answered: true });
  outcome = () => Promise.reject(new SupplierAccountBlocked(safeText`402`));
  await expect(buy()).rejects.toThrow('402');
  await recorded({ failing: false, blocked: true, answered: true });
  expect(observedCalls.filter((observed) => 'call' in observed && observed.call === 'purchase').slice(-5)).toEqual(
    ['answered', 'SupplierUnavailable', 'answered', 'SupplierUnavailable', 'SupplierAccountBlocked'].map((outcome) => ({
      supplier: 'moody',
      family: 'VOUCHER',
      call: 'purchase',
      outcome,
    })),
  );
});
