/** What several settings have in common: above all what production refuses, each in a sentence. */
import { readFileSync } from 'node:fs';
import Joi from 'joi';

/** The name of a release: it occurs in queries and command lines. */
export const deploymentVersionPattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/;

/** A text that nobody guesses: long, and not the same few characters over and over. */
export const strongSecret = Joi.string()
  .min(32)
  .custom((secret: string, helpers) =>
    new Set(secret).size >= 10
      ? secret
      : helpers.message({ custom: '{#label} is easily guessed: make another' }),
  )
  .messages({ 'string.min': '{#label} must have at least 32 characters when SERVICE_MODE is production' });

/** The schema where the service sells, and the other one if it plays. */
export function byMode(production: Joi.Schema, sandbox: Joi.Schema): Joi.Schema {
  return Joi.when('SERVICE_MODE', { is: 'production', then: production, otherwise: sandbox });
}

/** What production refuses, with the reason why. */
export function sandboxOnly(schema: Joi.Schema, why: string): Joi.Schema {
  const refused = Joi.forbidden().messages({
    'any.unknown': `{#label} must not be set when SERVICE_MODE is production: ${why}`,
  });
  return byMode(refused, schema);
}

/** What has a default in a sandbox alone. */
export function namedInProduction(production: Joi.Schema, sandbox: Joi.Schema): Joi.Schema {
  const required = production.required().messages({
    'any.required': '{#label} is required when SERVICE_MODE is production',
  });
  return byMode(required, sandbox);
}

/** Who reads the network between us and PostgreSQL is decided, not left to a default; nobody guesses the password. */
function securePostgresUrl(url: string, helpers: Joi.CustomHelpers): string | Joi.ErrorReport {
  const { password, searchParams } = new URL(url);
  if (!['verify-full', 'disable'].includes(searchParams.get('sslmode') ?? '')) {
    return helpers.message({
      custom:
        '{#label} must say sslmode=verify-full when SERVICE_MODE is production, or sslmode=disable where nobody ' +
        'else can read the network',
    });
  }
  if (password === '' || decodeURIComponent(password).length >= 16) return url;
  return helpers.message({
    custom: '{#label} must have a password of at least 16 characters when SERVICE_MODE is production',
  });
}

const postgresUrl = Joi.string().uri({ scheme: ['postgres', 'postgresql'] });

/** The address of a database, with the user and the password. */
export const databaseUrl = byMode(postgresUrl.custom(securePostgresUrl), postgresUrl);

/** The address of a supplier: what is bought there has to be secret, and ours. */
export function supplierUrl(sandboxDefault: string): Joi.Schema {
  const https = Joi.string()
    .uri({ scheme: ['https'] })
    .messages({
      'string.uriCustomScheme': '{#label} must begin with https:// when SERVICE_MODE is production',
    });
  return byMode(https, Joi.string().uri({ scheme: ['http', 'https'] })).default(sandboxDefault);
}

const anySmtpUrl = Joi.string().uri({ scheme: ['smtp', 'smtps'] });
/** Its parameters could take the demand for TLS back. */
const smtpUrlOfProduction = anySmtpUrl.pattern(/^[^?]*$/).messages({
  'string.pattern.base': '{#label} must have no parameters when SERVICE_MODE is production',
});

/** The address of the mail server. */
export function smtpUrl(sandboxDefault: string): Joi.Schema {
  return namedInProduction(smtpUrlOfProduction, anySmtpUrl.default(sandboxDefault));
}

/** The contents of a file that a setting names. */
export const fileContents = Joi.string()
  .empty('')
  .custom((path: string, helpers) => {
    try {
      return readFileSync(path);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      return helpers.message({ custom: `{#label} names a file that cannot be read (${code})` });
    }
  });

/** A part of TLS to Temporal, which must be on. */
export function withTemporalTls(schema: Joi.Schema): Joi.Schema {
  return Joi.when('TEMPORAL_TLS', { is: true, then: schema, otherwise: Joi.forbidden() }).messages({
    'any.unknown': '{#label} needs TEMPORAL_TLS=true',
  });
}
