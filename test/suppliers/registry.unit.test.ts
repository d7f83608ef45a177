/** Suppliers are known only where they are configured. */
import { randomBytes } from 'node:crypto';
import { loadConfig } from '../../src/config';
import { supplierNamed, suppliersFrom } from '../../src/suppliers/registry';

const key = randomBytes(32).toString('base64');
const environment = { DATABASE_URL: 'postgres://127.0.0.1/any', SECRET_KEYS: `test:${key}` };

test('When the secret of a supplier is set, then that supplier is known, and no other', () => {
  const suppliers = suppliersFrom(
    loadConfig({ ...environment, SIMULATOR_SECRET: 'a-secret-of-the-tests', SIMULATOR_MAX_UNITS: '7' }),
  );
  expect([...suppliers.keys()]).toEqual(['simulator']);
  expect(supplierNamed(suppliers, 'simulator').traits.maxUnits).toBe(7);
  expect(() => supplierNamed(suppliers, 'acme')).toThrow('supplier "acme", which is not configured');
});

test.each([undefined, ''])(
  'When the secret of every supplier is %j, then a sentence says what to set',
  (secret) => {
    expect(() => loadConfig({ ...environment, SIMULATOR_SECRET: secret })).toThrow(
      /no supplier is configured: set one of \[[A-Z_, ]*SIMULATOR_SECRET[A-Z_, ]*\]\. See \.env\.example\./,
    );
  },
);
