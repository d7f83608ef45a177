/** The chart of a balance: exact amounts and round scales. */
import { decimalOf, levelsOf, minorUnitsOf, timeTicksOf } from '../../packages/console/src/chart';
import { money } from '../../packages/parts/src/format';

test('When amounts are added up that binary floats cannot hold, then the chart shows the exact sum', () => {
  const sum = minorUnitsOf('16172.83', 2) + minorUnitsOf('0.10', 2) + minorUnitsOf('0.2', 2);
  expect(decimalOf(sum, 2)).toBe('16173.13');
  expect(money(decimalOf(sum, 2), 'USD')).toBe('16,173.13 USD');
});

test('When a balance is larger than a binary float can hold, then every digit is shown', () => {
  const units = minorUnitsOf('12345678901234567890.1234', 4);
  expect(money(decimalOf(units, 4), 'CLF')).toBe('12,345,678,901,234,567,890.1234 CLF');
});

test.each([
  ['0.05', 2, 5n],
  ['-0.05', 2, -5n],
  ['7', 3, 7_000n],
  ['1500', 0, 1_500n],
])('When the decimal is %s with %i decimals, then it is %s minor units, and back', (text, decimals, units) => {
  expect(minorUnitsOf(text, decimals)).toBe(units);
  expect(Number(decimalOf(units, decimals))).toBe(Number(text));
});

test.each([
  [0n, 0n, [0n, 1n]],
  [98_312n, 161_728n, [80_000n, 100_000n, 120_000n, 140_000n, 160_000n, 180_000n]],
  [100n, 103n, [100n, 101n, 102n, 103n]],
  [-7n, 12n, [-10n, -5n, 0n, 5n, 10n, 15n]],
])('When balances range from %s to %s, then the levels are round and cover them', (lowest, highest, levels) => {
  expect(levelsOf(lowest, highest)).toEqual(levels);
});

test('When the period is a week or a day, then its ticks are starts of days or whole hours', () => {
  const to = new Date(2026, 10, 26, 5, 41).getTime();
  const day = 86_400_000;
  const week = timeTicksOf(to - 7 * day, to).map((at) => new Date(at));
  expect(week.map((at) => at.getDate())).toEqual([20, 21, 22, 23, 24, 25, 26]);
  expect(week.every((at) => at.getHours() === 0 && at.getMinutes() === 0)).toBe(true);
  const hours = timeTicksOf(to - day, to).map((at) => new Date(at).getHours());
  expect(hours).toEqual([6, 12, 18, 0]);
});
