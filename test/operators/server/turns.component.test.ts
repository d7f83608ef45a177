/** How many calls of a person run at once, by how much they ask for. docs/operators/api.md. */
import express from 'express';
import { serve, type ServedApp } from '../../../dev/stack/local-server';
import type { Caller, OperatorCalls } from '../../../src/operators/server/calls';
import { operationsRoutes } from '../../../src/operators/server/operations-routes';
import { capturedLog } from '../../support/captured-log';
import { until } from '../../../dev/testbed/waiting';

const caller: Caller = { id: 'ada', name: 'Ada', role: 'admin', door: 'PAGE' };

/** The calls that run, each until it is ended. */
const running: (() => void)[] = [];
const untilEnded = () => new Promise<void>((resolve) => void running.push(resolve));
const calls = {
  obstacle: untilEnded,
  run: () => untilEnded().then(() => ({ data: [], mark: 0 })),
} as unknown as OperatorCalls;

let served: ServedApp;
beforeAll(async () => {
  const { log } = capturedLog();
  served = await serve(express().use(operationsRoutes({ calls, callerOf: () => caller, log })));
});
afterAll(() => served.close());
beforeEach(() => running.splice(0));

const call = (path: string, body: object, accept = 'application/json') =>
  fetch(`${served.url}/ops/v1/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept },
    body: JSON.stringify(body),
  });
const offers = (count: number) => ({
  calls: Array.from({ length: count }, () => ({ operation: 'orders cancel', arguments: {} })),
});

test.each([
  ['21 offers', 'offers', offers(21), undefined],
  ['more than 1,000 rows', 'audit/list', { limit: 1_001 }, undefined],
  ['a list as CSV', 'audit/list', {}, 'text/csv'],
])(
  'When a person asks for %s three times, then the third call waits for the end of another, and short calls do not',
  async (_what, path, body, accept) => {
    const many = [1, 2, 3].map(() => call(path, body, accept));
    await until('two calls', async () => running.length === 2);
    const short = ['audit/list', 'audit/list', 'audit/list', 'audit/list'].map((each) => call(each, { limit: 1_000 }));
    await until('four short calls', async () => running.length === 6);
    running[0]?.();
    const endRest = setInterval(() => running.forEach((end) => end()), 5);
    const answers = await Promise.all([...many, ...short]);
    clearInterval(endRest);
    expect(answers.map(({ status }) => status)).toEqual(Array<number>(7).fill(200));
  },
);

test('When a person asks for 20 offers three times, then all of them run at once', async () => {
  const few = [1, 2, 3].map(() => call('offers', offers(20)));
  await until('three calls', async () => running.length === 3);
  const endRest = setInterval(() => running.forEach((end) => end()), 5);
  expect((await Promise.all(few)).map(({ status }) => status)).toEqual([200, 200, 200]);
  clearInterval(endRest);
});
