/** The client library as published: the package of `npm pack`, installed elsewhere and used from both module systems. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { codeBlocks, root, textOf } from '../documents/documents';

const library = join(root, 'packages/client');
/** The size limit of a bundle of the whole library, minified and compressed. */
const BUDGET_KB = 8.25;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'client-package-'));
  const packed = run('npm', ['pack', '--silent', '--pack-destination', folder], library).stdout.trim();
  const target = join(folder, 'node_modules/@digital-goods/client');
  mkdirSync(target, { recursive: true });
  mkdirSync(join(folder, 'node_modules/@types'));
  for (const name of ['@types/node', 'undici-types'])
    symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name));
  run('tar', ['-xzf', join(folder, packed.split('\n').at(-1) ?? ''), '-C', target, '--strip-components=1']);
});
afterAll(() => rmSync(folder, { recursive: true }));

function run(command: string, args: string[], cwd = folder): { stdout: string; status: number | null } {
  const { stdout, stderr, status } = spawnSync(command, args, { cwd, encoding: 'utf8', timeout: 60_000 });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stdout}${stderr}`);
  return { stdout, status };
}

/** A caller's code, checked with the library's types. */
const use = `
import { DigitalGoods, type WebhookEvent } from '@digital-goods/client';
const client = new DigitalGoods({ baseUrl: 'http://127.0.0.1:9', apiKey: 'k', apiSecret: 's' });
export const order = async (): Promise<string> =>
  (await client.vouchers.orders.create({ product_id: 1, denomination: 10, quantity: 1 })).message;
export function tell(event: WebhookEvent): string {
  return event.type === 'wallet.low_balance' ? event.data.threshold : event.id;
}
export async function why(id: number): Promise<string> {
  const order = await client.topups.orders.get(id);
  // The failure code exists exactly while the order is FAILED.
  return order.status === 'FAILED' ? order.failure_code : (order.failure_code satisfies undefined, order.status);
}
// @ts-expect-error: a product is a number
void client.vouchers.orders.create({ product_id: 'one', denomination: 10, quantity: 1 });
`;

test('When the library is imported and when it is required, then it has the same exports', () => {
  writeFileSync(
    join(folder, 'names.mjs'),
    "import * as all from '@digital-goods/client';\nconsole.log(Object.keys(all).sort().join());",
  );
  writeFileSync(join(folder, 'names.cjs'), "console.log(Object.keys(require('@digital-goods/client')).sort().join());");
  const [imported, required] = ['names.mjs', 'names.cjs'].map((file) => run(process.execPath, [file]).stdout);
  expect(imported).toContain('DigitalGoods');
  expect(imported).toBe(required);
});

const examples = [
  ...['packages/client/README.md', 'docs/clients/webhooks.md']
    .flatMap(codeBlocks)
    .filter(({ language }) => language === 'ts'),
  // The page offers its program for TypeScript, too.
  ...codeBlocks('docs/clients/client-library.md').filter(({ language }) => language === 'js'),
].map(({ code }) => code);

/** The project's version of TypeScript, and the previous major version. */
const compilers = [root, library].map((from) => createRequire(join(from, 'x')).resolve('typescript/bin/tsc'));

test.each(compilers)('When either module system or an example uses its types, then %s accepts them', (compiler) => {
  expect(examples.length).toBeGreaterThan(2);
  const sources = [
    ['use.mts', use],
    ['use.cts', use],
    ...examples.map((code, n) => [`example${n}.mts`, code]),
  ] as const;
  for (const [file = '', code = ''] of sources) writeFileSync(join(folder, file), code);
  const options = [
    '--strict',
    '--noEmit',
    '--skipLibCheck',
    '--target',
    'es2022',
    '--types',
    'node',
    '--module',
    'node16',
  ];
  run(process.execPath, [compiler, ...options, ...sources.map(([file = '']) => file)]);
});

test.each(compilers)('When the types of Node are missing, then %s accepts the types of the library', (compiler) => {
  writeFileSync(join(folder, 'bare.mts'), use);
  writeFileSync(join(folder, 'bare.cts'), use);
  const folderOfTypes = join(folder, 'none');
  mkdirSync(folderOfTypes, { recursive: true });
  for (const lib of ['es2022', 'es2022,dom,dom.iterable']) {
    const options = ['--strict', '--noEmit', '--target', 'es2022', '--lib', lib, '--module', 'node16'];
    const without = ['--typeRoots', folderOfTypes];
    run(process.execPath, [compiler, ...options, ...without, 'bare.mts', 'bare.cts']);
  }
});

test('When it is packed, then the package contains only the published files and has no dependencies', () => {
  const { stdout } = run('npm', ['pack', '--dry-run', '--json', '--silent'], library);
  const [{ files }] = JSON.parse(stdout) as [{ files: { path: string }[] }];
  const others = files.map(({ path }) => path).filter((path) => !path.startsWith('dist/'));
  expect(others.sort()).toEqual(['CHANGELOG.md', 'README.md', 'bin/dgo.mjs', 'package.json']);
  const manifest = JSON.parse(textOf('packages/client/package.json')) as Record<string, unknown>;
  expect(manifest['dependencies']).toBeUndefined();
  expect(manifest['private']).toBe(true);
});

test(`When the whole library is bundled, minified and compressed, then it has at most ${BUDGET_KB} KB`, () => {
  writeFileSync(join(folder, 'all.mjs'), "export * from '@digital-goods/client';");
  const esbuild = createRequire(join(library, 'x')).resolve('esbuild/bin/esbuild');
  const options = ['--bundle', '--minify', '--format=esm', '--platform=node', '--outfile=bundle.mjs'];
  run(process.execPath, [esbuild, 'all.mjs', ...options]);
  const size = gzipSync(readFileSync(join(folder, 'bundle.mjs'))).length;
  expect(size).toBeLessThanOrEqual(BUDGET_KB * 1024);
  // An empty bundle would pass.
  expect(size).toBeGreaterThan(1024);
});
