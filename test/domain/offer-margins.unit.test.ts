import { listDiscountOf } from '../../src/domain/prices/offer-margins';

const usd = { fee: '0', currency: 'USD' };

test.each([
  ['10', { fixed: '9', ...usd }, '5', '5.5'],
  ['10', { percent: '90', ...usd }, '5', '5.5'],
  ['10', { fixed: '9', ...usd, fee: '0.5' }, '0', '5'],
  ['3', { fixed: '2', ...usd }, '1', '32.6666'],
  ['10', { fixed: '9.9', ...usd }, '5', '0'],
])(
  'When a card of %s costs %j and the markup is %s %%, then its discount is %s %%',
  (value, cost, markup, discount) => {
    expect(listDiscountOf(value, cost, markup)).toBe(discount);
  },
);
