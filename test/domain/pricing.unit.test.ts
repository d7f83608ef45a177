import fc from 'fast-check';
import { Exact, isPayable, type Currency } from '../../src/domain/prices/money';
import { priceOrder, type PricingInput } from '../../src/domain/prices/pricing';

const dollar: Currency = { code: 'USD', minorUnit: 2 };
const euro: Currency = { code: 'EUR', minorUnit: 2 };
const yen: Currency = { code: 'JPY', minorUnit: 0 };
const dinar: Currency = { code: 'KWD', minorUnit: 3 };

/** An independent implementation of the contract's formulas with integers. Percentages have 4 decimals, rates 6. */
function expectedPrice({ unit, quantity, discount, gst, rate, fee, product, wallet }: Draw) {
  const total = unit * BigInt(quantity);
  const discounted = divideHalfUp(total * BigInt(discount), 100n * 10_000n);
  const discountedTotal = total - discounted;
  const containedGst = divideHalfUp(discountedTotal * BigInt(gst), 100n * 10_000n + BigInt(gst));
  const scale = 10n ** BigInt(6 + product.minorUnit);
  const net = divideHalfUp(discountedTotal * BigInt(rate) * 10n ** BigInt(wallet.minorUnit), scale);
  const feeAmount = divideHalfUp(net * BigInt(fee), 100n * 10_000n);
  const isOneCurrency = product.code === wallet.code;
  return {
    total,
    discounted,
    discountedTotal,
    containedGst,
    payable: isOneCurrency ? discountedTotal : net + feeAmount,
  };
}

function divideHalfUp(dividend: bigint, divisor: bigint): bigint {
  return (2n * dividend + divisor) / (2n * divisor);
}

interface Draw {
  unit: bigint;
  quantity: number;
  discount: number;
  gst: number;
  rate: number;
  fee: number;
  product: Currency;
  wallet: Currency;
}

const percent = fc.integer({ min: 0, max: 1_000_000 });
const currency = fc.constantFrom(dollar, euro, yen, dinar);
const draws: fc.Arbitrary<Draw> = fc.record({
  unit: fc.bigInt(1n, 10n ** 12n),
  quantity: fc.integer({ min: 1, max: 5_000 }),
  discount: percent,
  gst: percent,
  rate: fc.integer({ min: 1, max: 10 ** 12 }),
  fee: percent,
  product: currency,
  wallet: currency,
});

function inputOf({ unit, quantity, discount, gst, rate, fee, product, wallet }: Draw): PricingInput {
  return {
    faceValue: major(unit, product),
    quantity,
    discountPercent: new Exact(discount).div(10_000),
    gstPercent: new Exact(gst).div(10_000),
    productCurrency: product,
    walletCurrency: wallet,
    conversion:
      product.code === wallet.code
        ? null
        : { rate: new Exact(rate).div(1_000_000), feePercent: new Exact(fee).div(10_000) },
  };
}

function major(minor: bigint, { minorUnit }: Currency): string {
  return new Exact(minor.toString()).div(new Exact(10).pow(minorUnit)).toFixed();
}

describe('pricing', () => {
  test('When an order is priced, then every amount equals the integer arithmetic of the formulas', () => {
    fc.assert(
      fc.property(draws, (draw) => {
        const { product, wallet } = draw;
        const expected = expectedPrice(draw);
        const actual = priceOrder(inputOf(draw));
        expect(actual.listTotal.toFixed()).toBe(major(expected.total, product));
        expect(actual.discount.toFixed()).toBe(major(expected.discounted, product));
        expect(actual.discountedTotal.toFixed()).toBe(major(expected.discountedTotal, product));
        expect(actual.containedGst.toFixed()).toBe(major(expected.containedGst, product));
        expect(actual.price.toFixed()).toBe(major(expected.payable, wallet));
      }),
      { numRuns: 1_000 },
    );
  });

  test('When anything is priced, then the price is payable, and the total contains the tax', () => {
    fc.assert(
      fc.property(draws, (draw) => {
        const { price, discountedTotal, containedGst } = priceOrder(inputOf(draw));
        expect(isPayable(draw.wallet, price)).toBe(true);
        expect(price.isNegative()).toBe(false);
        expect(containedGst.lessThanOrEqualTo(discountedTotal)).toBe(true);
      }),
    );
  });

  test('When product and wallet share a currency, then nothing is converted', () => {
    fc.assert(
      fc.property(draws, (draw) => {
        const { converted, price, discountedTotal } = priceOrder(inputOf({ ...draw, wallet: draw.product }));
        expect(converted).toBeNull();
        expect(price).toEqual(discountedTotal);
      }),
    );
  });

  test('When the currencies differ without a conversion, then pricing throws', () => {
    const input = { faceValue: 10, quantity: 1, discountPercent: 0, gstPercent: 0, conversion: null };
    expect(() => priceOrder({ ...input, productCurrency: dollar, walletCurrency: euro })).toThrow('conversion');
  });

  test.each([
    ['a discount that results in half a cent', dollar, dollar, '0.1', 1, '5', undefined, '0.09'],
    ['yen from dollars', dollar, yen, '10', 3, '0', { rate: '149.5', fee: '1.5' }, '4552'],
    ['dinars from dollars', dollar, dinar, '9.99', 7, '2.5', { rate: '0.307', fee: '0' }, '20.931'],
    ['everything off', dollar, dollar, '10', 2, '100', undefined, '0'],
  ])('When the order is %s, then the price is exact', (_name, product, wallet, unit, quantity, off, fx, paid) => {
    const conversion = fx ? { rate: new Exact(fx.rate), feePercent: new Exact(fx.fee) } : null;
    const { price } = priceOrder({
      faceValue: unit,
      quantity,
      discountPercent: off,
      gstPercent: 0,
      productCurrency: product,
      walletCurrency: wallet,
      conversion,
    });
    expect(price.toFixed()).toBe(paid);
  });
});
