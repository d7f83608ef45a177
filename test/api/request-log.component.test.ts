/** What the log keeps of a request. docs/operators/security.md. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { requestLog } from '../../src/api/middleware/request-log';
import { capturedLog } from '../support/captured-log';

test('When a path is long, then the log keeps its first 256 characters, and nothing of the query', async () => {
  const { log, written } = capturedLog();
  const app = express().use(requestLog(log));
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const path = `/api/v1/${'x'.repeat(10_000)}`;
  await (await fetch(`http://127.0.0.1:${port}${path}?number=123`)).text();
  server.close();
  await once(server, 'close');
  const [line] = written().trim().split('\n');
  expect(JSON.parse(line ?? '')).toMatchObject({ path: path.slice(0, 256), status: 404 });
  expect(written()).not.toContain('123');
});
