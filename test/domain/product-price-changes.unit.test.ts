import { planPriceChanges } from '../../src/domain/prices/product-price-changes';

const dollars = JSON.stringify({ amount: '5', currency: 'USD' });

test.each([
  ['another amount', { amount: '6', currency: 'USD' }, { what: 'Plan in USD', before: '5', after: '6' }],
  ['another currency', { amount: '5', currency: 'EUR' }, { what: 'Plan', before: '5 USD', after: '5 EUR' }],
  ['no price', null, { what: 'Plan', before: '5 USD', after: null }],
])('When a plan gets %s, then the change names both', (_what, price, change) => {
  expect(planPriceChanges('Plan')(dollars, price && JSON.stringify(price))).toEqual([change]);
});
