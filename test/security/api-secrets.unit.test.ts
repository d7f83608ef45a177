import { hashApiSecret, isApiSecret, newApiKey, newApiSecret } from '../../src/security/api-secrets';

describe('API secrets', () => {
  test('When a secret is compared with its own hash, then it is right, and wrong with any other', () => {
    const secret = newApiSecret();
    expect(isApiSecret(secret, hashApiSecret(secret))).toBe(true);
    expect(isApiSecret(`${secret} `, hashApiSecret(secret))).toBe(false);
    expect(isApiSecret(newApiSecret(), hashApiSecret(secret))).toBe(false);
  });

  test('When there is no hash to compare with, then every secret is wrong', () => {
    expect(isApiSecret(newApiSecret(), undefined)).toBe(false);
  });

  test('When keys and secrets are made, then no two are alike and a secret holds 256 bits', () => {
    expect(new Set(Array.from({ length: 100 }, newApiKey)).size).toBe(100);
    expect(newApiSecret()).toMatch(/^dgs_[A-Za-z0-9_-]{43}$/);
  });
});
