import { createHash } from 'node:crypto';
import {
  hashApiSecret,
  isApiSecret,
  isFormedLikeApiKey,
  newApiKey,
  newApiSecret,
} from '../../src/security/api-secrets';
import { newKey, newKeyRing, ringOf } from '../support/keys';

const ring = newKeyRing();
const sha256 = (text: string) => createHash('sha256').update(text).digest();

const credentials = () => ({ apiKey: newApiKey(), secret: newApiSecret() });

describe('API secrets', () => {
  test('When a secret is compared with its own hash, then it matches, and with any other it does not', () => {
    const own = credentials();
    const stored = hashApiSecret(ring, own);
    expect(isApiSecret(ring, own, stored)).toBe(true);
    expect(isApiSecret(ring, { ...own, secret: `${own.secret} ` }, stored)).toBe(false);
    expect(isApiSecret(ring, { ...own, secret: newApiSecret() }, stored)).toBe(false);
  });

  test('When the hash of one API key is stored at another, then its secret does not match there', () => {
    const own = credentials();
    const stored = hashApiSecret(ring, own);
    expect(isApiSecret(ring, { ...own, apiKey: newApiKey() }, stored)).toBe(false);
  });

  test('When no hash is stored, then no secret matches', () => {
    expect(isApiSecret(ring, credentials(), undefined)).toBe(false);
  });

  test('When a hash is computed without the key, then the secret does not match, because stored hashes are keyed', () => {
    const own = credentials();
    expect(isApiSecret(ring, own, hashApiSecret(newKeyRing(), own))).toBe(false);
    const { hashKeyId, secretHash } = hashApiSecret(ring, own);
    const plain = sha256(own.secret);
    expect(secretHash.equals(plain)).toBe(false);
    expect(isApiSecret(ring, own, { hashKeyId, secretHash: plain })).toBe(false);
  });

  test('When another key is promoted, then hashes under the previous key match, and an error names that key if it is missing', () => {
    const [first, second] = [newKey('first'), newKey('second')];
    const own = credentials();
    const stored = hashApiSecret(ringOf(first), own);
    expect(isApiSecret(ringOf(second, first), own, stored)).toBe(true);
    expect(() => isApiSecret(ringOf(second), own, stored)).toThrow('credential key "first"');
  });

  test('When keys and secrets are created, then all are different, and a secret has 256 bits', () => {
    expect(new Set(Array.from({ length: 100 }, newApiKey)).size).toBe(100);
    expect(newApiSecret()).toMatch(/^dgs_[A-Za-z0-9_-]{43}$/);
  });

  test('When a text has the form of an API key, then it may be logged, and no secret has that form', () => {
    expect(Array.from({ length: 100 }, newApiKey).every(isFormedLikeApiKey)).toBe(true);
    for (const text of [newApiSecret(), `${newApiKey()}x`, ` ${newApiKey()}`, 'dgk_', 'correct horse', '']) {
      expect(isFormedLikeApiKey(text)).toBe(false);
    }
  });
});
