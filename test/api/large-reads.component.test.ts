/** Reads of many units: each client has one at a time, until it has received the response. */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AddressInfo, Socket } from 'node:net';
import type { Response } from 'express';
import express from 'express';
import { pino } from 'pino';
import { httpServer } from '../../src/http/http-server';
import { errorHandler } from '../../src/api/middleware/errors';
import { scheduleLargeRead, schedulePage } from '../../src/api/shared/large-reads';
import { RawConnection } from '../support/raw-http';
import { until } from '../../dev/testbed/waiting';

/** A read in progress. The test ends it. */
interface Read {
  name: string;
  end: () => void;
  response: Response;
}

const reads: Read[] = [];
/** The reads that were not stopped. */
const wentOn: string[] = [];
/** The server's socket of the connection of each read. */
const sockets = new Map<string, Socket>();
let close: () => void;
let url: string;
beforeAll(async () => {
  const app = express();
  app.get('/:client/:name', async (request, response) => {
    const { client, name } = request.params;
    sockets.set(name, request.socket);
    Object.assign(response.locals, { caller: { client: { id: Number(client) } } });
    await scheduleLargeRead(response, async (stopIfClosed) => {
      await new Promise<void>((end) => reads.push({ name, end, response }));
      stopIfClosed();
      wentOn.push(name);
    });
    response.json({ name });
  });
  app.get('/:client/:name/:offset', async (request, response) => {
    const { client, name, offset } = request.params;
    Object.assign(response.locals, { caller: { client: { id: Number(client) } } });
    await schedulePage(
      response,
      { offset: Number(offset), limit: 50 },
      () => new Promise<void>((end) => reads.push({ name, end, response })),
    );
    response.json({ name });
  });
  app.use(errorHandler(pino({ level: 'silent' })));
  const { server } = httpServer(app, { maxConnections: 100, isProxy: () => false }, {});
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  close = () => {
    server.close();
    server.closeAllConnections();
  };
});
afterAll(() => close());
beforeEach(() => reads.splice(0));

async function asking(...paths: string[]): Promise<RawConnection> {
  const connection = await RawConnection.open(url);
  for (const path of paths) connection.send(`GET ${path} HTTP/1.1\r\nHost: api\r\n\r\n`);
  return connection;
}
const begun = (name: string) => until(name, async () => reads.find((read) => read.name === name), 5);
const names = () => reads.map(({ name }) => name);

test('When a client has a read in progress, then its next read waits, and a read of another client does not', async () => {
  const open = [await asking('/1/first')];
  const first = await begun('first');
  open.push(await asking('/1/second'), await asking('/2/other'));
  const other = await begun('other');
  expect(names()).toEqual(['first', 'other']);
  first.end();
  const second = await begun('second');
  for (const read of [other, second]) {
    read.end();
    await once(read.response, 'close');
  }
  for (const connection of open) connection.cut();
});

test('When a page is far from the beginning, then it waits for its turn, unlike a page near the beginning', async () => {
  const open = [await asking('/8/far/10001')];
  const far = await begun('far');
  open.push(await asking('/8/farther/20000'), await asking('/8/near/10000'));
  const near = await begun('near');
  expect(names()).toEqual(['far', 'near']);
  far.end();
  (await begun('farther')).end();
  near.end();
  for (const connection of open) connection.cut();
});

test('When a read has ended, then the next read of its client waits for twice its duration, and a read of another client does not', async () => {
  const open = [await asking('/6/long')];
  const long = await begun('long');
  const began = performance.now();
  open.push(await asking('/6/next'));
  await sleep(200);
  long.end();
  const tookMs = performance.now() - began;
  await once(long.response, 'close');
  open.push(await asking('/7/other'));
  const other = await begun('other');
  expect(names()).toEqual(['long', 'other']);
  const next = await begun('next');
  // Timers are accurate to a millisecond.
  expect(performance.now() - began).toBeGreaterThan(3 * tookMs - 10);
  for (const read of [other, next]) read.end();
  for (const connection of open) connection.cut();
});

test('When requests are pipelined, then the second read begins after the response to the first', async () => {
  const connection = await asking('/3/one', '/3/two');
  const one = await begun('one');
  expect(names()).toEqual(['one']);
  one.end();
  (await begun('two')).end();
  await until('both answers', async () => connection.answers().length === 2, 5);
  expect(connection.answers()).toMatchObject([{ body: { name: 'one' } }, { body: { name: 'two' } }]);
  connection.cut();
});

test('When the turn of a read does not come, then 503 closes the connection, and its further requests do not wait in their turn', async () => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] });
  try {
    const holder = await asking('/9/holder');
    const read = await begun('holder');
    const late = await asking('/9/late', '/9/later');
    await until('the request', async () => sockets.get('late'), 5);
    jest.advanceTimersByTime(30_000);
    await late.closed;
    expect(late.answers()).toMatchObject([{ status: 503, headers: { connection: 'close' } }]);
    read.end();
    await once(read.response, 'close');
    holder.cut();
    expect(names()).toEqual(['holder']);
  } finally {
    jest.useRealTimers();
  }
});

test('When a pipelined read begins, then it waits for its turn for the rest of the 30 s since its request arrived', async () => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] });
  try {
    const pipelined = await asking('/10/early', '/10/behind');
    const early = await begun('early');
    const other = await asking('/10/between');
    await until('the request', async () => sockets.get('between'), 5);
    jest.advanceTimersByTime(20_000);
    early.end();
    await once(early.response, 'close');
    jest.advanceTimersByTime(1_000);
    await begun('between');
    await until('the request', async () => sockets.get('behind'), 5);
    jest.advanceTimersByTime(9_000);
    await pipelined.closed;
    expect(pipelined.answers()).toMatchObject([{ body: { name: 'early' } }, { status: 503 }]);
    other.cut();
  } finally {
    jest.useRealTimers();
  }
});

test('When the connection closes before its read begins, then the read never begins', async () => {
  const holder = await asking('/4/holder');
  const read = await begun('holder');
  const gone = await asking('/4/too%20late');
  const next = await asking('/4/next');
  const theirs = await until('the request', async () => sockets.get('too late'), 5);
  const closed = once(theirs, 'close');
  gone.cut();
  await closed;
  read.end();
  (await begun('next')).end();
  expect(names()).toEqual(['holder', 'next']);
  for (const connection of [holder, next]) connection.cut();
});

test('When the connection closes during the read, then the read stops and the next read of the client begins', async () => {
  const gone = await asking('/5/gone');
  const read = await begun('gone');
  const next = await asking('/5/next');
  gone.cut();
  const other = await begun('next');
  read.end();
  other.end();
  await until('the answer', async () => next.answers().length === 1, 5);
  expect(wentOn).toContain('next');
  expect(wentOn).not.toContain('gone');
  next.cut();
});
