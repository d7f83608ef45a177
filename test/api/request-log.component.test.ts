/** The parts of a request that the log keeps. docs/operators/security.md. */
import express from 'express';
import type { ApiRequestLog } from '../../src/api/middleware/api-request-log';
import type { KeyUseLog } from '../../src/api/middleware/key-uses';
import { requestLog } from '../../src/api/middleware/request-log';
import { countRequests, recordArrival } from '../../src/api/middleware/request-metrics';
import { Dispatcher, matchRoute } from '../../src/api/server/dispatch';
import type { RequestMetrics } from '../../src/metrics/request-metrics';
import { capturedLog } from '../support/captured-log';
import { serve } from '../../dev/stack/local-server';

test('When a path is long, then the log keeps the first 256 characters and omits the query', async () => {
  const { log, written } = capturedLog();
  const app = express().use(requestLog(log));
  const { url, close } = await serve(app);
  const path = `/api/v1/${'x'.repeat(10_000)}`;
  await (await fetch(`${url}${path}?number=a-secret`)).text();
  await close();
  const [line] = written().trim().split('\n');
  expect(JSON.parse(line ?? '')).toMatchObject({ path: path.slice(0, 256), status: 404 });
  expect(written()).not.toContain('a-secret');
});

test('When a call of a key ends, then it counts as a use of the key, unless the session has ended', async () => {
  const used: number[] = [];
  const counters = {
    metrics: { began: () => undefined, ended: () => undefined } as unknown as RequestMetrics,
    log: { add: () => undefined } as unknown as ApiRequestLog,
    keyUses: { add: (id: number) => void used.push(id) } as unknown as KeyUseLog,
  };
  const callers = [{ apiKeyId: 7 }, { apiKeyId: 8, hasEnded: true }, undefined];
  const app = express()
    .use(recordArrival, matchRoute(new Dispatcher([])), countRequests(counters))
    .use((_request, response) => {
      const caller = callers.shift();
      if (caller) Object.assign(response.locals, { caller: { client: { id: 1 }, hasEnded: false, ...caller } });
      response.end();
    });
  const { url, close } = await serve(app);
  for (let call = 0; call < 3; call++) await (await fetch(url)).text();
  await close();
  expect(used).toEqual([7]);
});
