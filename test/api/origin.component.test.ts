/** The address at which a caller reaches the service. */
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import express from 'express';
import { serve } from '../../dev/stack/local-server';
import { originOf } from '../../src/api/server/origin';

/** The origin of a request with the headers, for a service that trusts these proxies. */
async function originFor(headers: Record<string, string>, trustedProxies: string[]): Promise<string> {
  const app = express().set('trust proxy', trustedProxies);
  app.use((request, response) => void response.send(originOf(request) ?? 'none'));
  const served = await serve(app);
  const [response] = (await once(get(served.url, { headers }), 'response')) as [IncomingMessage];
  const origin = await text(response);
  await served.close();
  return origin;
}

test.each([
  [{ host: 'goods.example:8443' }, 'http://goods.example:8443'],
  [{ host: '[::1]:3000' }, 'http://[::1]:3000'],
  [{ host: '<script>' }, 'none'],
])('When the headers are %j, then the origin is %s', async (headers, origin) => {
  expect(await originFor(headers, [])).toBe(origin);
});

test('When a proxy forwards the request, then the origin is that of the caller only if the proxy is trusted', async () => {
  const forwarded = { 'x-forwarded-host': 'api.example.com', 'x-forwarded-proto': 'https' };
  const headers = { host: 'internal:3000', ...forwarded };
  expect(await originFor(headers, ['127.0.0.1'])).toBe('https://api.example.com');
  expect(await originFor(headers, [])).toBe('http://internal:3000');
});
