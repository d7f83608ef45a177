/** What the scripts in `deploy` for docker compose say before they begin. `npm run prove:upgrade` runs them. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { parseDocker } from '../../deploy/production/docker-words';
import { root } from '../documents/documents';
import { copyScripts, setRelease } from './copied-scripts';

let folder: string;
beforeAll(() => {
  folder = copyScripts('scripts-');
});
beforeEach(() => setRelease(folder, '2.0.0'));
afterAll(() => rmSync(folder, { recursive: true }));

function install(settings: string): void {
  writeFileSync(join(folder, '.env'), settings);
}

/** What a script says when it stops. */
function stopOf(script: string, ...words: string[]): string {
  const { stderr, status } = spawnSync(join(folder, `deploy/${script}.sh`), words, {
    cwd: '/',
    env: { PATH: process.env['PATH'] },
    encoding: 'utf8',
  });
  expect(status).toBe(1);
  return stderr;
}

describe.each(['upgrade', 'rollback', 'workers'])('%s.sh', (script) => {
  test.each([[], [''], ['--help'], ['2 0'], ['a/b']])('When %j names no release, then it stops', (...words) => {
    expect(stopOf(script, ...words)).toMatch(/^Name the release: \S+\.sh 2\.0\.0\n$/);
  });

  test('When the installation is a sandbox, then it stops', () => {
    install('DEPLOYMENT_VERSION=\n');
    expect(stopOf(script, '2.0.0')).toMatch(/^COMPOSE_FILE in \.env does not name deploy\/production\/compose\.yml/);
  });

  test('When the settings cannot name the release, then it stops', () => {
    install('COMPOSE_FILE=docker-compose.yml:deploy/production/compose.yml\n');
    expect(stopOf(script, '2.0.0')).toMatch(/^\.env needs a line DEPLOYMENT_VERSION=/);
  });
});

test('When an upgrade names an older release, then it changes nothing, and names the script that goes back', () => {
  expect(stopOf('upgrade', '1.10.0')).toBe('1.10.0 is older than 2.0.0. To go back to it: deploy/rollback.sh 1.10.0\n');
});

const read = (file: string) => readFileSync(join(root, file), 'utf8');

test('When docker compose backs up, then by the commands of the runbook', () => {
  const [script, runbook] = ['deploy/backup.sh', 'docs/operators/runbook.md'].map(read);
  const onHost =
    / on_database_host '\n([^]*?)^'/m
      .exec(script ?? '')?.[1]
      ?.trim()
      .split(/\n +/) ?? [];
  expect(onHost).toHaveLength(4);
  for (const command of onHost) expect(runbook).toContain(`\n${command}\n`);
});

describe('When the requests about recipients are written', () => {
  /** Runs a script with programs that record their words, and answer as `answer`, a line of a shell, says. */
  function run(program: string, answer: string, script: string, ...words: string[]) {
    const bin = mkdtempSync(join(folder, 'bin-'));
    const calls = join(bin, 'calls');
    writeFileSync(join(bin, program), `#!/bin/sh\necho "$*" >>'${calls}'\n${answer}\n`, { mode: 0o755 });
    const env = { PATH: [bin, process.env['PATH']].join(delimiter), REQUESTS: join(bin, 'requests.json') };
    const { status, stdout } = spawnSync(join(root, script), words, { cwd: '/', env, encoding: 'utf8' });
    return { status, stdout, calls: readFileSync(calls, 'utf8').trim().split('\n'), file: env.REQUESTS };
  }

  test('with docker compose, then without a copy of the database', () => {
    const answer = `case "$*" in *export*) echo '[]' ;; *mv*) eval "$(printf %s "$*" | sed 's/.* -euc //')" ;; esac`;
    const { status, calls, file } = run('docker', answer, 'deploy/backup.sh', 'requests');
    expect([status, calls.length]).toEqual([0, 2]);
    expect(calls.join()).not.toContain('pg_basebackup');
    expect(readFileSync(file, 'utf8')).toBe('[]\n');
  });

  const settings = () => {
    const file = join(mkdtempSync(join(folder, 'settings-')), 'requests.env');
    writeFileSync(file, `OPS_URL=https://ops.goods.example\nOPS_TOKEN=opsvc_x\n`);
    return file;
  };

  test('elsewhere, then by the command of the runbook, after the packages are there', () => {
    expect(read('docs/operators/runbook.md')).toContain(
      /^npm run ops .*export.*$/m.exec(read('deploy/requests.sh'))?.[0],
    );
    const answer = `case "$*" in *--version) echo Installing ;; *) echo "$OPS_URL $OPS_TOKEN" ;; esac`;
    const { status, stdout, file } = run('npm', answer, 'deploy/requests.sh', settings());
    expect([status, stdout]).toEqual([0, '']);
    expect(readFileSync(file, 'utf8')).toBe('https://ops.goods.example opsvc_x\n');
  });

  test('and the operators’ process does not answer, then the older file stays, and cron learns it', () => {
    const { status, file } = run('npm', 'case "$*" in *export*) exit 1 ;; esac', 'deploy/requests.sh', settings());
    expect([status, existsSync(file)]).toEqual([1, false]);
  });
});

describe('The program docker of the proof', () => {
  test('When it knows every word, then it understands the command', () => {
    const words = ['compose', '--project-name', 'goods-1-0-0', 'up', '--detach', '--wait', '--no-deps', 'worker'];
    expect(parseDocker(words)).toEqual({
      project: 'goods-1-0-0',
      name: 'up',
      flags: new Set(['--detach', '--wait', '--no-deps']),
      rest: ['worker'],
    });
  });

  test('When words follow the name of a service, then they are for its container', () => {
    const words = ['compose', 'run', '--rm', '--no-TTY', '--no-deps', 'ops', 'replay', '--since', '1d'];
    expect(parseDocker(words).rest).toEqual(['ops', 'replay', '--since', '1d']);
  });

  test.each([
    ['ps', 'unknown command: ps'],
    ['compose down', 'unknown command: down'],
    ['compose --file x up', 'unknown flag: --file'],
    ['compose up --detach --wait --build api', 'unknown flag: --build'],
    ['compose up --wait api', '--detach is missing'],
    ['compose run --rm --no-TTY --no-deps', 'name a service'],
  ])('When it gets `docker %s`, then it fails', (words, message) => {
    expect(() => parseDocker(words.split(' '))).toThrow(message);
  });
});
