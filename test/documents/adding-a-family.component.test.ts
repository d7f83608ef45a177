/** Adds a fourth family in a copy of the sources. The page on adding a family must name every place that needs a change. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { repositoryFiles, root } from './documents';

const descriptors = 'src/domain/orders/families.ts';
const page = readFileSync(join(root, 'docs/developers/adding-a-family.md'), 'utf8');

/** The files at the start of each entry of a list: one, or several separated by commas. */
function listed(name: 'compiler' | 'sql' | 'names'): string[] {
  const list = page.split(`<!-- ${name} -->`)[1]?.split('<!-- end -->')[0] ?? '';
  const heads = [...list.matchAll(/^- (`[^`]+`(?:, `[^`]+`)*)/gm)].map(([, files = '']) => files);
  return heads.flatMap((files) => files.split(', ').map((file) => file.replaceAll('`', ''))).sort();
}

/** Sources of the product and its sandbox that name every family, except descriptors, migrations and generated files. */
function sourcesThatNameEveryFamily(): string[] {
  const product = /^(src|workflows|activities|packages|dev\/(simulator|sandbox|stack|documents))\//;
  const others = /(?:\/migrations\/|\/domain\/orders\/families\.ts$|\/client\/src\/schema\.ts$|\/dist\/)/;
  return repositoryFiles()
    .filter((file) => product.test(file) && /\.(ts|tsx|mjs|sql)$/.test(file) && !others.test(file))
    .filter((file) => {
      const text = readFileSync(join(root, file), 'utf8');
      return [/voucher/i, /top-?up/i, /esim/i].every((name) => name.test(text));
    })
    .sort();
}

/** Files of the product with a compile error once another family has a descriptor, by the compiler of `npm run lint:code`, on a copy. */
function filesThatNoLongerCompile(): string[] {
  const copy = mkdtempSync(join(tmpdir(), 'family-'));
  try {
    const folders = ['src', 'workflows', 'activities', 'dev/simulator', 'dev/sandbox'];
    for (const path of ['tsconfig.json', ...folders]) cpSync(join(root, path), join(copy, path), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
    addFamily(join(copy, descriptors));
    const rules = join(copy, 'rules.json');
    const typesOnly = { categories: { correctness: 'off' }, options: { typeAware: true, typeCheck: true } };
    writeFileSync(rules, JSON.stringify(typesOnly));
    const checked = folders.map((folder) => join(copy, folder));
    const tool = ['dev/scripts/tool.mjs', 'oxlint', '-c', rules, '--format', 'json', ...checked];
    const { stdout, stderr } = spawnSync('node', tool, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 24 });
    if (!stdout.startsWith('{')) throw new Error(`oxlint: ${stdout}${stderr}`);
    const { diagnostics } = JSON.parse(stdout) as { diagnostics: { filename: string }[] };
    return [...new Set(diagnostics.map(({ filename }) => relative(copy, resolve(root, filename))))].sort();
  } finally {
    rmSync(copy, { recursive: true });
  }
}

function addFamily(file: string): void {
  const original = readFileSync(file, 'utf8');
  const names = `feature: 'new', ordersPath: 'new/orders', eventPrefix: 'new', workflow: 'newOrder'`;
  const changed = original.replace(/\bESIM: esim\b/, `$&, NEW: { ...esim, ${names} }`);
  expect(changed).not.toBe(original);
  writeFileSync(file, changed);
}

/** Files below src/data whose SQL names a family, except the families' own files. */
function statementsThatTellFamiliesApart(): string[] {
  const own = /^src\/data\/(schema\/migrations|catalogue|purchases\/families)\//;
  return readdirSync(join(root, 'src/data'), { recursive: true, encoding: 'utf8' })
    .map((file) => `src/data/${file}`)
    .filter((file) => /\.(ts|sql)$/.test(file) && !own.test(file))
    .filter((file) => /'(VOUCHER|TOPUP|ESIM)'/.test(readFileSync(join(root, file), 'utf8')))
    .sort();
}

test('When a family is added to the descriptors, then the compiler finds exactly the places that the page names', () => {
  expect(filesThatNoLongerCompile()).toEqual(listed('compiler'));
}, 300_000);

test('When SQL distinguishes families, then the page names the file', () => {
  expect(statementsThatTellFamiliesApart()).toEqual(listed('sql'));
});

test('When a source names every family, then the page names the file', () => {
  const elsewhere = [...listed('compiler'), ...listed('sql')];
  expect(sourcesThatNameEveryFamily().filter((file) => !elsewhere.includes(file))).toEqual(listed('names'));
});
