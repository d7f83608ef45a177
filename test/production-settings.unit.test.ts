/** What production refuses in its settings, each in one sentence that says what to do. */
import { randomBytes } from 'node:crypto';
import { loadConfig } from '../src/config';

const strong = randomBytes(24).toString('base64url');
const sandbox = {
  SERVICE_MODE: 'sandbox',
  DATABASE_URL: 'postgres://service@127.0.0.1/any',
  SECRET_KEYS: `test:${randomBytes(32).toString('base64')}`,
  SIMULATOR_SECRET: strong,
};
/** Complete but for a supplier: the simulator, the only one, is refused. */
const production = {
  SERVICE_MODE: 'production',
  DATABASE_URL: `postgres://service:${strong}@db.example/goods?sslmode=verify-full`,
  SECRET_KEYS: sandbox.SECRET_KEYS,
  SMTP_URL: 'smtp://mail.example:587',
  MAIL_FROM: 'Goods <orders@goods.example>',
};
/** The secrets of all suppliers stand between the brackets. */
const noSupplier =
  /^Configuration: no supplier is configured: set one of \[[A-Z_, ]*SIMULATOR_SECRET[A-Z_, ]*\]\. See \.env\.example\.$/;

function refusal(environment: NodeJS.ProcessEnv): string {
  try {
    loadConfig(environment);
    return 'none';
  } catch (error) {
    return (error as Error).message;
  }
}

test('When production has all that it needs, then nothing is refused but that nobody sells to it', () => {
  expect(refusal(production)).toMatch(noSupplier);
});

test.each<[string, object, string]>([
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
    'mail that takes TLS back',
    { SMTP_URL: 'smtp://mail.example?ignoreTLS=true' },
    'SMTP_URL must have no parameters when SERVICE_MODE is production',
  ],
  [
    'a sender who is an example',
    { MAIL_FROM: undefined },
    'MAIL_FROM is required when SERVICE_MODE is production',
  ],
  [
    'a supplier in the clear',
    { SIMULATOR_URL: 'http://supplier.example' },
    'SIMULATOR_URL must begin with https:// when SERVICE_MODE is production',
  ],
  [
    'a database without a word about TLS',
    { DATABASE_URL: `postgres://service:${strong}@db.example/goods` },
    'DATABASE_URL must say sslmode=verify-full',
  ],
  [
    'a database whose certificate nobody checks',
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
    { CODEC_SERVER_SECRET: 'x7Kq2mVz9pLw4tRb' },
    'CODEC_SERVER_SECRET must have at least 32 characters when SERVICE_MODE is production',
  ],
  [
    'a secret of few characters',
    { CODEC_SERVER_SECRET: 'secret'.repeat(6) },
    'CODEC_SERVER_SECRET is easily guessed: make another',
  ],
  ['a zero key', { SECRET_KEYS: `test:${Buffer.alloc(32).toString('base64')}` }, 'SECRET_KEYS'],
])('When production is given %s, then a sentence refuses it', (_what, given, sentence) => {
  const said = refusal({ ...production, ...given });
  expect(said).toContain(sentence);
  expect(said).not.toContain(strong);
});

test('When a sandbox is given the same, then it starts', () => {
  const given = { WEBHOOKS_ALLOW_LOOPBACK: 'true', CODEC_SERVER_SECRET: 'x7Kq2mVz9pLw4tRb' };
  expect(loadConfig({ ...sandbox, ...given })).toMatchObject({
    mode: 'sandbox',
    mail: { requiresTls: false },
  });
});

test.each(['TEMPORAL_API_KEY', 'TEMPORAL_TLS_CA_FILE', 'TEMPORAL_SERVER_NAME'])(
  'When %s is set without TLS, then a sentence says what it needs',
  (name) => {
    expect(refusal({ ...sandbox, [name]: 'package.json' })).toContain(`${name} needs TEMPORAL_TLS=true`);
  },
);

test('When a file for TLS cannot be read, or half of a pair is missing, then a sentence says so', () => {
  const tls = { ...sandbox, TEMPORAL_TLS: 'true' };
  expect(refusal({ ...tls, TEMPORAL_TLS_CA_FILE: '/nowhere.pem' })).toContain(
    'TEMPORAL_TLS_CA_FILE names a file that cannot be read (ENOENT)',
  );
  expect(refusal({ ...tls, TEMPORAL_TLS_CERT_FILE: 'package.json' })).toContain('TEMPORAL_TLS_KEY_FILE');
});
