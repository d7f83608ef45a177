/** What each program of a stack is told: of secrets, its own alone. */
import type { RoleUrls } from './stack-file';

/** Settings that are secret, or lead to what is. */
const secrets = [
  'DATABASE_URL',
  'RETENTION_DATABASE_URL',
  'SECRET_KEYS',
  'SECRET_KEYS_FILE',
  'SIMULATOR_SECRET',
  'CODEC_SERVER_SECRET',
  'SMTP_URL',
  'REDIS_URL',
  'TEMPORAL_API_KEY',
  'TEMPORAL_TLS_KEY_FILE',
  'OTEL_EXPORTER_OTLP_HEADERS',
] as const;
type Secret = (typeof secrets)[number];

const ofTheService: readonly Secret[] = [
  ...([
    'DATABASE_URL',
    'SECRET_KEYS',
    'SECRET_KEYS_FILE',
    'SIMULATOR_SECRET',
    'SMTP_URL',
    'REDIS_URL',
  ] as const),
  ...(['TEMPORAL_API_KEY', 'TEMPORAL_TLS_KEY_FILE', 'OTEL_EXPORTER_OTLP_HEADERS'] as const),
];

/** The secrets that each needs. */
const needed = {
  api: ofTheService,
  worker: [...ofTheService, 'RETENTION_DATABASE_URL'],
  'codec-server': ['DATABASE_URL', 'SECRET_KEYS', 'SECRET_KEYS_FILE', 'CODEC_SERVER_SECRET'],
  simulator: ['SIMULATOR_SECRET'],
  'mail-catcher': [],
  temporal: [],
} satisfies Record<string, readonly Secret[]>;

export type ProgramName = keyof typeof needed;

/** The environment without the secrets of others, and with the program's own role where there is one. */
export function environmentOf(
  name: ProgramName,
  environment: NodeJS.ProcessEnv,
  roles?: RoleUrls,
): NodeJS.ProcessEnv {
  const own: readonly string[] = needed[name];
  const others = secrets.filter((secret) => !own.includes(secret));
  const told = Object.fromEntries(
    Object.entries(environment).filter(([setting]) => !(others as readonly string[]).includes(setting)),
  );
  if (!roles) return told;
  const urls = {
    DATABASE_URL: roles[name === 'codec-server' ? 'codec' : 'service'],
    RETENTION_DATABASE_URL: roles.retention,
  };
  return {
    ...told,
    ...Object.fromEntries(Object.entries(urls).filter(([setting]) => own.includes(setting))),
  };
}
