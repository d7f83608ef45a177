/** JSON of suppliers: every number stays the text that the supplier wrote. */
import { parseJson } from '../../src/suppliers/kit/messages';

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
