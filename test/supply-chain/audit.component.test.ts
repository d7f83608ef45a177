/** `npm run audit` against a local registry, which gives the test's answers or none. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../documents/documents';

type Severity = 'low' | 'moderate' | 'high';

const today = new Date().toISOString().slice(0, 10);
const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
const id = 'GHSA-aaaa-bbbb-cccc';
const excused = { advisory: id, reason: 'The function is never called.', until: today };
const finding = (name: string, scope: string, severity: Severity): string =>
  `${name} (${scope}) has a weakness of ${severity} severity: It leaks (https://github.com/advisories/${id}).`;

let folder: string;
let registry: Server;
let answer: { status: number; body: object | string };

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'audit-'));
  mkdirSync(join(folder, 'deploy/supply-chain'), { recursive: true });
  const uses = { dependencies: { 'in-production': '1.0.0' }, devDependencies: { 'in-tests': '1.0.0' } };
  const installed = { version: '1.0.0', integrity: 'sha512-AAAA' };
  const packages = {
    '': { name: 'invented', version: '1.0.0', ...uses },
    'node_modules/in-production': installed,
    'node_modules/in-tests': { ...installed, dev: true },
  };
  write('package.json', { name: 'invented', version: '1.0.0', ...uses });
  write('package-lock.json', { name: 'invented', version: '1.0.0', lockfileVersion: 3, packages });
  registry = createServer(({ method }, response) => {
    const { status, body } = method === 'POST' ? answer : { status: 404, body: {} };
    response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  await once(registry.listen(0, '127.0.0.1'), 'listening');
});
afterEach(() => {
  registry.close();
  rmSync(folder, { recursive: true });
});

function write(file: string, content: object): void {
  writeFileSync(join(folder, file), JSON.stringify(content));
}

/** A registry with one known weakness for each given package. */
function weak(severities: Record<string, Severity>): void {
  const advisory = (severity: Severity) => ({
    id: 1,
    url: `https://github.com/advisories/${id}`,
    title: 'It leaks',
    severity,
    vulnerable_versions: '<2.0.0',
  });
  const body = Object.fromEntries(Object.entries(severities).map(([name, severity]) => [name, [advisory(severity)]]));
  answer = { status: 200, body };
}

interface Outcome {
  code: number;
  lines: string[];
}

function audit(exceptions: object[] = []): Promise<Outcome> {
  write('deploy/supply-chain/audit-exceptions.json', exceptions);
  const { port } = registry.address() as AddressInfo;
  const env = {
    ...process.env,
    npm_config_registry: `http://127.0.0.1:${port}/`,
    npm_config_cache: join(folder, 'cache'),
    npm_config_fetch_retry_mintimeout: '1',
  };
  return new Promise((resolve) =>
    execFile(process.execPath, [join(root, 'dev/scripts/audit.mjs')], { cwd: folder, env }, (error, out, errors) =>
      resolve({ code: Number(error?.code ?? 0), lines: (out + errors).trim().split('\n') }),
    ),
  );
}

const unchecked = [
  'Packages were not checked for known weaknesses: the registry takes no audits. Name one that does: npm_config_registry=<url> npm run audit',
];

test('When no package has a known weakness, then the run continues', async () => {
  answer = { status: 200, body: {} };
  expect(await audit()).toEqual({ code: 0, lines: ['No known weakness, 0 excused.'] });
});

test.each([
  ['in-production', 'production', 'moderate'],
  ['in-production', 'production', 'high'],
  ['in-tests', 'development', 'high'],
] as const)('When %s has a weakness in %s of %s severity, then the run fails', async (name, scope, severity) => {
  weak({ [name]: severity });
  expect(await audit()).toEqual({ code: 1, lines: [finding(name, scope, severity)] });
});

test.each([
  ['in-production', 'low'],
  ['in-tests', 'moderate'],
] as const)('When %s has a weakness of %s severity, then the run continues', async (name, severity) => {
  weak({ [name]: severity });
  expect(await audit()).toMatchObject({ code: 0 });
});

test('When a weakness is excused until today, then the run continues', async () => {
  weak({ 'in-production': 'high' });
  expect(await audit([excused])).toEqual({ code: 0, lines: ['No known weakness, 1 excused.'] });
});

test('When another weakness is excused, then this one fails the run', async () => {
  weak({ 'in-production': 'high' });
  const other = { ...excused, advisory: 'GHSA-dddd-eeee-ffff' };
  const { code, lines } = await audit([other]);
  expect(code).toBe(1);
  expect(lines).toContain(finding('in-production', 'production', 'high'));
});

test.each([
  ['has ended', { ...excused, until: yesterday }, `ended on ${yesterday}: update the package, or decide again.`],
  ['has no reason', { ...excused, reason: '' }, 'needs an advisory, a reason and a last day (until, as 2027-01-31).'],
  [
    'has no end',
    { advisory: id, reason: 'It is fine.' },
    'needs an advisory, a reason and a last day (until, as 2027-01-31).',
  ],
])('When an exception %s, then the run fails and names it', async (_, exception, flaw) => {
  weak({ 'in-production': 'high' });
  const lines = [`deploy/supply-chain/audit-exceptions.json: The exception for ${id} ${flaw}`];
  expect(await audit([exception])).toEqual({ code: 1, lines });
});

test('When an exception excuses nothing, then the run fails and says to remove it', async () => {
  answer = { status: 200, body: {} };
  const flaw = `The exception for ${id} excuses nothing that is installed: remove it.`;
  expect(await audit([excused])).toEqual({ code: 1, lines: [`deploy/supply-chain/audit-exceptions.json: ${flaw}`] });
});

test.each([404, 405, 500])(
  'When the registry answers audits with %i, then the run fails and says that nothing was checked',
  async (status) => {
    answer = { status, body: {} };
    expect(await audit()).toEqual({ code: 2, lines: unchecked });
  },
);

test('When the registry cannot be reached, then the run fails and says that nothing was checked', async () => {
  const { port } = registry.address() as AddressInfo;
  registry.close();
  jest.spyOn(registry, 'address').mockReturnValue({ port, address: '127.0.0.1', family: 'IPv4' });
  expect(await audit()).toEqual({ code: 2, lines: unchecked });
});

test('When npm cannot send the request, then the run fails', async () => {
  rmSync(join(folder, 'package-lock.json'));
  const { code, lines } = await audit();
  expect(code).toBe(1);
  expect(lines.join('\n')).toContain('npm audit failed: ');
});
