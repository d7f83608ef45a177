/** Malformed or unsupported HTTP requests: the response is in the envelope and has a request id. */
import fc from 'fast-check';
import { newClient, useDatabase } from '../support/clients';
import { RawConnection, type RawAnswer } from '../support/raw-http';
import { keysOfError, notFound, refusal, type ApiClient } from '../support/stack';
import { loadStack } from '../../dev/testbed/loaded-stack';

const database = useDatabase();
let api: ApiClient;
beforeAll(async () => {
  api = (await newClient(database, { USD: 1 })).api;
});

/** Sends the text as it is and reads until the server closes the connection. */
async function rawAll(text: string): Promise<RawAnswer[]> {
  const connection = await RawConnection.open(loadStack().api_url);
  connection.send(text);
  await connection.closed;
  return connection.answers();
}

async function raw(text: string): Promise<RawAnswer> {
  const answers = await rawAll(text);
  expect(answers).toHaveLength(1);
  return answers[0] as RawAnswer;
}

const malformed = refusal('BAD_REQUEST', 'Malformed request');
const notAllowed = refusal('METHOD_NOT_ALLOWED', 'Method not allowed');
const headersTooLarge = refusal('HEADERS_TOO_LARGE', 'Request headers are too large');
const chunked = 'Host: api\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked';

test.each<[what: string, text: string, expected: object]>([
  ['has an unknown method', 'NONSENSE /api/v1/orders HTTP/1.1\r\nHost: api\r\n\r\n', notAllowed],
  ['has 20 kB of headers', `GET /health HTTP/1.1\r\nHost: api\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, headersTooLarge],
  ['has a broken request line', 'GET /health HTTQ/1.1\r\nHost: api\r\n\r\n', malformed],
  ['has a broken header', 'GET /health HTTP/1.1\r\nHost api\r\n\r\n', malformed],
  ['is no HTTP at all', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', malformed],
  [
    'has two lengths',
    'POST /auth/login HTTP/1.1\r\nHost: api\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
    malformed,
  ],
  ['has a broken chunk', `POST /auth/login HTTP/1.1\r\n${chunked}\r\n\r\nnonsense\r\n`, malformed],
  ['has two hosts', 'GET /health HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n', malformed],
  [
    'has both a length and chunks',
    `POST /auth/login HTTP/1.1\r\nContent-Length: 5\r\n${chunked}\r\n\r\n0\r\n\r\n`,
    malformed,
  ],
  ['has a header over two lines', 'GET /health HTTP/1.1\r\nHost: api\r\nX: a\r\n b\r\n\r\n', malformed],
  ['begins HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', malformed],
  ['names a host that is none', 'GET http://[::1/health HTTP/1.1\r\nHost: api\r\n\r\n', malformed],
  ['is of another protocol', 'DESCRIBE rtsp://api RTSP/1.0\r\n\r\n', malformed],
  [
    'has 40 kB of trailers',
    `POST /auth/login HTTP/1.1\r\n${chunked}\r\n\r\n0\r\nX: ${'x'.repeat(40_000)}\r\n\r\n`,
    headersTooLarge,
  ],
  ['has 200 kB of target', `GET /${'x'.repeat(200_000)}`, headersTooLarge],
  ['has no Host', 'GET /health HTTP/1.1\r\nConnection: close\r\n\r\n', malformed],
  ['wants a tunnel', 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n', notAllowed],
])('When a request %s, then it is rejected in the envelope with a request id', async (_what, text, expected) => {
  const answer = await raw(text);
  expect(answer).toMatchObject(expected);
  expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  expect(answer.headers['content-type']).toMatch(/^application\/json/);
});

test('When a request has an unknown Expect header, then it is served', async () => {
  const text = 'GET /health HTTP/1.1\r\nHost: api\r\nExpect: miracles\r\nConnection: close\r\n\r\n';
  expect(await raw(text)).toMatchObject({ status: 200, body: { status: 'ok' } });
});

test('When a request names another protocol, then the response stays in HTTP/1.1', async () => {
  const text = 'GET /health HTTP/1.1\r\nHost: api\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\n\r\n';
  expect(await raw(text)).toMatchObject({ status: 200, body: { status: 'ok' } });
});

test.each([
  ['nonsense', 'NONSENSE\r\n\r\n'],
  ['a tunnel', 'CONNECT api:1 HTTP/1.1\r\nHost: api\r\n\r\n'],
])(
  'When %s follows requests in flight, then the connection returns the responses to those requests and nothing else',
  async (_what, text) => {
    const ready = 'GET /ready HTTP/1.1\r\nHost: api\r\n\r\n';
    const answers = await rawAll(`${ready}${ready}${text}`);
    expect(answers).toMatchObject([
      { status: 200, body: { status: 'ready' } },
      { status: 200, body: { status: 'ready' } },
    ]);
  },
);

describe('a body that is too large', () => {
  const tooLarge = refusal('PAYLOAD_TOO_LARGE', 'Request body is too large');
  const head = 'Host: api\r\nContent-Type: application/json\r\n';

  test.each([
    ['/auth/login', 16 * 1024],
    ['/auth/refresh', 16 * 1024],
    ['/suppliers/simulator/callbacks', 64 * 1024],
  ])(
    'When a request to %s announces more than %i bytes, then it is rejected before its body arrives',
    async (path, limit) => {
      const connection = await RawConnection.open(loadStack().api_url);
      connection.send(`POST ${path} HTTP/1.1\r\n${head}Content-Length: ${limit + 1}\r\n\r\n`);
      // The client neither sends the body nor closes the connection.
      await connection.closed;
      expect(connection.answers()).toMatchObject([tooLarge]);
    },
  );

  test.each([
    ['/auth/login', 16 * 1024],
    ['/suppliers/simulator/callbacks', 64 * 1024],
  ])(
    'When a chunked body to %s exceeds the limit by one byte, then it is rejected at that byte',
    async (path, limit) => {
      const connection = await RawConnection.open(loadStack().api_url);
      const piece = `${limit.toString(16)}\r\n${' '.repeat(limit)}\r\n`;
      connection.send(`POST ${path} HTTP/1.1\r\n${head}Transfer-Encoding: chunked\r\n\r\n${piece}1\r\n \r\n`);
      await connection.closed;
      expect(connection.answers()).toMatchObject([tooLarge]);
    },
  );

  test('When a body has the maximum size, then it is read', async () => {
    const body = JSON.stringify({ username: 'x', password: 'x' }).padEnd(16 * 1024);
    const close = `Connection: close\r\nContent-Length: ${body.length}`;
    expect(await raw(`POST /auth/login HTTP/1.1\r\n${head}${close}\r\n\r\n${body}`)).toMatchObject({ status: 401 });
  });
});

test('When a body that no handler reads does not end, then the server closes the connection after the response', async () => {
  expect(await raw('GET /health HTTP/1.1\r\nHost: api\r\nContent-Length: 1000\r\n\r\n')).toMatchObject({ status: 200 });
});

test('When requests are malformed, then every response is in the envelope with a request id', async () => {
  const login = 'POST /auth/login HTTP/1.1\r\nHost: api\r\nContent-Type: application/json\r\n';
  const whole = fc.constantFrom(
    'GET /health HTTP/1.1\r\nHost: api\r\n\r\n',
    'GET /api/v1/wallets HTTP/1.1\r\nHost: api\r\nAuthorization: Bearer x\r\n\r\n',
    `${login}Content-Length: 2\r\n\r\n{}`,
    `${login}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
    `${login}Expect: nothing\r\nContent-Length: 2\r\n\r\n{}`,
    'OPTIONS http://api/auth/login HTTP/1.1\r\nHost: api\r\nUpgrade: h2c\r\nConnection: upgrade\r\n\r\n',
  );
  const words = `: 0 ffffffffffffffff -1 % * // HTTP/1.0 HTTP/9.9 chunked [ ;x= é`.split(' ');
  const spaces = ['\r\n', '\n', '\r', ' ', '\0', '\xff', '\t'];
  const pieces = [...words, ...spaces, 'Content-Length: 7\r\n', 'Host: b\r\n', 'CONNECT '];
  const change = fc.record({ at: fc.nat(200), drop: fc.nat(4), add: fc.constantFrom('', ...pieces) });
  const broken = fc
    .tuple(whole, whole, fc.array(change, { minLength: 1, maxLength: 4 }))
    .map(([first, second, changes]) =>
      changes.reduce((text, { at, drop, add }) => text.slice(0, at) + add + text.slice(at + drop), first + second),
    );
  const check = async (text: string) => {
    const connection = await RawConnection.open(loadStack().api_url);
    connection.send(text);
    connection.finish();
    await connection.closed;
    for (const { status, headers, body } of connection.answers()) {
      expect(headers['x-request-id']).toMatch(/^[\x21-\x7e]{1,128}$/);
      expect(status).toBeLessThan(500);
      if (status >= 400 && body !== undefined) {
        expect(keysOfError((body as { error: object }).error)).toEqual(['name', 'code', 'message']);
      }
    }
  };
  const texts = fc.array(broken, { minLength: 8, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(texts, async (each) => void (await Promise.all(each.map(check)))),
    { numRuns: 60 },
  );
});

describe('OPTIONS', () => {
  test.each([
    ['/health', 'GET, HEAD'],
    ['/auth/login', 'POST'],
    ['/api/v1/orders', 'POST, GET, HEAD'],
    ['/api/v1/wallets/1', 'GET, HEAD, PATCH'],
  ])('When a caller sends OPTIONS to %s, then the 405 response names the methods', async (path, allow) => {
    const answer = await api.send(path, { method: 'OPTIONS' });
    expect(answer).toMatchObject(notAllowed);
    expect(answer.headers.get('allow')?.split(', ').sort()).toEqual(allow.split(', ').sort());
  });

  test('When the path does not exist, then the response is 404', async () => {
    expect(await api.send('/api/v1/nowhere', { method: 'OPTIONS' })).toMatchObject(notFound('Path'));
  });
});
