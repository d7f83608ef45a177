/**
 * The addresses and secrets of a local stack, and the environment of each program: only its own secrets.
 */
import { setVariables } from '../../src/settings/read-settings';
import { supplierSettings } from '../../src/settings/supplier-settings';
import type { Setting } from '../../src/settings/declared-settings';
import { FAKE_NAMES, FAKES, portNameOf, proxyPortNameOf, type FakeName } from './fakes';
import { type PortName, type Ports, portVariables, readPorts } from './ports';
import { databaseUrl } from './postgres';
import type { RunDirectory, Secrets } from './run-directory';
import type { RoleUrls, StackFile } from './stack-file';

/** Where the server of the Temporal UI and the operators' process serve the UI. */
export const TEMPORAL_UI_PATH = '/temporal';

/** The addresses of `stack.json`. */
export type Addresses = Omit<StackFile, 'pids' | 'ports' | 'clients' | 'scenarios'>;

export interface Settings {
  ports: Ports;
  secrets: Secrets;
  addresses: Addresses;
  /** False if the environment names an external server. */
  ownPostgres: boolean;
  ownTemporal: boolean;
  /** Empty without `--suppliers`. */
  fakes: FakeSettings[];
  /** The environment of the programs. */
  environment: NodeJS.ProcessEnv;
}

/** A fake supplier of this stack. */
export interface FakeSettings {
  name: FakeName;
  url: string;
  /** The settings of the fake. */
  own: NodeJS.ProcessEnv;
  /** The settings of the service for this supplier. */
  service: NodeJS.ProcessEnv;
}

/** Derives the settings from the environment and the secrets of the run directory. `hasFakes`: see `--suppliers`. */
export function readSettings(directory: RunDirectory, given: NodeJS.ProcessEnv, hasFakes = false): Settings {
  const environment = setVariables(given);
  const ports = readPorts(environment);
  const secrets = readSecrets(directory, environment);
  const fakes = hasFakes ? fakeSettings(directory, environment, ports) : [];
  const addresses: Addresses = {
    api_url: local(ports.API_PORT),
    ops_url: local(ports.OPS_PORT),
    database_url: environment['DATABASE_URL'] || databaseUrl(ports.POSTGRES_PORT, secrets.POSTGRES_PASSWORD),
    temporal_address: environment['TEMPORAL_ADDRESS'] || `127.0.0.1:${ports.TEMPORAL_PORT}`,
    temporal_namespace: environment['TEMPORAL_NAMESPACE'] || 'default',
    temporal_ui_url: (environment['TEMPORAL_UI_ORIGIN'] || local(ports.TEMPORAL_UI_PORT)) + TEMPORAL_UI_PATH,
    simulator_url: local(ports.SIMULATOR_PORT),
    supplier_url: environment['SIMULATOR_URL'] || local(ports.SIMULATOR_PORT),
    mailbox_url: local(ports.MAILBOX_PORT),
    metrics_url: `${local(ports.METRICS_PORT)}/metrics`,
    api_metrics_url: `${local(ports.API_METRICS_PORT)}/metrics`,
    bulk_metrics_url: `${local(ports.BULK_METRICS_PORT)}/metrics`,
    codec_url: `${local(ports.OPS_PORT) + TEMPORAL_UI_PATH}/codec`,
    ...(hasFakes && { suppliers: Object.fromEntries(fakes.map(({ name, url }) => [name, { url }])) }),
  };
  return {
    ports,
    secrets,
    addresses,
    ownPostgres: !environment['DATABASE_URL'],
    ownTemporal: !environment['TEMPORAL_ADDRESS'],
    fakes,
    environment: programEnvironment(directory, environment, { ports, secrets, addresses, fakes }),
  };
}

/** The environment of a further program of a running stack, or of the ops CLI, as a local admin. It uses the stack's servers and keys. */
export function environmentBeside(
  stack: StackFile,
  directory: RunDirectory,
  environment = process.env,
): NodeJS.ProcessEnv {
  return {
    ...readSettings(directory, environment, stack.suppliers !== undefined).environment,
    DATABASE_URL: stack.database_url,
    TEMPORAL_ADDRESS: stack.temporal_address,
    TEMPORAL_NAMESPACE: stack.temporal_namespace,
    SIMULATOR_URL: stack.supplier_url,
    OPS_URL: stack.ops_url,
    OPS_TOKEN: directory.operatorToken(),
  };
}

/** The ports that this stack listens on. */
export function portsNeeded({ ownPostgres, ownTemporal, fakes }: Settings): PortName[] {
  const names: PortName[] = [
    'API_PORT',
    'OPS_PORT',
    'SIMULATOR_PORT',
    'SMTP_PORT',
    'MAILBOX_PORT',
    'METRICS_PORT',
    'API_METRICS_PORT',
    'BULK_METRICS_PORT',
    ...fakes.map(({ name }) => portNameOf(name)),
  ];
  if (ownPostgres) names.push('POSTGRES_PORT');
  if (ownTemporal) names.push('TEMPORAL_PORT', 'TEMPORAL_UI_PORT');
  return names;
}

/** The secrets of the run directory. Those of the environment override them, such as for a key rotation. */
function readSecrets(directory: RunDirectory, environment: NodeJS.ProcessEnv): Secrets {
  const made = directory.secrets();
  return {
    ...made,
    SECRET_KEYS: environment['SECRET_KEYS'] || (environment['SECRET_KEYS_FILE'] ? '' : made.SECRET_KEYS),
    SIMULATOR_SECRET: environment['SIMULATOR_SECRET'] || made.SIMULATOR_SECRET,
  };
}

function fakeSettings(directory: RunDirectory, environment: NodeJS.ProcessEnv, ports: Ports): FakeSettings[] {
  const secrets = directory.fakeSecrets(FAKE_NAMES);
  return FAKE_NAMES.map((name) => {
    const port = ports[portNameOf(name)];
    const callbackUrl = `${local(ports.API_PORT)}/suppliers/${name}/callbacks`;
    const access = { url: local(port), callbackUrl, ...secrets[name] };
    const { own, service } = FAKES[name];
    const proxy = environment[proxyPortNameOf(name)];
    const seen = proxy ? { ...access, url: local(Number(proxy)) } : access;
    const required = { FAKE_PORT: String(port), FAKE_KEY: access.key, FAKE_SECRET: access.secret };
    return { name, url: access.url, own: { ...required, ...own?.(access) }, service: service(seen) };
  });
}

function programEnvironment(
  directory: RunDirectory,
  environment: NodeJS.ProcessEnv,
  { ports, secrets, addresses, fakes }: Pick<Settings, 'ports' | 'secrets' | 'addresses' | 'fakes'>,
): NodeJS.ProcessEnv {
  const { POSTGRES_PASSWORD, ...shared } = secrets;
  const { POSTGRES_PROXY_PORT: postgresProxy, TEMPORAL_PROXY_PORT: temporalProxy } = environment;
  return {
    // Receivers on this machine may get webhooks.
    WEBHOOKS_ALLOW_LOOPBACK: String(environment['SERVICE_MODE'] !== 'production'),
    BANK_ACCOUNTS: JSON.stringify(madeUpAccounts),
    ...environment,
    ...portVariables(ports),
    ...shared,
    // Proxies before this stack's own servers, if any (see dev/faults).
    DATABASE_URL: postgresProxy ? databaseUrl(Number(postgresProxy), POSTGRES_PASSWORD) : addresses.database_url,
    TEMPORAL_ADDRESS: temporalProxy ? `127.0.0.1:${temporalProxy}` : addresses.temporal_address,
    TEMPORAL_NAMESPACE: addresses.temporal_namespace,
    TEMPORAL_UI_URL: new URL(addresses.temporal_ui_url).origin,
    OPS_URL: addresses.ops_url,
    CONSOLE_URL: addresses.api_url,
    SIMULATOR_URL: addresses.supplier_url,
    SIMULATOR_STATE_FILE: directory.file('simulator.jsonl'),
    SIMULATOR_CALLBACK_URL: `${addresses.api_url}/suppliers/simulator/callbacks`,
    SMTP_URL: `smtp://127.0.0.1:${ports.SMTP_PORT}`,
    ...fakes.reduce((all, { service }) => ({ ...all, ...service }), {}),
  };
}

/** The accounts that receive money from clients of a local stack, one for each currency of the demo client. */
const madeUpAccounts = {
  USD: madeUp('GB33BUKB20201555555555', 'BUKBGB22XXX'),
  EUR: madeUp('DE89370400440532013000', 'COBADEFFXXX'),
  INR: madeUp('GB94BARC10201530093459', 'BARCGB22XXX'),
  JPY: madeUp('GB82WEST12345698765432', 'WESTGB22XXX'),
};

function madeUp(iban: string, bic: string) {
  return { beneficiary: 'Digital Goods Ltd', iban, bic };
}

function local(port: number): string {
  return `http://127.0.0.1:${port}`;
}

const ofPurchasing = [
  'DATABASE_URL',
  'SECRET_KEYS',
  'SECRET_KEYS_FILE',
  'TEMPORAL_API_KEY',
  'TEMPORAL_TLS_KEY_FILE',
  'OTEL_EXPORTER_OTLP_HEADERS',
];
const ofTheService = [...ofPurchasing, 'SMTP_URL', 'REDIS_URL'];

/**
 * The settings of each program that are secret, or that lead to secrets. A program gets none that only others have: this is the one
 * list of them.
 */
const secretsOf = {
  api: [...ofTheService, 'MEMBER_IDENTITY_DATABASE_URL', 'MEMBER_IDENTITY_SECRET', 'MEMBER_IDENTITY_PREVIOUS_SECRET'],
  operators: [
    ...ofTheService,
    'OPS_IDENTITY_DATABASE_URL',
    'OPS_IDENTITY_SECRET',
    'OPS_IDENTITY_PREVIOUS_SECRET',
    'OPS_OIDC_CLIENT_SECRET',
  ],
  worker: [...ofTheService, 'RETENTION_DATABASE_URL'],
  'bulk-worker': ofPurchasing,
  simulator: [],
  'mail-catcher': [],
  temporal: [],
} satisfies Record<string, readonly string[]>;

export type ProgramName = keyof typeof secretsOf | FakeName;

const variablesOf = (settings: Readonly<Record<string, Setting<unknown>>>): string[] =>
  Object.values(settings).map(({ variable }) => variable);

/** The settings of all suppliers. A function: the ops CLI, which needs none of them, starts without the module that describes them. */
const ofSuppliers = (): string[] => Object.values(supplierSettings).flatMap(variablesOf);

const sellers: readonly ProgramName[] = ['api', 'operators', 'worker', 'bulk-worker'];

/** The settings of suppliers that a program gets. Other programs get none of them, because most are secret. */
function neededOfSuppliers(name: ProgramName): string[] {
  if (name === 'simulator') return variablesOf(supplierSettings.simulator);
  return sellers.includes(name) ? ofSuppliers() : [];
}

/** The role of each program that does not use that of the service. */
const rolesOfPrograms: Readonly<Partial<Record<ProgramName, keyof RoleUrls>>> = { operators: 'operator' };

/** The environment without the secrets of other programs, and with the URL of the program's own role if it has one. */
export function environmentOf(name: ProgramName, environment: NodeJS.ProcessEnv, roles?: RoleUrls): NodeJS.ProcessEnv {
  // A fake needs none of them: its settings come from `FakeSettings`.
  const own: readonly string[] = [
    ...(name in secretsOf ? secretsOf[name as keyof typeof secretsOf] : []),
    ...neededOfSuppliers(name),
  ];
  const secrets = [...Object.values<readonly string[]>(secretsOf).flat(), ...ofSuppliers()];
  const others = secrets.filter((setting) => !own.includes(setting));
  const told = Object.fromEntries(Object.entries(environment).filter(([setting]) => !others.includes(setting)));
  if (!roles) return told;
  const urls = {
    DATABASE_URL: roles[rolesOfPrograms[name] ?? 'service'],
    RETENTION_DATABASE_URL: roles.retention,
    OPS_IDENTITY_DATABASE_URL: roles.operatorIdentity,
    MEMBER_IDENTITY_DATABASE_URL: roles.memberIdentity,
  };
  return { ...told, ...Object.fromEntries(Object.entries(urls).filter(([setting]) => own.includes(setting))) };
}
