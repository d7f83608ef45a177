/** The settings of the sign-in, of operators and of clients' members. */
import { randomBytes } from 'node:crypto';
import { loadApiConfig, loadIdentityConfig } from '../../src/settings/config';
import { membersDoor } from '../../src/identity/members';
import { operatorsDoor } from '../../src/identity/operators';

const strong = randomBytes(24).toString('base64url');
const sandbox = { DATABASE_URL: 'postgres://owner@127.0.0.1/any', OPS_IDENTITY_SECRET: strong };
/** What the API needs besides. */
const ofSelling = { SECRET_KEYS: `test:${randomBytes(32).toString('base64')}`, SIMULATOR_SECRET: strong };
const production = {
  SERVICE_MODE: 'production',
  DATABASE_URL: `postgres://operator:${strong}@db.example/goods?sslmode=verify-full`,
  OPS_IDENTITY_DATABASE_URL: `postgres://identity:${strong}@db.example/goods?sslmode=verify-full`,
  OPS_IDENTITY_SECRET: strong,
  OPS_URL: 'https://ops.example.com',
  SMTP_URL: 'smtp://mail.example:587',
  MAIL_FROM: 'Goods <goods@goods.example>',
};
const provider = {
  OPS_OIDC_ISSUER: 'https://login.example.com',
  OPS_OIDC_CLIENT_ID: 'ops',
  OPS_OIDC_CLIENT_SECRET: 'secret',
};

const doorOf = (environment: NodeJS.ProcessEnv) =>
  operatorsDoor(loadIdentityConfig(environment), 'http://127.0.0.1:3100');

const faultOf = (environment: NodeJS.ProcessEnv): string => {
  try {
    doorOf(environment);
    return 'none';
  } catch (error) {
    return (error as Error).message;
  }
};

test('When a sandbox names only the database and a secret, then it has its own address and asks for no second factor', () => {
  const empty = {
    OPS_URL: '',
    OPS_SECOND_FACTOR: '',
    OPS_FIRST_ADMIN: '',
    OPS_IDENTITY_PREVIOUS_SECRET: '',
    OPS_OIDC_ISSUER: '',
    OPS_OIDC_CLIENT_ID: '',
  };
  expect(doorOf({ ...sandbox, ...empty })).toEqual(doorOf(sandbox));
  expect(doorOf(sandbox)).toMatchObject({
    mode: 'sandbox',
    origin: 'http://127.0.0.1:3100',
    databaseUrl: sandbox.DATABASE_URL,
    firstAdmin: undefined,
    restMinutes: 30,
    sessionHours: 12,
    requiresSecondFactor: false,
    provider: undefined,
  });
});

test.each([
  ['operators', 'OPS', (environment: NodeJS.ProcessEnv) => doorOf(environment)],
  [
    'members',
    'MEMBER',
    (environment: NodeJS.ProcessEnv) => membersDoor(loadApiConfig({ ...environment, ...ofSelling }).members),
  ],
])('When the secret of %s is replaced, then the door gets the previous one, too', (_door, prefix, open) => {
  const [current, previous] = [`${prefix}_IDENTITY_SECRET`, `${prefix}_IDENTITY_PREVIOUS_SECRET`];
  const environment = { ...sandbox, [current]: 'the-current-secret', [previous]: 'the-previous-secret' };
  expect(open(environment)).toMatchObject({ secret: 'the-current-secret', previousSecret: 'the-previous-secret' });
  expect(open({ ...environment, [previous]: '' }).previousSecret).toBeUndefined();
});

test('When the mode is production, then everybody needs a second factor, and the sign-in has a database role of its own', () => {
  expect(doorOf(production)).toMatchObject({
    origin: 'https://ops.example.com',
    databaseUrl: production.OPS_IDENTITY_DATABASE_URL,
    requiresSecondFactor: true,
  });
});

test.each([
  ['OPS_URL', undefined, 'OPS_URL is required when SERVICE_MODE is production'],
  ['OPS_URL', 'https://ops.example.com/ops', 'OPS_URL must be an origin, such as https://ops.example.com'],
  ['OPS_URL', 'http://ops.example.com', 'OPS_URL must be a valid uri with a scheme matching the https pattern'],
  ['OPS_IDENTITY_DATABASE_URL', undefined, 'OPS_IDENTITY_DATABASE_URL is required when SERVICE_MODE is production'],
  ['OPS_IDENTITY_SECRET', 'a'.repeat(40), 'OPS_IDENTITY_SECRET is easily guessed: make another'],
  ['OPS_SECOND_FACTOR', 'optional', 'OPS_SECOND_FACTOR must be required when SERVICE_MODE is production'],
  ['OPS_OIDC_CLIENT_ID', 'ops', 'OPS_OIDC_CLIENT_ID needs OPS_OIDC_ISSUER'],
  ['OPS_OIDC_ISSUER', 'https://login.example.com', 'OPS_OIDC_CLIENT_ID is required with OPS_OIDC_ISSUER'],
])('When production has %s=%s, then it does not start', (name, value, fault) => {
  expect(faultOf({ ...production, [name]: value })).toContain(fault);
});

test('When groups have roles, then the sequence of the setting stays, and an unknown role is rejected', () => {
  const groups = (text: string) =>
    doorOf({ ...sandbox, ...provider, OPS_OIDC_GROUP_ROLES: text }).provider?.roleOfGroup;
  expect([...(groups('ops-admins=admin, readers=viewer') ?? [])]).toEqual([
    ['ops-admins', 'admin'],
    ['readers', 'viewer'],
  ]);
  expect(groups('')).toBeUndefined();
  for (const text of ['readers', 'readers=owner', '=viewer', 'a=viewer,', 'a=viewer=b'])
    expect(() => groups(text)).toThrow(
      'OPS_OIDC_GROUP_ROLES must be pairs of group=role, separated by commas, with roles that exist',
    );
});
