/** The image `service` without Docker: its last stage has all files of each program and no development tools. */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import { tracedWorkflowBundle, workflowBundle } from '../../src/temporal/bundle';
import { root, textOf } from '../documents/documents';

const stages = textOf('Dockerfile')
  .split(/^(?=FROM )/m)
  .slice(1);
const service = stages.find((stage) => / AS service$/m.test(stage)) ?? '';
/** The commands of the compose file that the image runs. The ops CLI without a command prints its help, and needs no settings. */
const commands = [
  ...new Set(
    [
      ...textOf('docker-compose.yml').matchAll(
        /command: \[(service, [\w-]+|node, .*dist\/dev\/simulator\/main\.js)\]/g,
      ),
    ].map(([, words = '']) => words.replaceAll(',', '')),
  ),
];

/** Links each production package, so that no development package can be resolved. */
function linkProductionPackages(to: string): void {
  const { packages } = JSON.parse(textOf('package-lock.json')) as {
    packages: Record<string, { dev?: boolean; link?: boolean }>;
  };
  for (const [path, { dev, link }] of Object.entries(packages)) {
    const isNested = path.lastIndexOf('node_modules/') > 0;
    if (!path.startsWith('node_modules/') || link || dev || isNested || !existsSync(join(root, path))) continue;
    const target = join(to, path.replace(/^node_modules\//, ''));
    mkdirSync(dirname(target), { recursive: true });
    symlinkSync(join(root, path), target);
  }
}

let image: string;
beforeAll(() => {
  image = mkdtempSync(join(tmpdir(), 'image-'));
  for (const [, from = '', to = ''] of service.matchAll(/^COPY (?:--from=\w+ \/app\/)?(\S+) (\S+)$/gm)) {
    const target = join(image, to.endsWith('/') ? join(to, from.split('/').at(-1) ?? '') : to);
    if (from === 'node_modules') linkProductionPackages(target);
    else cpSync(join(root, from), target, { recursive: true });
  }
  const [, program = '', link = ''] = /ln -s \/app\/(\S+) \/usr\/local\/(\S+)/.exec(service) ?? [];
  mkdirSync(join(image, dirname(link)));
  symlinkSync(join(image, program), join(image, link));
});
afterAll(() => rmSync(image, { recursive: true }));

test('When the image is built, then no file that the build needs is ignored', () => {
  const ignored = textOf('.dockerignore').split('\n').filter(Boolean);
  const sources = textOf('dev/scripts/guides.mjs').match(/(?<=')docs\/[^']+(?=')/g) ?? [];
  expect(sources.length).toBeGreaterThan(0);
  expect(sources.filter((source) => ignored.some((path) => `${source}/`.startsWith(`${path}/`)))).toEqual([]);
});

test('When the commands of the compose file are listed, then each program of the image is among them', () => {
  expect(commands.sort()).toEqual([
    'node --enable-source-maps dist/dev/simulator/main.js',
    ...['api', 'bulk-worker', 'migrate', 'operators', 'worker'].map((program) => `service ${program}`),
  ]);
});

/** It runs in the container of the operators' process: docs/operators/suppliers.md#try-a-supplier. */
const trial = 'service try-supplier dtone --no-record --sku VOUCHER=fixed:1:USD:10@10USD';

test.each([...commands, trial])(
  'When `%s` starts from the copied files, then it lacks only its settings',
  (command) => {
    const [program = '', ...args] = command.split(' ');
    const { stderr, status } = spawnSync(program, args, {
      cwd: program === 'service' ? tmpdir() : image,
      env: {
        PATH: [join(image, 'bin'), dirname(process.execPath), process.env['PATH']].join(delimiter),
        NODE_OPTIONS: '--preserve-symlinks --preserve-symlinks-main',
      },
      encoding: 'utf8',
    });
    expect(stderr).toMatch(/^(Configuration|Supplier simulator): .* (See \.env\.example\.|is required)\n$/);
    expect(status).toBe(1);
  },
);

test('When the image gets a command that it does not have, then it names the ones it has', () => {
  const { stderr, status } = spawnSync(join(image, 'bin/service'), ['sell'], { encoding: 'utf8' });
  expect({ stderr, status }).toEqual({
    stderr: 'Name a program: service api|worker|bulk-worker|operators|ops|migrate|try-supplier [arguments]\n',
    status: 2,
  });
});

test.each([
  ['without traces', workflowBundle],
  ['with traces', tracedWorkflowBundle],
])('When a worker starts %s, then the image has its workflow bundle', (_traces, { codePath }) => {
  expect(existsSync(join(image, 'dist', basename(codePath)))).toBe(true);
});

test('When a stage installs packages, then it uses the lock file and runs no install scripts', () => {
  const installs = [...textOf('Dockerfile').matchAll(/npm (?:ci|install|i)\b.*/g)].map(([line]) => line);
  expect(installs.length).toBeGreaterThan(0);
  for (const install of installs) expect(install).toMatch(/^npm ci .*--ignore-scripts/);
});

test('When the image is built, then it has only production packages and an unprivileged user', () => {
  const [dependencies = ''] = stages;
  expect(dependencies).toMatch(/ AS dependencies$/m);
  expect(dependencies).toContain('npm ci --omit=dev ');
  expect(service).toContain('COPY --from=dependencies /app/node_modules node_modules\n');
  for (const stage of stages.slice(1)) expect(stage).toMatch(/^USER node$/m);
});

test('When the image is built where Python cannot be installed, then only the download of the Python package is missing', () => {
  const made = stages.filter((stage) => /python/.test(stage.replace(/^#.*$/gm, '')));
  expect(made.map((stage) => /^FROM sandbox AS (\w+)$/m.exec(stage)?.[1])).toEqual(['downloads']);
  const [, program = ''] = /^RUN ((?:.*\\\n)*.*)$/m.exec(made[0] ?? '') ?? [];
  // Neither apt-get nor Python exists.
  const path = join(image, 'empty');
  mkdirSync(path);
  const run = spawnSync('/bin/sh', ['-c', program], { cwd: image, env: { PATH: path }, encoding: 'utf8' });
  expect(run).toMatchObject({ status: 0, stdout: expect.stringContaining('No Python package') });
  expect(service).toContain('COPY --from=downloads /app/dist/docs dist/docs\n');
});

test('When compose starts the programs of the service, then their file system is read-only', () => {
  const compose = textOf('docker-compose.yml');
  expect(compose).toMatch(/^x-confined: &confined\n {2}<<: \*bounded\n {2}read_only: true\n {2}tmpfs: \[\/tmp\]\n/m);
  for (const ours of ['x-service: &service', 'x-sandbox: &sandbox'])
    expect(compose).toContain(`${ours}\n  <<: *confined\n`);
});
