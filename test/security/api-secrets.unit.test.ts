import { createHash } from 'node:crypto';
import {
  hashApiSecret,
  isApiSecret,
  isFormedLikeApiKey,
  keyedHash,
  newApiKey,
  newApiSecret,
} from '../../src/security/api-secrets';
import { newKey, newKeyRing, ringOf } from '../support/keys';

const ring = newKeyRing();
const sha256 = (text: string) => createHash('sha256').update(text).digest();

describe('API secrets', () => {
  test('When a secret is compared with its own hash, then it is right, and wrong with any other', () => {
    const secret = newApiSecret();
    expect(isApiSecret(ring, secret, hashApiSecret(ring, secret))).toBe(true);
    expect(isApiSecret(ring, `${secret} `, hashApiSecret(ring, secret))).toBe(false);
    expect(isApiSecret(ring, newApiSecret(), hashApiSecret(ring, secret))).toBe(false);
  });

  test('When there is no hash to compare with, then every secret is wrong', () => {
    expect(isApiSecret(ring, newApiSecret(), undefined)).toBe(false);
  });

  test('When a hash is made without the key, then the secret is wrong: what is stored is no plain hash', () => {
    const secret = newApiSecret();
    const made = hashApiSecret(newKeyRing(), secret);
    expect(isApiSecret(ring, secret, made)).toBe(false);
    const { hashKeyId, secretHash } = hashApiSecret(ring, secret);
    expect(secretHash.equals(sha256(secret))).toBe(false);
    expect(isApiSecret(ring, secret, { hashKeyId, secretHash: sha256(secret) })).toBe(false);
  });

  test('When only the plain hash is known, as of the release before, then the secret is right, before and after it is keyed', () => {
    const secret = newApiSecret();
    const plain = sha256(secret);
    for (const stored of [{ secretHash: plain, hashKeyId: null }, keyedHash(ring, plain)]) {
      expect(isApiSecret(ring, secret, stored)).toBe(true);
      expect(isApiSecret(ring, newApiSecret(), stored)).toBe(false);
    }
    expect(keyedHash(ring, plain)).toEqual(hashApiSecret(ring, secret));
  });

  test('When another key is promoted, then hashes under the one before hold; when it is not held, then that is told', () => {
    const [first, second] = [newKey('first'), newKey('second')];
    const secret = newApiSecret();
    const stored = hashApiSecret(ringOf(first), secret);
    expect(isApiSecret(ringOf(second, first), secret, stored)).toBe(true);
    expect(() => isApiSecret(ringOf(second), secret, stored)).toThrow('credential key "first"');
  });

  test('When keys and secrets are made, then no two are alike and a secret holds 256 bits', () => {
    expect(new Set(Array.from({ length: 100 }, newApiKey)).size).toBe(100);
    expect(newApiSecret()).toMatch(/^dgs_[A-Za-z0-9_-]{43}$/);
  });

  test('When a text has the form of a key, then it may be logged, and no secret has it', () => {
    expect(Array.from({ length: 100 }, newApiKey).every(isFormedLikeApiKey)).toBe(true);
    for (const text of [newApiSecret(), `${newApiKey()}x`, ` ${newApiKey()}`, 'dgk_', 'correct horse', '']) {
      expect(isFormedLikeApiKey(text)).toBe(false);
    }
  });
});
