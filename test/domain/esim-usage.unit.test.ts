import { usageOf, usedPercent } from '../../src/domain/esims/esim-usage';

const endsAt = new Date('2026-03-02T08:05:00Z');

test.each([
  [
    { totalMb: 5_000, leftMb: 3_749.5 },
    { totalMb: 5_000, usedMb: 1_250.5, leftMb: 3_749.5 },
  ],
  [
    { totalMb: 5_000, leftMb: 6_000 },
    { totalMb: 5_000, usedMb: 0, leftMb: 5_000 },
  ],
  [
    { totalMb: 5_000, leftMb: -3 },
    { totalMb: 5_000, usedMb: 5_000, leftMb: 0 },
  ],
  [
    { totalMb: 0.1 + 0.2, leftMb: 0.0004 },
    { totalMb: 0.3, usedMb: 0.3, leftMb: 0 },
  ],
  [{ leftMb: 20 }, { totalMb: null, usedMb: null, leftMb: 20 }],
  [
    { totalMb: 20, leftMb: NaN },
    { totalMb: 20, usedMb: null, leftMb: null },
  ],
  [
    { totalMb: -1, leftMb: -1 },
    { totalMb: null, usedMb: null, leftMb: null },
  ],
  [{ leftMb: -1 }, { totalMb: null, usedMb: null, leftMb: null }],
  [{ totalMb: 1e15 }, { totalMb: null, usedMb: null, leftMb: null }],
])('When a supplier reports %j, then the usage is %j', (reported, usage) => {
  expect(usageOf({ ...reported, endsAt })).toEqual({ ...usage, endsAt });
});

test.each([[null], [undefined], [new Date(NaN)], [new Date(8.64e15)], [new Date(-1)]])(
  'When a supplier reports %s as the end, then it is unknown',
  (end) => expect(usageOf({ endsAt: end as Date | null }).endsAt).toBeNull(),
);

test.each([
  [{ totalMb: 3_000, leftMb: 600.003 }, '3', 79],
  [{ totalMb: 3_000, leftMb: 600 }, '3', 80],
  [{ totalMb: 3_000, leftMb: 0 }, '3', 100],
  [{ leftMb: 500 }, '1', 50],
  [{ leftMb: 1_500 }, '1', 0],
  [{ leftMb: 500 }, '0', 0],
  [{ totalMb: 3_000 }, '3', 0],
  [{ totalMb: -1, leftMb: -1 }, '3', 0],
])('When a supplier reports %j of %s GB, then %i percent are used', (reported, planGb, percent) => {
  expect(usedPercent(usageOf(reported), planGb)).toBe(percent);
});
