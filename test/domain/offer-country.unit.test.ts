import { countryCodeOf, type SupplierOffer } from '../../src/domain/prices/supplier-catalogue';
import { offerUnless, regionOf } from '../../src/suppliers/kit/offers';

const offerOf = (country: string | undefined, ...regions: string[]): SupplierOffer =>
  offerUnless({
    family: 'ESIM',
    sku: 'plan',
    name: 'Plan',
    currency: 'EUR',
    amounts: { fixed: ['5'] },
    inputs: [],
    cost: { fixed: '4', fee: '0', currency: 'EUR' },
    ...(country !== undefined && { country }),
    plan: {
      dataAmountGb: 1,
      validityDays: 7,
      networks: [],
      isRechargeable: false,
      regions: regions.map((code) => regionOf(code, code)),
    },
  });

test.each([
  ['XK', [], 'XKX'],
  ['XKX', ['XK'], 'XKX'],
  ['DE', ['FR', 'DE'], 'DEU'],
  ['GLO', [], 'GLO'],
  [undefined, ['XK'], 'XKX'],
  [undefined, ['FR', 'DE'], 'GLO'],
])(
  'When an offer has the country %s and the regions %j, then its country is %s',
  (country, regions, code) => {
    const offer = offerOf(country, ...regions);
    expect(offer.unsellable).toBeUndefined();
    expect(countryCodeOf(offer)).toBe(code);
  },
);

test.each([
  ['XX', [], 'Its country "XX" is not known'],
  ['UNK', [], 'Its country "UNK" is not known'],
  ['Kosovo', ['XK'], 'Its country "Kosovo" is not known'],
  [undefined, ['FR', 'ZZ'], 'Its country "ZZ" is not known'],
  [undefined, [], 'It names no country'],
])(
  'When an offer has the country %s and the regions %j, then it cannot be sold: %s',
  (country, regions, reason) => {
    const offer = offerOf(country, ...regions);
    expect(offer.unsellable).toBe(reason);
  },
);

test('When a supplier names the regions of a plan by alpha-2 codes, then the plan has alpha-3 codes', () => {
  expect(offerOf(undefined, 'FR', 'XK', 'JPN').plan?.regions.map(({ code }) => code)).toEqual([
    'FRA',
    'XKX',
    'JPN',
  ]);
});
