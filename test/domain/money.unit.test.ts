import fc from 'fast-check';
import { Exact, isPayable, roundTo, toJsonNumber, type Currency } from '../../src/domain/prices/money';

const yen: Currency = { code: 'JPY', minorUnit: 0 };
const dollar: Currency = { code: 'USD', minorUnit: 2 };
const dinar: Currency = { code: 'KWD', minorUnit: 3 };

const currencies = fc.integer({ min: 0, max: 4 }).map((minorUnit) => ({ code: 'XTS', minorUnit }));
/** Decimals as text, with up to 12 digits before and 10 after the point. */
const decimals = fc
  .tuple(fc.bigInt(0n, 10n ** 22n), fc.integer({ min: 0, max: 10 }))
  .map(([digits, scale]) => new Exact(digits.toString()).div(new Exact(10).pow(scale)).toFixed());

describe('money', () => {
  test.each([
    [yen, '0.5', '1'],
    [yen, '1.4999999999', '1'],
    [dollar, '0.005', '0.01'],
    [dollar, '1.005', '1.01'],
    [dollar, '2.675', '2.68'],
    [dollar, '0.0049999999999999999999', '0'],
    [dinar, '0.0005', '0.001'],
    [dinar, '1.2344999', '1.234'],
  ])('When %o is paid %s, then it is rounded half-up to %s', (currency, amount, rounded) => {
    expect(roundTo(currency, amount).toFixed()).toBe(rounded);
  });

  test('When any amount is rounded, then it is payable, at most half a minor unit off, and a tie goes up', () => {
    fc.assert(
      fc.property(currencies, decimals, (currency, amount) => {
        const rounded = roundTo(currency, amount);
        const half = new Exact(10).pow(-currency.minorUnit).div(2);
        const difference = rounded.minus(amount);
        expect(isPayable(currency, rounded)).toBe(true);
        expect(difference.lessThanOrEqualTo(half) && difference.greaterThan(half.negated())).toBe(true);
      }),
    );
  });

  test('When an amount is payable, and only then, rounding leaves it unchanged', () => {
    fc.assert(
      fc.property(currencies, decimals, (currency, amount) => {
        expect(isPayable(currency, amount)).toBe(roundTo(currency, amount).equals(amount));
      }),
    );
  });

  test('When a payable amount becomes a JSON number, then the same decimal is read back', () => {
    const amounts = fc.tuple(fc.integer({ min: 0, max: 10 ** 14 }), fc.integer({ min: 0, max: 4 }));
    fc.assert(
      fc.property(amounts, ([minor, minorUnit]) => {
        const amount = new Exact(minor).div(new Exact(10).pow(minorUnit));
        const read = JSON.parse(JSON.stringify({ amount: toJsonNumber(amount) })) as { amount: number };
        expect(new Exact(read.amount).equals(amount)).toBe(true);
      }),
    );
  });
});
