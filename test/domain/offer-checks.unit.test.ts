import { reasonNotToSell } from '../../src/domain/prices/offer-checks';
import type { SupplierOffer } from '../../src/domain/prices/supplier-catalogue';

const currencies = new Map([
  ['USD', { code: 'USD', minorUnit: 2 }],
  ['JPY', { code: 'JPY', minorUnit: 0 }],
]);
const card: SupplierOffer = {
  family: 'VOUCHER',
  sku: 'card',
  name: 'Card',
  currency: 'USD',
  amounts: { fixed: ['10', '20.50'] },
  inputs: [],
};
const cost = { fixed: '9', fee: '0', currency: 'EUR' };

test.each<[what: string, reason: string | undefined, offer: Partial<SupplierOffer>]>([
  ['is payable', undefined, {}],
  ['is rejected by its adapter', 'It needs a contract', { unsellable: 'It needs a contract' }],
  ['has an unknown currency', 'Its currency "XXX" is not known', { currency: 'XXX' }],
  ['has a cost in an unknown currency', 'The currency of its cost, "EUR", is not known', { cost }],
  ['has too many decimals', '20.50 is not payable in JPY, which has 0 decimals', { currency: 'JPY' }],
  ['has a range that ends within the decimals', undefined, { amounts: { min: '1', max: '5.25' } }],
  [
    'has a range with too many decimals',
    '1.001 is not payable in USD, which has 2 decimals',
    { amounts: { min: '1.001', max: '5' } },
  ],
  ['is a plan, whose price is rounded', undefined, { family: 'ESIM', amounts: { fixed: ['1.005'] } }],
])('When an offer %s, then the reason not to sell it is %s', (_what, reason, offer) => {
  expect(reasonNotToSell({ ...card, ...offer }, currencies)).toBe(reason);
});
