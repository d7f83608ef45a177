/** Responses in CSV to slow readers and from failing sources. */
import { get, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'csv-parse/sync';
import express from 'express';
import { pino } from 'pino';
import { errorHandler } from '../../src/api/middleware/errors';
import { sendCsv } from '../../src/api/shared/csv-response';
import { errors } from '../../src/domain/errors';
import { csvText } from '../../src/statements/statements';
import { serve, type ServedApp } from '../../dev/stack/local-server';

const columns = ['n', 'text'];
let url: string;
let served: ServedApp;
let read = 0;
let isEnded = false;

/** Yields `count` lines and then throws the failure, if there is one. */
async function* lines(count: number, failure?: Error): AsyncGenerator<object> {
  try {
    for (read = 0; failure === undefined || read < count; read++) {
      if (failure === undefined && read === count) return;
      yield { n: read, text: '=cmd()'.padEnd(1_000, '"') };
    }
    throw failure;
  } finally {
    isEnded = true;
  }
}

/** Waits until the service stops reading the source. Returns the number of lines read. */
async function settled(): Promise<number> {
  for (let before = -1; before !== read;) {
    before = read;
    await sleep(300);
  }
  return read;
}

beforeAll(async () => {
  const app = express();
  const answer = (path: string, source: () => AsyncGenerator<object>) =>
    app.get(path, async (request, response) => {
      Object.assign(response.locals, { caller: { client: { id: Number(request.get('client') ?? 1) } } });
      await sendCsv(response, 'lines.csv', columns, source());
    });
  answer('/two', () => lines(2));
  answer('/console/api/two', () => lines(2));
  answer('/endless', () => lines(Infinity));
  answer('/broken', () => lines(3_000, new Error('The database has gone')));
  answer('/refused', () => lines(0, errors.serviceUnavailable()));
  app.use(errorHandler(pino({ level: 'silent' })));
  served = await serve(app);
  ({ url } = served);
});
afterAll(() => served.close());

test('When a file is for a page of the console, then it begins with a byte order mark; one of the API does not', async () => {
  const beginOf = async (path: string) =>
    Buffer.from(await (await fetch(url + path)).arrayBuffer())
      .toString()
      .slice(0, 2);
  expect(await beginOf('/console/api/two')).toBe('\ufeffn');
  expect(await beginOf('/two')).toBe('n,');
});

test('When the service sends lines, then the response is a file with column names and without formulas', async () => {
  const answer = await fetch(`${url}/two`);
  expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(answer.headers.get('content-disposition')).toBe('attachment; filename=lines.csv');
  const [names, first] = (await answer.text()).split('\n');
  expect(names).toBe('n,text');
  expect(first?.slice(0, 12)).toBe(`0,"'=cmd()""`);
  const head = await fetch(`${url}/two`, { method: 'HEAD' });
  expect([head.status, head.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
});

test('When texts begin like formulas or with apostrophes, then a reader who removes one apostrophe has the texts', async () => {
  const texts = ['=1+1', "'=1+1", "''", "O'Neill", '-1+1', '@a', '\uff1d1+1', 'a;b', 'a,b', '"', 'plain', ''];
  let csv = '';
  for await (const part of csvText(
    ['text'],
    texts.map((text) => ({ text })),
  ))
    csv += part;
  const read = parse<{ text: string }>(csv, { columns: true, skip_empty_lines: false });
  expect(read.map(({ text }) => text.replace(/^'/, ''))).toEqual(texts);
  expect(read.some(({ text }) => /^[=+\-@\uff1d]/.test(text))).toBe(false);
  expect(csv).toContain('\n"a;b"\n');
});

test('When a number is below 0, then no apostrophe precedes it', async () => {
  const texts = ['-12.50', '-7', '-7-1', '-12.50=1', '-12.50\n=1', '-', '--1', '+1'];
  let csv = '';
  for await (const part of csvText(
    ['text'],
    texts.map((text) => ({ text })),
  ))
    csv += part;
  const read = parse<{ text: string }>(csv, { columns: true });
  expect(read.map(({ text }) => text)).toEqual([...texts.slice(0, 2), ...texts.slice(2).map((text) => `'${text}`)]);
});

test('When the source fails after the first line, then the service aborts the response, so that it never looks complete', async () => {
  const answer = await fetch(`${url}/broken`);
  expect(answer.status).toBe(200);
  await expect(answer.text()).rejects.toThrow();
});

test('When the source fails before the first line, then the response is a normal error', async () => {
  const answer = await fetch(`${url}/refused`);
  expect(answer.status).toBe(503);
  expect(await answer.json()).toMatchObject({ error: { code: 'SERVICE_UNAVAILABLE' } });
});

test('When the client reads slowly, then the source is read only as far as the buffers allow, until the client disconnects', async () => {
  const response = await new Promise<IncomingMessage>((resolve) => get(`${url}/endless`, resolve));
  response.pause();
  // The sockets' buffers hold some 10 MB at most.
  expect(await settled()).toBeLessThan(20_000);
  isEnded = false;
  response.destroy();
  for (let waits = 0; !isEnded && waits < 100; waits++) await sleep(50);
  expect(isEnded).toBe(true);
});

test('When a client leaves five files unread, then its next file waits until it closes one, and a file of another client does not wait', async () => {
  const headers = { client: '3' };
  const unread = () =>
    new Promise<IncomingMessage>((resolve) =>
      get(`${url}/endless`, { headers, agent: false }, (response) => resolve(response.pause())),
    );
  const [first, ...others] = await Promise.all(Array.from({ length: 5 }, unread));
  await settled();
  let isAnswered = false;
  const next = fetch(`${url}/two`, { headers }).finally(() => (isAnswered = true));
  expect((await fetch(`${url}/two`, { headers: { client: '4' } })).status).toBe(200);
  await sleep(300);
  expect(isAnswered).toBe(false);
  first?.destroy();
  expect((await next).status).toBe(200);
  for (const response of others) response.destroy();
});

test('When a client reads several endless files concurrently, then the service still answers another client', async () => {
  const reading = new AbortController();
  const greedy = Array.from({ length: 5 }, async () => {
    const { body } = await fetch(`${url}/endless`, { signal: reading.signal });
    for await (const _chunk of body ?? []) if (reading.signal.aborted) return;
  });
  for (let asked = 0; asked < 5; asked++) {
    const answer = await fetch(`${url}/two`, { headers: { client: '2' } });
    expect((await answer.text()).split('\n')).toHaveLength(4);
  }
  reading.abort();
  await Promise.allSettled(greedy);
});
