/** `docker-compose.yml` follows the production rules that the file itself can show. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { readCompose, readProject, variablesOf } from '../../deploy/production/compose-file';
import { loadBulkWorkerConfig, loadConfig, loadDatabaseUrl, loadIdentityConfig } from '../../src/settings/config';
import { supplierSettings } from '../../src/settings/supplier-settings';
import { proseOf, repositoryFiles, root, textOf } from '../documents/documents';

const text = textOf('docker-compose.yml');
const productionFile = 'deploy/production/compose.yml';
/** The settings of `.env.example` by name, including commented ones. */
const example = new Map(
  [...textOf('.env.example').matchAll(/^#?([A-Z_]+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
);
const services = Object.entries(
  readCompose(text, Object.fromEntries(variablesOf(text).map(({ name }) => [name, example.get(name) || 'x']))),
);
/** The services that run until they are stopped. The others are jobs. */
const lasting = services.filter(([, { restart }]) => restart === 'unless-stopped');
const jobs = services.filter(([, { restart }]) => restart !== 'unless-stopped');
const ours = services.filter(([, { image }]) => image.startsWith('digital-goods-ordering-service'));

/** A new installation, made as an operator makes it. */
const folder = mkdtempSync(join(tmpdir(), 'compose-'));
execFileSync(process.execPath, [join(root, 'dev/scripts/make-env.mjs')], { cwd: folder });
const installed = parseEnv(readFileSync(join(folder, '.env'), 'utf8'));
afterAll(() => rmSync(folder, { recursive: true }));

test('When an image of others is not pinned by its digest, then the page about images says so', () => {
  const manifests = repositoryFiles(join(root, 'deploy/kubernetes')).filter((file) => file.endsWith('.yaml'));
  const named = ['Dockerfile', 'docker-compose.yml', ...manifests].flatMap((file) =>
    Array.from(textOf(file).matchAll(/^(?:FROM|\s+image:) (\S+)/gm), ([, image = '']) => [file, image] as const),
  );
  const stages = Array.from(textOf('Dockerfile').matchAll(/^FROM \S+ AS (\S+)/gm), ([, stage]) => stage);
  const unpinned = named.filter(
    ([file, image]) =>
      !image.startsWith('digital-goods-ordering-service') &&
      !/@sha256:[0-9a-f]{64}$/.test(image) &&
      !(file === 'Dockerfile' && stages.includes(image)),
  );
  const rows = proseOf('docs/operators/production.md')
    .split('\n')
    .filter((line) => line.startsWith('| `'));
  const isListed = (file: string, image: string) =>
    rows.some((row) => row.includes(`\`${file}\``) && row.includes(`\`${image.replace(/:\$\{.*/, '')}`));
  expect(unpinned.filter(([file, image]) => !isListed(file, image))).toEqual([]);
});

test('When services are counted, then all services of an installation exist', () => {
  expect(lasting.map(([name]) => name)).toEqual(
    expect.arrayContaining(['postgres', 'temporal', 'temporal-ui', 'api', 'operators', 'worker']),
  );
  expect(jobs.map(([name]) => name)).toEqual(['temporal-schema', 'temporal-namespace', 'migrate', 'ops', 'seed']);
});

test.each(lasting)('When %s runs, then a health check watches it', (_, { healthcheck }) => {
  expect(healthcheck?.test[0]).toBe('CMD');
});

test.each(services)('When %s writes its log, then the log size is limited', (_, { logging }) => {
  expect(logging?.options).toEqual({ 'max-size': '10m', 'max-file': '5' });
});

test.each(services)('When %s needs too much memory, then it takes none from the others', (_, { mem_limit: limit }) => {
  expect(limit).toMatch(/^\d+[mg]$/);
});

test.each(services)('When %s runs, then it has only the rights that its program needs', (name, service) => {
  // PostgreSQL's entrypoint starts as root, gives the data to its user, and becomes that user.
  const startsAsRoot = ['postgres', 'temporal-postgres'].includes(name);
  expect(service).toMatchObject({ cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] });
  expect(service.cap_add ?? []).toEqual(startsAsRoot ? ['CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'SETGID', 'SETUID'] : []);
});

test.each(ours)('When %s writes a file, then only to its own folders', (_, service) => {
  expect(service).toMatchObject({ read_only: true, tmpfs: ['/tmp'] });
});

test.each(services)(
  'When %s waits for another service, then it waits for its end or its health',
  (_, { depends_on: waits = {} }) => {
    for (const [name, { condition }] of Object.entries(waits)) {
      const ends = jobs.some(([job]) => job === name);
      expect(condition).toBe(ends ? 'service_completed_successfully' : 'service_healthy');
    }
  },
);

test.each(services)('When %s publishes a port, then only this machine reaches it', (_, { ports = [] }) => {
  for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
});

test.each(services)('When %s mounts a file of the project, then the file exists', (_, { volumes = [] }) => {
  for (const volume of volumes.filter((each) => each.startsWith('.'))) {
    const at = volume.startsWith('./certificates/') ? folder : root;
    expect(existsSync(join(at, volume.split(':')[0] ?? ''))).toBe(true);
  }
});

test.each(ours)('When %s has a setting, then .env.example explains it', (_, { environment = {} }) => {
  const unknown = Object.keys(environment).filter((name) => !example.has(name));
  // Settings of containers only: the catcher's address and the output of the seeding.
  expect(unknown.filter((name) => !['MAIL_CATCHER_HOST', 'PUBLIC_API_URL'].includes(name))).toEqual([]);
});

test.each(['api', 'operators', 'worker', 'bulk-worker'])('When a supplier has a setting, then %s gets it', (name) => {
  const { environment = {} } = Object.fromEntries(services)[name] ?? {};
  const settings = Object.values(supplierSettings).flatMap((each) => Object.values(each));
  expect(Object.keys(environment)).toEqual(expect.arrayContaining(settings.map(({ variable }) => variable)));
});

test.each(['api', 'worker', 'bulk-worker'])('When traces are switched on, then %s sends them', (name) => {
  const { environment = {} } = Object.fromEntries(services)[name] ?? {};
  const tracing = [...example.keys()].filter((setting) => setting.startsWith('OTEL_'));
  expect(tracing).toContain('OTEL_EXPORTER_OTLP_ENDPOINT');
  expect(Object.keys(environment)).toEqual(expect.arrayContaining(tracing));
});

test('When an operator runs the ops CLI in a container, then the audit can have their name', () => {
  expect(Object.fromEntries(services)['ops']?.environment).toHaveProperty('OPS_OPERATOR');
});

test('When the schema is migrated, then the container has no secret but the password of the owner', () => {
  const { environment = {} } = Object.fromEntries(services)['migrate'] ?? {};
  expect(Object.keys(environment).sort()).toEqual(['DATABASE_URL', 'OPS_OPERATOR', 'SERVICE_MODE']);
});

test('When the containers start, then the ops CLI starts only when an operator calls it', () => {
  const { profiles, restart, entrypoint } = Object.fromEntries(services)['ops'] ?? {};
  expect({ profiles, restart }).toEqual({ profiles: ['ops'], restart: 'no' });
  expect(entrypoint).toEqual(['service', 'ops']);
});

test('When the database of the service is restored, then Temporal keeps its own', () => {
  const { api, temporal, 'temporal-schema': schema, ...others } = Object.fromEntries(services);
  const { hostname, port } = new URL(api?.environment?.['DATABASE_URL'] ?? '');
  const { POSTGRES_SEEDS: server = '', DB_PORT: serverPort } = temporal?.environment ?? {};
  expect(others[server]?.environment).toMatchObject({ PGPORT: serverPort });
  expect(schema?.environment).toMatchObject({ POSTGRES_SEEDS: server, DB_PORT: serverPort });
  expect([hostname, port]).not.toEqual([server, serverPort]);
  const volumes = [hostname, server].map((name) => others[name]?.volumes?.[0]);
  expect(volumes).toEqual(['postgres:/var/lib/postgresql', 'temporal-postgres:/var/lib/postgresql']);
});

test('When PostgreSQL writes its backups, then they are outside the container and apart from the data', () => {
  expect(Object.fromEntries(services)['postgres']?.volumes).toContain('backups:/backups');
});

test('When the file names a variable, then .env.example names it with the same default', () => {
  for (const { name, default: given } of variablesOf(text)) {
    expect([...example.keys()]).toContain(name);
    // An image has a tag even where the workers have no version.
    if (given === 'sandbox' && name === 'DEPLOYMENT_VERSION') continue;
    if (given !== undefined && given !== '') expect([name, given]).toEqual([name, example.get(name)]);
  }
});

describe('When an installation is for production', () => {
  const production = {
    ...installed,
    DEPLOYMENT_VERSION: '1.0.0',
    SMTP_URL: 'smtp://mail.example:587',
    MAIL_FROM: 'Goods <orders@goods.example>',
    OPS_URL: 'https://ops.goods.example',
    CONSOLE_URL: 'https://api.goods.example',
    DTONE_KEY: 'key',
    DTONE_SECRET: 'secret',
  };
  const changes = readCompose(textOf(productionFile), production);
  /** The folder with the client's certificate is where the container has it. */
  const here = (environment: Record<string, string> = {}) =>
    Object.fromEntries(
      Object.entries(environment).map(([name, value]) => [
        name,
        value.replace(/^\/certificates(?=\/)/, join(folder, 'certificates/client')),
      ]),
    );
  const environmentOf = (name: string) =>
    here({ ...readCompose(text, production)[name]?.environment, ...changes[name]?.environment });

  test('then .env.example names the file that changes the services', () => {
    expect(textOf('.env.example')).toContain(`\n#COMPOSE_FILE=docker-compose.yml:${productionFile}\n`);
    expect(Object.keys(readCompose(text, installed))).toEqual(expect.arrayContaining(Object.keys(changes)));
  });

  test.each(['ops', 'api', 'worker'])('then %s accepts its settings', (name) => {
    expect(loadConfig(environmentOf(name))).toMatchObject({
      mode: 'production',
      suppliers: { dtone: { key: 'key' } },
      temporal: { tls: { clientCertPair: { key: expect.any(Buffer) } } },
      mail: { smtpUrl: production.SMTP_URL, from: production.MAIL_FROM },
    });
  });

  test('then the bulk worker accepts its settings', () => {
    expect(loadBulkWorkerConfig(environmentOf('bulk-worker'))).toMatchObject({
      mode: 'production',
      suppliers: { dtone: { key: 'key' } },
    });
  });

  test.each([
    ['invited', 'docs/operators/production.md', 'invite-admin'],
    ['unlocked', 'docs/operators/cli.md', 'unlock-admin'],
  ])('then an admin can be %s in the container that %s names', (_what, file, command) => {
    const page = textOf(file).replaceAll(/\s+/g, ' ');
    const [, container = ''] =
      new RegExp(`\`docker compose exec (\\S+) service ops ${command} <email>`).exec(page) ?? [];
    expect(loadIdentityConfig(environmentOf(container))).toMatchObject({
      signIn: { origin: production.OPS_URL },
      mail: { smtpUrl: production.SMTP_URL },
    });
  });

  test('then migrate accepts its settings', () => {
    expect(environmentOf('migrate')).toMatchObject({ SERVICE_MODE: 'production' });
    expect(loadDatabaseUrl(environmentOf('migrate'))).toContain(installed['OWNER_PASSWORD']);
  });

  test('then it changes neither the memory nor the rights of a container', () => {
    for (const change of Object.values(changes))
      expect(['environment', 'profiles']).toEqual(expect.arrayContaining(Object.keys(change)));
  });

  test('then no stand-in for the world outside starts', () => {
    const started = services.map(([name]) => name).filter((name) => !changes[name]?.profiles);
    for (const name of ['simulator', 'mail-catcher', 'seed']) expect(started).not.toContain(name);
    const awaited = started.flatMap((name) => Object.keys(Object.fromEntries(services)[name]?.depends_on ?? {}));
    expect(started).toEqual(expect.arrayContaining(awaited));
  });

  test('then the images have the release as tag, and the workers poll as that release', () => {
    const { services: all } = readProject([text, textOf(productionFile)], production);
    const images = Object.values(all).flatMap(({ image }) => /^digital-goods[\w-]*:(.*)/.exec(image)?.[1] ?? []);
    expect(new Set(images)).toEqual(new Set(['1.0.0']));
    for (const name of ['worker', 'bulk-worker'])
      expect(all[name]?.environment).toMatchObject({ DEPLOYMENT_VERSION: '1.0.0' });
  });

  test('then the workers start in a project of their own, which publishes no port', () => {
    const files = [text, textOf(productionFile), textOf('deploy/production/workers.yml')];
    const { services: all } = readProject(files, production);
    for (const name of ['worker', 'bulk-worker']) {
      expect(changes[name]?.profiles).toEqual(['workers']);
      expect(all[name]).toMatchObject({ image: 'digital-goods-ordering-service:1.0.0', restart: 'unless-stopped' });
      expect(all[name]).not.toHaveProperty('ports');
    }
  });

  test.each(['SMTP_URL', 'MAIL_FROM', 'DEPLOYMENT_VERSION'])('then compose demands %s', (name) => {
    expect(() => readCompose(textOf(productionFile), { ...production, [name]: '' })).toThrow(`${name} is missing`);
  });

  test('then without the file the same variables start a sandbox with every service', () => {
    const { api } = readCompose(text, production);
    expect(loadConfig(here(api?.environment))).toMatchObject({ mode: 'sandbox', suppliers: { simulator: {} } });
    expect(services.flatMap(([name, { profiles }]) => (profiles ? [name] : []))).toEqual(['ops']);
    // README's command sells without a promotion.
    const unversioned = readCompose(text, installed);
    expect(unversioned['worker']).toMatchObject({
      image: 'digital-goods-ordering-service:sandbox',
      environment: { DEPLOYMENT_VERSION: '' },
    });
  });
});

test('When a secret is missing, then compose names it', () => {
  expect(() => readCompose(text, {})).toThrow(/^\w+ is missing, see \.env\.example$/);
});

test('When API and worker stop, then the grace period is longer than their shutdown', () => {
  const grace = Object.fromEntries(services.map(([name, { stop_grace_period: period }]) => [name, period]));
  expect(grace).toMatchObject({ api: '15s', worker: '30s', 'bulk-worker': '30s', temporal: '30s', postgres: '1m' });
});

test('When a Temporal server starts, then its number of shards and its dynamic configuration are set', () => {
  const { temporal } = Object.fromEntries(services);
  expect(temporal?.environment).toMatchObject({
    NUM_HISTORY_SHARDS: '512',
    DYNAMIC_CONFIG_FILE_PATH: '/temporal-config/dynamicconfig/service.yaml',
  });
});

describe('When another container calls Temporal', () => {
  const byName = Object.fromEntries(services);

  test('then every port that takes calls demands a certificate of this installation', () => {
    const { environment, volumes, ports } = byName['temporal'] ?? {};
    expect(environment).toMatchObject({
      TEMPORAL_TLS_REQUIRE_CLIENT_AUTH: 'true',
      TEMPORAL_TLS_CLIENT1_CA_CERT: '/certificates/ca.crt',
      TEMPORAL_TLS_FRONTEND_KEY: '/certificates/tls.key',
      TEMPORAL_TLS_SERVER_CA_CERT: '/certificates/ca.crt',
      TEMPORAL_TLS_SERVER_KEY: '/certificates/tls.key',
    });
    expect(volumes).toContain('./certificates/server:/certificates:ro');
    expect(ports).toBeUndefined();
  });

  test('then its clients present theirs, and no container has the key of the authority or of the server', () => {
    const clients = services.filter(([, { environment = {} }]) => 'TEMPORAL_ADDRESS' in environment);
    expect(clients.map(([name]) => name).sort()).toEqual([
      'api',
      'bulk-worker',
      'operators',
      'ops',
      'seed',
      'temporal-namespace',
      'temporal-ui',
      'worker',
    ]);
    const mounting = (part: string) =>
      services.filter(([, { volumes = [] }]) => volumes.some((volume) => volume.startsWith(`./certificates${part}`)));
    expect(mounting('/client:/certificates:ro')).toEqual(clients);
    expect(mounting('')).toHaveLength(clients.length + 1);
  });

  test('then it reads renewed certificates without a restart, and its log warns 30 days before they expire', () => {
    expect(byName['temporal']?.environment).toMatchObject({
      TEMPORAL_TLS_REFRESH_INTERVAL: '1h',
      TEMPORAL_TLS_EXPIRATION_CHECKS_WARNING_WINDOW: '720h',
      TEMPORAL_TLS_EXPIRATION_CHECKS_CHECK_INTERVAL: '24h',
    });
  });
});

test('When a container is not the operators’ process, then it does not reach the Temporal UI', () => {
  const { 'temporal-ui': ui, operators } = Object.fromEntries(services);
  expect(ui).toMatchObject({ networks: ['temporal-ui'], environment: { TEMPORAL_UI_PUBLIC_PATH: '/temporal' } });
  expect(ui?.ports).toBeUndefined();
  const beside = services.filter(([, { networks = [] }]) => networks.includes('temporal-ui'));
  expect(beside.map(([name]) => name)).toEqual(['temporal', 'temporal-ui', 'operators']);
  expect(operators?.environment).toMatchObject({ TEMPORAL_UI_URL: 'http://temporal-ui:8080' });
});

test('When schema and namespace of Temporal are created, then the tools have the version of the server', () => {
  const versions = services.flatMap(
    ([, { image }]) => /^temporalio\/(?:server|admin-tools):(.+)$/.exec(image)?.[1] ?? [],
  );
  expect(versions).toHaveLength(3);
  expect(new Set(versions).size).toBe(1);
});
