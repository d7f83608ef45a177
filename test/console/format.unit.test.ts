/** Amounts as the console shows them. */
import { data as currencies } from 'currency-codes';
import { money } from '../../packages/parts/src/format';

test('When an amount has the smallest unit of its currency, then the console shows every decimal', () => {
  const amounts = currencies
    .filter(({ digits }) => digits > 0)
    .map(({ code, digits }) => ({ code, amount: (7 - 10 ** -digits).toFixed(digits) }));
  expect(amounts.map(({ code, amount }) => money(Number(amount), code))).toEqual(
    amounts.map(({ code, amount }) => `${code} ${amount}`),
  );
});
