/**
 * How `deploy/upgrade.sh` and `rollback.sh` react to a person or another script that changes the installation. A stand-in for `docker`
 * records the commands. `npm run prove:upgrade` runs the scripts with real services.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { copyScripts, setRelease } from './copied-scripts';

/** A release as `deploy status` lists it. */
type Listed = [version: string, state: 'current' | 'replaced' | 'not promoted'];

interface Machine {
  /** `DEPLOYMENT_VERSION` in `.env`. */
  runs: string;
  releases?: Listed[];
  /** The compose projects with running containers. */
  projects?: string[];
  /** Lines of a shell for the words of `docker`, after the lines that record them. `going <version>`: another script gives it the orders. */
  also?: string;
  /** What a person types. */
  typed?: string;
}

let folder: string;
beforeEach(() => {
  // Scripts of people live in folders with spaces.
  folder = copyScripts('ways back-');
});
afterEach(() => rmSync(folder, { recursive: true }));

const statusOf = (releases: Listed[]) =>
  releases.map(([version, state]) => `${version}  ${state}  -  0  yes  -`).join('\n');

/** Runs the script. Returns the words of `docker` without those that ask. */
function run(script: string, version: string, machine: Machine) {
  const { runs, releases = [['unversioned', 'current']], projects = [], also = '', typed = '' } = machine;
  setRelease(folder, runs);
  writeFileSync(join(folder, 'status'), statusOf(releases));
  writeFileSync(join(folder, 'docker'), docker(projects, also), { mode: 0o755 });
  const env = { PATH: [folder, process.env['PATH']].join(delimiter), FOLDER: folder, OPS_OPERATOR: 'Kim' };
  const child = spawnSync(join(folder, 'deploy', `${script}.sh`), [version], {
    cwd: '/',
    env,
    input: typed,
    encoding: 'utf8',
  });
  const words = readFileSync(join(folder, 'words'), 'utf8').trim().split('\n');
  const ways = [...child.stdout.matchAll(/^(\d)\/\d .*\n {4}To go back: (.*)\.$/gm)];
  return {
    exitCode: child.status,
    said: child.stdout + child.stderr,
    did: words.filter((line) => !/status|--version| ls /.test(line)),
    wayBack: (step: number) => ways.find(([, number]) => Number(number) === step)?.[2],
  };
}

const docker = (projects: string[], also: string) => `#!/bin/sh
echo "$*" >>"$FOLDER/words"
# Gives the release the orders.
going() {
  sed -i -e 's/  current  /  replaced  /' -e "/^$1 /d" "$FOLDER/status"
  printf '\\n%s  current  -  0  yes  -' "$1" >>"$FOLDER/status"
}
case "$*" in
*--version) echo "$DEPLOYMENT_VERSION" ;;
*'deploy status') cat "$FOLDER/status" ;;
*'ls --quiet') printf '%s\\n' ${projects.join(' ')} ;;
*'deploy promote'*) for last; do :; done; going "$last" ;;
*export*) echo '[]' ;;
esac
${also}
`;

const stopped = ({ did }: { did: string[] }) => did.filter((words) => words.endsWith(' stop'));
const upgrading: Machine = {
  runs: '1.0.0',
  releases: [['1.0.0', 'current']],
  projects: ['digital-goods', 'digital-goods-1-0-0', 'digital-goods-2-0-0', 'digital-goods-monitoring'],
  typed: '\n',
};

describe('When a release is upgraded', () => {
  test('then each step names its way back, and the workers of the other releases stop at the end', () => {
    const upgraded = run('upgrade', '2.0.0', upgrading);
    expect([upgraded.exitCode, upgraded.said]).toEqual([0, expect.stringMatching(/2\.0\.0 runs alone\.\n$/)]);
    const undo = 'docker compose --project-name digital-goods-2-0-0 stop';
    const stays = 'stop here, 1.0.0 works on the new schema, too';
    const rollback = 'deploy/rollback.sh 1.0.0';
    expect([1, 2, 3, 4, 5, 6, 7, 8, 9].map(upgraded.wayBack)).toEqual([
      'nothing has changed',
      stays,
      stays,
      stays,
      undo,
      rollback,
      rollback,
      rollback,
      rollback,
    ]);
    expect(stopped(upgraded)).toEqual(['compose --project-name digital-goods-1-0-0 stop']);
  });

  test('and its workers do not start, then the script names their log, and how to stop them', () => {
    const upgraded = run('upgrade', '2.0.0', { ...upgrading, also: 'case "$*" in *bulk-worker) exit 1 ;; esac' });
    expect(upgraded.exitCode).toBe(1);
    expect(upgraded.said).toContain('Their log: docker compose --project-name digital-goods-2-0-0 logs\n');
    expect(upgraded.said).toContain('To go back: docker compose --project-name digital-goods-2-0-0 stop.\n');
  });

  test.each([
    ['while it drains', 'case "$*" in *drain) going 1.0.0 ;; esac'],
    ['while it waits', 'case "$*" in *" operators") going 1.0.0 ;; esac'],
  ])('and a person rolls back %s, then no worker stops', (_when, also) => {
    const upgraded = run('upgrade', '2.0.0', { ...upgrading, also });
    expect([upgraded.exitCode, stopped(upgraded)]).toEqual([1, []]);
    expect(upgraded.said).toMatch(/Orders now go to 1\.0\.0, so no worker was stopped\.\n$/);
  });

  test('and the backup fails, then a person decides', () => {
    const also = 'case "$*" in *export*) exit 1 ;; esac';
    const asked = run('upgrade', '2.0.0', { ...upgrading, also, typed: '' });
    expect([asked.exitCode, asked.did.some((words) => words.includes('migrate'))]).toEqual([1, false]);
    expect(asked.said).toMatch(/Press Enter to upgrade all the same\nNothing has changed\.\n$/);
    expect(run('upgrade', '2.0.0', { ...upgrading, also, typed: '\n\n' }).exitCode).toBe(0);
  });

  test('after a break behind its promotion, then it leads back to the release before', () => {
    const releases: Listed[] = [
      ['2.0.0', 'current'],
      ['1.10.0', 'replaced'],
      ['1.9.0', 'replaced'],
    ];
    for (const runs of ['1.10.0', '2.0.0']) {
      const repeated = run('upgrade', '2.0.0', { ...upgrading, runs, releases });
      expect([5, 9].map(repeated.wayBack)).toEqual(['deploy/rollback.sh 1.10.0', 'deploy/rollback.sh 1.10.0']);
    }
  });

  test('after another one was withdrawn, then it leads back to the one that had the orders before it', () => {
    const releases: Listed[] = [
      ['3.0.0', 'current'],
      ['1.0.0', 'replaced'],
      ['2.0.0', 'replaced'],
    ];
    expect(run('upgrade', '3.0.0', { ...upgrading, runs: '3.0.0', releases }).wayBack(5)).toBe(
      'deploy/rollback.sh 1.0.0',
    );
  });

  test('again after a way back that broke before its end, then nothing is migrated twice', () => {
    const releases: Listed[] = [
      ['1.0.0', 'current'],
      ['2.0.0', 'replaced'],
    ];
    const repeated = run('upgrade', '2.0.0', { ...upgrading, runs: '2.0.0', releases });
    expect([repeated.exitCode, repeated.wayBack(6)]).toEqual([0, 'deploy/rollback.sh 1.0.0']);
    expect(repeated.did.some((words) => words.includes('migrate'))).toBe(false);
  });

  test('and Temporal does not answer, then nothing is stopped', () => {
    const also = `case "$*" in *drain) rm "$FOLDER/status" ;; esac`;
    const upgraded = run('upgrade', '2.0.0', { ...upgrading, also });
    expect([upgraded.exitCode, stopped(upgraded)]).toEqual([1, []]);
  });

  test('from its own release candidate, then it is newer', () => {
    const candidate = { ...upgrading, runs: '2.0.0-rc.1', releases: [['2.0.0-rc.1', 'current']] satisfies Listed[] };
    expect(run('upgrade', '2.0.0', candidate).exitCode).toBe(0);
    expect(run('upgrade', '2.0.0-rc.1', { ...upgrading, runs: '2.0.0' }).said).toContain('is older than 2.0.0');
  });

  test.each([
    ['2.0.0', /Orders go to 1\.0\.0, .* Write DEPLOYMENT_VERSION=1\.0\.0 there, and run this again\.\n$/],
    [
      '',
      /These workers run: digital-goods-1-0-0\. Write their release, such as 1\.0\.0, after DEPLOYMENT_VERSION= in \.env\.\n$/,
    ],
  ])('and .env names %j in place of the release that runs, then the script starts no worker', (runs, message) => {
    const upgraded = run('upgrade', '2.0.0', { ...upgrading, runs });
    expect([upgraded.exitCode, upgraded.did.some((words) => words.includes('bulk-worker'))]).toEqual([1, false]);
    expect(upgraded.said).toMatch(message);
  });

  test('for the first time, then Temporal is asked only after the workers have prepared it, and no person is', () => {
    const prepared = '"$FOLDER/prepared"';
    const also = `case "$*" in *bulk-worker) touch ${prepared} ;; *'deploy status') [ -e ${prepared} ] || exit 1 ;; esac`;
    const first = run('upgrade', '1.0.0', { runs: '', projects: ['digital-goods'], also });
    expect([first.exitCode, first.did.some((words) => words.includes('pg_basebackup'))]).toEqual([0, false]);
    expect([2, 6, 9].map(first.wayBack)).toEqual([
      'this is the first release',
      'no other release is known',
      'no other release is known',
    ]);
  });
});

describe('When a release is rolled back', () => {
  const both: Listed[] = [
    ['2.0.0', 'current'],
    ['1.0.0', 'replaced'],
  ];

  test.each(['1.0.0', '2.0.0'])('and .env names %s, then each step leads forward again', (runs) => {
    const back = run('rollback', '1.0.0', { runs, releases: both });
    expect([back.exitCode, ...[2, 3, 4].map(back.wayBack)]).toEqual([
      0,
      ...Array<string>(3).fill('deploy/upgrade.sh 2.0.0'),
    ]);
  });

  test('to a newer one, then nothing starts', () => {
    const back = run('rollback', '3.0.0', { runs: '2.0.0', releases: [...both, ['3.0.0', 'not promoted']] });
    expect([back.exitCode, back.did]).toEqual([1, []]);
    expect(back.said).toMatch(/To upgrade to it: deploy\/upgrade\.sh 3\.0\.0\n$/);
  });

  test('after another one was withdrawn, then it leads forward to the one that had the orders', () => {
    const releases: Listed[] = [
      ['2.0.0', 'current'],
      ['3.0.0', 'replaced'],
      ['1.0.0', 'replaced'],
    ];
    expect(run('rollback', '1.0.0', { runs: '2.0.0', releases }).wayBack(3)).toBe('deploy/upgrade.sh 2.0.0');
  });

  test('and Temporal, which lost its data, knows only the newer one, then it goes on', () => {
    const back = run('rollback', '1.0.0', { runs: '2.0.0', releases: [['2.0.0', 'current']] });
    expect([back.exitCode, back.wayBack(2)]).toEqual([0, 'deploy/upgrade.sh 2.0.0']);
  });

  test('and Temporal has lost its data, then it goes on', () => {
    expect(run('rollback', '1.0.0', { runs: '2.0.0' }).wayBack(2)).toBe('deploy/upgrade.sh 2.0.0');
  });
});
