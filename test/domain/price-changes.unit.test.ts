/** How a change of a stored value is told. docs/operators/catalogue.md#prices-and-catalogue. */
import { priceChangeText } from '../../src/domain/prices/price-changes';
import { pageText } from '../../packages/office/src/parts/page-text';

test.each([
  ['a number', '4', '5', 'old value 4, new value 5, difference +1 (+25 %)', '4 → 5 (+1, +25 %)'],
  [
    'a currency',
    'USD',
    'EUR',
    'old value USD, new value EUR, difference another currency',
    'USD → EUR (another currency)',
  ],
  ['a flag', 'true', 'false', 'old value true, new value false', 'true → false'],
  ['a country', 'DEU', 'FRA', 'old value DEU, new value FRA', 'DEU → FRA'],
  ['a list', 'DEU,USD', 'DEU,EUR', 'old value DEU,USD, new value DEU,EUR', undefined],
  ['a day', '2026-11-01', '2026-12-01', 'old value 2026-11-01, new value 2026-12-01', '2026-11-01 → 2026-12-01'],
] as const)('When %s changes, then its difference is named if it has one', (what, before, after, text, shown) => {
  expect(priceChangeText({ what, before, after })).toBe(`${what}: ${text}`);
  if (shown !== undefined) expect(pageText(`${what}: ${text}`)).toBe(`${what}: ${shown}`);
});
