/** The check reports every response that differs from the document, and records what complete runs must provoke. */
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { holdAgainstDocument, type Exchange } from '../../support/documented-answers';
import { ApiClient } from '../../support/stack';

/** The file that a complete run reads. The responses of these tests are made up, so it is not that of the run. */
const folder = mkdtempSync(join(tmpdir(), 'answers-'));
const seen = join(folder, 'seen.jsonl');
beforeAll(() => void (process.env['ANSWERS_SEEN'] = seen));
afterAll(() => rmSync(folder, { recursive: true }));

const wallet = {
  id: 1,
  currency_id: 150,
  currency_code: 'USD',
  balance: 10,
  credit_limit: 0,
  available: 10,
  pending_funding: 0,
  is_default: true,
  low_balance_threshold: null,
  created_at: '2026-01-31T12:00:00.000Z',
  updated_at: '2026-01-31T12:00:00.000Z',
};

const headers = {
  'content-type': 'application/json; charset=utf-8',
  'x-request-id': 'a',
  ratelimit: '"reads";r=1;t=1',
  'ratelimit-policy': '"reads";q=1;w=60',
};

function hold(changes: Partial<Omit<Exchange, 'headers'>> & { headers?: object; body?: unknown }): () => void {
  const { body = wallet, headers: other = {}, ...rest } = changes;
  return () =>
    holdAgainstDocument({
      method: 'GET',
      path: '/api/v1/wallets/1?x=1',
      status: 200,
      text: JSON.stringify(body),
      ...rest,
      headers: new Headers({ ...headers, ...other }),
    });
}

const link = { link: '</docs/errors#not_found>; rel="help"' };

const error = (code: string) => ({ error: { name: 'NotFoundError', code, message: 'Wallet not found' } });

test('When a response matches the document, then the check accepts it', () => {
  expect(hold({})).not.toThrow();
  expect(hold({ status: 404, headers: link, body: error('NOT_FOUND') })).not.toThrow();
  expect(hold({ method: 'HEAD', text: '' })).not.toThrow();
});

test.each([
  ['a field is missing', { body: { ...wallet, balance: undefined } }, /balance/],
  ['a field is new', { body: { ...wallet, secret: 'x' } }, /secret/],
  ['a field is of another type', { body: { ...wallet, balance: '10.00' } }, /\/balance must be number/],
  ['a field that is never null is null', { body: { ...wallet, balance: null } }, /\/balance/],
  ['a time is invalid', { body: { ...wallet, created_at: 'today' } }, /\/created_at/],
  ['the status is not documented', { status: 201 }, /the status is not documented/],
  ['the code belongs to another status', { status: 404, headers: link, body: error('BAD_REQUEST') }, /\/error\/code/],
  ['the content type is not documented', { headers: { 'content-type': 'text/html' } }, /text\/html is not documented/],
  ['an error has no link', { status: 404, body: error('NOT_FOUND') }, /header Link is missing/],
  ['a header is malformed', { headers: { ratelimit: '9' } }, /header RateLimit/],
  ['the body is a list', { body: [wallet] }, /must be object/],
  ['no operation has the path', { path: '/api/v1/nowhere' }, /no operation/],
])('When %s, then the check reports operation and status', (_what, changes, message) => {
  expect(hold(changes)).toThrow(message);
  expect(hold(changes)).toThrow(/^GET \/api\/v1\/\S+ \((getWallet|no operation)\): \d+ is not as documented/);
});

test('When a client asked for a rehearsed failure, then a complete run does not count its response', async () => {
  const server = createServer((_request, response) => {
    response.writeHead(404, { ...headers, ...link }).end(JSON.stringify(error('NOT_FOUND')));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const api = new ApiClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  await api.get('/api/v1/orders/1', { 'Sandbox-Fault': '503' });
  await api.get('/api/v1/esim/orders/1');
  server.close();
  const recorded = readFileSync(seen, 'utf8');
  expect(recorded).not.toContain('getVoucherOrder');
  expect(recorded).toContain('{"operation":"getEsimOrder","status":404,"code":"NOT_FOUND"}');
});
