/**
 * A release after this one: a copy of this checkout with one more migration, which adds a column and an index to a large
 * table, and with a function that fills the column. `npm run prove:upgrade` upgrades to it.
 */
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Problem } from '../../dev/stack/problem';
import { ROOT } from '../../dev/stack/run-directory';

/** The value that the next release writes into `transactions.release`. */
const NEXT = 'next';

/** Ledger entries posted by the function of the next release. */
export const entriesOfNextRelease = `SELECT count(*)::int AS entries FROM transactions WHERE release = '${NEXT}'`;

/** Not copied: the history, the state of stacks, and packages, which are linked. */
const left = ['.git', '.run', 'node_modules'];

/** The version of the release in the folder. */
export function versionOf(folder: string): string {
  return (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }).version;
}

/** Writes the next release into the folder, ready to be built. */
export function writeNextRelease(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const entry of readdirSync(ROOT).filter((name) => !left.includes(name))) {
    cpSync(join(ROOT, entry), join(folder, entry), {
      recursive: true,
      filter: (source) => basename(source) !== 'node_modules',
    });
  }
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const version = versionOf(ROOT);
  const next = `${Number(version.split('.')[0]) + 1}.0.0`;
  edit(join(folder, 'package.json'), [[`"version": "${version}"`, `"version": "${next}"`]]);
  addMigration(join(folder, 'src/data/schema/migrations'));
  edit(join(folder, 'src/data/schema/rules/ledger.sql'), [
    ['reference_number, remarks, created_at)', 'reference_number, remarks, created_at, release)'],
    ['next_moment(wallet.client_id))', `next_moment(wallet.client_id), '${NEXT}')`],
  ]);
}

function addMigration(folder: string): void {
  const last = readdirSync(folder).filter((file) => /^\d{4}-/.test(file)).length;
  const number = String(last + 1).padStart(4, '0');
  const name = `${number}-release-of-entries`;
  const migration = {
    name,
    indexes: [{ name: 'transactions_by_kind', on: 'transactions (kind, id)' }],
    sql: 'ALTER TABLE transactions ADD COLUMN release text',
  };
  writeFileSync(
    join(folder, `${name}.ts`),
    `import type { Migration } from './migration';\n\n` +
      `export const releaseOfEntries: Migration = ${JSON.stringify(migration)};\n`,
  );
  edit(join(folder, 'index.ts'), [
    ["import type { Migration } from './migration';", `import { releaseOfEntries } from './${name}';\n$&`],
    ['\n];', '\n  releaseOfEntries,\n];'],
  ]);
}

/** Replaces each text. Throws unless each text occurs exactly once. */
function edit(file: string, replacements: readonly (readonly [from: string, to: string])[]): void {
  const text = replacements.reduce(
    (edited, [from, to]) => {
      if (edited.split(from).length !== 2) throw new Problem(`${file} does not hold "${from}" once`);
      return edited.replace(from, to);
    },
    readFileSync(file, 'utf8'),
  );
  writeFileSync(file, text);
}
