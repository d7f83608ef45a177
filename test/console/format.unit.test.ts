/** Amounts as the console shows them. */
import { data as currencies } from 'currency-codes';
import { amountOnly, money } from '../../packages/parts/src/format';

test('When an amount has the smallest unit of its currency, then the console shows every decimal', () => {
  const amounts = currencies
    .filter(({ digits }) => digits > 0)
    .map(({ code, digits }) => ({ code, amount: (7 - 10 ** -digits).toFixed(digits) }));
  expect(amounts.map(({ code, amount }) => money(Number(amount), code))).toEqual(
    amounts.map(({ code, amount }) => `${code} ${amount}`),
  );
});

test('When an amount is below 0, then its sign is before its digits', () => {
  expect([amountOnly(-1234.5, 'USD'), amountOnly('-1.234', 'KWD'), amountOnly(7, 'JPY')]).toEqual([
    '-1,234.50',
    '-1.234',
    '7',
  ]);
});
