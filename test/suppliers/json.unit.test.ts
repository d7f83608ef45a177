/** JSON of suppliers: every number stays the text that the supplier wrote. */
import { decimal, parseJson, read } from '../../src/suppliers/kit/messages';
import { decimalText } from '../../src/suppliers/kit/offers';

test.each<[string, string, unknown]>([
  ['an ICCID of 19 digits', '{"iccid": 8944000000000801234}', { iccid: '8944000000000801234' }],
  ['a PIN with leading zeros', '{"pin":0042,"cards":[007]}', { pin: '0042', cards: ['007'] }],
  ['an amount', '{"amount":10.50,"fee":-1e-7}', { amount: '10.50', fee: '-1e-7' }],
  ['digits in texts and names', '{"8":"a \\"12\\" 3","b\\\\":4}', { 8: 'a "12" 3', 'b\\': '4' }],
  ['a number alone', '12', '12'],
  ['the other values', '[true, false, null, {}]', [true, false, null, {}]],
])('When the supplier sends %s, then it arrives exactly', (_name, sent, received) => {
  expect(parseJson(sent)).toEqual(received);
});

test.each(['', '{"a":1', '{"a":1 2}', '<html>1</html>', '{"a":"1}', `${'['.repeat(99)}1${']'.repeat(99)}`])(
  'When the supplier sends %j, then nothing is read',
  (sent) => {
    expect(parseJson(sent)).toBeUndefined();
  },
);

test.each([
  ['1E+2', '100'],
  ['1.5e-7', '0.00000015'],
  ['-2E1', '-20'],
  ['10.50', '10.50'],
  ['1e999999999', undefined],
  ['1e', undefined],
])('When the supplier sends the decimal %s, then %s is read', (sent, received) => {
  expect(read(decimal, parseJson(sent))).toBe(received);
});

test('When the supplier sends a cost with the decimals of a binary number, then it is read', () => {
  expect(read(decimalText, parseJson('0.30000000000000004'))).toBe('0.30000000000000004');
});
