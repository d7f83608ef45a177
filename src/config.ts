/** Every setting of the service, read from the environment and validated once. Named in `.env.example`. */
import { readFileSync } from 'node:fs';
import Joi from 'joi';
import {
  deploymentVersionPattern,
  byMode,
  databaseUrl,
  fileContents,
  namedInProduction,
  sandboxOnly,
  smtpUrl,
  strongSecret,
  supplierUrl,
  withTemporalTls,
} from './setting-schemas';
import { isAddress, isCidr } from './domain/clients/networks';
import { readSecretKeys, type SecretKey } from './security/secret-keys';

const secretKeysFile = Joi.string()
  .empty('')
  .custom((path: string, helpers) => refusingKeys(() => keysOfFile(path), path, helpers));

/** In the environment, or in the file that is named there. */
const secretKeys = Joi.string()
  .empty('')
  .custom((text: string, helpers) => refusingKeys(() => readSecretKeys(text), text, helpers))
  .when('SECRET_KEYS_FILE', { is: Joi.exist(), then: Joi.forbidden(), otherwise: Joi.required() })
  .messages({
    'any.required': '{#label} is required, or SECRET_KEYS_FILE',
    'any.unknown': '{#label} must not be set beside SECRET_KEYS_FILE',
  });

function keysOfFile(path: string): SecretKey[] {
  try {
    return readSecretKeys(readFileSync(path, 'utf8'));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw code === undefined ? error : new Error(`names a file that cannot be read (${message})`);
  }
}

/** The value as it is, or the sentence by which its keys cannot be read. */
function refusingKeys(read: () => void, value: string, helpers: Joi.CustomHelpers): string | Joi.ErrorReport {
  try {
    read();
    return value;
  } catch (error) {
    return helpers.message({ custom: `{{#label}} ${(error as Error).message}` });
  }
}

const port = Joi.number().port();

interface Settings {
  SERVICE_MODE: 'sandbox' | 'production';
  DATABASE_URL: string;
  RETENTION_DATABASE_URL?: string;
  DATABASE_POOL_SIZE: number;
  WEBHOOKS_DATABASE_POOL_SIZE: number;
  DATABASE_PREPARED_STATEMENTS: boolean;
  TEMPORAL_ADDRESS: string;
  TEMPORAL_NAMESPACE: string;
  TEMPORAL_TLS: boolean;
  TEMPORAL_TLS_CA_FILE?: Buffer;
  TEMPORAL_TLS_CERT_FILE?: Buffer;
  TEMPORAL_TLS_KEY_FILE?: Buffer;
  TEMPORAL_SERVER_NAME?: string;
  TEMPORAL_API_KEY?: string;
  SECRET_KEYS?: string;
  SECRET_KEYS_FILE?: string;
  API_HOST: string;
  API_PORT: number;
  TRUSTED_PROXIES: string;
  MAX_CONNECTIONS: number;
  REDIS_URL?: string;
  DEPLOYMENT_VERSION?: string;
  MAX_CREATES_IN_FLIGHT: number;
  MAX_CONCURRENT_PLACEMENTS: number;
  METRICS_HOST: string;
  METRICS_PORT: number;
  API_METRICS_PORT: number;
  CODEC_SERVER_HOST: string;
  CODEC_SERVER_PORT: number;
  CODEC_SERVER_SECRET?: string;
  TEMPORAL_UI_ORIGIN: string;
  SIMULATOR_URL: string;
  SIMULATOR_SECRET?: string;
  SIMULATOR_MAX_UNITS: number;
  SMTP_URL: string;
  MAIL_FROM: string;
  WEBHOOKS_ALLOW_LOOPBACK: boolean;
  EVENT_RETENTION_DAYS: number;
  PRICE_CHANGE_LIMIT_PERCENT: number;
  OTEL_EXPORTER_OTLP_ENDPOINT?: string;
  LOG_LEVEL: string;
}

const settings = Joi.object<Settings>({
  SERVICE_MODE: Joi.string().valid('sandbox', 'production').default('sandbox'),
  DATABASE_URL: databaseUrl.required(),
  RETENTION_DATABASE_URL: databaseUrl.empty(''),
  DATABASE_POOL_SIZE: Joi.number().integer().min(1).default(20),
  WEBHOOKS_DATABASE_POOL_SIZE: Joi.number().integer().min(1).default(5),
  DATABASE_PREPARED_STATEMENTS: Joi.boolean().default(true),
  TEMPORAL_ADDRESS: Joi.string().default('127.0.0.1:7233'),
  TEMPORAL_NAMESPACE: Joi.string().default('default'),
  TEMPORAL_TLS: Joi.boolean().default(false),
  TEMPORAL_TLS_CA_FILE: withTemporalTls(fileContents),
  TEMPORAL_TLS_CERT_FILE: withTemporalTls(fileContents),
  TEMPORAL_TLS_KEY_FILE: withTemporalTls(fileContents),
  TEMPORAL_SERVER_NAME: withTemporalTls(Joi.string().hostname()),
  TEMPORAL_API_KEY: withTemporalTls(Joi.string()),
  SECRET_KEYS: secretKeys,
  SECRET_KEYS_FILE: secretKeysFile,
  API_HOST: Joi.string().default('127.0.0.1'),
  API_PORT: port.default(3000),
  TRUSTED_PROXIES: Joi.string()
    .allow('')
    .custom((text: string, helpers) => (listed(text).every(isProxy) ? text : helpers.error('any.invalid')))
    .messages({ 'any.invalid': '{#label} must be addresses or CIDRs, separated by commas' })
    .default(''),
  REDIS_URL: Joi.string()
    .uri({ scheme: ['redis', 'rediss'] })
    .empty(''),
  DEPLOYMENT_VERSION: Joi.string().pattern(deploymentVersionPattern).empty('').messages({
    'string.pattern.base':
      '{#label} must be at most 63 letters, digits, dots, hyphens and underscores, such as 1.4.0',
  }),
  MAX_CONNECTIONS: Joi.number().integer().min(1).default(5000),
  MAX_CREATES_IN_FLIGHT: Joi.number().integer().min(1).default(1000),
  MAX_CONCURRENT_PLACEMENTS: Joi.number().integer().min(1).default(4),
  METRICS_HOST: Joi.string().default('127.0.0.1'),
  METRICS_PORT: port.default(9464),
  API_METRICS_PORT: port.default(9465),
  CODEC_SERVER_HOST: Joi.string().default('127.0.0.1'),
  CODEC_SERVER_PORT: port.default(8234),
  CODEC_SERVER_SECRET: byMode(strongSecret, Joi.string().min(16)),
  TEMPORAL_UI_ORIGIN: Joi.string().default('http://127.0.0.1:8233'),
  SIMULATOR_URL: supplierUrl('http://127.0.0.1:4010'),
  SIMULATOR_SECRET: sandboxOnly(Joi.string().min(16), 'the simulator sells nothing').empty(''),
  SIMULATOR_MAX_UNITS: Joi.number().integer().min(1).max(10_000).default(500),
  SMTP_URL: smtpUrl('smtp://127.0.0.1:2525'),
  MAIL_FROM: namedInProduction(
    Joi.string(),
    Joi.string().default('Digital Goods <orders@digital-goods.example>'),
  ),
  WEBHOOKS_ALLOW_LOOPBACK: Joi.boolean()
    .default(false)
    .when('SERVICE_MODE', { is: 'production', then: Joi.valid(false) })
    .messages({ 'any.only': '{#label} must not be set when SERVICE_MODE is production' }),
  OTEL_EXPORTER_OTLP_ENDPOINT: Joi.string()
    .uri({ scheme: ['http', 'https'] })
    .empty(''),
  EVENT_RETENTION_DAYS: Joi.number().integer().min(1).default(90),
  PRICE_CHANGE_LIMIT_PERCENT: Joi.number().min(0).default(20),
  LOG_LEVEL: Joi.string().valid('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent').default('info'),
})
  .and('TEMPORAL_TLS_CERT_FILE', 'TEMPORAL_TLS_KEY_FILE')
  .or('SIMULATOR_SECRET')
  .messages({ 'object.missing': 'no supplier is configured: set one of {#peersWithLabels}' });

/** Where Temporal is, and how one connects; without `tls` in the clear. */
export interface TemporalSettings {
  address: string;
  namespace: string;
  tls?: {
    serverRootCACertificate?: Buffer;
    clientCertPair?: { crt: Buffer; key: Buffer };
    serverNameOverride?: string;
  };
  apiKey?: string;
}

export interface SimulatorSettings {
  url: string;
  secret: string;
  maxUnits: number;
}

export interface Config {
  mode: 'sandbox' | 'production';
  /** `retentionUrl`: of the retention role, for workers; undefined where one user does everything. */
  database: { url: string; retentionUrl: string | undefined; poolSize: number; preparesStatements: boolean };
  temporal: TemporalSettings;
  /** Key-encryption keys, newest first. */
  secretKeys: readonly SecretKey[];
  /** The release that workers belong to; undefined where they are unversioned. docs/operators/deploying.md. */
  deploymentVersion: string | undefined;
  api: {
    host: string;
    port: number;
    trustedProxies: string[];
    /** Open connections of one process. */
    maxConnections: number;
    /** Where all processes count calls together; each by itself where there is none. */
    redisUrl: string | undefined;
    creates: { maxInFlight: number; maxConcurrent: number };
  };
  /** Where worker and API tell their figures, each at a port of its own. */
  metrics: { host: string; workerPort: number; apiPort: number };
  codecServer: { host: string; port: number; secret: string | undefined; uiOrigin: string };
  /** Settings of each supplier; those of one that is not configured are absent. */
  suppliers: { simulator?: SimulatorSettings };
  /** `requiresTls`: no mail goes to a server that does not encrypt. */
  mail: { smtpUrl: string; from: string; requiresTls: boolean };
  /**
   * `allowLoopback`: webhooks may go to this machine, for sandboxes only. `poolSize`: connections to
   * PostgreSQL that deliveries have to themselves in a worker.
   */
  webhooks: { allowLoopback: boolean; poolSize: number };
  eventRetentionDays: number;
  /** An operator who changes a price, a rate or a discount by more must say `--force`. */
  priceChangeLimitPercent: number;
  /** Where spans go; nothing is traced without it. */
  tracesUrl: string | undefined;
  logLevel: string;
}

/** What the codec server needs to know, and no more. */
const codecServerSettings = Joi.object<Settings>(
  Object.fromEntries(
    (
      [
        ...(['SERVICE_MODE', 'DATABASE_URL', 'DATABASE_PREPARED_STATEMENTS', 'LOG_LEVEL'] as const),
        ...(['SECRET_KEYS', 'SECRET_KEYS_FILE'] as const),
        ...(['CODEC_SERVER_HOST', 'CODEC_SERVER_PORT', 'CODEC_SERVER_SECRET', 'TEMPORAL_UI_ORIGIN'] as const),
      ] satisfies (keyof Settings)[]
    ).map((name) => [name, settings.extract(name)]),
  ),
);

export type CodecServerConfig = Pick<Config, 'secretKeys' | 'codecServer' | 'logLevel'> & {
  database: Pick<Config['database'], 'url' | 'preparesStatements'>;
};

/** Reads the settings of the codec server. Throws as `loadConfig` does. */
export function loadCodecServerConfig(environment: NodeJS.ProcessEnv = process.env): CodecServerConfig {
  const value = validated(codecServerSettings, environment);
  return {
    database: { url: value.DATABASE_URL, preparesStatements: value.DATABASE_PREPARED_STATEMENTS },
    secretKeys: secretKeysOf(value),
    codecServer: codecServerOf(value),
    logLevel: value.LOG_LEVEL,
  };
}

function validated(schema: Joi.ObjectSchema<Settings>, environment: NodeJS.ProcessEnv): Settings {
  const { value, error } = schema.validate(environment, { abortEarly: false, stripUnknown: true }) as
    { value: Settings; error: undefined } | { value: undefined; error: Joi.ValidationError };
  if (!error) return value;
  const faults = error.details.map((detail) => detail.message.replace(/"/g, '')).join('; ');
  throw new Error(`Configuration: ${faults}. See .env.example.`);
}

function codecServerOf(value: Settings): Config['codecServer'] {
  return {
    host: value.CODEC_SERVER_HOST,
    port: value.CODEC_SERVER_PORT,
    secret: value.CODEC_SERVER_SECRET,
    uiOrigin: value.TEMPORAL_UI_ORIGIN,
  };
}

/** Reads the settings. Throws one sentence that names each setting at fault. */
export function loadConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const value = validated(settings, environment);
  return {
    mode: value.SERVICE_MODE,
    database: {
      url: value.DATABASE_URL,
      retentionUrl: value.RETENTION_DATABASE_URL,
      poolSize: value.DATABASE_POOL_SIZE,
      preparesStatements: value.DATABASE_PREPARED_STATEMENTS,
    },
    temporal: temporalOf(value),
    secretKeys: secretKeysOf(value),
    deploymentVersion: value.DEPLOYMENT_VERSION,
    api: {
      host: value.API_HOST,
      port: value.API_PORT,
      trustedProxies: listed(value.TRUSTED_PROXIES),
      maxConnections: value.MAX_CONNECTIONS,
      redisUrl: value.REDIS_URL,
      creates: {
        maxInFlight: value.MAX_CREATES_IN_FLIGHT,
        maxConcurrent: value.MAX_CONCURRENT_PLACEMENTS,
      },
    },
    metrics: { host: value.METRICS_HOST, workerPort: value.METRICS_PORT, apiPort: value.API_METRICS_PORT },
    codecServer: codecServerOf(value),
    suppliers: suppliersOf(value),
    mail: {
      smtpUrl: value.SMTP_URL,
      from: value.MAIL_FROM,
      requiresTls: value.SERVICE_MODE === 'production',
    },
    webhooks: { allowLoopback: value.WEBHOOKS_ALLOW_LOOPBACK, poolSize: value.WEBHOOKS_DATABASE_POOL_SIZE },
    eventRetentionDays: value.EVENT_RETENTION_DAYS,
    priceChangeLimitPercent: value.PRICE_CHANGE_LIMIT_PERCENT,
    tracesUrl: value.OTEL_EXPORTER_OTLP_ENDPOINT,
    logLevel: value.LOG_LEVEL,
  };
}

/** One of both is set. */
function secretKeysOf({ SECRET_KEYS: text = '', SECRET_KEYS_FILE: file }: Settings): SecretKey[] {
  return file === undefined ? readSecretKeys(text) : keysOfFile(file);
}

/** What stands between the commas; nothing in an empty text. */
function listed(text: string): string[] {
  return text.trim() === '' ? [] : text.split(',').map((entry) => entry.trim());
}

/** Whether the proxy server's setting can be understood to the letter: whom we believe is nothing to guess at. */
function isProxy(text: string): boolean {
  return isAddress(text) || isCidr(text);
}

function temporalOf(value: Settings): TemporalSettings {
  const { TEMPORAL_TLS_CA_FILE: ca, TEMPORAL_TLS_CERT_FILE: crt, TEMPORAL_TLS_KEY_FILE: key } = value;
  const { TEMPORAL_SERVER_NAME: name, TEMPORAL_API_KEY: apiKey } = value;
  const tls = {
    ...(ca && { serverRootCACertificate: ca }),
    ...(crt && key && { clientCertPair: { crt, key } }),
    ...(name !== undefined && { serverNameOverride: name }),
  };
  return {
    address: value.TEMPORAL_ADDRESS,
    namespace: value.TEMPORAL_NAMESPACE,
    ...(value.TEMPORAL_TLS && { tls }),
    ...(apiKey !== undefined && { apiKey }),
  };
}

/** A supplier is configured where its secret is set. */
function suppliersOf(value: Settings): Config['suppliers'] {
  const { SIMULATOR_URL: url, SIMULATOR_SECRET: secret, SIMULATOR_MAX_UNITS: maxUnits } = value;
  return { ...(secret !== undefined && { simulator: { url, secret, maxUnits } }) };
}
