/** The parts of a request that the log keeps. docs/operators/security.md. */
import express from 'express';
import { requestLog } from '../../src/api/middleware/request-log';
import { capturedLog } from '../support/captured-log';
import { serve } from '../../dev/stack/local-server';

test('When a path is long, then the log keeps the first 256 characters and omits the query', async () => {
  const { log, written } = capturedLog();
  const app = express().use(requestLog(log));
  const { url, close } = await serve(app);
  const path = `/api/v1/${'x'.repeat(10_000)}`;
  await (await fetch(`${url}${path}?number=123`)).text();
  await close();
  const [line] = written().trim().split('\n');
  expect(JSON.parse(line ?? '')).toMatchObject({ path: path.slice(0, 256), status: 404 });
  expect(written()).not.toContain('123');
});
