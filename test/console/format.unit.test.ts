/** Amounts as the console shows them. */
import { data as currencies } from 'currency-codes';
import { amountOnly, decimalShown, money, plus } from '../../packages/parts/src/format';
import { amountFrom, decimalFrom } from '../../packages/parts/src/typed-amounts';

test('When an amount has the smallest unit of its currency, then the console shows every decimal', () => {
  const amounts = currencies
    .filter(({ digits }) => digits > 0)
    .map(({ code, digits }) => ({ code, amount: (7 - 10 ** -digits).toFixed(digits) }));
  expect(amounts.map(({ code, amount }) => money(Number(amount), code))).toEqual(
    amounts.map(({ code, amount }) => `${amount} ${code}`),
  );
});

test.each([
  ['1000', '1000'],
  [' 1,000.50 ', '1000.50'],
  ['12,345,678.9', '12345678.9'],
  ['0.01', '0.01'],
  ['', ''],
])('When a person types the amount "%s", then it is %s', (typed, amount) => {
  expect(amountFrom(typed)).toBe(amount);
});

test.each(['12,5', '1,00', '1.000.50', '1,000,50', '.5', '5.', '-3', '1e3', '٣'])(
  'When "%s" could mean another amount, then it is none',
  (typed) => {
    expect(() => amountFrom(typed)).toThrow(`"${typed}" is not an amount. Write it as 1000 or 1,000.50.`);
  },
);

test.each([
  ['999962', '19.6', '999981.6'],
  ['0.1', '0.2', '0.3'],
  ['5', '-7.25', '-2.25'],
  ['99999999999999.9999', '0.0001', '100000000000000.0000'],
])('When the balance %s changes by %s, then it is exactly %s', (balance, change, sum) => {
  expect(plus(balance, change)).toBe(sum);
});

test('When an amount is below 0, then its sign is before its digits', () => {
  expect([amountOnly(-1234.5, 'USD'), amountOnly('-1.234', 'KWD'), amountOnly(7, 'JPY')]).toEqual([
    '-1,234.50',
    '-1.234',
    '7',
  ]);
});

test.each([
  ['1,234.50', '1234.50', '1,234.50'],
  [' -3 ', '-3', '-3'],
  ['−0.25', '-0.25', '-0.25'],
  [
    '123456789012345678.000000000000000001',
    '123456789012345678.000000000000000001',
    '123,456,789,012,345,678.000000000000000001',
  ],
  // The service rejects it.
  ['12,5', '12,5', '12,5'],
  ['', '', ''],
])(
  'When a person types or pastes the decimal "%s", then it is sent as "%s" and shown as "%s"',
  (typed, sent, shown) => {
    expect([decimalFrom(typed), decimalShown(decimalFrom(typed))]).toEqual([sent, shown]);
  },
);
