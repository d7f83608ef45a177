/** Offers of suppliers: their texts, as clients show them, and why one cannot be sold. */
import { reasonNotToSell } from '../../src/domain/prices/sellable-offers';
import { countryCodeOf, type PlanTerms, type SupplierOffer } from '../../src/domain/prices/supplier-catalogue';
import { offerUnless, regionOf } from '../../src/suppliers/kit/offers';
import { readPlans } from '../../src/suppliers/simulator/messages';

const card: SupplierOffer = {
  family: 'VOUCHER',
  sku: 'gift:1:USD',
  name: 'Card',
  country: 'US',
  currency: 'USD',
  inputs: [],
  amounts: { fixed: ['10', '20.50'] },
};
const cost = { fixed: '4', fee: '0', currency: 'USD' };

/** An offer of an eSIM plan. */
function planOf(special: Partial<PlanTerms>, country?: string) {
  const { country: _, ...offer } = card;
  const terms = { dataAmountGb: 1, validityDays: 7, regions: [], networks: [], isRechargeable: false };
  const place = country === undefined ? {} : { country };
  const plan = { ...terms, ...special };
  return offerUnless({ ...offer, ...place, family: 'ESIM', amounts: { fixed: ['5'] }, cost, plan });
}

test('When a supplier writes HTML entities, then clients get the characters that they stand for', () => {
  const texts = {
    name: 'Ben &amp; Jerry&rsquo;s  Caf&eacute;',
    operator: 'AT&T',
    terms: 'Valid in the US &mdash; &euro;5 &lt; &#36;10',
    redemption: 'Step 1&nbsp;\nStep 2\u202E',
  };
  expect(offerUnless({ ...card, cost, ...texts })).toMatchObject({
    name: 'Ben & Jerry’s Café',
    operator: 'AT&T',
    terms: 'Valid in the US — €5 < $10',
    redemption: 'Step 1\u00A0\nStep 2',
  });
});

test('When an address of a logo has a blank, then it is encoded, and one that is not https is left out', () => {
  const withLogo = (imageUrl: string) => offerUnless({ ...card, cost, imageUrl });
  expect(withLogo('https://logos.example/a b.png?x=1&amp;y=2').imageUrl).toBe(
    'https://logos.example/a%20b.png?x=1&y=2',
  );
  for (const address of ['http://logos.example/a.png', 'javascript:alert(1)', 'none']) {
    const { imageUrl, unsellable } = withLogo(address);
    expect({ imageUrl, unsellable }).toEqual({ imageUrl: undefined, unsellable: undefined });
  }
});

// 0 GB means unlimited data for clients, so only a plan that its supplier marks as unlimited has it.
const faultOf = (dataAmountGb: number, mark: { isUnlimited?: true } = {}) =>
  planOf({ dataAmountGb, ...mark }, 'DE').unsellable;

test.each([0, 0.0004, 0.000_001])(
  'When a plan has %s GB, which would be stored as 0, then it is never sold as unlimited',
  (gigabytes) => expect(faultOf(gigabytes)).toBe('It contains no data'),
);

test('When the supplier marks a plan of 0 GB as unlimited, then it can be sold', () =>
  expect(faultOf(0, { isUnlimited: true })).toBeUndefined());

test.each([0.0005, 0.001, 1])('When a plan has %s GB, then it can be sold', (gigabytes) =>
  expect(faultOf(gigabytes)).toBeUndefined(),
);

test('When the simulator lists a plan of 0 GB, then it is unlimited, but less than a megabyte is not', () => {
  const listed = (data_amount_gb: number) =>
    readPlans({
      plans: [
        {
          sku: 'A',
          name: 'A',
          currency: 'USD',
          price: '5',
          data_amount_gb,
          validity_days: 7,
          regions: [],
          networks: [],
          is_rechargeable: false,
        },
      ],
    })?.map(({ dataAmountGb }) => dataAmountGb);
  expect([listed(0), listed(0.001), listed(0.0004)]).toEqual([[0], [0.001], undefined]);
});

const offerIn = (country: string | undefined, ...regions: string[]) =>
  planOf({ regions: regions.map((code) => regionOf(code, code)) }, country);

test.each([
  ['XK', [], 'XKX'],
  ['XKX', ['XK'], 'XKX'],
  ['DE', ['FR', 'DE'], 'DEU'],
  ['GLO', [], 'GLO'],
  [undefined, ['XK'], 'XKX'],
  [undefined, ['FR', 'DE'], 'GLO'],
])('When an offer has the country %s and the regions %j, then its country is %s', (country, regions, code) => {
  const offer = offerIn(country, ...regions);
  expect(offer.unsellable).toBeUndefined();
  expect(countryCodeOf(offer)).toBe(code);
});

test.each([
  ['XX', [], 'Its country "XX" is not known'],
  ['UNK', [], 'Its country "UNK" is not known'],
  ['Kosovo', ['XK'], 'Its country "Kosovo" is not known'],
  [undefined, ['FR', 'ZZ'], 'Its country "ZZ" is not known'],
  [undefined, [], 'It names no country'],
])('When an offer has the country %s and the regions %j, then it cannot be sold: %s', (country, regions, reason) => {
  const offer = offerIn(country, ...regions);
  expect(offer.unsellable).toBe(reason);
});

test('When a supplier names the regions of a plan by alpha-2 codes, then the plan has alpha-3 codes', () => {
  expect(offerIn(undefined, 'FR', 'XK', 'JPN').plan?.regions.map(({ code }) => code)).toEqual(['FRA', 'XKX', 'JPN']);
});

const currencies = new Map([
  ['USD', { code: 'USD', minorUnit: 2 }],
  ['JPY', { code: 'JPY', minorUnit: 0 }],
]);
const inEuro = { fixed: '9', fee: '0', currency: 'EUR' };

test.each<[what: string, reason: string | undefined, offer: Partial<SupplierOffer>]>([
  ['is payable', undefined, {}],
  ['is rejected by its adapter', 'It needs a contract', { unsellable: 'It needs a contract' }],
  ['has an unknown currency', 'Its currency "XXX" is not known', { currency: 'XXX' }],
  ['has a cost in an unknown currency', 'The currency of its cost, "EUR", is not known', { cost: inEuro }],
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
