/** Reading rates from the network, against a server of the test. */
import type { ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { buildConnector } from 'undici';
import { guardedConnector } from '../../../src/notifications/webhooks/addresses';
import { downloadRates } from '../../../src/operators/operations/prices/rate-download';
import { newAuthority } from '../../support/certificates';

const authority = newAuthority();
let server: Server;
let url: string;
let answer: (response: ServerResponse) => void;
beforeAll(async () => {
  const { cert, key } = authority.issue('server');
  server = createServer({ cert, key }, (_request, response) => answer(response));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/rates`;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((closed) => server.close(closed));
  authority.remove();
});

const read = ({ allowLoopback = true, isTrusted = true, withinMs = 10_000 } = {}) =>
  downloadRates(url, {
    connect: guardedConnector({ allowLoopback }, undefined, isTrusted ? { ca: authority.ca } : {}),
    maxBytes: 1_000,
    withinMs,
  });

test('When the server answers, then the file has the URL as its name', async () => {
  answer = (response) => response.end('Date,USD');
  const { name, bytes } = await read();
  expect([name, Buffer.from(bytes).toString()]).toEqual([url, 'Date,USD']);
});

test('When a host has several addresses and none answers, then the error names the cause', async () => {
  const connect: buildConnector.connector = (_options, connected) =>
    connected(new AggregateError([new Error('connect ECONNREFUSED 127.0.0.1:9')]), null);
  await expect(downloadRates(url, { connect, maxBytes: 1, withinMs: 1_000 })).rejects.toThrow(
    'cannot be read: connect ECONNREFUSED 127.0.0.1:9. Nothing was changed',
  );
});

test.each<[string, typeof answer, string]>([
  [
    'redirects',
    (response) => response.writeHead(302, { location: 'https://a.example' }).end(),
    'no redirect is followed',
  ],
  ['fails', (response) => response.writeHead(503).end(), 'answers with the status 503'],
  ['sends too much', (response) => response.end('1'.repeat(1_001)), 'is larger than 1000 bytes'],
  ['breaks off', (response) => void response.write('1', () => response.destroy()), 'cannot be read'],
])('When the server %s, then the error names the cause', async (_what, answered, cause) => {
  answer = answered;
  await expect(read()).rejects.toThrow(cause);
  await expect(read()).rejects.toThrow('Nothing was changed');
});

test('When the answer takes too long, then it is given up', async () => {
  answer = (response) => void response.write('Date');
  await expect(read({ withinMs: 100 })).rejects.toThrow('takes more than 100 ms');
});

test('When the address is not public, or the certificate is not trusted, then nothing is read', async () => {
  answer = (response) => response.end('Date,USD');
  await expect(read({ allowLoopback: false })).rejects.toThrow('address not allowed');
  await expect(read({ isTrusted: false })).rejects.toThrow('cannot be read');
});
