/** Files with secrets are readable only by their owner and never committed. */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RunDirectory } from '../../dev/stack/run-directory';
import { readSettings } from '../../dev/stack/settings';
import { loadApiConfig } from '../../src/settings/config';
import { root } from '../documents/documents';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'secret-files-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const modeOf = (file: string) => statSync(file).mode & 0o777;

/** Runs the script in the folder. Returns its output and exit code. */
function makeEnv(): { code: number; text: string } {
  try {
    const script = join(root, 'dev/scripts', 'make-env.mjs');
    const text = execFileSync(process.execPath, [script], { cwd: folder, encoding: 'utf8', stdio: 'pipe' });
    return { code: 0, text };
  } catch (error) {
    const { status, stderr } = error as { status: number; stderr: string };
    return { code: status, text: stderr };
  }
}

describe('dev/scripts/make-env.mjs', () => {
  test('When the script is run, then .env has every secret and only its owner can read it', () => {
    expect(makeEnv()).toMatchObject({ code: 0 });
    const file = join(folder, '.env');
    expect(modeOf(file)).toBe(0o600);
    const settings = readFileSync(file, 'utf8');
    for (const name of ['SECRET_KEYS', 'SIMULATOR_SECRET', 'OPS_IDENTITY_SECRET', 'POSTGRES_PASSWORD']) {
      expect(settings).toMatch(new RegExp(`^${name}=.{32,}$`, 'm'));
    }
  });

  test('When processes of production get the settings as they are written, without those of the simulator, then they are accepted', () => {
    makeEnv();
    const lines = readFileSync(join(folder, '.env'), 'utf8').matchAll(/^([A-Z_]+)=(.*)$/gm);
    const { SIMULATOR_SECRET: _secret, ...written } = Object.fromEntries(
      Array.from(lines, ([, name = '', value = '']) => [name, value]),
    );
    const url = `postgres://service:${written['SERVICE_PASSWORD']}@db.example/goods?sslmode=verify-full`;
    const own = {
      SERVICE_MODE: 'production',
      DATABASE_URL: url,
      MEMBER_IDENTITY_DATABASE_URL: url,
      SMTP_URL: 'smtp://mail.example:587',
      MAIL_FROM: 'Goods <orders@goods.example>',
      CONSOLE_URL: 'https://api.goods.example',
      DTONE_KEY: 'key',
      DTONE_SECRET: 'secret',
    };
    expect(loadApiConfig({ ...written, ...own }).config).toMatchObject({ mode: 'production' });
  });

  test('When an .env exists, then it is kept, and a message says so', () => {
    makeEnv();
    const before = readFileSync(join(folder, '.env'), 'utf8');
    const again = makeEnv();
    expect(again.code).toBe(1);
    expect(again.text).toMatch(/\.env is there already: move it away first\.$/m);
    expect(readFileSync(join(folder, '.env'), 'utf8')).toBe(before);
  });

  test.each([
    ['added to a commit', '.gitignore', '.run/'],
    ['sent to the builder of the image', '.dockerignore', '.run'],
  ])('When files are %s, then .env, its copies and .run are not among them', (_, list, runDirectory) => {
    const ignored = readFileSync(join(root, list), 'utf8').split('\n');
    expect(ignored).toEqual(expect.arrayContaining(['.env*', '!.env.example', runDirectory]));
  });
});

describe('the run directory of a stack', () => {
  test('When the run directory is created, or exists with wider rights, then only its owner can read it and its files', () => {
    const path = join(folder, 'run');
    new RunDirectory(path);
    expect(modeOf(path)).toBe(0o700);
    chmodSync(path, 0o755);
    const directory = new RunDirectory(path);
    expect(modeOf(path)).toBe(0o700);
    directory.lock();
    directory.secrets();
    directory.credentialsFile();
    const files = readdirSync(path).filter((name) => name !== 'logs');
    expect(files.sort()).toEqual(['credentials.json', 'lock.json', 'secrets.json']);
    for (const name of files) expect(modeOf(join(path, name))).toBe(0o600);
  });

  test('When a new demo client exists, then it gets credentials, and the others keep theirs', () => {
    const directory = new RunDirectory(folder);
    const read = () => JSON.parse(readFileSync(directory.credentialsFile(), 'utf8')) as Record<string, object>;
    const { limited, ...others } = read();
    expect(limited).toMatchObject({ api_key: expect.stringMatching(/^limited-/) });
    directory.writeJson('credentials.json', others);
    const { limited: made, ...stayed } = read();
    expect(stayed).toEqual(others);
    expect(made).not.toEqual(limited);
    expect(read()).toEqual({ ...others, limited: made });
  });

  test('When a stack is started again, then it has the same secrets', () => {
    const directory = new RunDirectory(folder);
    const first = readSettings(directory, {});
    expect(readSettings(directory, {}).secrets).toEqual(first.secrets);
  });
});
