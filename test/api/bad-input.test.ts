import openapi from '../../docs/clients/openapi.json';
import { newClient, useDatabase } from '../support/clients';
import {
  apiWithoutToken,
  keysOfError,
  notFound,
  refusal,
  validation,
  type ApiClient,
  type ErrorBody,
} from '../support/stack';

const database = useDatabase();
let api: ApiClient;
let walletPath: string;
const invalidBody = validation('Invalid request body');
const json = { 'content-type': 'application/json' };

beforeAll(async () => {
  const client = await newClient(database, { USD: 1 });
  api = client.api;
  walletPath = `/api/v1/wallets/${client.wallets['USD']}`;
});

/** The method and the path of every operation that changes something and has no body. */
function callsWithoutBody(): [method: string, path: string][] {
  return Object.entries(openapi.paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([method, operation]) => ['post', 'delete'].includes(method) && !('requestBody' in operation))
      .map(([method]): [string, string] => [method.toUpperCase(), path.replace(/\{\w+\}/g, '1')]),
  );
}

function patchRaw(body: string, headers: Record<string, string> = json) {
  return api.send<ErrorBody>(walletPath, { method: 'PATCH', body, headers });
}

describe('bad input', () => {
  test.each(['{', '{"a":1,}', 'null', '"text"', '5', '[]', '[{}]', 'low_balance_threshold=1', '{"a":"\u0001"}'])(
    'When the body is %j, then it is invalid',
    async (body) => {
      expect(await patchRaw(body)).toMatchObject(invalidBody);
    },
  );

  test.each([
    ['text/plain', '{}'],
    ['application/x-www-form-urlencoded', 'low_balance_threshold=1'],
    ['application/xml', '<a/>'],
    ['application/json; charset=latin1', '{}'],
    ['nonsense', '{}'],
  ])('When the content type is %s, then the body is invalid', async (type, body) => {
    expect(await patchRaw(body, { 'content-type': type })).toMatchObject(invalidBody);
  });

  test.each(['utf8', 'UTF8', '"utf8"', 'utf-8', '"UTF-8"'])(
    'When the content type names the character set %s, then the body is read',
    async (charset) => {
      const answer = await patchRaw('{}', { 'content-type': `application/json; charset=${charset}` });
      expect(answer).not.toMatchObject(invalidBody);
    },
  );

  test('When the body is compressed wrongly or with an unknown method, then the body is invalid', async () => {
    expect(await patchRaw('{}', { ...json, 'content-encoding': 'gzip' })).toMatchObject(invalidBody);
    expect(await patchRaw('{}', { ...json, 'content-encoding': 'rot13' })).toMatchObject(invalidBody);
  });

  test('When a call that needs no body has broken JSON or another content type, then the call is rejected and changes nothing', async () => {
    const endpoints = async () => (await api.get('/api/v1/webhooks/endpoints')).body;
    const before = await endpoints();
    for (const [method, path] of callsWithoutBody()) {
      expect([path, await api.send(path, { method, body: '{', headers: json })]).toMatchObject([path, invalidBody]);
      const text = { 'content-type': 'text/plain' };
      expect(await api.send(path, { method, body: '{}', headers: text })).toMatchObject(invalidBody);
    }
    expect(await endpoints()).toEqual(before);
  });

  test('When the body is missing, then the request is invalid', async () => {
    expect(await api.send(walletPath, { method: 'PATCH' })).toMatchObject(invalidBody);
  });

  test('When the body is over 1 MiB, then the response is 413', async () => {
    const sized = (bytes: number) =>
      JSON.stringify({ low_balance_threshold: null, x: '' }).replace('""', `"${'x'.repeat(bytes - 36)}"`);
    expect(await patchRaw(sized(1_048_577 + 8))).toMatchObject(
      refusal('PAYLOAD_TOO_LARGE', 'Request body is too large'),
    );
    expect(await patchRaw(sized(1_048_576 - 8))).toMatchObject({ status: 200 });
  });

  test.each([
    '1e309',
    '-1e309',
    '1e-400',
    '"\\u0000"',
    'true',
    '{}',
    '[]',
    '[1]',
    '9007199254740993e3',
    '{"__proto__":1}',
  ])('When a number is %s, then the response is 200 or 400', async (value) => {
    const { status, body } = await patchRaw(`{"low_balance_threshold":${value},"__proto__":{"x":1}}`);
    if (status !== 200)
      expect({ status, body }).toMatchObject({ status: 400, body: { error: { code: 'VALIDATION_FAILURE' } } });
    await api.patch(walletPath, { low_balance_threshold: null });
  });

  test('When the body is broken and the token missing, then the error is about the token', async () => {
    const answer = await apiWithoutToken().send(walletPath, { method: 'PATCH', body: '{', headers: json });
    expect(answer.status).toBe(401);
  });

  test.each(['/nowhere', '/api/v1/nowhere', '/api/v1', '/api/v2/wallets', '/auth', '/api/v1/wallets/1/nowhere'])(
    'When the path is %s, then the response is 404',
    async (path) => {
      expect(await api.get(path)).toMatchObject(notFound('Path'));
    },
  );

  test.each([
    ['GET', '/auth/login', 'POST'],
    ['DELETE', '/auth/refresh', 'POST'],
    ['POST', '/health', 'GET, HEAD'],
    ['DELETE', '/api/v1/wallets', 'GET, HEAD'],
    ['PUT', '/api/v1/wallets/1', 'GET, HEAD, PATCH'],
    ['POST', '/api/v1/transactions/', 'GET, HEAD'],
    ['PATCH', '/api/v1/transactions/1', 'GET, HEAD'],
    ['POST', '/api/v1/countries', 'GET, HEAD'],
  ])('When the request is %s %s, then 405 and Allow is %s', async (method, path, allow) => {
    const answer = await api.send(path, { method });
    expect(answer).toMatchObject(refusal('METHOD_NOT_ALLOWED', 'Method not allowed'));
    expect(answer.headers.get('allow')).toBe(allow);
  });

  test.each([
    '/api/v1/wallets/%E0%A4%A',
    '/api/v1/wallets/%',
    '/api/v1/countries/%ff',
    '/%',
    '/api/v1/transactions?wallet_id=%',
  ])('When the path is %s, then the response is a 4xx in the envelope', async (path) => {
    const { status, body } = await api.get<ErrorBody>(path);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
    expect(keysOfError(body.error)).toEqual(['name', 'code', 'message']);
  });

  test.each([
    ['GET', '/%ff'],
    ['GET', '/api/v1/nowhere/%'],
    ['DELETE', '/api/v1/wallets/%E0%A4%A'],
    ['OPTIONS', '/api/v1/wallets/%'],
  ])('When the path of %s %s does not decode, then the response says so', async (method, path) => {
    expect(await api.send(path, { method })).toMatchObject(refusal('BAD_REQUEST', 'Malformed path'));
  });

  test('When the caller sends a request id, then the response has that id if the id is printable and short', async () => {
    const named = async (id: string) =>
      (await api.get('/api/v1/nowhere', { 'x-request-id': id })).headers.get('x-request-id');
    expect(await named('order-42/retry-1')).toBe('order-42/retry-1');
    expect(await named('x'.repeat(128))).toBe('x'.repeat(128));
    for (const id of ['x'.repeat(129), 'two words', 'caf\u00e9']) expect(await named(id)).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('When the service responds, then the headers reveal no server and forbid caching', async () => {
    const { headers } = await api.get('/api/v1/wallets');
    expect(headers.get('x-powered-by')).toBeNull();
    expect(headers.get('etag')).toBeNull();
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });
});
