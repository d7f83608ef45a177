/** Only configured suppliers are known, and only with settings of their environment. */
import { randomBytes } from 'node:crypto';
import { loadConfig } from '../../src/settings/config';
import { stateOfOneProcess } from '../../dev/trial/state-of-one-process';
import { environmentsOf, loggedSuppliers } from '../../src/settings/supplier-environments';
import { requireSupplier } from '../../src/domain/suppliers/configured-suppliers';
import { suppliersFrom } from '../../src/suppliers/registry';

const key = randomBytes(32).toString('base64');
const environment = { DATABASE_URL: 'postgres://127.0.0.1/any', SECRET_KEYS: `test:${key}` };

test('When the secret of a supplier is set, then that supplier is known, and no other', () => {
  const config = loadConfig({ ...environment, SIMULATOR_SECRET: 'a-secret-of-the-tests', SIMULATOR_MAX_UNITS: '7' });
  const suppliers = suppliersFrom(config, stateOfOneProcess);
  expect([...suppliers.keys()]).toEqual(['simulator']);
  expect(loggedSuppliers(config)).toEqual({ simulator: 'sandbox' });
  expect(requireSupplier(suppliers, 'simulator').traits.maxUnits).toBe(7);
  expect(() => requireSupplier(suppliers, 'acme')).toThrow('Supplier "acme" is not configured');
});

test.each([undefined, ''])(
  'When the secret of every supplier is %j, then a message states the missing setting',
  (secret) => {
    expect(() => loadConfig({ ...environment, SIMULATOR_SECRET: secret })).toThrow(
      /no supplier is configured: set one of \[[A-Z_, ]*SIMULATOR_SECRET[A-Z_, ]*\]\. See \.env\.example\./,
    );
  },
);

describe('Reloadly', () => {
  const credentials = { RELOADLY_CLIENT_ID: 'client', RELOADLY_CLIENT_SECRET: 'secret' };

  test('When a sandbox has its credentials, then it calls the hosts for tests', () => {
    const config = loadConfig({ ...environment, ...credentials });
    expect([...suppliersFrom(config, stateOfOneProcess).keys()]).toEqual(['reloadly']);
    expect(config.suppliers.reloadly).toMatchObject({
      giftCardsUrl: 'https://giftcards-sandbox.reloadly.com',
      topupsUrl: 'https://topups-sandbox.reloadly.com',
      utilitiesUrl: 'https://utilities-sandbox.reloadly.com',
      authUrl: 'https://auth.reloadly.com',
    });
  });

  test.each([
    ['GIFT_CARDS', 'giftcards'],
    ['TOPUPS', 'topups'],
    ['UTILITIES', 'utilities'],
  ])('When %s has the host of the other environment, then a message states the fault', (name, product) => {
    const urls = (host: string) => ({ ...environment, ...credentials, [`RELOADLY_${name}_URL`]: `https://${host}` });
    expect(() => loadConfig(urls(`${product}.reloadly.com`))).toThrow(
      `RELOADLY_${name}_URL must not be the live host when SERVICE_MODE is sandbox`,
    );
    expect(() => loadConfig({ ...urls(`${product}-sandbox.reloadly.com`), SERVICE_MODE: 'production' })).toThrow(
      `RELOADLY_${name}_URL must be https://${product}.reloadly.com when SERVICE_MODE is production`,
    );
  });

  test('When half of the credentials are missing, then a message names the other half', () => {
    expect(() => loadConfig({ ...environment, RELOADLY_CLIENT_ID: 'client' })).toThrow('RELOADLY_CLIENT_SECRET');
  });
});

// Its host does not distinguish live sales from tests.
describe('Zendit', () => {
  const credentials = { ZENDIT_KEY: 'key-of-the-tests' };
  const url = 'https://api.zendit.io/v1';

  /** The message with which the settings are rejected. */
  function rejection(settings: NodeJS.ProcessEnv): string {
    try {
      loadConfig(settings);
      return '';
    } catch (error) {
      return (error as Error).message;
    }
  }

  test('When a sandbox has a key for tests, then Zendit is configured, and its environment is shown at the start', () => {
    const config = loadConfig({ ...environment, ...credentials, ZENDIT_ENVIRONMENT: 'sandbox' });
    expect(config.suppliers.zendit).toMatchObject({ url, environment: 'sandbox' });
    expect([...suppliersFrom(config, stateOfOneProcess).keys()]).toEqual(['zendit']);
    expect(environmentsOf(config)).toEqual({ zendit: 'sandbox' });
  });

  test.each<[string, object, string]>([
    ['no environment', {}, 'ZENDIT_ENVIRONMENT'],
    ['an empty environment', { ZENDIT_ENVIRONMENT: '' }, 'ZENDIT_ENVIRONMENT'],
    ['a live key', { ZENDIT_ENVIRONMENT: 'live' }, 'ZENDIT_ENVIRONMENT must be sandbox'],
    [
      'a key for tests in production',
      { SERVICE_MODE: 'production', ZENDIT_ENVIRONMENT: 'sandbox' },
      'ZENDIT_ENVIRONMENT must be live',
    ],
    [
      'another host in production',
      { SERVICE_MODE: 'production', ZENDIT_ENVIRONMENT: 'live', ZENDIT_URL: 'https://test-api.zendit.io/v1' },
      `ZENDIT_URL must be ${url} when SERVICE_MODE is production`,
    ],
    ['a short secret', { ZENDIT_ENVIRONMENT: 'sandbox', ZENDIT_WEBHOOK_SECRET: 'short' }, 'ZENDIT_WEBHOOK_SECRET'],
  ])('When the settings have %s, then a message names the fault', (_what, settings, message) => {
    expect(rejection({ ...environment, ...credentials, ...settings })).toContain(message);
  });

  test('When production has a live key, then the settings of Zendit are accepted', () => {
    const settings = { SERVICE_MODE: 'production', ZENDIT_ENVIRONMENT: 'live', ZENDIT_URL: '' };
    expect(rejection({ ...environment, ...credentials, ...settings })).not.toContain('ZENDIT');
  });
});
