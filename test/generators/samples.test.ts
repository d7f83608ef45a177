/** The samples of the API reference run as they are. docs/developers/api-reference.md#examples. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { textOf } from '../documents/documents';
import { newClient, useDatabase } from '../support/clients';
import { loadStack } from '../../dev/testbed/loaded-stack';
import { missingCommand } from './generator';

interface Operation {
  operationId: string;
  'x-codeSamples'?: { label: string; source: string }[];
}

const run = promisify(execFile);
const database = useDatabase();
const folder = mkdtempSync(join(tmpdir(), 'samples-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const { paths } = JSON.parse(textOf('docs/clients/openapi.json')) as {
  paths: Record<string, Record<string, Operation>>;
};
const operations = Object.values(paths).flatMap((methods) => Object.values(methods));

/** How each language runs a file. */
const languages: Readonly<Record<string, { file: string; command: string[]; needs: string }>> = {
  curl: { file: 'sample.sh', command: ['sh'], needs: 'curl --version' },
  // The samples use no types, so Node runs them.
  TypeScript: { file: 'sample.mjs', command: [process.execPath], needs: 'node --version' },
  Python: { file: 'sample.py', command: ['python3'], needs: 'python3 --version' },
  Go: { file: 'sample.go', command: ['go', 'run'], needs: 'go version' },
};

const missing = Object.entries(languages).filter(([, { needs }]) => missingCommand([needs]) !== undefined);
for (const [label, { needs }] of missing)
  console.warn(`Skipped: samples in ${label}. This machine cannot run \`${needs}\`.`);
const testable = Object.keys(languages).filter((label) => !missing.some(([name]) => name === label));
const cases = testable.flatMap((label) =>
  ['listWallets', 'createVoucherOrder', 'createTopupOrder', 'createEsimOrder'].map((id) => [id, label]),
);

test.each(cases)('When the sample of %s in %s runs, then the call succeeds', async (id, label) => {
  const { credentials, api } = await newClient(database, { USD: 100 });
  const operation = operations.find(({ operationId }) => operationId === id);
  const sample = operation?.['x-codeSamples']?.find((each) => each.label === label);
  const { file = '', command: [program = '', ...args] = [] } = languages[label] ?? {};
  writeFileSync(join(folder, file), sample?.source ?? '');
  const env = { ...process.env, API_URL: loadStack().api_url, TOKEN: await api.accessToken() };
  const { stdout } = await run(program, [...args, join(folder, file)], { env });
  const response = JSON.parse(stdout) as { id: number } | { id: number }[];
  expect([response].flat()[0]?.id).toBeGreaterThan(0);
  expect(stdout).not.toContain(credentials.api_secret);
});
