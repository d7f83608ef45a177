/**
 * The settings of the sign-in, of operators and of clients' members. docs/operators/people.md.
 * Rule: whether everybody needs a second factor
 */
import Joi from 'joi';
import { isRole, type Role } from '../domain/operators/roles';
import { setting } from './declared-settings';
import { byMode, count, databaseUrl, requiredInProduction, strongSecret } from './setting-schemas';

/** An origin: a scheme and a host, without a path. */
const origin = (schemes: string[]) =>
  Joi.string()
    .uri({ scheme: schemes })
    .custom((url: string, helpers) =>
      new URL(url).origin === url
        ? url
        : helpers.message({ custom: '{#label} must be an origin, such as https://ops.example.com' }),
    );

/** The groups of a provider with their roles, such as `ops-admins=admin, ops-readers=viewer`. The first one that a person has applies. */
const groupRoles = Joi.string()
  .custom((list: string, helpers) => {
    const pairs = list.split(',').map((pair) => pair.split('=').map((part) => part.trim()));
    const valid = pairs.flatMap(([group = '', role = '', ...rest]): [string, Role][] =>
      group !== '' && isRole(role) && rest.length === 0 ? [[group, role]] : [],
    );
    return valid.length === pairs.length ? new Map(valid) : helpers.error('any.invalid');
  })
  .messages({ 'any.invalid': '{#label} must be pairs of group=role, separated by commas, with roles that exist' });

/** Required if there is a provider. */
const withProvider = (schema: Joi.Schema) =>
  schema.when('OPS_OIDC_ISSUER', {
    is: Joi.string().min(1).required(),
    then: Joi.required().messages({ 'any.required': '{#label} is required with OPS_OIDC_ISSUER' }),
    otherwise: Joi.forbidden().messages({ 'any.unknown': '{#label} needs OPS_OIDC_ISSUER' }),
  });

const https = Joi.string().uri({ scheme: ['https'] });

/** Where members of clients open the console. Undefined: at the API's own port. */
export const consoleUrlSetting = setting<string | undefined>(
  'CONSOLE_URL',
  requiredInProduction(origin(['https']), origin(['http', 'https'])),
);

/** Where members of clients open the console: an origin. */
export function consoleUrlOf({ consoleUrl, port }: { consoleUrl: string | undefined; port: number }): string {
  return consoleUrl ?? `http://127.0.0.1:${port}`;
}

/** The settings of clients' members, whose door is the console. */
export const memberIdentitySettings = {
  consoleUrl: consoleUrlSetting,
  /** Undefined if one role does everything. */
  databaseUrl: setting<string | undefined>(
    'MEMBER_IDENTITY_DATABASE_URL',
    requiredInProduction(databaseUrl, databaseUrl),
  ),
  secret: setting<string>('MEMBER_IDENTITY_SECRET', byMode(strongSecret.required(), Joi.string().min(16).required())),
  /** What the secret was before it was replaced, as for operators. */
  previousSecret: setting<string | undefined>(
    'MEMBER_IDENTITY_PREVIOUS_SECRET',
    byMode(strongSecret, Joi.string().min(16)),
  ),
  restMinutes: setting<number>('MEMBER_SESSION_REST_MINUTES', count(30)),
  sessionHours: setting<number>('MEMBER_SESSION_HOURS', count(12)),
};

export const identitySettings = {
  /** Where people reach the operators' process. Undefined: at its own port. */
  origin: setting<string | undefined>('OPS_URL', requiredInProduction(origin(['https']), origin(['http', 'https']))),
  /** Undefined if one role does everything. */
  databaseUrl: setting<string | undefined>('OPS_IDENTITY_DATABASE_URL', requiredInProduction(databaseUrl, databaseUrl)),
  secret: setting<string>('OPS_IDENTITY_SECRET', byMode(strongSecret.required(), Joi.string().min(16).required())),
  /** What the secret was before it was replaced. The process reads with it what it encrypted, at its next start. */
  previousSecret: setting<string | undefined>(
    'OPS_IDENTITY_PREVIOUS_SECRET',
    byMode(strongSecret, Joi.string().min(16)),
  ),
  /** The address that is invited as admin while no operator exists. */
  firstAdmin: setting<string | undefined>('OPS_FIRST_ADMIN', Joi.string().email({ tlds: false })),
  restMinutes: setting<number>('OPS_SESSION_REST_MINUTES', count(30)),
  sessionHours: setting<number>('OPS_SESSION_HOURS', count(12)),
  /** Whether all people need a second factor, or only those who have set one up. */
  secondFactor: setting<'required' | 'optional'>(
    'OPS_SECOND_FACTOR',
    byMode(
      Joi.valid('required')
        .default('required')
        .messages({ 'any.only': '{#label} must be required when SERVICE_MODE is production' }),
      Joi.valid('required', 'optional').default('optional'),
    ),
  ),
  provider: {
    issuer: setting<string | undefined>(
      'OPS_OIDC_ISSUER',
      byMode(https, Joi.string().uri({ scheme: ['http', 'https'] })),
    ),
    clientId: setting<string | undefined>('OPS_OIDC_CLIENT_ID', withProvider(Joi.string())),
    clientSecret: setting<string | undefined>('OPS_OIDC_CLIENT_SECRET', withProvider(Joi.string())),
    name: setting<string>('OPS_OIDC_NAME', Joi.string().default('single sign-on')),
    scopes: setting<string>('OPS_OIDC_SCOPES', Joi.string().default('openid email profile')),
    emailClaim: setting<string>('OPS_OIDC_EMAIL_CLAIM', Joi.string().default('email')),
    groupsClaim: setting<string>('OPS_OIDC_GROUPS_CLAIM', Joi.string().default('groups')),
    roleOfGroup: setting<ReadonlyMap<string, Role> | undefined>('OPS_OIDC_GROUP_ROLES', groupRoles),
  },
};
