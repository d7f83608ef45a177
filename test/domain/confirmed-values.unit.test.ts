import { basisOf, confirmedBy } from '../../src/domain/prices/confirmed-values';
import { floorChanges, markupChanges } from '../../src/domain/prices/margin-changes';
import { isLargeChange, largeText, withComparisons } from '../../src/domain/prices/price-changes';
import { newAmountChanges } from '../../src/domain/prices/new-amounts';
import {
  amountChanges,
  defaultDiscounts,
  discountedPriceChanges,
  newDenominations,
  newVariantAmounts,
} from '../../src/domain/prices/product-price-changes';
import { sourceChanges } from '../../src/domain/prices/source-terms';

describe('The value with which a change is compared', () => {
  const known = { value: '0.9', confirmed: '1', isFirst: false, hasStood: false };
  const first = { ...known, isFirst: true };

  test.each([
    ['an operator set the present value', known, '0.9', { confirmed: '1' }],
    ['it has stood for 24 hours', { ...known, hasStood: true }, '0.9', { confirmed: '0.9', by: 'STOOD' }],
    ['its confirmed value is a first one', first, '0.9', { confirmed: '1', isFirst: true }],
    ['a first one has stood', { ...first, hasStood: true }, '0.9', { confirmed: '0.9', by: 'STOOD' }],
    ['a feed set the present value', known, '0.95', { confirmed: '0.95', by: 'FEED' }],
    ['no operator changed the value before', undefined, '0.95', { confirmed: '0.95', by: 'FEED' }],
    ['the value is removed', { ...known, value: null, hasStood: true }, null, { confirmed: '1' }],
    ['there was never a value', undefined, null, { confirmed: null }],
  ])('When %s, then the basis follows', (_, row, present, basis) => {
    expect(basisOf(row, present)).toEqual(basis);
  });

  test('When a value changes, then only a large, permitted one and a first one are confirmed at once', () => {
    const basis = { confirmed: '1' };
    expect(confirmedBy(basis, '0.9', undefined)).toBe(basis);
    expect(confirmedBy(basis, '0.1', 'APPROVED')).toEqual({ confirmed: '0.1', by: 'APPROVED' });
    expect(confirmedBy(basis, null, 'FORCED')).toBe(basis);
    expect(confirmedBy({ confirmed: null }, '0.9', undefined)).toEqual({ confirmed: '0.9', by: 'FIRST' });
  });
});

describe('Large changes', () => {
  test('When a value is removed, or a first one has nothing to compare it with, then it is large', () => {
    const what = 'Rate';
    expect(isLargeChange({ what, before: '1', after: null }, 20)).toBe(true);
    expect(isLargeChange({ what, before: null, after: '1' }, 20)).toBe(true);
    expect(isLargeChange({ what, before: null, after: null }, 20)).toBe(false);
    expect(isLargeChange({ what, before: '1', after: '1.2' }, 20)).toBe(false);
    expect(largeText([{ what, before: '1', after: null }], 20)).toBe(
      'Rate: old value 1, new value none. A removal is always large',
    );
  });

  test('When a first value is compared with others, then these decide', () => {
    const own = { what: 'Rate', before: null, after: '1' };
    const other = { what: 'Rate, compared', before: '1.1', after: '1' };
    expect(withComparisons(own, [other])).toEqual([{ ...other, isFirst: true }]);
    expect(withComparisons(own, [])).toEqual([own]);
    expect(withComparisons({ ...own, before: '2' }, [other])).toHaveLength(2);
  });
});

describe('Prices of products', () => {
  const list = (...denominations: [string, string, string][]) =>
    JSON.stringify({
      currency: 'USD',
      denominations: denominations.map(([min, max, discount]) => ({ min, max, discount })),
    });
  const changes = (before: string | null, after: string) =>
    discountedPriceChanges(before, after).map(({ what, before: from, after: to }) => [
      what.split(' ').at(-1),
      from,
      to,
    ]);

  test('When ranges overlap, then the price is compared at each bound and between them', () => {
    const before = list(['10', '100', '0']);
    expect(changes(before, list(['10', '100', '0'], ['20', '30', '5']))).toEqual([
      ['20', '100', '95'],
      ['25', '100', '95'],
      ['30', '100', '95'],
    ]);
  });

  test('When an amount has no confirmed price, then it is compared with the price without a discount', () => {
    expect(changes(null, list(['10', '10', '3']))).toEqual([['10', '100', '97']]);
    expect(changes(list(['10', '10', '3']), list(['20', '20', '3']))).toEqual([['20', '100', '97']]);
  });

  test('When default discounts are confirmed or not, then each is given with the confirmed one', () => {
    expect(defaultDiscounts(list(['10', '10', '0']), list(['10', '10', '19']))).toEqual([
      { confirmed: '0', present: '19' },
    ]);
    expect(defaultDiscounts(null, list(['10', '10', '19'], ['20', '20', '2']))).toEqual([
      { confirmed: '0', present: '2' },
      { confirmed: '0', present: '19' },
    ]);
  });

  const variants = (...given: object[]) =>
    JSON.stringify(
      given.map((one, id) => ({
        id,
        sku: 'A',
        item: '7',
        productCurrency: 'USD',
        currency: 'USD',
        isRange: false,
        amounts: ['10'],
        ...one,
      })),
    );

  test('When a variant takes the SKU of another one, then it is compared with that', () => {
    const [first, second] = [variants({ id: 1, amounts: ['50'] }), { id: 2, amounts: ['5'] }];
    expect(amountChanges(first, variants({ id: 1, amounts: ['50'] }, second))).toEqual([
      { what: 'Variant A, amount 1 of 1', before: '50', after: '5' },
    ]);
  });

  test('When a variant becomes another item for clients, or its product another currency, then no limit permits it', () => {
    expect(amountChanges(variants({}), variants({ item: '8', productCurrency: 'EUR' }))).toEqual([
      { what: 'Variant A, currency of the product', before: 'USD', after: 'EUR' },
      { what: 'Variant A, item', before: 'item 7', after: 'item 8' },
    ]);
  });

  test('When a range is widened, then its new ends are compared with the cost and the minimum margin', () => {
    const range = (...amounts: string[]) => variants({ isRange: true, amounts });
    const ends = newVariantAmounts(range('10', '20'), range('5', '20'));
    const cost = { costPercent: null, costFixed: '9', fee: '0', costCurrency: null };
    const source = { ...cost, fixedAmounts: null, minAmount: null, maxAmount: null, isNamed: true, costRate: '1' };
    const item = { itemId: 0, isOwn: true, pricePercent: '100', floorPercent: '10', sources: [source] };
    const what = 'Price at the new amount 5, compared with its cost';
    expect(newAmountChanges(ends, [item])).toEqual([{ what, before: '10', after: '5', isFirst: true }]);
    expect(newAmountChanges(ends, [{ ...item, sources: [{ ...source, costFixed: '4' }] }])).toEqual([]);
    expect(newAmountChanges(ends, [{ ...item, sources: [{ ...source, costFixed: null }] }])).toEqual([
      { what, before: null, after: '5' },
    ]);
  });

  test('When a denomination is new, then only its bounds outside of the known ones are compared', () => {
    const ends = newDenominations(
      list(['10', '20', '0']),
      list(['10', '30', '0'], ['12', '12', '0'], ['50', '50', '0']),
    );
    expect(ends.map(({ amount, isEndOfRange }) => [amount, isEndOfRange])).toEqual([
      ['30', true],
      ['50', false],
    ]);
    expect(newDenominations(null, list(['10', '20', '0']))).toEqual([]);
  });

  test('When the number of amounts of a variant changes, then the lowest is compared', () => {
    const variant = (...amounts: string[]) => variants({ amounts });
    expect(amountChanges(variant('10'), variant('5', '10'))).toEqual([
      { what: 'Variant A, lowest amount', before: '10', after: '5' },
    ]);
    expect(amountChanges(variant('10'), variant('10', '50'))).toEqual([]);
    expect(amountChanges(null, variant('10'))).toEqual([]);
  });
});

describe('Costs', () => {
  const terms = (cost: object) => ({
    fixedAmounts: null,
    minAmount: null,
    maxAmount: null,
    costPercent: null,
    costFixed: null,
    fee: '0',
    costCurrency: null,
    ...cost,
  });
  const text = (...costs: object[]) =>
    JSON.stringify(Object.fromEntries(costs.map((cost, item) => [item, terms(cost)])));

  test('When a first cost has an offer, then it is compared with that, otherwise a percentage with the list price', () => {
    const offered = terms({ costFixed: '9', costCurrency: 'USD' });
    expect(sourceChanges(offered)(text({}), text({ costFixed: '12', costCurrency: 'USD' }))).toMatchObject([
      { what: 'Cost, compared with the offer', before: '9', after: '12' },
    ]);
    expect(sourceChanges(undefined)(null, text({ costPercent: '70' }))).toMatchObject([
      { before: '100', after: '70', isFirst: true },
    ]);
    expect(sourceChanges(undefined)(null, text({ costFixed: '9' }))).toMatchObject([
      { before: null, after: '9 plus 0 in the currency of the item' },
    ]);
  });

  test('When a cost is known, then later ones are compared with it', () => {
    const since = sourceChanges(undefined);
    expect(since(text({ costPercent: '90' }), text({ costPercent: '95' }))).toMatchObject([
      { what: 'Cost in percent', before: '90', after: '95' },
    ]);
    expect(since(text({ costPercent: '90' }), text({ costPercent: '90', fixedAmounts: ['5'] }))).toEqual([]);
  });

  test('When another item gets a source with the SKU, then it is compared with the first one, and so is what the supplier gets', () => {
    const since = sourceChanges(undefined);
    expect(since(text({ costPercent: '90' }), text({ costPercent: '90' }, { costPercent: '45' }))).toEqual([
      { what: 'Cost in percent of item 1', before: '90', after: '45' },
    ]);
    expect(since(text({ costPercent: '90' }), text({ costPercent: '90', data: { plan: 7 } }))).toEqual([
      { what: 'Data for the supplier', before: null, after: 'data {"plan":7}' },
    ]);
  });
});

describe('Margins', () => {
  test('When a minimum margin rises, then nothing is compared, and when it falls or is removed, it is', () => {
    const changes = floorChanges('Cost');
    expect(changes('10', '50')).toEqual([]);
    expect(changes(null, '50')).toEqual([]);
    expect(changes('50', '10')).toEqual([{ what: 'Cost', before: '50', after: '90' }]);
    expect(changes('50', null)).toEqual([{ what: 'Cost', before: '50', after: null }]);
  });

  test('When a markup changes or is removed, then the price in percent of the cost is compared', () => {
    const changes = markupChanges('Price');
    expect(changes(null, '8')).toEqual([]);
    expect(changes('8', '2')).toEqual([{ what: 'Price', before: '108', after: '102' }]);
    expect(changes('8', null)).toEqual([{ what: 'Price', before: '108', after: null }]);
  });
});
