/** Every door of every process has the same checks. A new door, or a new reader of bodies, fails here until it is listed. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { MAX_FORM_BYTES } from '../../src/identity/requests';
import { serveMetrics } from '../../src/metrics/server';
import { operations } from '../../src/operators/operations/operations';
import { MAX_BODY_BYTES, maxFileBytesOf } from '../../src/operators/server/calls-with-files';
import { MAX_CALL_BYTES } from '../../src/operators/server/temporal-ui/temporal-ui';
import { repositoryFiles, textOf } from '../documents/documents';
import { newClient, useDatabase } from '../support/clients';
import { lockWaits } from '../support/lock-waits';
import { RawConnection } from '../support/raw-http';
import { serviceCaller } from '../support/service-accounts';
import { loadStack, stackDirectory } from '../../dev/testbed/loaded-stack';
import { until } from '../../dev/testbed/waiting';

jest.setTimeout(60_000);

const database = useDatabase();

const sources = repositoryFiles().filter((file) => /^src\/.*\.ts$/.test(file));
const filesWith = (pattern: RegExp) => sources.filter((file) => pattern.test(textOf(file)));
const stack = () => loadStack();

/** Where each file that opens a port listens. */
const ports: Readonly<Record<string, () => string[]>> = {
  'src/api/main.ts': () => [stack().api_url],
  'src/operators/server/main.ts': () => [stack().ops_url],
  'src/metrics/server.ts': () =>
    [stack().metrics_url, stack().api_metrics_url, stack().bulk_metrics_url].map((url) => new URL(url).origin),
};

interface BodyDoor {
  /** The file whose check reads the body. */
  file: string;
  door: string;
  url: () => string;
  maxBytes: number;
  /** By default, none. */
  token?: () => Promise<string>;
  type?: string;
}

const operator = () => Promise.resolve(stackDirectory().operatorToken() ?? '');
const formType = 'application/x-www-form-urlencoded';

const bodies: readonly BodyDoor[] = [
  {
    file: 'src/api/server/app.ts',
    door: 'the API',
    maxBytes: 2 ** 20,
    url: () => `${stack().api_url}/api/v1/webhooks/endpoints`,
    token: async () => (await newClient(database)).api.accessToken(),
  },
  { file: 'src/api/server/app.ts', door: 'the login', maxBytes: 16 * 1024, url: () => `${stack().api_url}/auth/login` },
  {
    file: 'src/api/suppliers/routes.ts',
    door: 'callbacks of suppliers',
    maxBytes: 64 * 1024,
    url: () => `${stack().api_url}/suppliers/simulator/callbacks`,
  },
  {
    file: 'src/identity/requests.ts',
    door: 'the sign-in of members',
    maxBytes: MAX_FORM_BYTES,
    url: () => `${stack().api_url}/identity/sign-in`,
    type: formType,
  },
  {
    file: 'src/identity/requests.ts',
    door: 'the sign-in of operators',
    maxBytes: MAX_FORM_BYTES,
    url: () => `${stack().ops_url}/identity/sign-in`,
    type: formType,
  },
  {
    file: 'src/operators/server/operations-routes.ts',
    door: 'an operation',
    maxBytes: MAX_BODY_BYTES,
    url: () => `${stack().ops_url}/ops/v1/wallets/list`,
    token: operator,
  },
  {
    file: 'src/operators/server/calls-with-files.ts',
    door: 'an operation with a file',
    maxBytes: 4 * 2 ** 20,
    url: () => `${stack().ops_url}/ops/v1/rates/reference/import`,
    token: operator,
  },
  {
    file: 'src/operators/server/temporal-ui/temporal-ui.ts',
    door: 'the codec',
    maxBytes: MAX_CALL_BYTES,
    token: operator,
    url: () => `${stack().codec_url}/encode`,
  },
  {
    file: 'src/operators/server/temporal-ui/temporal-ui.ts',
    door: "Temporal's calls",
    maxBytes: MAX_CALL_BYTES,
    token: operator,
    url: () => `${stack().ops_url}/temporal/api/v1/namespaces/default/workflows/order-0/signal/retryNow`,
  },
];

test('When the sources make servers and read bodies, then only by the shared checks, and each door is in these lists', () => {
  expect(filesWith(/\bcreateServer\b(?=[^;]*'node:https?')|\bapp\.listen\(/s)).toEqual(['src/http/http-server.ts']);
  expect(filesWith(/(?<!function )\bhttpServer\(/)).toEqual(Object.keys(ports).sort());
  // The times of the shared server are those of every door.
  expect(filesWith(/\barrival[:?]/)).toEqual(['src/http/http-server.ts']);
  expect(filesWith(/\bexpress\.(json|urlencoded|raw|text)\(|body-parser/)).toEqual(['src/http/body-limits.ts']);
  const readers = /(?<!function )\b(boundedJson|boundedForm|boundedBytes|readJsonWithFiles|jsonBody)\(/;
  const listed = new Set(bodies.map(({ file }) => file));
  // The API's `jsonBody` weighs a body, and `app.ts` uses it.
  listed.add('src/api/middleware/request-body.ts');
  expect(filesWith(readers)).toEqual([...listed].sort());
  expect(filesWith(/\b(limitRunning\(|new RunningCalls\()/)).toEqual([
    'src/http/checks.ts',
    'src/identity/identity.ts',
    'src/metrics/server.ts',
    'src/operators/server/temporal-ui/temporal-ui.ts',
    'src/operators/server/turns.ts',
  ]);
});

test.each(Object.entries(ports))(
  'When a request to a port of %s has too many headers, no Host or no end, then it is rejected',
  async (_file, urls) => {
    for (const url of urls()) {
      const answerTo = async (text: string) => {
        const connection = await RawConnection.open(url);
        connection.send(text);
        await connection.closed;
        return connection.answers().map(({ status }) => status);
      };
      expect(await answerTo(`GET /health HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`)).toEqual([431]);
      expect(await answerTo('nonsense\r\n\r\n')).toEqual([400]);
      if (url !== stack().api_url && url !== stack().ops_url) continue;
      expect(await answerTo('GET /health HTTP/1.1\r\nConnection: close\r\n\r\n')).toEqual([400]);
    }
  },
);

test.each(bodies)(
  'When a body for $door is larger than its limit, plain or compressed, then it is rejected with 413 before it is read whole',
  async ({ url, maxBytes, token, type = 'application/json' }) => {
    const authorization = token && `Bearer ${await token()}`;
    const send = async (body: Buffer, more: Record<string, string> = {}) => {
      const headers = { ...(authorization && { authorization }), 'content-type': type, ...more };
      return (await fetch(url(), { method: 'POST', headers, body: new Uint8Array(body) })).status;
    };
    // A string, which no other limit than that of the size rejects.
    const text = Buffer.from(JSON.stringify({ file: { name: 'f', text: 'x'.repeat(maxBytes * 2) } }));
    expect(await send(text)).toBe(413);
    expect(await send(gzipSync(text), { 'content-encoding': 'gzip' })).toBe(413);
  },
);

test('When a port of metrics gets a body, or too many calls that run, then it rejects them', async () => {
  for (const url of ports['src/metrics/server.ts']?.() ?? [])
    expect((await fetch(`${url}/metrics`, { method: 'POST', body: 'x' })).status).toBe(413);
  const waiting: (() => void)[] = [];
  const slow = () =>
    new Promise<{ status: number; contentType: string; body: string }>((resolve) =>
      waiting.push(() => resolve({ status: 200, contentType: 'text/plain', body: '' })),
    );
  const server = await serveMetrics({ host: '127.0.0.1', port: 0, setting: 'X' }, { '/slow': slow });
  const { port } = server.address() as AddressInfo;
  const calls = Array.from({ length: 5 }, () => fetch(`http://127.0.0.1:${port}/slow`));
  const rejected = await Promise.race(calls);
  expect(rejected.status).toBe(503);
  expect(rejected.headers.get('retry-after')).toBe('2');
  for (const end of waiting) end();
  const statuses = (await Promise.all(calls)).map(({ status }) => status);
  expect(statuses.sort()).toEqual([200, 200, 200, 200, 503]);
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

test('When an operation takes no file, then its input may have a few KB, and each file has a limit', () => {
  const withFiles = operations.filter((operation) => maxFileBytesOf(operation) > 0).map(({ name }) => name);
  expect(MAX_BODY_BYTES).toBe(16 * 1024);
  expect(withFiles).toEqual([
    'bank import',
    'bank check',
    'bank csv-check',
    'rates refresh',
    'rates reference import',
    'catalogue import',
    'orders resolve',
    'refunds import',
    'settlements import',
  ]);
});

test('When the calls of a person wait, then those beyond the limit get 503, and other people go on', async () => {
  const one = await serviceCaller('viewer', ['privacy requests export']);
  const other = await serviceCaller('viewer', ['privacy requests export', 'today']);
  const call = (token: string, operation: string) =>
    fetch(`${stack().ops_url}/ops/v1/${operation}`, { method: 'POST', headers: { authorization: `Bearer ${token}` } });
  const held = await database.transaction();
  await database.query('LOCK TABLE privacy_requests', { transaction: held });
  const calls = Array.from({ length: 20 }, () => call(one.token, 'privacy/requests/export'));
  await lockWaits(database, 6, 'privacy_requests');
  expect((await call(other.token, 'today')).status).toBe(200);
  const rejected: Response[] = [];
  for (const one of calls) void one.then((response) => rejected.push(response));
  await until('rejected calls', () => Promise.resolve(rejected.length === 14 || undefined));
  expect(new Set(rejected.map(({ status }) => status))).toEqual(new Set([503]));
  expect(rejected[0]?.headers.get('retry-after')).toBe('2');
  expect(await rejected[0]?.json()).toEqual({
    error: {
      name: 'ServiceUnavailableError',
      code: 'UNAVAILABLE',
      message: 'Too many of your calls run. Repeat this one later.',
    },
  });
  await held.rollback();
  const statuses = (await Promise.all(calls)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(6);
});
