/** How people read the money of an order: how its price was made, and where the money is. docs/operators/office.md#money-of-an-order. */
import { whereMoneyIs, type MoneyOfOrder } from '../../src/domain/orders/where-the-money-is';
import { Exact, type Currency } from '../../src/domain/prices/money';
import { priceSteps, type PriceStep, type StoredPrice } from '../../src/domain/prices/price-steps';
import { priceOrder } from '../../src/domain/prices/pricing';
import { priceLine } from '../../src/operators/operations/orders/price-line';

const dollar: Currency = { code: 'USD', minorUnit: 2 };
const euro: Currency = { code: 'EUR', minorUnit: 2 };
const yen: Currency = { code: 'JPY', minorUnit: 0 };
const dinar: Currency = { code: 'KWD', minorUnit: 3 };

interface Priced {
  face: string;
  quantity?: number;
  off?: string;
  product?: Currency;
  wallet?: Currency;
  rate?: string;
  fee?: string;
}

/** The stored price of an order, as the service computes it. */
function stored({ face, quantity = 1, off = '0', fee = '0', ...order }: Priced): StoredPrice {
  const { product = dollar, wallet = product, rate } = order;
  const pricing = priceOrder({
    faceValue: face,
    quantity,
    discountPercent: off,
    gstPercent: 0,
    productCurrency: product,
    walletCurrency: wallet,
    conversion: rate === undefined ? null : { rate: new Exact(rate), feePercent: new Exact(fee) },
  });
  return {
    faceValue: face,
    quantity,
    listTotal: pricing.listTotal.toFixed(4),
    discount: pricing.discount.toFixed(4),
    productCurrency: product,
    walletCurrency: wallet,
    rate: rate ?? null,
    price: pricing.price.toFixed(4),
    discountPercent: off,
    isOwnDiscount: false,
    feePercent: rate === undefined ? null : fee,
    rateAsOf: rate === undefined ? null : new Date('2026-11-27T15:00:00Z'),
    rateFileDay: null,
  };
}

test.each<[string, Priced, string]>([
  ['in one currency', { face: '10', quantity: 3 }, '3 x 10.00 USD = 30.00 USD'],
  ['with a discount', { face: '10', quantity: 10, off: '2' }, '10 x 10.00 USD = 100.00, less 2.00 (2 %) = 98.00 USD'],
  [
    'with a conversion',
    { face: '10', quantity: 10, off: '5', wallet: euro, rate: '0.92', fee: '1.5' },
    '10 x 10.00 USD = 100.00, less 5.00 (5 %) = 95.00 USD, x 0.92 = 87.40 EUR, fee 1.31 (1.5 %) = 88.71 EUR',
  ],
  [
    'with a conversion without a fee',
    { face: '10', wallet: euro, rate: '0.92' },
    '1 x 10.00 USD = 10.00 USD, x 0.92 = 9.20 EUR',
  ],
  ['in yen', { face: '1005', off: '2.5', product: yen }, '1 x 1005 JPY = 1005, less 25 (2.5 %) = 980 JPY'],
  [
    'from yen to dinars',
    { face: '1005', product: yen, wallet: dinar, rate: '0.0020312', fee: '0.75' },
    '1 x 1005 JPY = 1005 JPY, x 0.0020312 = 2.041 KWD, fee 0.015 (0.75 %) = 2.056 KWD',
  ],
  ['for nothing', { face: '10', off: '100' }, '1 x 10.00 USD = 10.00, less 10.00 (100 %) = 0.00 USD'],
  [
    'with a discount that rounds to nothing',
    { face: '1', off: '0.3' },
    '1 x 1.00 USD = 1.00, less 0.00 (0.3 %) = 1.00 USD',
  ],
])('When an order is priced %s, then its line has each step with its rounding', (_, order, line) => {
  expect(priceLine(priceSteps(stored(order)))).toBe(line);
});

test('When the order is older than its recorded terms, then no percentage and no time stands in for them', () => {
  const order = stored({ face: '10', quantity: 10, off: '5', wallet: euro, rate: '0.92', fee: '1.5' });
  const older: StoredPrice = { ...order, discountPercent: null, isOwnDiscount: null, feePercent: null, rateAsOf: null };
  expect(priceLine(priceSteps(older))).toBe(
    '10 x 10.00 USD = 100.00, less 5.00 (percentage not recorded) = 95.00 USD, x 0.92 = 87.40 EUR, fee 1.31 (percentage not recorded) = 88.71 EUR',
  );
  expect(priceSteps(older)).toMatchObject([
    { step: 'UNITS' },
    { percent: null, of: null },
    { as_of: null, file_day: null },
    { percent: null },
  ] satisfies Partial<PriceStep>[]);
  // Without a discount and a fee, nothing is missing.
  expect(priceLine(priceSteps({ ...older, discount: '0', price: '92' }))).toBe(
    '10 x 10.00 USD = 100.00 USD, x 0.92 = 92.00 EUR',
  );
});

const paid: MoneyOfOrder = {
  currency: 'EUR',
  debited: '88.71',
  refunded: '0.00',
  toGiveBack: null,
  isWalletClosed: false,
  isOver: true,
  isHeld: false,
  quantity: 10,
  delivered: 10,
  withSupplier: null,
  replacesOrderId: null,
  isBeyondCap: false,
};
const open = { ...paid, isOver: false, delivered: 0 };

test.each<[string, MoneyOfOrder, string]>([
  ['is delivered', paid, 'With us: 88.71 EUR, for 10 of 10 units delivered.'],
  ['is held', { ...open, isHeld: true }, 'With us: 88.71 EUR. The order waits for a review, and nothing is bought.'],
  ['is not sent', open, 'With us: 88.71 EUR. No supplier has it.'],
  [
    'is at a supplier',
    { ...open, withSupplier: 'reloadly' },
    'With the supplier reloadly, who has not answered: 88.71 EUR.',
  ],
  [
    'is delivered in part so far',
    { ...open, delivered: 4, withSupplier: 'reloadly' },
    'With the supplier reloadly, who has not answered: 88.71 EUR. 4 of 10 units delivered.',
  ],
  ['is cancelled', { ...paid, delivered: 0, refunded: '88.71' }, 'Given back: 88.71 EUR is in the wallet again.'],
  [
    'is delivered in part and ended',
    { ...paid, delivered: 4, refunded: '53.23' },
    'With us: 35.48 EUR, for 4 of 10 units delivered. 53.23 EUR was given back.',
  ],
  [
    'has a refund by amount',
    { ...paid, refunded: '8.00' },
    'With us: 80.71 EUR, for 10 of 10 units delivered. 8.00 EUR was given back.',
  ],
  [
    'has a refund for a closed wallet',
    { ...paid, delivered: 0, toGiveBack: '88.71', isWalletClosed: true },
    'With us: 88.71 EUR, of which 88.71 EUR is to be given back; the wallet is closed.',
  ],
  [
    'replaces a unit',
    { ...paid, debited: '0.00', replacesOrderId: 12 },
    'No money was taken: it replaces a unit of order 12, which was paid.',
  ],
  [
    'is beyond the cap',
    { ...paid, debited: '0.00', delivered: 0, isBeyondCap: true },
    'No money was taken: the order is beyond the daily cap of the client.',
  ],
  ['has a discount of 100 %', { ...paid, debited: '0.00' }, 'No money was taken: the price is 0.'],
  [
    'is in yen and refunded in part',
    { ...paid, currency: 'JPY', debited: '980', refunded: '80' },
    'With us: 900 JPY, for 10 of 10 units delivered. 80 JPY was given back.',
  ],
])('When the order %s, then one sentence says where its money is', (_, money, sentence) => {
  expect(whereMoneyIs(money)).toBe(sentence);
});
