/** What a terminal needs of the ops CLI: completion, the version, tables that fit, and names as they are typed. docs/operators/cli.md. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readValues } from '../../../src/operators/operations/arguments';
import { operations } from '../../../src/operators/operations/operations';
import { plural, table } from '../../../src/operators/operations/text';
import { root, textOf } from '../../documents/documents';

const program = join(root, 'dist/src/operators/cli/main.js');
const printed = (...words: string[]) => execFileSync(process.execPath, [program, ...words], { encoding: 'utf8' });

test('When the version is asked for, then it is that of the release', () => {
  const { version } = JSON.parse(textOf('package.json')) as { version: string };
  expect(printed('--version')).toBe(`${version}\n`);
});

describe('When no stack runs here, and no operator has logged in', () => {
  const settings = {
    HOME: mkdtempSync(join(tmpdir(), 'no-login-')),
    RUN_DIR: mkdtempSync(join(tmpdir(), 'no-stack-')),
  };
  afterAll(() => Object.values(settings).forEach((path) => rmSync(path, { recursive: true })));
  const started = (...words: string[]) =>
    spawnSync(process.execPath, [join(root, 'dist/dev/stack/ops.js'), ...words], { env: settings, encoding: 'utf8' });

  test.each([
    [
      'attention',
      /^No stack runs here: start one with npm start, or log in elsewhere with: npm run ops -- login <url>$/m,
    ],
    ['login http://127.0.0.1:1', /^The operators' process at http:\/\/127\.0\.0\.1:1 does not answer: /],
    ['--json whoami', /^You are not logged in\. Log in with: ops login <url>$/m],
  ])('then `npm run ops -- %s` says what to do', (words, sentence) => {
    expect(started(...words.split(' ')).stderr).toMatch(sentence);
  });

  test('then a command shows its help, with the options of all commands', () => {
    const { stdout, status } = started('invite-admin', '--help');
    expect(stdout).toMatch(/^Usage: ops invite-admin [^]*^ +--name <name> [^]*^ +--operator <name> /m);
    expect(status).toBe(0);
  });
});

/** After its script, what a shell prints that it offers for the last of the words. */
const shells: Readonly<Record<string, (words: string[]) => string>> = {
  bash: inBash,
  // So does zsh call functions of bash.
  zsh: (words) => `setopt ksharrays shwordsplit\n${inBash(words)}`,
  fish: (words) => `complete -C ${JSON.stringify(words.join(' '))}`,
};

function inBash(words: string[]): string {
  const quoted = words.map((word) => JSON.stringify(word)).join(' ');
  return `COMP_WORDS=(${quoted})\nCOMP_CWORD=${words.length - 1}\n_ops\nprintf '%s\\n' "\${COMPREPLY[@]}"`;
}

const scripts = new Map(Object.keys(shells).map((shell) => [shell, printed('completion', shell)]));
const folder = mkdtempSync(join(tmpdir(), 'completion-'));
afterAll(() => rmSync(folder, { recursive: true }));
const installed = Object.keys(shells).filter((shell) => spawnSync(shell, ['-c', 'true']).status === 0);

describe.each(installed)('When a word is completed in %s', (shell) => {
  const file = join(folder, shell);
  beforeAll(() => writeFileSync(file, scripts.get(shell) ?? ''));

  function completed(...words: string[]): string[] {
    const program = `source ${file}\n${shells[shell]?.(['ops', ...words])}`;
    const output = execFileSync(shell, ['-c', program], { encoding: 'utf8' });
    const offered = output.split('\n').flatMap((line) => line.split('\t')[0] || []);
    // zsh itself leaves out what does not begin like the word.
    return offered.filter((word) => shell !== 'zsh' || word.startsWith(words.at(-1) ?? '')).sort();
  }

  test('then commands are offered, and below each group its own', () => {
    expect(completed('wal')).toEqual(['wallets']);
    expect(completed('orders', 're')).toEqual(['refund', 'refundable', 'release', 'resolve', 'retry', 'reveal']);
    expect(completed('--json', 'wallets', 'fu')).toEqual(['fund']);
  });

  test('then the options of the command are offered, as they are typed', () => {
    expect(completed('orders', 'refund', '7', '--re')).toEqual(['--reason', '--reason-code', '--reference']);
    expect(completed('orders', 'refund', '7', '--js')).toEqual(['--json']);
  });
});

test('When every shell is named, then its script mentions every command', () => {
  for (const script of scripts.values()) for (const { name } of operations) expect(script).toContain(` ${name}`);
});

describe('When a table is shown', () => {
  const rows = [
    { id: 1, name: 'Acme', reason: 'The supplier delivers used codes, and says that it does not know why' },
    { id: 2, name: 'Globex', reason: null },
  ];

  test('then it has a line for each row, if nothing limits it', () => {
    expect(table(rows).split('\n')).toHaveLength(3);
  });

  test('then its cells continue in the next lines, if the terminal is narrower', () => {
    expect(table(rows, 40)).toBe(
      [
        'id  name    reason',
        '1   Acme    The supplier delivers used',
        '            codes, and says that it does',
        '            not know why',
        '2   Globex  -',
      ].join('\n'),
    );
  });

  test('then each row is a block, if the terminal is too narrow for the columns', () => {
    const wide = [{ reference: 'order-17-abcdefghijkl', supplier: 'simulator', happened: '2026-11-01T12:00:00Z' }];
    expect(table(wide, 30)).toBe(
      ['reference  order-17-abcdefghijkl', 'supplier   simulator', 'happened   2026-11-01T12:00:00Z'].join('\n'),
    );
  });
});

test('When an argument is invalid, then the message names it as it is typed', () => {
  const refund = operations.find(({ name }) => name === 'orders refund');
  expect(() => readValues(refund?.arguments ?? {}, { order: '7', reasonCode: 'NONE' })).toThrow(/^--reason-code: /);
  expect(() => readValues(refund?.arguments ?? {}, { order: 'seven' })).toThrow(/^order: /);
});

test('When things are counted, then one is singular', () => {
  expect([1, 2, 0].map((count) => plural(count, 'key'))).toEqual(['1 key', '2 keys', '0 keys']);
});
