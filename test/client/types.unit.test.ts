/** The types of the client library are made of the API document, and the library has every documented call. */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root, textOf } from '../documents/documents';

const document = JSON.parse(textOf('docs/clients/openapi.json')) as {
  paths: Record<string, Record<string, object>>;
  components: { schemas: Record<string, object> };
};

/** Every source except the generated one. */
const sources = readdirSync(join(root, 'packages/client/src'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && file !== 'schema.ts')
  .map((file) => textOf(join('packages/client/src', file)))
  .join('\n');

const calls = Object.entries(document.paths)
  .filter(([path]) => path.startsWith('/api/v1/'))
  .flatMap(([path, operations]) => Object.keys(operations).map((method) => [method, path] as const));

/** The source text of the calls of `Orders`, which build their paths from parts. */
const templates = (path: string) => path.replace(/^\/api\/v1\/(topups\/|esim\/)?orders(?=\/)/, '${this.path}');

test('When the types are generated, then each documented path and each schema has one', () => {
  const generator = join(root, 'packages/client/generate-types.mjs');
  const { status, stderr } = spawnSync(process.execPath, [generator], { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const types = textOf('packages/client/src/schema.ts');
  const names = [
    ...calls.map(([, path]) => `    "${path}": {`),
    ...Object.keys(document.components.schemas).map((name) => `        ${name}: `),
  ];
  expect(names.filter((name) => !types.includes(`\n${name}`))).toEqual([]);
});

test.each(calls)('When %s %s is documented, then the library has it', (_method, path) => {
  expect([path, templates(path)].some((each) => sources.includes(`'${each}'`) || sources.includes(`\`${each}\``))).toBe(
    true,
  );
});
