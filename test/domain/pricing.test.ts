import fc from 'fast-check';
import { Exact, isPayable, type Currency } from '../../src/domain/money';
import { price, type PriceInput } from '../../src/domain/pricing';

const dollar: Currency = { code: 'USD', minorUnit: 2 };
const euro: Currency = { code: 'EUR', minorUnit: 2 };
const yen: Currency = { code: 'JPY', minorUnit: 0 };
const dinar: Currency = { code: 'KWD', minorUnit: 3 };

/** The formulas of the contract over whole numbers, as a second opinion. Percentages carry 4 decimals, rates 6. */
function expectedPrice({ unit, quantity, discount, gst, rate, fee, product, wallet }: Draw) {
  const total = unit * BigInt(quantity);
  const discounted = divideHalfUp(total * BigInt(discount), 100n * 10_000n);
  const totalAmount = total - discounted;
  const gstAmount = divideHalfUp(totalAmount * BigInt(gst), 100n * 10_000n + BigInt(gst));
  const scale = 10n ** BigInt(6 + product.minorUnit);
  const net = divideHalfUp(totalAmount * BigInt(rate) * 10n ** BigInt(wallet.minorUnit), scale);
  const feeAmount = divideHalfUp(net * BigInt(fee), 100n * 10_000n);
  const isOneCurrency = product.code === wallet.code;
  return {
    total,
    discounted,
    totalAmount,
    gstAmount,
    payable: isOneCurrency ? totalAmount : net + feeAmount,
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

function inputOf({ unit, quantity, discount, gst, rate, fee, product, wallet }: Draw): PriceInput {
  return {
    unitAmount: major(unit, product),
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

describe('price', () => {
  test('When anything is priced, then every amount is what whole-number arithmetic makes of the formulas', () => {
    fc.assert(
      fc.property(draws, (draw) => {
        const { product, wallet } = draw;
        const expected = expectedPrice(draw);
        const actual = price(inputOf(draw));
        expect(actual.nonDiscountedTotal.toFixed()).toBe(major(expected.total, product));
        expect(actual.discountAmount.toFixed()).toBe(major(expected.discounted, product));
        expect(actual.totalAmount.toFixed()).toBe(major(expected.totalAmount, product));
        expect(actual.gstAmount.toFixed()).toBe(major(expected.gstAmount, product));
        expect(actual.totalPayable.toFixed()).toBe(major(expected.payable, wallet));
      }),
      { numRuns: 1_000 },
    );
  });

  test('When anything is priced, then what is paid is payable, and tax is contained in the total', () => {
    fc.assert(
      fc.property(draws, (draw) => {
        const { totalPayable, totalAmount, gstAmount } = price(inputOf(draw));
        expect(isPayable(draw.wallet, totalPayable)).toBe(true);
        expect(totalPayable.isNegative()).toBe(false);
        expect(gstAmount.lessThanOrEqualTo(totalAmount)).toBe(true);
      }),
    );
  });

  test('When product and wallet share a currency, then nothing is converted', () => {
    fc.assert(
      fc.property(draws, (draw) => {
        const { converted, totalPayable, totalAmount } = price(inputOf({ ...draw, wallet: draw.product }));
        expect(converted).toBeNull();
        expect(totalPayable).toEqual(totalAmount);
      }),
    );
  });

  test('When the currencies differ and no conversion is given, then it throws', () => {
    const input = { unitAmount: 10, quantity: 1, discountPercent: 0, gstPercent: 0, conversion: null };
    expect(() => price({ ...input, productCurrency: dollar, walletCurrency: euro })).toThrow('conversion');
  });

  test.each([
    ['a discount that ends on half a cent', dollar, dollar, '0.1', 1, '5', undefined, '0.09'],
    ['yen from dollars', dollar, yen, '10', 3, '0', { rate: '149.5', fee: '1.5' }, '4552'],
    ['dinars from dollars', dollar, dinar, '9.99', 7, '2.5', { rate: '0.307', fee: '0' }, '20.931'],
    ['everything off', dollar, dollar, '10', 2, '100', undefined, '0'],
  ])(
    'When the order is %s, then the price is exact',
    (_name, product, wallet, unit, quantity, off, fx, paid) => {
      const conversion = fx ? { rate: new Exact(fx.rate), feePercent: new Exact(fx.fee) } : null;
      const { totalPayable } = price({
        unitAmount: unit,
        quantity,
        discountPercent: off,
        gstPercent: 0,
        productCurrency: product,
        walletCurrency: wallet,
        conversion,
      });
      expect(totalPayable.toFixed()).toBe(paid);
    },
  );
});
