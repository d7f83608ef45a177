/** Decimals that a supplier writes with an exponent, as Java and Go do, mean the same as those in plain digits. */
import { readBalances, readUsage } from '../../src/suppliers/airalo/messages';
import { readOffers as readProducts } from '../../src/suppliers/dtone/products';
import { numberOf, parseJson } from '../../src/suppliers/kit/messages';
import { readEsimStatus } from '../../src/suppliers/zendit/messages';
import { readOffer } from '../../src/suppliers/zendit/offers';

test.each([
  ['1E+2', 100],
  ['2.5e-1', 0.25],
  ['-1E0', -1],
  ['1e16', undefined],
  ['1e999999999', undefined],
  ['', undefined],
])('When the number is %j, then %p is read', (sent, number) => {
  expect(numberOf(sent)).toBe(number);
});

/** Runs `read` on the JSON with the decimals once as they are, and once with the exponents that are equal to them. */
function bothForms<T>(json: string, exponents: Record<string, string>, read: (body: unknown) => T): [T, T] {
  const withExponents = json.replace(/(?<=: ?)[\d.]+/g, (digits) => exponents[digits] ?? digits);
  expect(withExponents).not.toBe(json);
  return [read(parseJson(json)), read(parseJson(withExponents))];
}

test('When DT One writes the data of a plan with an exponent, then the plan has the same data', () => {
  const benefits = `[{"type": "DATA", "unit": "GB", "amount": {"base": 100}}]`;
  const product = `[{"id": 7, "name": "Plan", "type": "FIXED_VALUE_PIN_PURCHASE", "service": {"id": 13},
    "operator": {"id": 1, "country": {"iso_code": "USA", "name": "United States"}},
    "validity": {"unit": "DAY", "quantity": 30}, "benefits": ${benefits}}]`;
  const [plain, exponent] = bothForms(product, { 100: '1E+2' }, readProducts);
  expect(plain?.items).toMatchObject([{ plan: { dataAmountGb: 100 } }]);
  expect(exponent).toEqual(plain);
});

test('When Airalo writes a balance with an exponent, then the balance is the same', () => {
  const balance = '{"data": {"balances": {"availableBalance": {"amount": 1500, "currency": "USD"}}}}';
  const [plain, exponent] = bothForms(balance, { 1500: '1.5e3' }, readBalances);
  expect(plain).toEqual([{ amount: '1500', currency: 'USD' }]);
  expect(exponent).toEqual(plain);
});

test('When Airalo writes the usage of an eSIM with exponents, then the usage is the same', () => {
  const usage = '{"data": {"status": "ACTIVE", "total": 1000, "remaining": 400}}';
  const [plain, exponent] = bothForms(usage, { 1000: '1E3', 400: '4e+2' }, readUsage);
  expect(plain?.usage.usage).toMatchObject({ totalMb: 1_000, leftMb: 400 });
  expect(exponent).toEqual(plain);
});

test('When Zendit writes the usage of an eSIM with an exponent, then the usage is the same', () => {
  const plans = `{"total": 1, "list": [{"status": "ACTIVE", "initialDataGB": 10, "remainingDataGB": 0.5}]}`;
  const [plain, exponent] = bothForms(plans, { 10: '1e1', 0.5: '5e-1' }, readEsimStatus);
  expect(plain?.usage).toMatchObject({ totalMb: 10_000, leftMb: 500 });
  expect(exponent).toEqual(plain);
});

test('When Zendit writes the data and the fees of a plan with exponents, then the offer is the same', () => {
  const amounts = '"currency": "USD", "currencyDivisor": 100';
  const offer = `{"offerId": "ESIM_US", "country": "US", "enabled": true, "priceType": "FIXED", "dataGB": 0.5, "durationDays": 30,
    "price": {${amounts}, "fixed": 450}, "cost": {${amounts}, "fixed": 300, "fee": 0, "feePct": 2.5}}`;
  const exponents = { 0.5: '5e-1', 2.5: '25e-1' };
  const [plain, exponent] = bothForms(offer, exponents, readOffer('ESIM'));
  expect(plain).toMatchObject([{ cost: { fixed: '3.075' }, plan: { dataAmountGb: 0.5 } }]);
  expect(exponent).toEqual(plain);
});
