/** Signatures of pushes: only the exact text is valid. */
import { createHmac, randomBytes } from 'node:crypto';
import { isSigned, type SignedPush } from '../../src/suppliers/kit/messages';

const secret = 'a-secret-of-the-tests';
const signed = ['1700000000.', Buffer.from('{"type":"purchase"}')];

const right = (algorithm: SignedPush['algorithm'], encoding: SignedPush['encoding']) => {
  const hmac = createHmac(algorithm, secret);
  for (const part of signed) hmac.update(part);
  return hmac.digest(encoding);
};

describe.each([
  ['sha256', 'hex'],
  ['sha512', 'hex'],
  ['sha256', 'base64'],
  ['sha512', 'base64'],
] as const)('%s in %s', (algorithm, encoding) => {
  const signature = right(algorithm, encoding);
  const holds = (text: string) => isSigned({ algorithm, secret, signed, received: text, encoding });

  test('When the signature belongs to the push, then it is valid', () => {
    expect(holds(signature)).toBe(true);
  });

  test.each([
    ['extra digits after it', `${signature}zz`],
    ['a space after it', `${signature} `],
    ['a line break after it', `${signature}\n`],
    ['a second one after it', `${signature}, ${signature}`],
    ['something before it', ` ${signature}`],
    ['its last digit missing', signature.slice(0, -1)],
    ['other padding', `${signature}=`],
    ['nothing', ''],
    ['another one', randomBytes(32).toString(encoding)],
  ])('When the signature has %s, then it is invalid', (_what, text) => {
    expect(holds(text)).toBe(false);
  });
});

test('When the hexadecimal digits are upper case, then the signature is valid', () => {
  const signature = right('sha256', 'hex').toUpperCase();
  expect(isSigned({ algorithm: 'sha256', secret, signed, received: signature, encoding: 'hex' })).toBe(true);
});
