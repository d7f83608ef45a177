/** Settings that production rejects, each with a message that states the fix. */
import { randomBytes } from 'node:crypto';
import { loadApiConfig, loadConfig, loadOperatorsConfig, loadWorkerConfig } from '../src/settings/config';
import { misspeltSettings } from '../src/settings/misspelt-settings';
import { declaredSettings } from '../src/settings/declared-settings';
import { loggedSuppliers } from '../src/settings/supplier-environments';
import { supplierSettings } from '../src/settings/supplier-settings';
import { textOf } from './documents/documents';

const strong = randomBytes(24).toString('base64url');
const sandbox = {
  SERVICE_MODE: 'sandbox',
  DATABASE_URL: 'postgres://service@127.0.0.1/any',
  SECRET_KEYS: `test:${randomBytes(32).toString('base64')}`,
  SIMULATOR_SECRET: strong,
};
/** Complete except for a supplier, because production rejects the simulator. */
const production = {
  SERVICE_MODE: 'production',
  DATABASE_URL: `postgres://service:${strong}@db.example/goods?sslmode=verify-full`,
  SECRET_KEYS: sandbox.SECRET_KEYS,
  SMTP_URL: 'smtp://mail.example:587',
  MAIL_FROM: 'Goods <orders@goods.example>',
  CONSOLE_URL: 'https://api.goods.example',
};
/** The brackets contain the secret settings of all suppliers. */
const noSupplier =
  /^Configuration: no supplier is configured: set one of \[[A-Z_, ]*SIMULATOR_SECRET[A-Z_, ]*\]\. See \.env\.example\.$/;

function refusal(environment: NodeJS.ProcessEnv, load: (given: NodeJS.ProcessEnv) => unknown = loadConfig): string {
  try {
    load(environment);
    return 'none';
  } catch (error) {
    return (error as Error).message;
  }
}

test('When production has all its settings, then it lacks only a supplier', () => {
  expect(refusal(production)).toMatch(noSupplier);
});

test.each(textOf('docs/operators/mail.md').match(/smtps?:\/\/user[^`]*/g) ?? [])(
  'When SMTP_URL is %s, as documented, then production accepts it',
  (url) => {
    expect(refusal({ ...production, SMTP_URL: url })).toMatch(noSupplier);
  },
);

const dtone = { DTONE_KEY: 'key', DTONE_SECRET: 'secret' };

test('When production has a real supplier, then it calls the live host, and the log of the start says so', () => {
  const config = loadConfig({ ...production, ...dtone });
  expect(config.suppliers).toMatchObject({ dtone: { url: 'https://dvs-api.dtone.com/v1' } });
  expect(loggedSuppliers(config)).toEqual({ dtone: 'live' });
});

test('When a sandbox has a real supplier, then it calls the host for tests, and never the live one', () => {
  const { suppliers } = loadConfig({ ...sandbox, ...dtone });
  expect(suppliers).toMatchObject({ dtone: { url: 'https://preprod-dvs-api.dtone.com/v1' } });
  expect(refusal({ ...sandbox, ...dtone, DTONE_URL: 'https://DVS-API.dtone.com/v2' })).toContain(
    'DTONE_URL must not be the live host when SERVICE_MODE is sandbox: it sells for real money',
  );
});

const airalo = { AIRALO_CLIENT_ID: 'id', AIRALO_CLIENT_SECRET: 'secret' };

test.each<[object, string, string, string]>([
  [production, 'live', 'sandbox', 'AIRALO_ENVIRONMENT must be live when SERVICE_MODE is production'],
  [sandbox, 'sandbox', 'live', 'AIRALO_ENVIRONMENT must be sandbox when SERVICE_MODE is sandbox'],
])(
  'When a supplier has one host for sales and tests, then its environment must be stated and fit the mode',
  (mode, right, wrong, sentence) => {
    const { suppliers } = loadConfig({ ...mode, ...airalo, AIRALO_ENVIRONMENT: right });
    expect(suppliers).toMatchObject({ airalo: { url: 'https://partners-api.airalo.com/v2', environment: right } });
    expect(refusal({ ...mode, ...airalo, AIRALO_ENVIRONMENT: wrong })).toContain(sentence);
    expect(refusal({ ...mode, ...airalo })).toContain('AIRALO_ENVIRONMENT');
  },
);

test.each([
  [{ ...production, ...dtone }, 'dtone'],
  [sandbox, 'simulator'],
])('When every other setting of the suppliers is empty, then it counts as not set', (environment, only) => {
  const settings = Object.values(supplierSettings).flatMap((each) => Object.values(each));
  const empty = Object.fromEntries(settings.map(({ variable }) => [variable, '']));
  const { suppliers } = loadConfig({ ...empty, ...environment });
  expect(suppliers).toEqual(loadConfig(environment).suppliers);
  expect(Object.keys(suppliers)).toEqual([only]);
});

test('When half of the credentials are missing, then a message names the other half', () => {
  expect(refusal({ ...sandbox, DTONE_KEY: 'key' })).toContain('DTONE_SECRET');
});

test.each([
  'https://api.example.com/suppliers/dtone/callbacks',
  'https://api.example.com/suppliers/dtone/callbacks/too-short',
  `https://api.example.com/suppliers/other/callbacks/${strong}`,
  `https://api.example.com/prefix/suppliers/dtone/callbacks/${strong}`,
])('When the address of callbacks is %s, then a message states what it must be', (url) => {
  expect(refusal({ ...sandbox, ...dtone, DTONE_CALLBACK_URL: url })).toContain(
    'DTONE_CALLBACK_URL must be our address with /suppliers/dtone/callbacks/ and a secret of at least 32 letters',
  );
});

test.each<[string, object, string]>([
  [
    'the wrong host of a supplier',
    { ...dtone, DTONE_URL: 'https://preprod-dvs-api.dtone.com/v1' },
    'DTONE_URL must be https://dvs-api.dtone.com/v1 when SERVICE_MODE is production: every other host sells test goods',
  ],
  [
    'another host of a supplier with one host',
    { ...airalo, AIRALO_ENVIRONMENT: 'live', AIRALO_URL: 'https://sandbox-partners-api.airalo.com/v2' },
    'AIRALO_URL must be https://partners-api.airalo.com/v2 when SERVICE_MODE is production',
  ],
  [
    'the simulator',
    { SIMULATOR_SECRET: strong },
    'SIMULATOR_SECRET must not be set when SERVICE_MODE is production: the simulator sells nothing',
  ],
  [
    'webhooks to this machine',
    { WEBHOOKS_ALLOW_LOOPBACK: 'true' },
    'WEBHOOKS_ALLOW_LOOPBACK must not be set when SERVICE_MODE is production',
  ],
  ['the mail catcher', { SMTP_URL: undefined }, 'SMTP_URL is required when SERVICE_MODE is production'],
  [
    'mail that disables TLS',
    { SMTP_URL: 'smtp://mail.example?ignoreTLS=true' },
    'SMTP_URL must have no parameters when SERVICE_MODE is production',
  ],
  ['an example sender', { MAIL_FROM: undefined }, 'MAIL_FROM is required when SERVICE_MODE is production'],
  [
    'a supplier without TLS',
    { SIMULATOR_URL: 'http://supplier.example' },
    'SIMULATOR_URL must begin with https:// when SERVICE_MODE is production',
  ],
  [
    'a database without a TLS setting',
    { DATABASE_URL: `postgres://service:${strong}@db.example/goods` },
    'DATABASE_URL must say sslmode=verify-full',
  ],
  [
    'a database with an unchecked certificate',
    { DATABASE_URL: `postgres://service:${strong}@db.example/goods?sslmode=no-verify` },
    'DATABASE_URL must say sslmode=verify-full',
  ],
  [
    'a weak password',
    { DATABASE_URL: 'postgres://service:postgres@db.example/goods?sslmode=verify-full' },
    'DATABASE_URL must have a password of at least 16 characters when SERVICE_MODE is production',
  ],
  [
    'a short secret',
    { ZENDIT_WEBHOOK_SECRET: 'x7Kq2mVz9pLw4tRb' },
    'ZENDIT_WEBHOOK_SECRET must have at least 32 characters when SERVICE_MODE is production',
  ],
  [
    'a secret of few characters',
    { ZENDIT_WEBHOOK_SECRET: 'secret'.repeat(6) },
    'ZENDIT_WEBHOOK_SECRET is easily guessed: make another',
  ],
  [
    'a weak secret of a supplier',
    { RELOADLY_WEBHOOK_SECRET: 'a' },
    'RELOADLY_WEBHOOK_SECRET must have at least 16 characters when SERVICE_MODE is production',
  ],
  [
    'a repeated letter as the secret of a supplier',
    { RELOADLY_WEBHOOK_SECRET: 'a'.repeat(16) },
    'RELOADLY_WEBHOOK_SECRET is easily guessed: make another',
  ],
  [
    'a callback address without TLS',
    { DTONE_CALLBACK_URL: `http://api.example/suppliers/dtone/callbacks/${strong}` },
    'DTONE_CALLBACK_URL must begin with https:// when SERVICE_MODE is production',
  ],
  [
    'a weak secret in a callback address',
    { DTONE_CALLBACK_URL: `https://api.example/suppliers/dtone/callbacks/${'a'.repeat(32)}` },
    'DTONE_CALLBACK_URL is easily guessed: make another',
  ],
  ...(['0.0.0.0/0', '::/0', '128.0.0.0/1', '::ffff:0:0/96', '::/64', '10.0.0.1,0.0.0.0/0'] as const).map(
    (list): [string, NodeJS.ProcessEnv, string] => [
      `${list} as its proxies`,
      { TRUSTED_PROXIES: list },
      'TRUSTED_PROXIES must list only our proxies when SERVICE_MODE is production',
    ],
  ),
  ['a zero key', { SECRET_KEYS: `test:${Buffer.alloc(32).toString('base64')}` }, 'SECRET_KEYS'],
])('When production is configured with %s, then a message rejects it', (_what, given, sentence) => {
  const said = refusal({ ...production, ...given });
  expect(said).toContain(sentence);
  expect(said).not.toContain(strong);
});

test.each<[string, (given: NodeJS.ProcessEnv) => unknown, string[]]>([
  ['the API', loadApiConfig, ['MEMBER_IDENTITY_SECRET is required', 'MEMBER_IDENTITY_DATABASE_URL is required']],
  ['the worker', loadWorkerConfig, ['RETENTION_DATABASE_URL is required']],
  [
    "the operators' process",
    loadOperatorsConfig,
    ['OPS_URL is required', 'OPS_IDENTITY_SECRET is required', 'OPS_IDENTITY_DATABASE_URL is required'],
  ],
])('When %s starts with several faults, then one message names them all', (_process, load, own) => {
  const given = {
    ...production,
    SMTP_URL: undefined,
    API_PORT: ' 3000',
    TEMPORAL_ADRESS: 'temporal.example:7233',
    REDIS_URL: 'redis://redis.example',
    TEMPORAL_TLS_KEY_FILE: 'package.json',
    DTONE_KEY: 'key',
  };
  const said = refusal(given, load);
  const everywhere = [
    'API_PORT must not begin or end with a blank',
    'SMTP_URL is required when SERVICE_MODE is production',
    'TEMPORAL_TLS_KEY_FILE needs TEMPORAL_TLS=true',
    'DTONE_SECRET',
    'no supplier is configured',
    'REDIS_URL leads to another machine without TLS',
    'TEMPORAL_ADRESS is no setting, but TEMPORAL_ADDRESS is',
  ];
  expect([...everywhere, ...own].filter((sentence) => !said.includes(sentence))).toEqual([]);
});

test('When a name is close to that of a setting, then a sentence names the setting, and no name that we document is close to another', () => {
  expect(misspeltSettings({ TEMPORAL_ADRESS: 'x', OPS_TOKN: 'x', LOG_LEVEL: 'info', PATH: '/bin' })).toEqual([
    'TEMPORAL_ADRESS is no setting, but TEMPORAL_ADDRESS is',
    'OPS_TOKN is no setting, but OPS_TOKEN is',
  ]);
  const documented = textOf('.env.example').matchAll(/^#?([A-Z][A-Z_]+)=/gm);
  expect(misspeltSettings(Object.fromEntries(Array.from(documented, ([, name = '']) => [name, 'x'])))).toEqual([]);
});

test('When production demands something of a setting, then the page about settings says so', () => {
  const rules = [...declaredSettings].filter(([, schemas]) =>
    schemas.some((schema) => JSON.stringify(schema.describe()).includes('"SERVICE_MODE"')),
  );
  const [, section = ''] = /^## Production\n([^]*?)^## /m.exec(textOf('docs/operators/configuration.md')) ?? [];
  const encrypted = ['TEMPORAL_ADDRESS', 'REDIS_URL', 'OTEL_EXPORTER_OTLP_ENDPOINT', 'SECRET_KEYS'];
  const demanded = [...rules.map(([variable]) => variable), ...encrypted];
  expect(demanded.length).toBeGreaterThan(25);
  expect(demanded.filter((variable) => !section.includes(`\`${variable}\``))).toEqual([]);
});

describe('unencrypted connections of production to other machines', () => {
  test.each<[string, NodeJS.ProcessEnv, string]>([
    ['temporal', { TEMPORAL_ADDRESS: 'temporal:7233' }, 'set TEMPORAL_TLS=true'],
    ['temporal', { TEMPORAL_ADDRESS: '10.0.0.7:7233', TEMPORAL_TLS: 'false' }, 'set TEMPORAL_TLS=true'],
    ['redis', { REDIS_URL: 'redis://:password@redis.example:6379' }, 'use rediss://'],
    ['traces', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.example:4318' }, 'use https://'],
  ])('When one leads to %s with %j, then production starts only if a setting names it', (name, given, remedy) => {
    const [variable] = Object.keys(given);
    expect(refusal({ ...production, ...dtone, ...given })).toContain(
      `${variable} leads to another machine without TLS, which SERVICE_MODE production rejects: ${remedy}, or add ${name} to UNENCRYPTED_CONNECTIONS`,
    );
    const others = ['temporal', 'redis', 'traces'].filter((each) => each !== name).join(',');
    expect(refusal({ ...production, ...dtone, ...given, UNENCRYPTED_CONNECTIONS: others })).toContain(remedy);
    expect(refusal({ ...production, ...dtone, ...given, UNENCRYPTED_CONNECTIONS: name })).toBe('none');
    expect(refusal({ ...sandbox, ...given })).toBe('none');
  });

  test.each<[NodeJS.ProcessEnv]>([
    [{ TEMPORAL_ADDRESS: 'temporal:7233', TEMPORAL_TLS: 'true' }],
    [{ TEMPORAL_ADDRESS: '127.0.0.1:7233', REDIS_URL: 'redis://[::1]:6379' }],
    [{ REDIS_URL: 'rediss://redis.example:6379', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318' }],
    [{ TRUSTED_PROXIES: '10.0.0.0/8,fc00::/7,203.0.113.7' }],
  ])('When production has %j, then it starts', (given) => {
    expect(refusal({ ...production, ...dtone, ...given })).toBe('none');
  });

  test('When a setting names an unknown connection, then a message lists the known ones', () => {
    expect(refusal({ ...production, ...dtone, UNENCRYPTED_CONNECTIONS: 'all' })).toContain(
      'UNENCRYPTED_CONNECTIONS must be some of temporal, redis, traces, separated by commas',
    );
  });
});

test('When a sandbox has the same settings, then it starts', () => {
  const given = {
    WEBHOOKS_ALLOW_LOOPBACK: 'true',
    ZENDIT_WEBHOOK_SECRET: 'x7Kq2mVz9pLw4tRb',
    RELOADLY_WEBHOOK_SECRET: 'a',
    TRUSTED_PROXIES: '0.0.0.0/0',
  };
  expect(loadConfig({ ...sandbox, ...given })).toMatchObject({ mode: 'sandbox', mail: { requiresTls: false } });
});

test.each(['TEMPORAL_API_KEY', 'TEMPORAL_TLS_CA_FILE', 'TEMPORAL_SERVER_NAME'])(
  'When %s is set without TLS, then a message states the missing setting',
  (name) => {
    expect(refusal({ ...sandbox, [name]: 'package.json' })).toContain(`${name} needs TEMPORAL_TLS=true`);
  },
);

test('When a TLS file cannot be read, or half of a pair is missing, then a message says so', () => {
  const tls = { ...sandbox, TEMPORAL_TLS: 'true' };
  expect(refusal({ ...tls, TEMPORAL_TLS_CA_FILE: '/nowhere.pem' })).toContain(
    'TEMPORAL_TLS_CA_FILE names a file that cannot be read (ENOENT)',
  );
  expect(refusal({ ...tls, TEMPORAL_TLS_CERT_FILE: 'package.json' })).toContain('TEMPORAL_TLS_KEY_FILE');
});
