/** Settings that are rejected before the start, each with a message that names it. */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import {
  loadApiConfig,
  loadConfig,
  loadDatabaseUrl,
  loadIdentityConfig,
  loadSecretKeys,
  loadSuppliersConfig,
  loadTemporalConfig,
} from '../src/settings/config';
import { readVariable } from '../src/settings/read-settings';

const environment = {
  DATABASE_URL: 'postgres://127.0.0.1/any',
  SECRET_KEYS: `test:${randomBytes(32).toString('base64')}`,
  SIMULATOR_SECRET: 'a-secret-of-the-tests',
};

describe('When a local command of production reads a part of the settings', () => {
  const mode = { SERVICE_MODE: 'production' };
  const part = <Value>(load: (given: NodeJS.ProcessEnv) => Value, given: NodeJS.ProcessEnv) =>
    load({ ...mode, ...given });

  test('then it demands nothing else', () => {
    const url = `postgres://owner:${'a'.repeat(16)}@db.example/goods?sslmode=verify-full`;
    expect(part(loadDatabaseUrl, { DATABASE_URL: url })).toBe(url);
    expect(part(loadSecretKeys, { SECRET_KEYS: environment.SECRET_KEYS })).toMatchObject([{ id: 'test' }]);
    const temporal = { TEMPORAL_ADDRESS: 'temporal.example:7233', TEMPORAL_TLS: 'true' };
    expect(part(loadTemporalConfig, temporal)).toMatchObject({ temporal: { address: temporal.TEMPORAL_ADDRESS } });
    expect(part(loadSuppliersConfig, { DTONE_KEY: 'key', DTONE_SECRET: 'secret' })).toMatchObject({
      suppliers: { dtone: { key: 'key' } },
    });
  });

  test('then it demands of them what a process does', () => {
    expect(() => part(loadDatabaseUrl, environment)).toThrow('DATABASE_URL must say sslmode=verify-full');
    expect(() => part(loadSecretKeys, {})).toThrow('SECRET_KEYS is required, or SECRET_KEYS_FILE');
    expect(() => part(loadTemporalConfig, { TEMPORAL_ADDRESS: 'temporal.example:7233' })).toThrow(
      'set TEMPORAL_TLS=true',
    );
    const key = { TEMPORAL_TLS: 'true', TEMPORAL_TLS_KEY_FILE: 'package.json' };
    expect(() => part(loadTemporalConfig, key)).toThrow('TEMPORAL_TLS_CERT_FILE');
    expect(() => part(loadSuppliersConfig, {})).toThrow('no supplier is configured');
    expect(() => part(loadSuppliersConfig, environment)).toThrow('SIMULATOR_SECRET must not be set');
  });
});

test.each(['SECRET_KEYS_FILE', 'TEMPORAL_TLS_KEY_FILE'])(
  'When %s holds a key instead of the path of its file, then the message does not have the key',
  (name) => {
    const { SECRET_KEYS: key, ...others } = environment;
    const load = () => loadConfig({ ...others, TEMPORAL_TLS: 'true', [name]: key });
    expect(load).toThrow(`${name} names a file that cannot be read (ENOENT)`);
    expect(load).not.toThrow(key);
  },
);

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

const accountsOf = (text: string) => loadConfig({ ...environment, BANK_ACCOUNTS: text }).funding.bankAccounts;
const account = { beneficiary: 'Digital Goods Ltd', iban: 'DE89370400440532013000', bic: 'COBADEFFXXX' };

const american = { beneficiary: 'Us', account_number: '123456789', routing_code: '026009593' };

test('When a country has no IBAN, then BANK_ACCOUNTS names account number and routing code, with other spellings', () => {
  const written = { ...american, statement_accounts: ['0123456789'] };
  const read = { ...american, iban: null, bic: null, statementAccounts: ['0123456789'] };
  // Two currencies may arrive at one account.
  const accounts = accountsOf(JSON.stringify({ USD: written, CAD: written }));
  expect(accounts).toEqual(
    new Map([
      ['USD', read],
      ['CAD', read],
    ]),
  );
});

test('When BANK_ACCOUNTS names accounts, then each currency has its own, with the IBAN without blanks', () => {
  const spaced = { ...account, iban: 'de89 3704 0044 0532 0130 00' };
  const read = { ...account, account_number: null, routing_code: null, statementAccounts: [] };
  expect(accountsOf(JSON.stringify({ EUR: spaced }))).toEqual(new Map([['EUR', read]]));
  expect(loadConfig(environment).funding.bankAccounts.size).toBe(0);
});

test.each([
  ['no JSON', 'EUR=DE89370400440532013000'],
  ['a list', '[]'],
  ['an unknown key', { EUR: { ...account, account: 1 } }],
  ['an invalid currency', { euro: account }],
  ['no beneficiary', { EUR: { ...account, beneficiary: '' } }],
  ['a wrong check digit', { EUR: { ...account, iban: 'DE88370400440532013000' } }],
  ['a digit too few', { EUR: { ...account, iban: 'DE8937040044053201300' } }],
  ['a wrong BIC', { EUR: { ...account, bic: 'COBADEF' } }],
  ['an IBAN without a BIC', { EUR: { ...account, bic: undefined } }],
  ['neither IBAN nor number', { EUR: { beneficiary: 'Us' } }],
  ['a number beside an IBAN', { EUR: { ...account, account_number: '1', routing_code: '2' } }],
  ['a number without the code of the bank', { EUR: { beneficiary: 'Us', account_number: '1' } }],
  [
    'one spelling of two accounts',
    { EUR: account, USD: { ...american, statement_accounts: ['DE89 3704 0044 0532 0130 00'] } },
  ],
])('When BANK_ACCOUNTS has %s, then the service does not start', (_what, given) => {
  const text = typeof given === 'string' ? given : JSON.stringify(given);
  expect(() => accountsOf(text)).toThrow('Configuration: BANK_ACCOUNTS is invalid');
});

const mapping = { account: 'A', currency: 'EUR', columns: { bookedOn: 'Day', amount: 'Sum', text: 'Text' } };

test('When BANK_CSV maps the columns of a bank, then its files are read so, with defaults for the form of values', () => {
  const read = loadConfig({ ...environment, BANK_CSV: JSON.stringify(mapping) }).funding.bankCsv;
  const columns = { ...mapping.columns, text: ['Text'] };
  expect(read).toEqual({
    ...mapping,
    columns,
    delimiter: ',',
    decimal: '.',
    dates: 'YMD',
    credit: ['C', 'CR', 'CREDIT', 'H', 'HABEN', 'BIJ', '+'],
    debit: ['D', 'DR', 'DEBIT', 'S', 'SOLL', 'AF', '-'],
  });
  expect(loadConfig(environment).funding.bankCsv).toBeUndefined();
});

test.each([
  ['no JSON', 'Day,Sum'],
  ['no account', { ...mapping, account: undefined }],
  ['no amounts', { ...mapping, columns: { bookedOn: 'Day', text: 'Text' } }],
  ['an amount beside two columns', { ...mapping, columns: { ...mapping.columns, paidIn: 'In', paidOut: 'Out' } }],
  ['one of two columns', { ...mapping, columns: { bookedOn: 'Day', text: 'Text', paidIn: 'In' } }],
  ['one word for credits and debits', { ...mapping, credit: 'x', debit: 'X' }],
  ['a state of booked entries without their column', { ...mapping, booked: 'yes' }],
])('When BANK_CSV has %s, then the service does not start', (_what, given) => {
  const text = typeof given === 'string' ? given : JSON.stringify(given);
  expect(() => loadConfig({ ...environment, BANK_CSV: text })).toThrow('Configuration: BANK_CSV is invalid');
});

/** All settings of the service, and those that a sandbox requires. */
const variables = [
  ...new Set(
    Array.from(readFileSync('.env.example', 'utf8').matchAll(/^#?([A-Z][A-Z_]+)=/gm), ([, name = '']) => name),
  ),
];
const whole: NodeJS.ProcessEnv = {
  ...environment,
  OPS_IDENTITY_SECRET: 'a-secret-of-the-tests',
  MEMBER_IDENTITY_SECRET: 'a-secret-of-the-tests',
};
const readAll = (given: NodeJS.ProcessEnv) => [loadConfig(given), loadIdentityConfig(given), loadApiConfig(given)];

test.each(['', ' ', '\r', '\r\n'])('When any setting is %j, then it counts as not set', (empty) => {
  const others = variables.filter((name) => whole[name] === undefined);
  expect(others.length).toBeGreaterThan(50);
  const given = { ...whole, ...Object.fromEntries(others.map((name) => [name, empty])) };
  expect(readAll(given)).toEqual(readAll(whole));
  expect(() => loadConfig({ ...whole, DATABASE_URL: empty })).toThrow('DATABASE_URL is required');
  expect(readVariable('OPS_TOKEN', { OPS_TOKEN: empty })).toBeUndefined();
});

test.each([
  ['a carriage return', (value: string) => `${value}\r`],
  ['a line break', (value: string) => `${value}\n`],
  ['a blank before it', (value: string) => ` ${value}`],
  ['a tab', (value: string) => `${value}\t`],
  ['quotes', (value: string) => `"${value}"`],
  ['single quotes', (value: string) => `'${value}'`],
])('When the value of any setting has %s, then its name is in the message, and its value is not', (_what, wrap) => {
  const wrapped = Object.fromEntries(Object.entries(whole).map(([name, value]) => [name, wrap(String(value))]));
  const message = (read: (given: NodeJS.ProcessEnv) => unknown) => {
    try {
      return String(read(wrapped));
    } catch (error) {
      return (error as Error).message;
    }
  };
  expect(message(loadConfig)).toMatch(
    /^Configuration: DATABASE_URL must not begin or end .*; SECRET_KEYS must not .*; SIMULATOR_SECRET must not/,
  );
  expect(message(loadConfig)).not.toContain('a-secret');
  expect(message(loadIdentityConfig)).toContain('OPS_IDENTITY_SECRET must not begin or end');
  expect(message(loadApiConfig)).toContain('MEMBER_IDENTITY_SECRET must not begin or end');
  expect(() => readVariable('OPS_TOKEN', { OPS_TOKEN: wrap('any') })).toThrow('OPS_TOKEN must not begin or end');
});

test.each(['"Digital Goods, Inc." <orders@shop.example>', "Joe's <joe@shop.example>"])(
  'When a value only begins with quotes or holds one, such as %s, then it is used',
  (from) => {
    expect(loadConfig({ ...whole, MAIL_FROM: from }).mail.from).toBe(from);
  },
);

test('When API_CONTACT is neither an email address nor an https:// address, then the start says so', () => {
  const contactOf = (text: string) => loadConfig({ ...environment, API_CONTACT: text }).api.contact;
  for (const contact of ['api@goods.example', 'https://goods.example/help']) expect(contactOf(contact)).toBe(contact);
  expect(contactOf('')).toBeUndefined();
  for (const text of ['the service desk', 'http://goods.example'])
    expect(() => contactOf(text)).toThrow('API_CONTACT must be an email address or an https:// address');
});

test('When a fact of the page about this service is not one short line, then the start says so', () => {
  const supportOf = (text: string) => loadConfig({ ...environment, ABOUT_SUPPORT: text }).api.about.support;
  expect(supportOf('support@goods.example, 8:00 to 18:00')).toBe('support@goods.example, 8:00 to 18:00');
  expect(supportOf('')).toBeUndefined();
  for (const text of ['two\nlines', 'left \u202e right'])
    expect(() => supportOf(text)).toThrow('ABOUT_SUPPORT must be one line without control characters');
  expect(() => supportOf('x'.repeat(501))).toThrow('ABOUT_SUPPORT');
});
