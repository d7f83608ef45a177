/** The units of an installation as processes, its settings and its scripts: `deploy/systemd`. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, join } from 'node:path';
import { parseEnv } from 'node:util';
import { readCompose } from '../../deploy/production/compose-file';
import {
  loadApiConfig,
  loadBulkWorkerConfig,
  loadConfig,
  loadIdentityConfig,
  loadOperatorsConfig,
  loadWorkerConfig,
} from '../../src/settings/config';
import { repositoryFiles, root, textOf } from '../documents/documents';

const folder = mkdtempSync(join(tmpdir(), 'systemd-'));
afterAll(() => rmSync(folder, { recursive: true }));

const variables: NodeJS.Dict<string> = { ...parseEnv(textOf('.env.example')), SECRET_KEYS: 'x', SIMULATOR_SECRET: 'x' };
const filled = Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, value || 'x']));
const compose = readCompose(textOf('docker-compose.yml'), filled);

/** The values of a unit by key, in their order. */
type Unit = Readonly<Record<string, readonly string[]>>;

const units = repositoryFiles(join(root, 'deploy/systemd'))
  .filter((file) => file.endsWith('.service'))
  .map((file): [string, Unit] => [/digital-goods-(.+?)@?\.service$/.exec(file)?.[1] ?? '', readUnit(textOf(file))]);
const unitOf = (name: string): Unit => Object.fromEntries(units)[name] ?? {};

function readUnit(text: string): Unit {
  const unit: Record<string, string[]> = {};
  for (const [, key = '', value = ''] of text.matchAll(/^(\w+)=(.*)$/gm)) (unit[key] ??= []).push(value);
  return unit;
}

const environmentOf = ({ Environment: lines = [] }: Unit) => parseEnv(lines.join('\n'));

/** The settings of a new installation, after its operator filled in what is empty. */
const made = (() => {
  const address = 'postgres://db.example:6432/goods?sslmode=verify-full';
  execFileSync(process.execPath, [join(root, 'deploy/systemd/make-settings.mjs'), address], { cwd: folder });
  const own: Readonly<Record<string, string>> = {
    CONSOLE_URL: 'https://api.goods.example',
    SMTP_URL: 'smtps://mail.goods.example',
    MAIL_FROM: 'Goods <orders@goods.example>',
    OPS_URL: 'https://ops.goods.example',
  };
  return (name: string) => {
    const text = readFileSync(join(folder, `${name}.env`), 'utf8');
    return parseEnv(text.replace(/^(\w+)=$/gm, (line, setting: string) => line + (own[setting] ?? '')));
  };
})();
const service = { ...made('service'), DTONE_KEY: 'key', DTONE_SECRET: 'secret' };

test('When a program of the service runs until it is stopped, then it has a unit for each release', () => {
  const jobs = ['ops', 'migrate', 'try-supplier'];
  const programs = [...textOf('deploy/service').matchAll(/^([a-z-]+)\) set/gm)].map(([, name = '']) => name);
  const lasting = programs.filter((name) => !jobs.includes(name));
  expect(units.map(([name]) => name).sort()).toEqual([...lasting, 'temporal', 'temporal-ui'].sort());
  for (const name of lasting)
    expect(unitOf(name)).toMatchObject({
      ExecStart: [`/opt/digital-goods/%i/deploy/service ${name}`],
      EnvironmentFile: [
        '/etc/digital-goods/service.env',
        `/etc/digital-goods/${name}.env`,
        '-/etc/digital-goods/%i.env',
      ],
    });
  for (const name of ['worker', 'bulk-worker'])
    expect(environmentOf(unitOf(name))).toEqual({ DEPLOYMENT_VERSION: '%i' });
});

test.each(units)('When the unit %s runs, then it restarts and has the limits of its container', (name, unit) => {
  const { mem_limit: memory = '', stop_grace_period: grace = '15s' } = compose[name] ?? {};
  expect(unit).toMatchObject({
    Restart: ['always'],
    MemoryMax: [memory.toUpperCase()],
    TimeoutStopSec: [grace.replace('s', '')],
  });
  // The default of systemd is 100, that of containers 1,024.
  const { cpu_shares: shares = 1_024 } = (compose[name] ?? {}) as { cpu_shares?: number };
  expect(unit['CPUWeight'] ?? ['100']).toEqual([String(Math.round((100 * shares) / 1_024))]);
});

test.each(units)('When the unit %s runs, then its program has no rights but those of a user of its own', (_, unit) => {
  expect(unit).toMatchObject({
    DynamicUser: ['yes'],
    CapabilityBoundingSet: [''],
    PrivateDevices: ['yes'],
    ProtectHome: ['yes'],
  });
  expect(unit).not.toHaveProperty('User');
});

test('When Temporal and its UI run, then they have the settings of their containers, and listen on this machine alone', () => {
  const here = (environment: Record<string, string> = {}, certificates: string) =>
    Object.fromEntries(
      Object.entries(environment).map(([name, value]) => [
        name,
        value
          .replace(/^\/certificates/, `/etc/digital-goods/certificates/${certificates}`)
          .replace(/^\/temporal-config/, '/etc/digital-goods/temporal-config')
          .replace(/^temporal:/, '127.0.0.1:'),
      ]),
    );
  const {
    BIND_ON_IP: _,
    TEMPORAL_BROADCAST_ADDRESS: __,
    ...ofServer
  } = here(compose['temporal']?.environment, 'server');
  const { DB_PORT, POSTGRES_SEEDS, POSTGRES_PWD, ...fixed } = ofServer;
  expect(environmentOf(unitOf('temporal'))).toEqual({
    ...fixed,
    ...here(compose['temporal-namespace']?.environment, 'client'),
    HOME: '/tmp',
    TEMPORAL_TLS_SERVER_NAME: 'temporal',
  });
  expect(Object.keys(made('temporal'))).toEqual(
    expect.arrayContaining(Object.keys({ DB_PORT, POSTGRES_SEEDS, POSTGRES_PWD })),
  );
  expect(here(compose['temporal-ui']?.environment, 'client')).toMatchObject(environmentOf(unitOf('temporal-ui')));
  expect(textOf('temporal-config/ui/server.yaml')).toMatch(/^host: 127\.0\.0\.1\nport: 8233\n/m);
  expect(variables['TEMPORAL_UI_URL']).toBe('http://127.0.0.1:8233');
});

test('When the settings are made, then only root reads them, and each program accepts its own in production', () => {
  expect(statSync(join(folder, 'service.env')).mode & 0o777).toBe(0o600);
  const production = { mode: 'production', suppliers: { dtone: { key: 'key' } } };
  expect(loadApiConfig({ ...service, ...made('api') }).config).toMatchObject(production);
  expect(loadWorkerConfig({ ...service, ...made('worker') })).toMatchObject(production);
  expect(loadBulkWorkerConfig({ ...service, ...made('bulk-worker') })).toMatchObject(production);
  expect(loadOperatorsConfig({ ...service, ...made('operators') })).toMatchObject(production);
  expect(loadIdentityConfig({ ...service, ...made('operators') })).toMatchObject({ mode: 'production' });
  expect(loadConfig({ ...service, ...made('local') })).toMatchObject(production);
});

test('When the settings are made, then each program logs in with roles of its own, whose passwords the scripts of the roles get', () => {
  const { DATABASE, PGPORT, ...roles } = made('roles');
  expect({ DATABASE, PGPORT }).toEqual({ DATABASE: 'goods', PGPORT: '6432' });
  const logins = ['api', 'worker', 'bulk-worker', 'operators', 'local'].map((name) => [
    name,
    Object.values(made(name)).flatMap((value) => (value?.startsWith('postgres:') ? [new URL(value)] : [])),
  ]) as [string, URL[]][];
  expect(Object.fromEntries(logins.map(([name, urls]) => [name, urls.map(({ username }) => username)]))).toEqual({
    api: ['goods_service', 'goods_member_identity'],
    worker: ['goods_service', 'goods_retention'],
    'bulk-worker': ['goods_service'],
    operators: ['goods_operator', 'goods_operator_identity'],
    local: ['goods_owner'],
  });
  for (const { username, password, host, search } of logins.flatMap(([, urls]) => urls)) {
    expect([host, search]).toEqual(['db.example:6432', '?sslmode=verify-full']);
    expect(roles[`${username.replace('goods_', '').toUpperCase()}_PASSWORD`]).toBe(password);
  }
  expect(made('temporal-roles')).toEqual({ PGPORT: '5433', TEMPORAL_PASSWORD: made('temporal')['POSTGRES_PWD'] });
});

test('When settings are there already, then they stay', () => {
  const before = readFileSync(join(folder, 'service.env'), 'utf8');
  const again = () =>
    execFileSync(process.execPath, [join(root, 'deploy/systemd/make-settings.mjs')], { cwd: folder, stdio: 'pipe' });
  expect(again).toThrow('service.env is there already: move it away first.');
  expect(readFileSync(join(folder, 'service.env'), 'utf8')).toBe(before);
});

test.each([
  [['deploy', 'promote', '2.0.0'], 'local', ['ops', 'deploy', 'promote', '2.0.0']],
  [['unlock-admin', 'ada@goods.example', '--reason', 'lost $PHONE, a "b"'], 'operators', ['ops', 'unlock-admin']],
  [['try-supplier', 'dtone'], 'local', ['try-supplier', 'dtone']],
])('When ops.sh runs %j, then it has the settings of %s', (words, settings, started) => {
  writeFileSync(join(folder, 'systemd-run'), '#!/bin/sh\nprintf "%s\\n" "$@"\n', { mode: 0o755 });
  const env = { PATH: [folder, process.env['PATH']].join(delimiter), OPS_OPERATOR: 'Kim' };
  const printed = execFileSync(join(root, 'deploy/systemd/ops.sh'), words, { env, encoding: 'utf8' }).split('\n');
  expect(printed).toEqual(
    expect.arrayContaining([
      '--property=EnvironmentFile=/etc/digital-goods/service.env',
      `--property=EnvironmentFile=/etc/digital-goods/${settings}.env`,
      // That of the release, which need not exist.
      `--property=EnvironmentFile=-/etc/digital-goods/${basename(root)}.env`,
      '--setenv=OPS_OPERATOR=Kim',
    ]),
  );
  const program = printed.indexOf(join(root, 'deploy/service'));
  expect(printed.slice(program + 1, program + 1 + started.length)).toEqual(started);
  // systemd expands variables in the words.
  if (words.includes('unlock-admin')) expect(printed).toContain('lost $$PHONE, a "b"');
});

describe('When a release is installed over another one', () => {
  const machine = join(folder, 'machine');
  const configuration = join(machine, 'etc/digital-goods/temporal-config');
  const dynamic = join(configuration, 'dynamicconfig/service.yaml');
  const written = textOf('temporal-config/dynamicconfig/service.yaml');

  /** Installs a release with this dynamic configuration and script. Returns the output. */
  function install(dynamicConfiguration: string, script = '#!/bin/sh\n'): string {
    const release = join(machine, 'opt/release');
    const systemd = join(release, 'deploy/systemd');
    cpSync(join(root, 'deploy/systemd'), systemd, { recursive: true });
    cpSync(join(root, 'temporal-config'), join(release, 'temporal-config'), { recursive: true });
    writeFileSync(join(release, 'temporal-config/dynamicconfig/service.yaml'), dynamicConfiguration);
    writeFileSync(join(release, 'temporal-config/setup-schema.sh'), script);
    const installer = textOf('deploy/systemd/install.sh').replaceAll('/etc/', `${machine}/etc/`);
    writeFileSync(join(systemd, 'install.sh'), installer);
    for (const program of ['systemctl', 'getent'])
      writeFileSync(join(machine, program), '#!/bin/sh\n', { mode: 0o755 });
    const env = { PATH: [machine, process.env['PATH']].join(delimiter) };
    return execFileSync('sh', [join(systemd, 'install.sh')], { env, encoding: 'utf8' });
  }

  beforeEach(() => {
    mkdirSync(join(machine, 'etc/systemd/system'), { recursive: true });
    mkdirSync(join(machine, 'etc/digital-goods'));
    writeFileSync(join(machine, 'etc/digital-goods/service.env'), '');
    expect(install(written)).toBe('');
    expect(readFileSync(dynamic, 'utf8')).toBe(written);
  });
  afterEach(() => rmSync(machine, { recursive: true }));

  test('and the operator has changed no file, then all files are those of the new release', () => {
    expect(install(`${written}# 2.0.0\n`)).toBe('');
    expect(readFileSync(dynamic, 'utf8')).toBe(`${written}# 2.0.0\n`);
  });

  test('and the operator has changed the dynamic configuration, then it stays, and the script says what to merge until it is deleted', () => {
    const own = written.replace('ReadPartitions:\n  - value: 1', 'ReadPartitions:\n  - value: 4');
    writeFileSync(dynamic, own);
    expect(install(written)).toBe('');
    for (let time = 0; time < 2; time++)
      expect(install(`${written}# 2.0.0\n`, '#!/bin/sh\n# 2.0.0\n')).toBe(
        `You have changed ${dynamic}, so it stays. Merge ${dynamic}.new of this release into it, then delete ${dynamic}.new.\n`,
      );
    expect([dynamic, `${dynamic}.new`].map((file) => readFileSync(file, 'utf8'))).toEqual([own, `${written}# 2.0.0\n`]);
    expect(readFileSync(join(configuration, 'setup-schema.sh'), 'utf8')).toBe('#!/bin/sh\n# 2.0.0\n');

    rmSync(`${dynamic}.new`);
    writeFileSync(dynamic, `${own}# 2.0.0\n`);
    expect(install(`${written}# 2.0.0\n`)).toBe('');
    expect(readFileSync(dynamic, 'utf8')).toBe(`${own}# 2.0.0\n`);
  });
});

test('When the page names archives of Temporal, then they have the versions of the tests', () => {
  const page = textOf('docs/operators/production.md');
  const cli = /^const VERSION = '(.+)';/m.exec(textOf('dev/stack/temporal.ts'))?.[1];
  for (const archive of [
    `temporal_${variables['TEMPORAL_VERSION']}_linux`,
    `ui-server_${variables['TEMPORAL_UI_VERSION']}_linux`,
    `temporal_cli_${cli}_linux`,
  ])
    expect(page).toContain(archive);
});

test('When the pages start or stop a unit, then it exists', () => {
  const pages = ['production', 'deploying'].map((page) => textOf(`docs/operators/${page}.md`)).join('\n');
  const named = [...pages.matchAll(/systemctl [^`|;]*/g)].flatMap(([command]) =>
    Array.from(command.matchAll(/digital-goods-([a-z-]+?)(?:@\d\.\d\.\d)?(?=\s|$)/g), ([, name]) => name),
  );
  expect([...new Set(named)].sort()).toEqual(units.map(([name]) => name).sort());
});
