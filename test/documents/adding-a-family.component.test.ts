/** Adds a fourth family in memory. The page on adding a family must name every place that needs a change. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import ts from 'typescript';
import { repositoryFiles } from './documents';

const root = resolve(__dirname, '../..');
const descriptors = join(root, 'src/domain/orders/families.ts');
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

/** Files of the product with a compile error once another family has a descriptor. */
function filesThatNoLongerCompile(): string[] {
  const original = readFileSync(descriptors, 'utf8');
  const names = `feature: 'new', ordersPath: 'new/orders', eventPrefix: 'new', workflow: 'newOrder'`;
  const changed = original.replace(/\bESIM: esim\b/, `$&, NEW: { ...esim, ${names} }`);
  expect(changed).not.toBe(original);

  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), (path) => ts.sys.readFile(path)) as {
    config: object;
  };
  const product = { ...config, include: ['src', 'workflows', 'activities', 'dev/simulator', 'dev/sandbox'] };
  const { fileNames, options } = ts.parseJsonConfigFileContent(product, ts.sys, root, {
    noEmit: true,
    incremental: false,
  });
  delete options.tsBuildInfoFile;
  const host = ts.createCompilerHost(options);
  const read = host.getSourceFile.bind(host);
  host.getSourceFile = (name, language, ...rest) =>
    resolve(name) === descriptors
      ? ts.createSourceFile(name, changed, language)
      : read(name, language, ...rest);
  const errors = ts.getPreEmitDiagnostics(ts.createProgram(fileNames, options, host));
  return [...new Set(errors.map(({ file }) => relative(root, file?.fileName ?? '')))].sort();
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
