/** The texts of suppliers' offers, as clients show them. */
import type { SupplierOffer } from '../../src/domain/prices/supplier-catalogue';
import { offerUnless } from '../../src/suppliers/kit/offers';

const offer: SupplierOffer = {
  family: 'VOUCHER',
  sku: 'gift:1:USD',
  name: 'Card',
  country: 'US',
  currency: 'USD',
  inputs: [],
  amounts: { fixed: ['10'] },
  cost: { percent: '95', fee: '0', currency: 'USD' },
};

test('When a supplier writes HTML entities, then clients get the characters that they stand for', () => {
  const texts = {
    name: 'Ben &amp; Jerry&rsquo;s  Caf&eacute;',
    operator: 'AT&T',
    terms: 'Valid in the US &mdash; &euro;5 &lt; &#36;10',
    redemption: 'Step 1&nbsp;\nStep 2\u202E',
  };
  expect(offerUnless({ ...offer, ...texts })).toMatchObject({
    name: 'Ben & Jerry’s Café',
    operator: 'AT&T',
    terms: 'Valid in the US — €5 < $10',
    redemption: 'Step 1\u00A0\nStep 2',
  });
});

test('When an address of a logo has a blank, then it is encoded, and one that is not https is left out', () => {
  const withLogo = (imageUrl: string) => offerUnless({ ...offer, imageUrl });
  expect(withLogo('https://logos.example/a b.png?x=1&amp;y=2').imageUrl).toBe(
    'https://logos.example/a%20b.png?x=1&y=2',
  );
  for (const address of ['http://logos.example/a.png', 'javascript:alert(1)', 'none']) {
    const { imageUrl, unsellable } = withLogo(address);
    expect({ imageUrl, unsellable }).toEqual({ imageUrl: undefined, unsellable: undefined });
  }
});
