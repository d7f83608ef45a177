/** What is no request of HTTP, or none of ours: answered in the envelope, under a request id. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { newClient, stackDatabase } from '../support/clients';
import { loadStack, refusal, type ApiClient } from '../support/stack';

const database = stackDatabase();
let api: ApiClient;
beforeAll(async () => {
  api = (await newClient(database, { USD: 1 })).api;
});
afterAll(() => database.close());

interface RawAnswer {
  status: number;
  headers: Record<string, string>;
  body: unknown;
}

/** Sends the text as it is and reads until the server closes the connection. */
async function raw(text: string): Promise<RawAnswer> {
  const { hostname, port } = new URL(loadStack().api_url);
  const socket = connect(Number(port), hostname);
  const parts: Buffer[] = [];
  socket.on('data', (part: Buffer) => parts.push(part));
  socket.write(text);
  await once(socket, 'close');
  const answer = Buffer.concat(parts).toString();
  const [head = '', body = ''] = answer.split('\r\n\r\n', 2);
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  return {
    status: Number(statusLine.split(' ')[1]),
    headers: Object.fromEntries(headers),
    body: JSON.parse(body) as unknown,
  };
}

const malformed = refusal(400, 'BadRequestError', 'BAD_REQUEST', 'Malformed request');
const notAllowed = refusal(405, 'MethodNotAllowedError', 'METHOD_NOT_ALLOWED', 'Method not allowed');
const headersTooLarge = refusal(
  431,
  'HeadersTooLargeError',
  'HEADERS_TOO_LARGE',
  'Request headers are too large',
);
const chunked = 'Host: api\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked';

test.each<[what: string, text: string, expected: object]>([
  ['has an unknown method', 'NONSENSE /api/v1/orders HTTP/1.1\r\nHost: api\r\n\r\n', notAllowed],
  [
    'has 20 kB of headers',
    `GET /health HTTP/1.1\r\nHost: api\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
    headersTooLarge,
  ],
  ['has a broken request line', 'GET /health HTTQ/1.1\r\nHost: api\r\n\r\n', malformed],
  ['has a broken header', 'GET /health HTTP/1.1\r\nHost api\r\n\r\n', malformed],
  ['is no HTTP at all', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', malformed],
  [
    'has two lengths',
    'POST /auth/login HTTP/1.1\r\nHost: api\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
    malformed,
  ],
  ['has a broken chunk', `POST /auth/login HTTP/1.1\r\n${chunked}\r\n\r\nnonsense\r\n`, malformed],
  ['has no Host', 'GET /health HTTP/1.1\r\nConnection: close\r\n\r\n', malformed],
  ['wants a tunnel', 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n', notAllowed],
])(
  'When a request %s, then it is refused in the envelope under a request id',
  async (_what, text, expected) => {
    const answer = await raw(text);
    expect(answer).toMatchObject(expected);
    expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
  },
);

test('When a request expects what we do not know, then it is answered all the same', async () => {
  const text = 'GET /health HTTP/1.1\r\nHost: api\r\nExpect: miracles\r\nConnection: close\r\n\r\n';
  expect(await raw(text)).toMatchObject({ status: 200, body: { status: 'ok' } });
});

test('When nonsense follows a request, then the answer to the request is not mixed up with it', async () => {
  const answer = await raw('GET /ready HTTP/1.1\r\nHost: api\r\n\r\nNONSENSE\r\n\r\n').catch(() => undefined);
  if (answer) expect(answer).toMatchObject({ status: 200, body: { status: 'ready' } });
});

describe('OPTIONS', () => {
  test.each([
    ['/health', 'GET, HEAD'],
    ['/auth/login', 'POST'],
    ['/api/v1/orders', 'POST, GET, HEAD'],
    ['/api/v1/wallets/1', 'GET, HEAD, PATCH'],
  ])('When it is asked of %s, then 405 names the methods', async (path, allow) => {
    const answer = await api.send(path, { method: 'OPTIONS' });
    expect(answer).toMatchObject(notAllowed);
    expect(answer.headers.get('allow')?.split(', ').sort()).toEqual(allow.split(', ').sort());
  });

  test('When it is asked of a path that does not exist, then 404', async () => {
    expect(await api.send('/api/v1/nowhere', { method: 'OPTIONS' })).toMatchObject(
      refusal(404, 'NotFoundError', 'NOT_FOUND', 'Path not found'),
    );
  });
});
