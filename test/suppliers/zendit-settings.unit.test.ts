/** The settings of Zendit. Its host does not distinguish live sales from tests. */
import { randomBytes } from 'node:crypto';
import { loadConfig } from '../../src/settings/config';
import { stateOfOneProcess } from '../../dev/trial/state-of-one-process';
import { environmentsOf } from '../../src/settings/supplier-environments';
import { suppliersFrom } from '../../src/suppliers/registry';

const sandbox = {
  DATABASE_URL: 'postgres://127.0.0.1/any',
  SECRET_KEYS: `test:${randomBytes(32).toString('base64')}`,
};
const key = { ZENDIT_KEY: 'key-of-the-tests' };
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
  const config = loadConfig({ ...sandbox, ...key, ZENDIT_ENVIRONMENT: 'sandbox' });
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
  [
    'a short secret',
    { ZENDIT_ENVIRONMENT: 'sandbox', ZENDIT_WEBHOOK_SECRET: 'short' },
    'ZENDIT_WEBHOOK_SECRET',
  ],
])('When the settings have %s, then a message names the fault', (_what, settings, message) => {
  expect(rejection({ ...sandbox, ...key, ...settings })).toContain(message);
});

test('When production has a live key, then the settings of Zendit are accepted', () => {
  const settings = { SERVICE_MODE: 'production', ZENDIT_ENVIRONMENT: 'live', ZENDIT_URL: '' };
  expect(rejection({ ...sandbox, ...key, ...settings })).not.toContain('ZENDIT');
});
