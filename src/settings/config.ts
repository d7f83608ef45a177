/** Every setting of the service, read from the environment and validated once. `.env.example` describes each. */
import Joi from 'joi';
import { aboutSettings } from './about-settings';
import { unencryptedConnections, unencryptedFaults } from './encrypted-connections';
import { financeSettings } from './finance-settings';
import { consoleUrlSetting, identitySettings, memberIdentitySettings } from './identity-settings';
import { readSettings, type ParsedValues } from './read-settings';
import type { SecretKey } from '../security/key-encryption';
import { setting } from './declared-settings';
import {
  count,
  deploymentVersionPattern,
  databaseUrl,
  emailOrUrl,
  proxyList,
  requiredInProduction,
  secretKeys,
  secretKeysFile,
  smtpUrl,
  sourceUrl,
  type Values,
} from './setting-schemas';
import { temporalOf, temporalSettings, type TemporalSettings } from './temporal-settings';
import {
  configuredSuppliers,
  demandOneSupplier,
  supplierSettings,
  type ConfiguredSuppliers,
} from './supplier-settings';

const port = (fallback: number) => Joi.number().port().default(fallback);

/** The settings of all processes, by their use. */
const settings = {
  mode: setting<'sandbox' | 'production'>('SERVICE_MODE', Joi.valid('sandbox', 'production').default('sandbox')),
  database: {
    url: setting<string>('DATABASE_URL', databaseUrl.required()),
    /** Logs in as the retention role, in workers. Undefined if one role does everything. */
    retentionUrl: setting<string | undefined>('RETENTION_DATABASE_URL', databaseUrl),
    poolSize: setting<number>('DATABASE_POOL_SIZE', count(20)),
  },
  temporal: temporalSettings,
  /** Exactly one of the two is set. */
  secretKeys: {
    inline: setting<SecretKey[] | undefined>('SECRET_KEYS', secretKeys),
    fromFile: setting<SecretKey[] | undefined>('SECRET_KEYS_FILE', secretKeysFile),
  },
  api: {
    host: setting<string>('API_HOST', Joi.string().default('127.0.0.1')),
    port: setting<number>('API_PORT', port(3000)),
    consoleUrl: consoleUrlSetting,
    /** Whom clients ask: `info.contact` of the OpenAPI document. */
    contact: setting<string | undefined>('API_CONTACT', emailOrUrl),
    about: aboutSettings,
    trustedProxies: setting<string[]>('TRUSTED_PROXIES', proxyList),
    /** The maximum number of open connections of one process. */
    maxConnections: setting<number>('MAX_CONNECTIONS', count(5000)),
    /** Where all processes together count calls for the rate limits. Undefined if each process counts for itself. */
    redisUrl: setting<string | undefined>('REDIS_URL', Joi.string().uri({ scheme: ['redis', 'rediss'] })),
    orderRequests: {
      maxInFlight: setting<number>('MAX_CREATES_IN_FLIGHT', count(1000)),
      maxConcurrent: setting<number>('MAX_CONCURRENT_PLACEMENTS', count(4)),
    },
  },
  operators: {
    host: setting<string>('OPS_HOST', Joi.string().default('127.0.0.1')),
    port: setting<number>('OPS_PORT', port(3001)),
    /** The server of the Temporal UI, which only the operators' process should reach. */
    temporalUiUrl: setting<string>(
      'TEMPORAL_UI_URL',
      Joi.string()
        .uri({ scheme: ['http', 'https'] })
        .default('http://127.0.0.1:8233'),
    ),
  },
  /** The release of the workers. Undefined if they are unversioned. docs/operators/deploying.md. */
  deploymentVersion: setting<string | undefined>(
    'DEPLOYMENT_VERSION',
    Joi.string()
      .pattern(deploymentVersionPattern)
      .messages({
        'string.pattern.base':
          '{#label} must be at most 63 letters, digits, dots, hyphens and underscores, such as 1.4.0',
      }),
  ),
  /** Whether the worker can show the stack traces of running workflows, for people who debug them. */
  workflowStackTraces: setting<boolean>('WORKFLOW_STACK_TRACES', Joi.boolean().default(false)),
  /** Where worker, bulk worker and API serve their metrics, each on its own port. */
  metrics: {
    host: setting<string>('METRICS_HOST', Joi.string().default('127.0.0.1')),
    workerPort: setting<number>('METRICS_PORT', port(9464)),
    apiPort: setting<number>('API_METRICS_PORT', port(9465)),
    bulkWorkerPort: setting<number>('BULK_METRICS_PORT', port(9466)),
  },
  suppliers: supplierSettings,
  mail: {
    smtpUrl: setting<string>('SMTP_URL', smtpUrl('smtp://127.0.0.1:2525')),
    from: setting<string>(
      'MAIL_FROM',
      requiredInProduction(Joi.string(), Joi.string().default('Digital Goods <orders@digital-goods.example>')),
    ),
  },
  webhooks: {
    /** Whether webhooks may go to this machine; only in sandboxes. */
    allowLoopback: setting<boolean>(
      'WEBHOOKS_ALLOW_LOOPBACK',
      Joi.boolean()
        .default(false)
        .when('SERVICE_MODE', { is: 'production', then: Joi.valid(false) })
        .messages({ 'any.only': '{#label} must not be set when SERVICE_MODE is production' }),
    ),
    /** Connections to PostgreSQL that only the deliveries of a worker use. */
    poolSize: setting<number>('WEBHOOKS_DATABASE_POOL_SIZE', count(5)),
  },
  eventRetentionDays: setting<number>('EVENT_RETENTION_DAYS', count(90)),
  /** A larger change of a price, a rate or a discount needs the operator's `--force`. */
  priceChangeLimitPercent: setting<number>('PRICE_CHANGE_LIMIT_PERCENT', Joi.number().min(0).default(20)),
  /** An older exchange rate is listed for operators. 0 allows every age. */
  rateMaxAgeHours: setting<number>('RATE_MAX_AGE_HOURS', Joi.number().integer().min(0).default(0)),
  /** An older exchange rate does not exist for charges, orders, price lists and conversions. 0 allows every age. */
  rateStopHours: setting<number>('RATE_STOP_HOURS', Joi.number().integer().min(0).max(87_600).default(0)),
  /** Where the feed of rates is, which `rates refresh` reads. No operation changes it. */
  rateFeedUrl: setting<string>(
    'RATE_FEED_URL',
    sourceUrl('https://www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml'),
  ),
  mailboxes: {
    /** Whether addresses that differ in the dots of their local part are two recipients for the rules that hold orders. */
    dotsMatter: setting<boolean>('MAILBOX_DOTS_MATTER', Joi.boolean().default(false)),
  },
  claims: {
    /** The days after the delivery in which goods can be claimed, unless an operator sets others for the product. */
    days: setting<number>('CLAIM_DAYS', Joi.number().integer().min(0).max(3_650).default(60)),
    /** The days within which we answer a claim. */
    dueDays: setting<number>('CLAIM_DUE_DAYS', Joi.number().integer().min(1).max(365).default(5)),
    /** A client is listed if more claims, and a greater share of its units, are claimed within 30 days. */
    unusualCount: setting<number>('CLAIM_UNUSUAL_COUNT', Joi.number().integer().min(0).default(5)),
    unusualPercent: setting<number>('CLAIM_UNUSUAL_PERCENT', Joi.number().min(0).max(100).default(5)),
  },
  ...financeSettings,
  /** The names of connections to other machines that production may leave unencrypted. `unencryptedFaults` reads it. */
  unencryptedConnections: setting<string | undefined>('UNENCRYPTED_CONNECTIONS', unencryptedConnections),
  /** Where spans go. Undefined turns tracing off. */
  tracesUrl: setting<string | undefined>(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    Joi.string().uri({ scheme: ['http', 'https'] }),
  ),
  logLevel: setting<string>(
    'LOG_LEVEL',
    Joi.valid('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent').default('info'),
  ),
};

type SettingValues = Values<typeof settings>;

export interface Config extends Omit<SettingValues, 'temporal' | 'secretKeys' | 'suppliers' | 'mail'> {
  temporal: TemporalSettings;
  /** Key-encryption keys, newest first. */
  secretKeys: readonly SecretKey[];
  suppliers: ConfiguredSuppliers;
  /** `requiresTls`: whether mail is sent only to a server that encrypts. */
  mail: SettingValues['mail'] & { requiresTls: boolean };
}

const rulesOfTemporal = {
  schema: (schema: Joi.ObjectSchema<ParsedValues>) => schema.and('TEMPORAL_TLS_CERT_FILE', 'TEMPORAL_TLS_KEY_FILE'),
  faultsOf: unencryptedFaults,
};
const rules = {
  ...rulesOfTemporal,
  schema: (schema: Joi.ObjectSchema<ParsedValues>) => demandOneSupplier(rulesOfTemporal.schema(schema)),
};

/** Reads the settings that all processes have. Throws one error that names every violated condition. */
export function loadConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  return configOf(readSettings(settings, environment, rules));
}

function configOf({ temporal, secretKeys, suppliers, mail, ...values }: SettingValues): Config {
  return { ...values, ...purchasingValues({ temporal, secretKeys, suppliers }), mail: mailOf(mail, values.mode) };
}

const mailOf = (mail: SettingValues['mail'], mode: Config['mode']): Config['mail'] => ({
  ...mail,
  requiresTls: mode === 'production',
});

function purchasingValues({
  temporal,
  secretKeys,
  suppliers,
}: Pick<SettingValues, 'temporal' | 'secretKeys' | 'suppliers'>): Pick<
  Config,
  'temporal' | 'secretKeys' | 'suppliers'
> {
  return { temporal: temporalOf(temporal), secretKeys: keysOf(secretKeys), suppliers: configuredSuppliers(suppliers) };
}

/** The settings that operations read. */
export type OperatorConfig = Omit<Config, 'secretKeys'>;

/** Reads only the address of the database. Throws as `loadConfig` does. */
export function loadDatabaseUrl(environment: NodeJS.ProcessEnv = process.env): string {
  const { mode, database } = settings;
  return readSettings({ mode, url: database.url }, environment).url;
}

/** Reads only the key-encryption keys, newest first. Throws as `loadConfig` does. */
export function loadSecretKeys(environment: NodeJS.ProcessEnv = process.env): readonly SecretKey[] {
  return keysOf(readSettings(settings.secretKeys, environment));
}

/** Reads only how to reach Temporal. Throws as `loadConfig` does. */
export function loadTemporalConfig(environment: NodeJS.ProcessEnv = process.env): Pick<Config, 'temporal'> {
  const { mode, temporal, unencryptedConnections: allowed } = settings;
  const values = readSettings({ mode, temporal, allowed }, environment, rulesOfTemporal);
  return { temporal: temporalOf(values.temporal) };
}

/** Reads only the suppliers. Throws as `loadConfig` does. */
export function loadSuppliersConfig(environment: NodeJS.ProcessEnv = process.env): Pick<Config, 'suppliers'> {
  const { mode, suppliers } = settings;
  const rulesOfSuppliers = { schema: demandOneSupplier, faultsOf: () => [] };
  const values = readSettings({ mode, suppliers }, environment, rulesOfSuppliers);
  return { suppliers: configuredSuppliers(values.suppliers) };
}

/** The settings of every process that buys from suppliers. */
export type PurchasingConfig = Omit<Config, 'api' | 'mail' | 'webhooks'>;

/** Reads the settings of the worker, which needs the retention role in production. Throws as `loadConfig` does. */
export function loadWorkerConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const { database, ...table } = settings;
  const ofWorker = { ...table, database: { ...database, retentionUrl: workerRetentionUrl } };
  return configOf(readSettings(ofWorker, environment, rules));
}

const workerRetentionUrl = setting<string | undefined>(
  settings.database.retentionUrl.variable,
  requiredInProduction(databaseUrl, databaseUrl),
);

/** Reads only the settings that the bulk worker needs. Throws as `loadConfig` does. */
export function loadBulkWorkerConfig(environment: NodeJS.ProcessEnv = process.env): PurchasingConfig {
  const { api: _api, mail: _mail, webhooks: _webhooks, ...table } = settings;
  const { temporal, secretKeys, suppliers, ...values } = readSettings(table, environment, rules);
  return { ...values, ...purchasingValues({ temporal, secretKeys, suppliers }) };
}

/** A process's settings of a sign-in, of operators or of clients' members. */
interface SignInConfig<Table> extends Pick<Config, 'mode' | 'mail' | 'logLevel'> {
  databaseUrl: string;
  signIn: Values<Table>;
}

/** The settings of the operators' sign-in. */
export type IdentityConfig = SignInConfig<typeof identitySettings>;

/** The settings of the sign-in of clients' members. */
export type MemberIdentityConfig = SignInConfig<typeof memberIdentitySettings> & { apiPort: number };

/** Reads the settings of the operators' process. Throws as `loadConfig` does. */
export function loadOperatorsConfig(environment: NodeJS.ProcessEnv = process.env): Config & IdentityConfig {
  const { common, signIn } = readSettings({ common: settings, signIn: identitySettings }, environment, rules);
  const config = configOf(common);
  return { ...config, databaseUrl: config.database.url, signIn };
}

/** Reads only the settings of the operators' sign-in. Throws as `loadConfig` does. */
export function loadIdentityConfig(environment: NodeJS.ProcessEnv = process.env): IdentityConfig {
  const { mode, database, mail, logLevel } = settings;
  const table = { mode, databaseUrl: database.url, mail, signIn: identitySettings, logLevel };
  const values = readSettings(table, environment);
  return { ...values, mail: mailOf(values.mail, values.mode) };
}

/** Reads the settings of the API, with those of the sign-in of clients' members. Throws as `loadConfig` does. */
export function loadApiConfig(environment: NodeJS.ProcessEnv = process.env): {
  config: Config;
  members: MemberIdentityConfig;
} {
  const table = { common: settings, signIn: memberIdentitySettings };
  const { common, signIn } = readSettings(table, environment, rules);
  const config = configOf(common);
  const { mode, mail, logLevel, database, api } = config;
  return { config, members: { mode, mail, logLevel, databaseUrl: database.url, signIn, apiPort: api.port } };
}

function keysOf({ inline, fromFile }: SettingValues['secretKeys']): SecretKey[] {
  return inline ?? fromFile ?? [];
}
