/** The plan of a fault run depends on the seed alone and keeps the traits that supplier adapters declare. */
import { claimDecisions } from '../../dev/faults/plan/after-sale';
import { scenariosWithout } from '../../dev/faults/plan/extra-sources';
import { tricks } from '../../dev/faults/plan/disturbance';
import { makePlan } from '../../dev/faults/plan/plan';
import { supplierScenarios } from '../../dev/faults/plan/supplier-orders';
import { supplierNames } from '../../dev/faults/plan/suppliers';
import { Random } from '../../dev/faults/random';
import { FAKES } from '../../dev/stack/fakes';

const options = {
  seconds: 3_600,
  dedup: undefined,
  rate: 2,
  suppliers: false,
  sources: false,
  down: undefined,
  busy: false,
};

test('When the same seed is given, then the plan is the same', () => {
  expect(makePlan(7, options)).toEqual(makePlan(7, options));
});

test('When another seed is given, then the plan differs', () => {
  expect(makePlan(8, options).disturbances).not.toEqual(makePlan(7, options).disturbances);
});

test('When an hour is planned, then orders of every family come at the requested rate', () => {
  const { orders } = makePlan(7, options);
  expect(orders.length).toBeGreaterThan(6_500);
  expect(orders.length).toBeLessThan(7_900);
  expect(new Set(orders.map(({ family }) => family))).toEqual(new Set(['VOUCHER', 'TOPUP', 'ESIM']));
  expect(new Set(orders.map(({ reference }) => reference)).size).toBe(orders.length);
});

test('When a run is short, then no server is cut off and no process stands still for more than a third of it', () => {
  const outages = Array.from({ length: 300 }, (_, seed) => makePlan(seed, { ...options, seconds: 30 }))
    .flatMap(({ disturbances }) => disturbances)
    .flatMap((one) => (one.kind === 'cut' || one.kind === 'freeze' ? one.ms : []));
  expect(outages.length).toBeGreaterThan(100);
  expect(Math.max(...outages)).toBeLessThanOrEqual(10_000);
});

test('When a run takes every core, then nothing else is disturbed', () => {
  const { orders, disturbances } = makePlan(7, { ...options, busy: true });
  expect(disturbances).toEqual([{ at: 0, kind: 'busy-cores', ms: 3_600_000 }]);
  expect(orders).toEqual(makePlan(7, options).orders);
});

test('When an hour is planned, then the plan contains every kind of disturbance', () => {
  const kinds = makePlan(7, options).disturbances.map(({ kind }) => kind);
  expect(new Set(kinds)).toEqual(
    new Set([
      'kill',
      'freeze',
      'cut',
      'slow',
      'network',
      'supplier',
      'outage',
      'account',
      'receiver',
      'operator',
      'clock',
      'signals',
      'expensive-client',
      'ended-access',
      'changed-answers',
      'fraud',
      'busy-cores',
      'claim',
      'recharge',
      'money',
      'erase',
    ]),
  );
});

test('When the supplier does not deduplicate, then no fault hides a purchase for as long as it may run', () => {
  const { disturbances } = makePlan(7, { ...options, dedup: false });
  for (const each of disturbances) {
    if (each.kind === 'supplier') {
      expect(each.modes.known_after_ms ?? 0).toBeLessThanOrEqual(4_000);
      expect(each.modes.forgotten_after_ms).toBeUndefined();
    }
    if (each.kind === 'freeze' && each.process === 'simulator') expect(each.ms).toBeLessThanOrEqual(4_000);
    if (each.kind !== 'network') continue;
    const { fault, on } = each;
    expect(fault.name).not.toBe('repeat-request');
    if (fault.name === 'delay-request' || fault.name === 'late-request') expect(fault.ms).toBeLessThanOrEqual(4_000);
    if (fault.name === 'forge-answer' && on === 'purchase') expect(fault.page).not.toBe('supplier');
    if ('age' in fault && on === 'lookup') expect(fault.age).toBeLessThanOrEqual(4_000);
  }
});

test('When short runs are planned, then claims are decided in every way, alone and at the same moment', () => {
  const decided = Array.from({ length: 20 }, (_, seed) => makePlan(seed, { ...options, seconds: 30 }))
    .flatMap(({ disturbances }) => disturbances)
    .flatMap((one) => (one.kind === 'operator' && one.act === 'decide-claim' ? [one.choice] : []))
    .map((choice) => claimDecisions(choice).join(' and '));
  expect(decided.length).toBeGreaterThan(40);
  expect(new Set(decided)).toEqual(
    new Set([
      'send',
      'reject',
      'refund and reject',
      'replace and reject',
      'refund and replace',
      'refund and refund',
      'replace and replace',
    ]),
  );
});

test('When a seed draws numbers, then they spread over the whole range', () => {
  const random = new Random(1);
  const drawn = Array.from({ length: 10_000 }, () => random.whole(1, 10));
  const counts = Array.from({ length: 10 }, (_, index) => drawn.filter((each) => each === index + 1).length);
  expect(Math.min(...counts)).toBeGreaterThan(800);
  expect(Math.max(...counts)).toBeLessThan(1_200);
});

describe('With suppliers', () => {
  const withSuppliers = { ...options, suppliers: true };

  test('When an hour is planned, then every fake gets orders of each of its families', () => {
    const { orders } = makePlan(7, withSuppliers);
    const scenarios = new Set(orders.map(({ scenario }) => scenario));
    for (const { name } of supplierScenarios) expect(scenarios).toContain(name);
    expect(new Set(orders.map(({ reference }) => reference)).size).toBe(orders.length);
  });

  test('When an hour is planned, then clients and operators act after the sale', () => {
    const { disturbances } = makePlan(7, withSuppliers);
    const kinds = disturbances.map((each) => (each.kind === 'operator' ? each.act : each.kind));
    for (const kind of ['claim', 'erase', 'decide-claim', 'refund', 'approve']) expect(kinds).toContain(kind);
  });

  test('When half a minute is planned, then a dishonest operator tries every trick', () => {
    const { disturbances } = makePlan(7, { ...options, seconds: 30 });
    expect(new Set(disturbances.flatMap((each) => (each.kind === 'fraud' ? each.trick : [])))).toEqual(new Set(tricks));
  });

  test('When the run goes on, then one supplier is down at any time, each in turn', () => {
    const outages = makePlan(7, withSuppliers).disturbances.filter((each) => each.kind === 'down');
    expect(new Set(outages.map(({ supplier }) => supplier))).toEqual(new Set(supplierNames));
    let end = 0;
    for (const { at, ms } of outages) {
      expect(at).toBe(end);
      end += ms;
    }
    expect(end).toBeGreaterThanOrEqual(withSuppliers.seconds * 1_000);
  });

  test('When faults meet a fake, then together they hide no purchase for as long as its adapter assumes', () => {
    const longest = { request: 0, lookup: 0, work: 0, freeze: 0 };
    const raise = (part: keyof typeof longest, ms: number) => (longest[part] = Math.max(longest[part], ms));
    for (const each of makePlan(7, withSuppliers).disturbances) {
      if (each.kind === 'freeze' && each.process in FAKES) raise('freeze', each.ms);
      if (each.kind === 'fake') {
        raise('lookup', each.modes.lookup_after_ms ?? 0);
        raise('work', each.modes.takes_ms ?? 0);
        expect(each.modes.repeats).toBeUndefined();
      }
      if (each.kind !== 'network' || each.supplier === 'simulator') continue;
      const { fault, on } = each;
      expect(fault.name).not.toBe('repeat-request');
      if (fault.name === 'delay-request' || fault.name === 'late-request') raise('request', fault.ms);
      if ('age' in fault && on === 'lookup') raise('lookup', fault.age);
    }
    const total = Object.values(longest).reduce((sum, ms) => sum + ms, 0);
    expect(Math.min(...Object.values(longest))).toBeGreaterThan(0);
    expect(total).toBeLessThan(180_000);
  });

  test('When one fake is down all the time, then nothing else is disturbed', () => {
    const { orders, disturbances } = makePlan(7, { ...withSuppliers, down: 'zendit' });
    expect(disturbances).toMatchObject([{ kind: 'down', supplier: 'zendit', at: 0 }]);
    expect(orders.map(({ supplier }) => supplier)).not.toContain('simulator');
  });

  test('When one fake is down, then only its own orders lack a source, but for those with further sources', () => {
    const [alone, shared] = [scenariosWithout('zendit', false), scenariosWithout('zendit', true)];
    const own = ['zendit_voucher', 'zendit_topup', 'zendit_esim'];
    expect(own.filter((name) => alone.has(name))).toEqual([]);
    expect(alone.size).toBe(supplierScenarios.length - own.length);
    expect(shared.size).toBe(supplierScenarios.length);
    expect(scenariosWithout('airalo', true).has('airalo_esim')).toBe(false);
    expect(scenariosWithout('reloadly', true).has('reloadly_bill')).toBe(false);
  });
});
