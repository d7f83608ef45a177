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

test.each<[what: string, offer: Partial<SupplierOffer>, reason: string | undefined]>([
  ['is payable', {}, undefined],
  ['is one that the adapter rejects', { unsellable: 'It needs a contract' }, 'It needs a contract'],
  ['has an unknown currency', { currency: 'XXX' }, 'Its currency "XXX" is not known'],
  ['has a cost in an unknown currency', { cost }, 'The currency of its cost, "EUR", is not known'],
  ['has too many decimals', { currency: 'JPY' }, '20.50 is not payable in JPY, which has 0 decimals'],
  ['has a range that ends within the decimals', { amounts: { min: '1', max: '5.25' } }, undefined],
  [
    'has a range with too many decimals',
    { amounts: { min: '1.001', max: '5' } },
    '1.001 is not payable in USD, which has 2 decimals',
  ],
  ['is a plan, whose price is rounded', { family: 'ESIM', amounts: { fixed: ['1.005'] } }, undefined],
])('When an offer %s, then the reason not to sell it is right', (_what, offer, reason) => {
  expect(reasonNotToSell({ ...card, ...offer }, currencies)).toBe(reason);
});
