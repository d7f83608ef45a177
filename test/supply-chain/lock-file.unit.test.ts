/** Each package-lock.json installs only packages of the public registry, each with its checksum. */
import { textOf } from '../documents/documents';

interface Entry {
  version?: string;
  resolved?: string;
  integrity?: string;
  link?: boolean;
}

/** Whether the entry is the project, or a package whose sources are in this repository. */
function isOurs([path, { resolved = '', link }]: [string, Entry]): boolean {
  return path === '' || /^packages\/[\w-]+$/.test(link ? resolved : path);
}

/** Entries that could install unreviewed bytes, by install path. */
function openings(packages: Record<string, Entry>): string[] {
  return Object.entries(packages)
    .filter((entry) => !isOurs(entry))
    .filter(
      ([, { version, resolved, integrity, link }]) =>
        link ||
        !/^\d+\.\d+\.\d+/.test(version ?? '') ||
        !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity ?? '') ||
        (resolved !== undefined && !resolved.startsWith('https://registry.npmjs.org/')),
    )
    .map(([path]) => path);
}

test.each(['package-lock.json', 'dev/tools/package-lock.json'])(
  'When the packages of %s are installed, then each comes from the public registry and has its checksum',
  (file) => {
    const { packages } = JSON.parse(textOf(file)) as { packages: Record<string, Entry> };
    expect(Object.keys(packages).length).toBeGreaterThan(100);
    expect(openings(packages)).toEqual([]);
  },
);

test.each<[string, Entry]>([
  ['comes from another registry', { resolved: 'https://npm.example/a/-/a-1.0.0.tgz' }],
  ['comes from a host with a like name', { resolved: 'https://registry.npmjs.org.example/a.tgz' }],
  ['comes over plain HTTP', { resolved: 'http://registry.npmjs.org/a/-/a-1.0.0.tgz' }],
  ['comes from a repository', { resolved: 'git+ssh://git@github.com/a/a.git#0123' }],
  ['has no checksum', { integrity: '' }],
  ['has a weak checksum', { integrity: 'sha1-AAAAAAAAAAAAAAAAAAAAAAAAAAA=' }],
  ['is a link to a folder', { link: true }],
  ['is a link to a folder elsewhere', { link: true, resolved: '../packages/b' }],
])('When a package %s, then it is reported', (_, entry) => {
  const sound: Entry = { version: '1.0.0', integrity: `sha512-${'A'.repeat(86)}==` };
  const packages = { '': {}, 'node_modules/a': sound, 'node_modules/b': { ...sound, ...entry } };
  expect(openings(packages)).toEqual(['node_modules/b']);
});

test.each(['.npmrc', 'dev/tools/.npmrc'])(
  'When packages are installed as %s says, then none runs an install script',
  (file) => {
    expect(textOf(file).split('\n')).toContain('ignore-scripts=true');
  },
);
