import { codeFault, normalised, profileFault, voucherFault } from '../../src/domain/orders/usable-goods';
import type { VoucherGoods } from '../../src/domain/orders/goods';
import { voucherUnit } from '../../src/suppliers/kit/messages';
import { safeText } from '../../src/domain/safe-text';

const now = new Date('2030-06-15T12:00:00Z');
const name = safeText`card number`;
const notWeb = 'the claim URL is not a web address';

test.each(['A', 'ABCD-EFGH 1234', 'ÅÄÖ 漢字 🎁', 'A'.repeat(4_096), '🎁'.repeat(4_096), '\ue000'])(
  'When a code is %j, then it is usable',
  (code) => expect(codeFault(name, code)).toBeUndefined(),
);

test.each([
  ['', 'its card number is empty'],
  ['A'.repeat(4_097), 'its card number is longer than 4096 characters'],
  ['🎁'.repeat(4_097), 'its card number is longer than 4096 characters'],
])('When a code has an invalid length, then its fault says so', (code, fault) =>
  expect(codeFault(name, code)).toBe(fault),
);

test.each([
  '\u0000',
  '\u0009',
  '\u001b',
  '\u007f',
  '\u0085',
  '\u009f',
  '\u00ad',
  '\u034f',
  '\u061c',
  '\u115f',
  '\u180e',
  '\u3164',
  '\ufe0f',
  '\uffa0',
  '\u{e0041}',
  '\u200b',
  '\u200c',
  '\u200d',
  '\u200e',
  '\u200f',
  '\u202a',
  '\u202e',
  '\u2060',
  '\u2066',
  '\u2069',
  '\ud800',
  '\udc00',
  '\udc00\ud800',
  '\ufeff',
  '\ufffd',
])('When a code contains %j, then it is unusable', (character) => {
  for (const code of [`AB${character}CD`, `${character}AB`, `AB${character}`])
    expect(codeFault(name, code)).toBe('its card number has a character that cannot be shown');
});

test('When goods have white space around them, then it is removed, but no other invisible character', () => {
  expect(
    normalised({ kind: 'voucher', cardNumber: ' \t\r\nAB CD\u00a0\u2003', pinCode: '   ', claimUrl: '\ufeffA ' }),
  ).toEqual({ kind: 'voucher', cardNumber: 'AB CD', pinCode: '', claimUrl: '\ufeffA ' });
});

test('When a claim URL is written as in HTML, then its ampersands are decoded', () => {
  const claimUrl = ' https://a.example/?a=1&amp;b=2&amp;c=%26amp; ';
  expect(normalised({ kind: 'voucher', claimUrl })).toEqual({
    kind: 'voucher',
    claimUrl: 'https://a.example/?a=1&b=2&c=%26amp;',
  });
});

test.each(['8944 5001 1234 5678 901', ' 8944-5001-1234-5678-901F', '8944\u00a05001\u20111234\u20135678\t901'])(
  'When an ICCID is written in groups as %j, then it is the same ICCID',
  (iccid) => {
    const profile = normalised({ kind: 'esim', iccid, activationCode: 'LPA:1$a.example$B' });
    expect(profile).toMatchObject({ iccid: '8944500112345678901' });
    expect(profileFault(profile)).toBeUndefined();
  },
);

test.each([
  ['2030-06-15', '2030-06-15T23:59:59.999Z'],
  [' 2030-06-15 ', '2030-06-15T23:59:59.999Z'],
  ['2030-06-15T12:30:00Z', '2030-06-15T12:30:00Z'],
  ['2030-02-30', '2030-02-30'],
])('When a voucher expires at %j, then it is valid until %s', (expiresAt, end) =>
  expect(normalised({ kind: 'voucher', cardNumber: 'A', expiresAt })).toMatchObject({ expiresAt: end }),
);

test('When a voucher expires on the day on which it arrives, then it is usable', () => {
  for (const voucher of [
    normalised({ kind: 'voucher' as const, cardNumber: 'A', expiresAt: '2030-06-15' }),
    voucherUnit({ cardNumber: 'A', expiresAt: '2030-06-15' }) as VoucherGoods,
  ])
    expect(voucherFault(voucher, now)).toBeUndefined();
});

test.each([
  [{}, 'it has neither a code nor a claim URL'],
  [{ cardNumber: 'A', expiresAt: '2030-06-15T12:00:00Z' }, 'it had expired when it arrived'],
  [{ cardNumber: 'A', expiresAt: '2030-06-15T12:00:00.001Z' }, undefined],
  [{ cardNumber: 'A', expiresAt: 'whenever' }, 'its expiry is not a date'],
  [{ cardNumber: 'A', pinCode: '' }, 'its PIN is empty'],
  [
    { claimUrl: 'https://a.example', referenceNumber: '\u200b' },
    'its reference number has a character that cannot be shown',
  ],
  [{ claimUrl: 'https://a.example', pinCode: '1' }, undefined],
  [{ claimUrl: 'HTTP://a.example:8080/x?a=1&b=%20#c' }, undefined],
  [{ claimUrl: 'https://a.example/@user?to=b@c.example#@' }, undefined],
  [{ claimUrl: 'https://93.184.215.14/x' }, undefined],
  [{ claimUrl: 'https://[2606:4700::1]/x' }, undefined],
  [{ claimUrl: 'https://localhost.example/10.0.0.1' }, undefined],
  ...[
    'javascript:alert(1)',
    'www.shop.example/X',
    '//shop.example/X',
    '/X',
    'X',
    'mailto:a@b.example',
    'https://shop.example/a b',
    'https://shop.example/a\u00a0b',
    'https:shop.example',
    'https:///shop',
    'https:\\\\shop.example',
    'http://',
    'https://a.example:x',
    'see https://a.example',
    'data:text/html,x',
    'https://user@shop.example/x',
    'https://user:secret@shop.example',
    'https://shop.example@evil.example/x',
    'https://@shop.example/',
    'https://localhost/x',
    'http://LOCALHOST:8080/',
    'https://shop.localhost./x',
    'http://127.0.0.1/x',
    'http://127.1/',
    'http://0x7f000001/',
    'http://0.0.0.0:3000/',
    'http://10.1.2.3/',
    'http://172.16.0.1/',
    'https://192.168.1.1/x',
    'http://169.254.169.254/latest',
    'http://100.64.0.1/',
    'http://[::1]/',
    'http://[::]/',
    'http://[::ffff:10.0.0.1]/',
    'http://[fd00::1]/',
    'http://[fe80::1]/x',
  ].flatMap((claimUrl): [object, string][] => [
    [{ claimUrl }, notWeb],
    [{ cardNumber: 'A', claimUrl }, notWeb],
  ]),
])('When a voucher has %j, then its fault is: %s', (fields, fault) =>
  expect(voucherFault({ kind: 'voucher', ...fields }, now)).toBe(fault),
);
