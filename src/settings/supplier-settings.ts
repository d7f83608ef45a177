/** The settings of the suppliers. A supplier is configured once its credentials are set. */
import Joi from 'joi';
import { setting } from './declared-settings';
import {
  byMode,
  count,
  hostedSupplierUrl,
  sandboxOnly,
  secretCallbackUrl,
  secretOfLength,
  sharedHostUrl,
  strongSecret,
  supplierEnvironment,
  sourceUrl,
  type SupplierEnvironment,
  type Values,
} from './setting-schemas';

const reloadlyUrl = (product: string) =>
  hostedSupplierUrl({ live: `https://${product}.reloadly.com`, test: `https://${product}-sandbox.reloadly.com` });

export const supplierSettings = {
  simulator: {
    url: setting<string>('SIMULATOR_URL', sourceUrl('http://127.0.0.1:4010')),
    secret: setting<string | undefined>(
      'SIMULATOR_SECRET',
      sandboxOnly(Joi.string().min(16), 'the simulator sells nothing'),
    ),
    maxUnits: setting<number>('SIMULATOR_MAX_UNITS', count(500).max(10_000)),
  },
  dtone: {
    url: setting<string>(
      'DTONE_URL',
      hostedSupplierUrl({ live: 'https://dvs-api.dtone.com/v1', test: 'https://preprod-dvs-api.dtone.com/v1' }),
    ),
    key: setting<string | undefined>('DTONE_KEY', Joi.string()),
    secret: setting<string | undefined>('DTONE_SECRET', Joi.string()),
    /** Our address for callbacks. Its last segment is a secret. Without it, the service only polls. */
    callbackUrl: setting<string | undefined>('DTONE_CALLBACK_URL', secretCallbackUrl('dtone')),
    /** The rate limit of our account; undefined if it has none. */
    callsPerSecond: setting<number | undefined>('DTONE_CALLS_PER_SECOND', Joi.number().integer().min(1).max(1_000)),
  },
  reloadly: {
    giftCardsUrl: setting<string>('RELOADLY_GIFT_CARDS_URL', reloadlyUrl('giftcards')),
    topupsUrl: setting<string>('RELOADLY_TOPUPS_URL', reloadlyUrl('topups')),
    utilitiesUrl: setting<string>('RELOADLY_UTILITIES_URL', reloadlyUrl('utilities')),
    /** One host issues the tokens of both environments. */
    authUrl: setting<string>('RELOADLY_AUTH_URL', sourceUrl('https://auth.reloadly.com')),
    clientId: setting<string | undefined>('RELOADLY_CLIENT_ID', Joi.string()),
    clientSecret: setting<string | undefined>('RELOADLY_CLIENT_SECRET', Joi.string()),
    /** The secret of webhooks. Without it, the service only polls. */
    webhookSecret: setting<string | undefined>(
      'RELOADLY_WEBHOOK_SECRET',
      // Reloadly chooses it.
      byMode(secretOfLength(16), Joi.string()),
    ),
  },
  zendit: {
    url: setting<string>('ZENDIT_URL', sharedHostUrl('https://api.zendit.io/v1')),
    /** The key selects the environment, because Zendit has one host for both. */
    key: setting<string | undefined>('ZENDIT_KEY', Joi.string()),
    environment: setting<SupplierEnvironment | undefined>('ZENDIT_ENVIRONMENT', supplierEnvironment),
    /** The value of the header that Zendit's webhooks carry. Without it, the service only polls. */
    webhookSecret: setting<string | undefined>('ZENDIT_WEBHOOK_SECRET', byMode(strongSecret, Joi.string().min(16))),
  },
  airalo: {
    url: setting<string>('AIRALO_URL', sharedHostUrl('https://partners-api.airalo.com/v2')),
    clientId: setting<string | undefined>('AIRALO_CLIENT_ID', Joi.string()),
    clientSecret: setting<string | undefined>('AIRALO_CLIENT_SECRET', Joi.string()),
    /** The environment of our account. Airalo has one host for both. */
    environment: setting<SupplierEnvironment | undefined>('AIRALO_ENVIRONMENT', supplierEnvironment),
  },
};

type SettingValues = Values<typeof supplierSettings>;

/** The settings of a supplier whose credentials are all set. */
type Complete<Settings, Credential extends keyof Settings> = Settings & {
  [Name in Credential]: NonNullable<Settings[Name]>;
};

export interface ConfiguredSuppliers {
  simulator?: Complete<SettingValues['simulator'], 'secret'>;
  dtone?: Complete<SettingValues['dtone'], 'key' | 'secret'>;
  reloadly?: Complete<SettingValues['reloadly'], 'clientId' | 'clientSecret'>;
  zendit?: Complete<SettingValues['zendit'], 'key' | 'environment'>;
  airalo?: Complete<SettingValues['airalo'], 'clientId' | 'clientSecret' | 'environment'>;
}

/** Requires the credentials of at least one supplier, and all credentials of each supplier that has any. */
export function demandOneSupplier(schema: Joi.ObjectSchema): Joi.ObjectSchema {
  return schema
    .and('DTONE_KEY', 'DTONE_SECRET')
    .and('RELOADLY_CLIENT_ID', 'RELOADLY_CLIENT_SECRET')
    .with('ZENDIT_KEY', 'ZENDIT_ENVIRONMENT')
    .and('AIRALO_CLIENT_ID', 'AIRALO_CLIENT_SECRET', 'AIRALO_ENVIRONMENT')
    .or('SIMULATOR_SECRET', 'DTONE_SECRET', 'RELOADLY_CLIENT_SECRET', 'ZENDIT_KEY', 'AIRALO_CLIENT_SECRET')
    .messages({ 'object.missing': 'no supplier is configured: set one of {#peersWithLabels}' });
}

/** Each supplier whose credentials are set. */
export function configuredSuppliers({
  simulator,
  dtone,
  reloadly,
  zendit,
  airalo,
}: SettingValues): ConfiguredSuppliers {
  return {
    ...(has(simulator, 'secret') && { simulator }),
    ...(has(dtone, 'key', 'secret') && { dtone }),
    ...(has(reloadly, 'clientId', 'clientSecret') && { reloadly }),
    ...(has(zendit, 'key', 'environment') && { zendit }),
    ...(has(airalo, 'clientId', 'clientSecret', 'environment') && { airalo }),
  };
}

function has<Settings, Credential extends keyof Settings>(
  settings: Settings,
  ...credentials: Credential[]
): settings is Complete<Settings, Credential> {
  return credentials.every((name) => settings[name] !== undefined);
}
