/** Settings that are rejected before the start, each with a message that names it. */
import { randomBytes } from 'node:crypto';
import { loadConfig, loadOperatorConfig, loadSecretKeys } from '../src/config';

const environment = {
  DATABASE_URL: 'postgres://127.0.0.1/any',
  SECRET_KEYS: `test:${randomBytes(32).toString('base64')}`,
  SIMULATOR_SECRET: 'a-secret-of-the-tests',
};

test('When SECRET_KEYS are absent or wrong, then the ops CLI has its settings, and only a command that needs the keys fails', () => {
  const { SECRET_KEYS: keys, ...others } = environment;
  expect(loadOperatorConfig(others).database.url).toBe(environment.DATABASE_URL);
  expect(loadOperatorConfig({ ...others, SECRET_KEYS: 'short' })).not.toHaveProperty('secretKeys');
  expect(() => loadSecretKeys(others)).toThrow('Configuration: SECRET_KEYS is required, or SECRET_KEYS_FILE');
  expect(loadSecretKeys({ SECRET_KEYS: keys })).toMatchObject([{ id: 'test' }]);
});

const proxiesOf = (text: string) => loadConfig({ ...environment, TRUSTED_PROXIES: text }).api.trustedProxies;

test.each([
  ['', []],
  [' ', []],
  ['10.0.0.1', ['10.0.0.1']],
  ['10.0.0.0/8, 2001:db8::1 ,fd00::/8', ['10.0.0.0/8', '2001:db8::1', 'fd00::/8']],
])('When TRUSTED_PROXIES is "%s", then these are trusted: %j', (text, proxies) => {
  expect(proxiesOf(text)).toEqual(proxies);
});

test.each([
  'fade',
  '1',
  '10/8',
  '10.0.0.0/33',
  '10.0.0.256',
  '010.0.0.1',
  '2001:db8::/129',
  '::ffff:1.2.3.4.5',
  'fe80::1%eth0',
  '10.0.0.1,',
  ',10.0.0.1',
  '10.0.0.1;10.0.0.2',
  '10.0.0.1/255.0.0.0',
  '/8',
  'loopback',
  'true',
])('When TRUSTED_PROXIES is "%s", then the service does not start', (text) => {
  expect(() => proxiesOf(text)).toThrow(
    'Configuration: TRUSTED_PROXIES must be addresses or CIDRs, separated by commas. See .env.example.',
  );
});
