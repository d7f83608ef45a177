/** The plan of a run with faults: from the seed alone, and within what suppliers' adapters promise. */
import { makePlan } from '../../dev/faults/plan/plan';
import { Random } from '../../dev/faults/random';

const options = { seconds: 3_600, dedup: undefined, rate: 2 };

test('When a seed is given again, then the plan is the same', () => {
  expect(makePlan(7, options)).toEqual(makePlan(7, options));
});

test('When another seed is given, then the plan is another', () => {
  expect(makePlan(8, options).disturbances).not.toEqual(makePlan(7, options).disturbances);
});

test('When an hour is planned, then orders of every family come at the rate that was asked for', () => {
  const { orders } = makePlan(7, options);
  expect(orders.length).toBeGreaterThan(6_500);
  expect(orders.length).toBeLessThan(7_900);
  expect(new Set(orders.map(({ family }) => family))).toEqual(new Set(['VOUCHER', 'TOPUP', 'ESIM']));
  expect(new Set(orders.map(({ reference }) => reference)).size).toBe(orders.length);
});

test('When an hour is planned, then every kind of disturbance is part of it', () => {
  const kinds = makePlan(7, options).disturbances.map(({ kind }) => kind);
  expect(new Set(kinds)).toEqual(
    new Set([
      ...['kill', 'freeze', 'cut', 'slow', 'network', 'supplier', 'outage', 'account', 'receiver'],
      ...['operator', 'clock', 'signals', 'expensive-client'],
    ]),
  );
});

test('When the supplier buys again, then nothing makes look-ups lie for as long as a purchase may run', () => {
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
    if (fault.name === 'delay-request' || fault.name === 'late-request')
      expect(fault.ms).toBeLessThanOrEqual(4_000);
    if (fault.name === 'forge-answer' && on === 'purchase') expect(fault.page).not.toBe('supplier');
    if ('age' in fault && on === 'lookup') expect(fault.age).toBeLessThanOrEqual(4_000);
  }
});

test('When a seed draws numbers, then they are spread over the whole range', () => {
  const random = new Random(1);
  const drawn = Array.from({ length: 10_000 }, () => random.whole(1, 10));
  const counts = Array.from({ length: 10 }, (_, index) => drawn.filter((each) => each === index + 1).length);
  expect(Math.min(...counts)).toBeGreaterThan(800);
  expect(Math.max(...counts)).toBeLessThan(1_200);
});
