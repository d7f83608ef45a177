/** Makes the files of `/downloads`: what clients install without a checkout. docs/developers/api-reference.md#downloads. */
import { Buffer } from 'node:buffer';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { zipSync } from 'fflate';

const library = 'packages/client';
const python = 'packages/python';
const examples = [
  'collection/digital-goods.postman_collection.json',
  'go/reconcile.go',
  'node/account.mjs',
  'node/reconciled-statement.mjs',
  'node/verified-webhook.mjs',
  'python/order.py',
  'python/reconcile.py',
].map((file) => `examples/${file}`);

/** The sources of the downloads. `dev/scripts/build.mjs` makes them again when one changes. */
export const downloadSources = [
  ...['src', 'bin', 'package.json', 'README.md', 'CHANGELOG.md'].map((file) => `${library}/${file}`),
  python,
  ...examples,
];

/** Writes the downloads. The client library must be built. Throws if npm cannot pack it. */
export function makeDownloads({ root, folder }) {
  mkdirSync(folder, { recursive: true });
  const pack = ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder];
  const { status, stderr, error } = spawnSync('npm', pack, { cwd: join(root, library), encoding: 'utf8' });
  if (status !== 0) throw new Error(`npm pack: ${error?.message ?? stderr}`);
  for (const file of examples) copyFileSync(join(root, file), join(folder, basename(file)));
  writeWheel(join(root, python), folder);
}

/**
 * Writes the Python package as a wheel, so that neither this machine needs Python nor the user's a build tool:
 * https://packaging.python.org/en/latest/specifications/binary-distribution-format/.
 */
function writeWheel(source, folder) {
  const project = readFileSync(join(source, 'pyproject.toml'), 'utf8');
  const setting = (name) => new RegExp(`^${name} = "(.*)"$`, 'm').exec(project)[1];
  const [, dependencies] = /^dependencies = \[\n([\s\S]*?)^\]$/m.exec(project);
  const id = `${setting('name').replaceAll('-', '_')}-${setting('version')}`;
  const metadata = [
    'Metadata-Version: 2.1',
    `Name: ${setting('name')}`,
    `Version: ${setting('version')}`,
    `Summary: ${setting('description')}`,
    `Requires-Python: ${setting('requires-python')}`,
    ...[...dependencies.matchAll(/"(.+)"/g)].map(([, name]) => `Requires-Dist: ${name}`),
    'Description-Content-Type: text/markdown',
    '',
    readFileSync(join(source, 'README.md'), 'utf8'),
  ];
  const wheel = [
    'Wheel-Version: 1.0',
    'Generator: digital-goods',
    'Root-Is-Purelib: true',
    'Tag: py3-none-any',
    '',
  ];
  const files = [
    ...readdirSync(source, { recursive: true })
      .filter((file) => /\.py$|\/py\.typed$/.test(file))
      .sort()
      .map((file) => [file, readFileSync(join(source, file))]),
    [`${id}.dist-info/METADATA`, Buffer.from(metadata.join('\n'))],
    [`${id}.dist-info/WHEEL`, Buffer.from(wheel.join('\n'))],
  ];
  const digest = (content) => createHash('sha256').update(content).digest('base64url');
  const record = `${id}.dist-info/RECORD`;
  const lines = files.map(([name, content]) => `${name},sha256=${digest(content)},${content.length}\n`);
  const recorded = [...files, [record, Buffer.from(`${lines.join('')}${record},,\n`)]];
  // Equal files make equal archives: their time is the format's first.
  const archive = zipSync(Object.fromEntries(recorded), { mtime: new Date(1980, 0, 1) });
  writeFileSync(join(folder, `${id}-py3-none-any.whl`), archive);
}
