/** Schemas of single settings. Production rejects more than a sandbox; each error says what to do. */
import { readFileSync } from 'node:fs';
import Joi from 'joi';
import { bookAccounts, type AccountNumbers } from '../domain/books/postings';
import { isAddress, isCidr, isOpenToAll } from '../domain/clients/networks';
import { readSecretKeys } from '../security/key-encryption';
import { propertyOf, thrownMessage } from '../domain/unknown-values';
import type { Setting } from './declared-settings';

/** The parsed values of a table of settings, in its shape. */
export type Values<Table> = {
  [Name in keyof Table]: Table[Name] extends Setting<infer Value> ? Value : Values<Table[Name]>;
};

/** A number of at least 1. */
export const count = (fallback: number): Joi.NumberSchema => Joi.number().integer().min(1).default(fallback);

/** Numbers of accounts, such as `sales=8400,bank=1200`. */
export const accountNumbers = Joi.string()
  .empty('')
  .default({})
  .custom((written: string, helpers): AccountNumbers | Joi.ErrorReport => {
    const pairs = written.split(',').map((pair) => /^\s*(\w+)=([\w.-]{1,20})\s*$/.exec(pair) ?? []);
    const isKnown = pairs.every(([, name]) => bookAccounts.some((account) => account === name));
    return isKnown
      ? Object.fromEntries(pairs.map(([, name, number]) => [name, number]))
      : helpers.message({
          custom: `{#label} must be a list such as sales=8400,bank=1200 of: ${bookAccounts.join(', ')}`,
        });
  });

/** The name of a release. It occurs in queries and command lines, so it has no character that needs escaping. */
export const deploymentVersionPattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/;

/** A text of at least `minLength` characters, 10 of them different. */
export function secretOfLength(minLength: number): Joi.StringSchema {
  return Joi.string()
    .min(minLength)
    .custom((secret: string, helpers) => (isEasilyGuessed(secret) ? guessed(helpers) : secret))
    .messages({ 'string.min': `{#label} must have at least ${minLength} characters when SERVICE_MODE is production` });
}

const isEasilyGuessed = (secret: string) => new Set(secret).size < 10;
const guessed = (helpers: Joi.CustomHelpers) => helpers.message({ custom: '{#label} is easily guessed: make another' });

/** A secret that we choose. */
export const strongSecret = secretOfLength(32);

/** One schema for production, another one for the sandbox. */
export function byMode(production: Joi.Schema, sandbox: Joi.Schema): Joi.Schema {
  return Joi.when('SERVICE_MODE', { is: 'production', then: production, otherwise: sandbox });
}

/** A setting that production rejects, with the reason. */
export function sandboxOnly(schema: Joi.Schema, why: string): Joi.Schema {
  const rejected = Joi.forbidden().messages({
    'any.unknown': `{#label} must not be set when SERVICE_MODE is production: ${why}`,
  });
  return byMode(rejected, schema);
}

/** A setting that production requires. Give the sandbox's schema a default. */
export function requiredInProduction(production: Joi.Schema, sandbox: Joi.Schema): Joi.Schema {
  const required = production
    .required()
    .messages({ 'any.required': '{#label} is required when SERVICE_MODE is production' });
  return byMode(required, sandbox);
}

/** Rejects a URL for production that does not state the TLS mode or has a short password. */
function securePostgresUrl(url: string, helpers: Joi.CustomHelpers): string | Joi.ErrorReport {
  const { password, searchParams } = new URL(url);
  if (!['verify-full', 'disable'].includes(searchParams.get('sslmode') ?? '')) {
    return helpers.message({
      custom:
        '{#label} must say sslmode=verify-full when SERVICE_MODE is production, or sslmode=disable where no one ' +
        'else can read the network',
    });
  }
  if (password === '' || decodeURIComponent(password).length >= 16) return url;
  return helpers.message({
    custom: '{#label} must have a password of at least 16 characters when SERVICE_MODE is production',
  });
}

/** An email address, or the address of a page. */
export const emailOrUrl = Joi.alternatives(
  Joi.string().email({ tlds: false }),
  Joi.string().uri({ scheme: ['https'] }),
).messages({ 'alternatives.match': '{#label} must be an email address or an https:// address' });

const postgresUrl = Joi.string().uri({ scheme: ['postgres', 'postgresql'] });

/** The URL of a database, with user and password. */
export const databaseUrl = byMode(postgresUrl.custom(securePostgresUrl), postgresUrl);

/** The URL of a supplier, or of the feed of rates. Production requires HTTPS. */
export function sourceUrl(sandboxDefault: string): Joi.Schema {
  const https = Joi.string()
    .uri({ scheme: ['https'] })
    .messages({ 'string.uriCustomScheme': '{#label} must begin with https:// when SERVICE_MODE is production' });
  return byMode(https, Joi.string().uri({ scheme: ['http', 'https'] })).default(sandboxDefault);
}

/**
 * The address of a supplier that has one host for live sales and another one for tests: production calls the live host only,
 * and a sandbox never does.
 */
export function hostedSupplierUrl({ live, test }: { live: string; test: string }): Joi.Schema {
  const production = Joi.valid(live).messages({
    'any.only': `{#label} must be ${live} when SERVICE_MODE is production: every other host sells test goods`,
  });
  const sandbox = Joi.string()
    .uri({ scheme: ['http', 'https'] })
    .custom((url: string, helpers) =>
      new URL(url).host === new URL(live).host
        ? helpers.message({
            custom: `{#label} must not be the live host when SERVICE_MODE is sandbox: it sells for real money`,
          })
        : url,
    );
  return byMode(production.default(live), sandbox.default(test));
}

/** The address of a supplier that sells test goods at its live host, too. A sandbox may call another host. */
export function sharedHostUrl(live: string): Joi.Schema {
  const production = Joi.valid(live).messages({
    'any.only': `{#label} must be ${live} when SERVICE_MODE is production`,
  });
  return byMode(production, Joi.string().uri({ scheme: ['http', 'https'] })).default(live);
}

export type SupplierEnvironment = 'sandbox' | 'live';

/** The environment of a supplier's credentials, if it has one host for both: always live in production, never in a sandbox. */
export const supplierEnvironment = byMode(
  Joi.valid('live').messages({
    'any.only': '{#label} must be live when SERVICE_MODE is production: other credentials sell test goods',
  }),
  Joi.valid('sandbox').messages({
    'any.only': '{#label} must be sandbox when SERVICE_MODE is sandbox: live credentials spend real money',
  }),
);

/** Our address for the callbacks of a supplier that signs nothing: it ends with a secret of at least 32 characters. */
export function secretCallbackUrl(supplier: string): Joi.Schema {
  const path = `/suppliers/${supplier}/callbacks/`;
  const sandbox = Joi.string()
    .pattern(new RegExp(`^https?://[^/?#@]+${path}[A-Za-z0-9_-]{32,}$`))
    .messages({
      'string.pattern.base': `{#label} must be our address with ${path} and a secret of at least 32 letters, digits, dashes and underscores`,
    });
  const production = sandbox.custom((url: string, helpers) => {
    if (isEasilyGuessed(url.slice(url.lastIndexOf('/') + 1))) return guessed(helpers);
    if (url.startsWith('https:')) return url;
    return helpers.message({
      custom: '{#label} must begin with https:// when SERVICE_MODE is production: the address contains a secret',
    });
  });
  return byMode(production, sandbox);
}

const anySmtpUrl = Joi.string().uri({ scheme: ['smtp', 'smtps'] });
/** Without parameters, because they could turn TLS off. */
const smtpUrlOfProduction = anySmtpUrl
  .pattern(/^[^?]*$/)
  .messages({ 'string.pattern.base': '{#label} must have no parameters when SERVICE_MODE is production' });

/** The URL of the mail server. */
export function smtpUrl(sandboxDefault: string): Joi.Schema {
  return requiredInProduction(smtpUrlOfProduction, anySmtpUrl.default(sandboxDefault));
}

/** A list of addresses and CIDRs, separated by commas. Its value is an array. */
const addressList = Joi.string()
  .custom((list: string, helpers) => {
    const entries = list.split(',').map((entry) => entry.trim());
    return entries.every((entry) => isAddress(entry) || isCidr(entry)) ? entries : helpers.error('any.invalid');
  })
  .messages({ 'any.invalid': '{#label} must be addresses or CIDRs, separated by commas' });

/** The addresses of our proxies. Production rejects networks whose addresses anybody may have. */
export const proxyList = byMode(
  addressList.custom((entries: string[], helpers) => {
    const open = entries.find(isOpenToAll);
    if (open === undefined) return entries;
    return helpers.message({
      custom: `{#label} must list only our proxies when SERVICE_MODE is production: ${open} lets every caller claim any address`,
    });
  }),
  addressList,
).default([]);

/** A file that a setting names. The value is the result of `parse`. An error message of `parse` follows the setting's name. */
function fileWith(parse: (content: Buffer) => unknown): Joi.StringSchema {
  return Joi.string().custom((path: string, helpers) => parsedOrMessage(helpers, () => parse(contentOf(path))));
}

function contentOf(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    // Its message has the path, which may be a secret that was meant for another setting.
    throw new Error(`names a file that cannot be read (${String(propertyOf(error, 'code'))})`);
  }
}

function parsedOrMessage(helpers: Joi.CustomHelpers, parse: () => unknown): unknown {
  try {
    return parse();
  } catch (error) {
    return helpers.message({ custom: `{{#label}} ${thrownMessage(error)}` });
  }
}

/** A file. Its value is the content. */
export const fileContents = fileWith((content) => content);

/** Key-encryption keys in a file. */
export const secretKeysFile = fileWith((content) => readSecretKeys(content.toString()));

/** Key-encryption keys. Required unless they are in a file. */
export const secretKeys = Joi.string()
  .custom((keys: string, helpers) => parsedOrMessage(helpers, () => readSecretKeys(keys)))
  .when('SECRET_KEYS_FILE', { is: Joi.exist(), then: Joi.forbidden(), otherwise: Joi.required() })
  .messages({
    'any.required': '{#label} is required, or SECRET_KEYS_FILE',
    'any.unknown': '{#label} must not be set with SECRET_KEYS_FILE',
  });

/** A setting that requires TLS to Temporal. */
export function withTemporalTls(schema: Joi.Schema): Joi.Schema {
  return Joi.when('TEMPORAL_TLS', { is: true, then: schema, otherwise: Joi.forbidden() }).messages({
    'any.unknown': '{#label} needs TEMPORAL_TLS=true',
  });
}
