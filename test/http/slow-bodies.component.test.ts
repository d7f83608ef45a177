/** Bodies with files that arrive slowly. docs/operators/api.md. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { ApiError } from '../../src/domain/errors';
import { safeHeaders } from '../../src/http/checks';
import { readJsonWithFiles } from '../../src/http/file-body';
import { httpServer } from '../../src/http/http-server';
import { allowSlowBody } from '../../src/http/slow-bodies';
import { RawConnection } from '../support/raw-http';

const limits = { maxBytes: 16_384, maxFileBytes: 1_000_000, take: () => undefined };
const pace = { freeMs: 400, bytesPerSecond: 2_000, maxMs: 60_000, checkEveryMs: 20 };
const closing: (() => void)[] = [];
afterAll(() => {
  for (const close of closing) close();
});

/** The URL of a server that reads files at the pace, of callers whom it knows. */
async function serve(isKnown: boolean, { maxMs } = pace): Promise<string> {
  const app = express().post('/', (request, response) => {
    if (isKnown) allowSlowBody(request);
    readJsonWithFiles(request, limits, { ...pace, maxMs, ...(!isKnown && { freeMs: 60_000 }) }).then(
      () => response.json({ read: true }),
      (error: unknown) => response.status(error instanceof ApiError ? error.status : 500).end(),
    );
  });
  const arrival = { headMs: 5_000, requestMs: 400, checkEveryMs: 20 };
  const every = { maxConnections: 10, isProxy: () => false, arrival, slowRequestMs: 60_000 };
  const { server } = httpServer(app, every, safeHeaders('sandbox'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The statuses of a request whose body of 6,000 bytes arrives in parts of this size, each 50 ms. */
async function statusesOf(url: string, partSize: number): Promise<unknown[]> {
  const body = JSON.stringify({ file: { name: 'a', text: 'x'.repeat(5_965) } });
  const connection = await RawConnection.open(url);
  connection.send(`POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n`);
  let sent = 0;
  const sending = setInterval(() => {
    connection.send(body.slice(sent, sent + partSize));
    sent += partSize;
    if (sent >= body.length) clearInterval(sending);
  }, 50);
  await connection.closed;
  clearInterval(sending);
  return connection.answers().map(({ status }) => status);
}

test('When the body of a known caller arrives at the pace, then it is read, also after the time of other requests', async () => {
  expect(await statusesOf(await serve(true), 400)).toEqual([200]);
});

test('When it arrives more slowly, then it is 408', async () => {
  expect(await statusesOf(await serve(true), 20)).toEqual([408]);
});

test('When it arrives at the pace, but is not read within the longest time, then it is 408', async () => {
  expect(await statusesOf(await serve(true, { ...pace, maxMs: 600 }), 200)).toEqual([408]);
});

test('When the caller is not known, then the whole request has the time of other requests', async () => {
  expect(await statusesOf(await serve(false), 400)).toEqual([408]);
});
