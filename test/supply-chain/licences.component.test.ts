/** `npm run licences` and `npm run sbom`, on the packages of the service and on invented ones. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root, textOf } from '../documents/documents';

interface Package {
  license?: string;
  dev?: boolean;
}

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'licences-'));
  mkdirSync(join(folder, 'deploy/supply-chain'), { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true }));

const readme = (licence: string) => `# Invented\n\n## Licence\n\n\`${licence}\`: all rights are the owner's.\n`;

/** A project in the folder that depends on version 1.0.0 of these packages. */
function project(packages: Record<string, Package>, read: Record<string, { licence: string }> = {}): void {
  const names = (isDevelopment: boolean) =>
    Object.fromEntries(
      Object.entries(packages)
        .filter(([, { dev = false }]) => dev === isDevelopment)
        .map(([name]) => [name, '1.0.0']),
    );
  const uses = { dependencies: names(false), devDependencies: names(true) };
  const installed = Object.entries(packages).map(([name, stated]) => [
    `node_modules/${name}`,
    { version: '1.0.0', integrity: 'sha512-AAAA', ...stated },
  ]);
  const own = { name: 'invented', version: '1.0.0', license: 'UNLICENSED', ...uses };
  write('package.json', own);
  write('README.md', readme('UNLICENSED'));
  write('package-lock.json', { ...own, lockfileVersion: 3, packages: { '': own, ...Object.fromEntries(installed) } });
  const allowed = { permissive: ['MIT', 'ISC'], withReason: { 'CC-BY-4.0': 'Data.' }, packages: read };
  write('deploy/supply-chain/licences.json', allowed);
}

function write(file: string, content: object | string): void {
  writeFileSync(join(folder, file), typeof content === 'string' ? content : JSON.stringify(content));
}

function run(script: string, cwd: string): { status: number | null; lines: string[] } {
  const ended = spawnSync(process.execPath, [join(root, 'dev/scripts', script)], { cwd, encoding: 'utf8' });
  return { status: ended.status, lines: (ended.stdout + ended.stderr).trim().split('\n') };
}

const refused = (name: string, licence: string) =>
  `${name}@1.0.0 is under ${licence}, which deploy/supply-chain/licences.json does not allow.`;

describe('npm run licences', () => {
  test('When the packages of the service are checked, then all production packages have allowed licences', () => {
    expect(run('licences.mjs', root)).toEqual({
      status: 0,
      lines: [expect.stringMatching(/^[1-9]\d\d packages in production, all under licences that are allowed\.$/)],
    });
  });

  test('When licences are allowed, by either side of an OR or both of an AND, then the run continues', () => {
    project(
      {
        plain: { license: 'MIT' },
        data: { license: 'CC-BY-4.0' },
        either: { license: '(GPL-3.0-only OR MIT)' },
        both: { license: 'MIT AND ISC' },
        tool: { license: 'GPL-3.0-only', dev: true },
        old: { license: 'MIT/X11' },
      },
      { 'old@1.0.0': { licence: 'MIT' } },
    );
    expect(run('licences.mjs', folder)).toEqual({
      status: 0,
      lines: ['5 packages in production, all under licences that are allowed.'],
    });
  });

  test('When README and a package.json name different licences, then the run fails and names both', () => {
    project({ plain: { license: 'MIT' } });
    write('README.md', readme('MIT'));
    const { status, lines } = run('licences.mjs', folder);
    expect([status, lines]).toEqual([
      1,
      ['The licence of the project must be one: README.md states MIT, package.json states UNLICENSED.'],
    ]);
    write('README.md', '# Invented\n');
    expect(run('licences.mjs', folder).lines).toEqual([
      'The licence of the project must be one: README.md states none, package.json states UNLICENSED.',
    ]);
  });

  test('When licences are not allowed or missing, or entries are unused, then the run fails and names each', () => {
    project(
      {
        plain: { license: 'MIT' },
        copyleft: { license: 'GPL-3.0-only' },
        half: { license: 'MIT AND GPL-3.0-only' },
        neither: { license: 'AGPL-3.0-only OR GPL-3.0-only' },
        odd: { license: 'SEE LICENSE IN license.txt' },
        none: {},
        found: {},
      },
      {
        'found@1.0.0': { licence: 'GPL-3.0-only' },
        'plain@1.0.0': { licence: 'MIT' },
        'none@0.9.0': { licence: 'MIT' },
      },
    );
    const unread = (name: string) =>
      `${name}@1.0.0 has no licence that can be read: read it, and list the package in deploy/supply-chain/licences.json.`;
    const idle = (name: string) => `deploy/supply-chain/licences.json lists ${name}, which needs no entry: remove it.`;
    const { status, lines } = run('licences.mjs', folder);
    expect(status).toBe(1);
    expect(lines.sort()).toEqual(
      [
        refused('copyleft', 'GPL-3.0-only'),
        refused('found', 'GPL-3.0-only'),
        refused('half', 'MIT AND GPL-3.0-only'),
        refused('neither', 'AGPL-3.0-only OR GPL-3.0-only'),
        unread('none'),
        unread('odd'),
        idle('none@0.9.0'),
        idle('plain@1.0.0'),
      ].sort(),
    );
  });

  test('When a licence is not permissive, or was reviewed manually, then its entry has a reason', () => {
    const { withReason, packages } = JSON.parse(textOf('deploy/supply-chain/licences.json')) as {
      withReason: Record<string, string>;
      packages: Record<string, { reason: string }>;
    };
    for (const reason of [...Object.values(withReason), ...Object.values(packages).map((read) => read.reason)])
      expect(reason).toMatch(/^.{20,}\.$/);
  });
});

test('When npm run sbom is run, then the bill of materials has each package of the lock file with its checksum', () => {
  for (const file of ['package.json', 'package-lock.json']) writeFileSync(join(folder, file), textOf(file));
  expect(run('sbom.mjs', folder).status).toBe(0);
  const bill = JSON.parse(readFileSync(join(folder, 'sbom.cdx.json'), 'utf8')) as {
    bomFormat: string;
    components: { 'bom-ref': string; hashes: { alg: string; content: string }[] }[];
  };
  expect(bill.bomFormat).toBe('CycloneDX');
  const { packages } = JSON.parse(textOf('package-lock.json')) as {
    packages: Record<string, { name?: string; version: string; integrity?: string }>;
  };
  const locked = Object.entries(packages)
    .filter(([, { integrity }]) => integrity)
    .map(([path, { name, version }]) => `${name ?? path.split('node_modules/').at(-1)}@${version}`);
  expect(new Set(bill.components.map((component) => component['bom-ref']))).toEqual(new Set(locked));
  for (const { hashes } of bill.components)
    expect(hashes).toEqual([{ alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) }]);
});
