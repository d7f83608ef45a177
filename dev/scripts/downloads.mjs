/** Makes the files of `/downloads`: what clients install without a checkout. docs/developers/api-reference.md#downloads. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const library = 'packages/client';
const examples = [
  'collection/digital-goods.postman_collection.json',
  'go/reconcile.go',
  'node/account.mjs',
  'node/reconciled-statement.mjs',
  'node/verified-webhook.mjs',
  'python/order.py',
  'python/reconcile.py',
].map((file) => `examples/${file}`);

/** The sources of the library's package and of the examples. `dev/scripts/build.mjs` makes them again when one changes. */
export const downloadSources = [
  ...['src', 'bin', 'package.json', 'README.md', 'CHANGELOG.md'].map((file) => `${library}/${file}`),
  ...examples,
];

/** The sources of the Python package. */
export const wheelSources = ['packages/python', 'docs/clients/openapi.json'];

/** Replaces all downloads by the examples and the library's package. The library must be built. Throws if npm cannot pack it. */
export function makeDownloads({ root, folder }) {
  rmSync(folder, { recursive: true, force: true });
  add(folder, (part) => {
    for (const file of examples) copyFileSync(join(root, file), join(part, basename(file)));
    const pack = ['pack', '--silent', '--ignore-scripts', '--pack-destination', part];
    const { status, stderr, error } = spawnSync('npm', pack, { cwd: join(root, library), encoding: 'utf8' });
    if (status !== 0) throw new Error(`npm pack: ${error?.message ?? stderr}`);
  });
}

/** Adds the Python package. False where it cannot be made, which needs Python. */
export function makeWheel({ root, folder }) {
  return add(folder, (part) => {
    const program = join(root, 'packages/python/make-wheel.mjs');
    const { status } = spawnSync(process.execPath, [program, part], { stdio: ['ignore', 2, 2] });
    return status === 0;
  });
}

/** Says that no more downloads will come: src/api/guides/downloads.ts. */
export function completeDownloads(folder) {
  writeFileSync(join(folder, '.complete'), '');
}

/** Moves the files of `make` into the folder when they are whole, because the service may read the folder at any time. */
function add(folder, make) {
  mkdirSync(folder, { recursive: true });
  const part = mkdtempSync(`${folder}-`);
  try {
    const result = make(part);
    for (const file of readdirSync(part)) renameSync(join(part, file), join(folder, file));
    return result;
  } finally {
    rmSync(part, { recursive: true });
  }
}
