/** The weight of a call in its rate class. docs/specification.md#rate-limits. */
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { gzipSync } from 'node:zlib';
import express from 'express';
import Joi from 'joi';
import { pino } from 'pino';
import { errorHandler } from '../../src/api/middleware/errors';
import { jsonBody, limitUnsizedBodies, rejectInvalidBody } from '../../src/api/middleware/request-body';
import { sendOrder } from '../../src/api/orders/order-request';
import { MemoryWindows } from '../../src/api/rate-limits/call-windows';
import { limitClient, RateLimiter } from '../../src/api/rate-limits/rate-limiter';
import { Dispatcher, matchRoute } from '../../src/api/server/dispatch';
import { sendRows } from '../../src/api/shared/pagination';
import { jsonObject, validBody } from '../../src/api/shared/validation';
import { endpointSchemas } from '../../src/api/webhooks/endpoint-body';
import type { TopupOrderRow } from '../../src/data/purchases/families/topup';
import { eventTypes } from '../../src/domain/webhooks/event-payloads';
import { discardUnreadBody, JsonCounter } from '../../src/http/body-limits';
import { RawConnection } from '../support/raw-http';
import { serve, type ServedApp } from '../../dev/stack/local-server';
import { validation } from '../support/stack';
import { until } from '../../dev/testbed/waiting';

const LIMIT = 100;
const KiB = 1024;
let served: ServedApp;
let clients = 0;

beforeAll(async () => {
  const app = express();
  app.get('/unread', discardUnreadBody, (_request, response) => void response.json({}));
  app.use((request, response, next) => {
    const rateLimits = { reads: LIMIT, changes: LIMIT };
    Object.assign(response.locals, { caller: { client: { id: Number(request.get('client')), rateLimits } } });
    next();
  });
  const limits = limitClient(new RateLimiter(new MemoryWindows(), 'sandbox'));
  app.use(matchRoute(new Dispatcher([])), limitUnsizedBodies(), limits, jsonBody(KiB * KiB), rejectInvalidBody);
  app.get('/rows/:count', async (request, response) => {
    const rows = Array.from({ length: Number(request.params.count) }, (_, n) => n);
    await sendRows(response, { page: 1, size: 10_000, total: rows.length }, rows, (n) => ({ n }));
  });
  app.get('/units/:count', async (request, response) => {
    const { status = 'DELIVERED' } = request.query;
    const order = { status, deliveredQuantity: Number(request.params.count) } as TopupOrderRow;
    await sendOrder<'TOPUP'>(response, order, () => ({ units: order.deliveredQuantity }));
  });
  app.post('/', (request, response) => void response.json({ keys: Object.keys(jsonObject(request)).length }));
  app.use(errorHandler(pino({ level: 'silent' })));
  served = await serve(app);
});
afterAll(() => served.close());

/** A client that has not called yet. Its calls return the remaining calls of its limit. */
function newCaller() {
  const client = String(++clients);
  const call = async (path: string, init: RequestInit = {}) => {
    const answer = await fetch(`${served.url}${path}`, { ...init, headers: { client, ...init.headers } });
    const [, r] = /;r=(\d+);/.exec(answer.headers.get('ratelimit') ?? '') ?? [];
    return { status: answer.status, left: Number(r), body: await answer.json() };
  };
  const post = (body: string | Buffer, headers = {}) =>
    call('/', { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } });
  return { client, call, post };
}

/** Sends a request head that announces a body of `bytes` bytes, and the start of that body. */
async function announcing(client: string, bytes: number, start = ''): Promise<RawConnection> {
  const connection = await RawConnection.open(served.url);
  const head = ['POST / HTTP/1.1', 'Host: api', `Client: ${client}`, 'Content-Type: application/json'];
  connection.send(`${[...head, `Content-Length: ${bytes}`].join('\r\n')}\r\n\r\n${start}`);
  return connection;
}
const answerOn = (connection: RawConnection) => until('the answer', async () => connection.answers()[0], 5);

const bodyOf = (bytes: number) => JSON.stringify({ text: 'x'.repeat(bytes - '{"text":""}'.length) });

test.each([
  ['/rows/0', 1],
  ['/rows/1999', 1],
  ['/rows/2000', 2],
  ['/rows/10000', 10],
  ['/units/1', 1],
  ['/units/1000', 1],
  ['/units/5000', 5],
  // A pending order shows no units yet.
  ['/units/5000?status=PENDING', 1],
])('When %s is read, then the call weighs %i, and its RateLimit header counts that weight', async (path, weight) => {
  const { call } = newCaller();
  expect(await call(path)).toMatchObject({ status: 200, left: LIMIT - weight });
  expect(await call('/units/1')).toMatchObject({ left: LIMIT - weight - 1 });
});

test.each([
  [64 * KiB, 1],
  [64 * KiB + 1, 2],
  [KiB * KiB, 16],
])('When a body has %i bytes, then the call weighs %i', async (bytes, weight) => {
  const { post } = newCaller();
  expect(await post(bodyOf(bytes))).toMatchObject({ status: 200, left: LIMIT - weight });
});

test('When a body is compressed, then its decompressed size determines the weight', async () => {
  const { post } = newCaller();
  const sent = gzipSync(bodyOf(KiB * KiB));
  expect(await post(sent, { 'content-encoding': 'gzip' })).toMatchObject({ status: 200, left: LIMIT - 16 });
});

test('When a body is rejected for its size, then the call has a weight of 1', async () => {
  const { post } = newCaller();
  expect(await post(bodyOf(KiB * KiB + 1))).toMatchObject({ status: 413, left: LIMIT - 1 });
  const sent = gzipSync(bodyOf(2 * KiB * KiB));
  expect(await post(sent, { 'content-encoding': 'gzip' })).toMatchObject({ status: 413, left: LIMIT - 2 });
});

test('When a request announces the length of its body, then the call weighs that length before the body arrives', async () => {
  const { client, post } = newCaller();
  const arrived = once(served.server, 'request');
  const connection = await announcing(client, KiB * KiB);
  await arrived;
  expect(await post('{}')).toMatchObject({ left: LIMIT - 17 });
  connection.cut();
});

test('When many compressed bodies arrive together, then the limit counts their weights before it admits more', async () => {
  const { post } = newCaller();
  const sent = gzipSync(bodyOf(KiB * KiB));
  const answers = await Promise.all(Array.from({ length: LIMIT }, () => post(sent, { 'content-encoding': 'gzip' })));
  const admitted = answers.filter(({ status }) => status === 200).length;
  expect(admitted).toBeLessThanOrEqual(Math.ceil(LIMIT / 16) + 4);
  expect(admitted).toBeGreaterThanOrEqual(Math.ceil(LIMIT / 16));
});

test('When a client has four unfinished chunked bodies, then a fifth waits until one of them is closed, and other bodies do not wait', async () => {
  const { client, post } = newCaller();
  const head = ['POST / HTTP/1.1', 'Host: api', `Client: ${client}`, 'Content-Type: application/json'];
  const unfinished: RawConnection[] = [];
  for (let body = 1; body <= 4; body++) {
    const arrived = once(served.server, 'request');
    const connection = await RawConnection.open(served.url);
    connection.send(`${[...head, 'Transfer-Encoding: chunked'].join('\r\n')}\r\n\r\n`);
    unfinished.push(connection);
    await arrived;
  }
  const fifth = post(gzipSync('{}'), { 'content-encoding': 'gzip' });
  expect(await Promise.race([fifth, post('{}')])).toMatchObject({ left: LIMIT - 5 });
  unfinished[0]?.cut();
  expect(await fifth).toMatchObject({ status: 200 });
  unfinished.forEach((connection) => connection.cut());
});

test('When the client keeps sending a rejected body, then the server reads at most 20 MiB of it a second', async () => {
  const bytes = 8 * KiB * KiB;
  const arrived = once(served.server, 'request') as Promise<[IncomingMessage]>;
  const connection = await announcing(newCaller().client, bytes);
  const [request] = await arrived;
  const began = performance.now();
  connection.send('x'.repeat(bytes));
  expect(await answerOn(connection)).toMatchObject({ status: 413 });
  await once(request, 'close');
  // The first interval may have begun before the body.
  expect(performance.now() - began).toBeGreaterThan(300);
  connection.cut();
});

test('When no handler reads a body, then the server discards the body like that of a rejected request', async () => {
  const bytes = 8 * KiB * KiB;
  const head = `GET /unread HTTP/1.1\r\nHost: api\r\nContent-Length: ${bytes}\r\n\r\n`;
  const arrived = once(served.server, 'request') as Promise<[IncomingMessage]>;
  const whole = await RawConnection.open(served.url);
  whole.send(head);
  const [request] = await arrived;
  const began = performance.now();
  whole.send('x'.repeat(bytes));
  expect(await answerOn(whole)).toMatchObject({ status: 200 });
  await once(request, 'close');
  expect(performance.now() - began).toBeGreaterThan(300);
  whole.send('GET /unread HTTP/1.1\r\nHost: api\r\n\r\n');
  await until('the next answer', async () => whole.answers()[1], 5);
  whole.cut();
  const endless = await RawConnection.open(served.url);
  endless.send(head);
  expect(await answerOn(endless)).toMatchObject({ status: 200 });
  await endless.closed;
});

test('When the client does not finish a rejected body, then the server closes the connection', async () => {
  const connection = await announcing(newCaller().client, 2 * KiB * KiB);
  expect(await answerOn(connection)).toMatchObject({ status: 413 });
  await connection.closed;
});

test('When one call is left, then a heavier call is admitted, and the next call is rejected until enough weight has expired', async () => {
  const { call } = newCaller();
  for (let left = 90; left > 0; left -= 10) expect(await call('/rows/10000')).toMatchObject({ left });
  for (let left = 9; left > 0; left--) expect(await call('/rows/1')).toMatchObject({ left });
  expect(await call('/rows/10000')).toMatchObject({ status: 200, left: 0 });
  expect(await call('/rows/1')).toMatchObject({ status: 429, left: 0 });
});

describe('keys of a body', () => {
  const invalid = validation('Invalid request body');
  const object = (keys: number) => Object.fromEntries(Array.from({ length: keys }, (_, n) => [`k${n}`, n]));

  test('When all objects of a body together have 1,000 keys, then the body is accepted, however long its arrays are', async () => {
    const body = { ...object(499), inner: [object(500), Array(5_000).fill('a "quoted": \\" text')] };
    expect(await newCaller().post(JSON.stringify(body))).toMatchObject({ status: 200 });
  });

  test('When a body has 1,001 keys, then the body is invalid, whatever objects hold the keys', async () => {
    expect(await newCaller().post(JSON.stringify(object(1_001)))).toMatchObject(invalid);
    const spread = [...Array(500).fill({ a: 1 }), { ':"': object(500) }];
    expect(await newCaller().post(JSON.stringify({ spread }))).toMatchObject({ status: 400 });
    expect(await newCaller().post(JSON.stringify({ spread: spread.slice(1) }))).toMatchObject({ status: 400 });
    expect(await newCaller().post(JSON.stringify({ spread: spread.slice(2) }))).toMatchObject({ status: 200 });
  });

  test('When a body has more than 10,000 arrays and objects, nested or not, then it is invalid', async () => {
    const nested = (arrays: number) => `{"x":${'['.repeat(arrays)}"[{"${']'.repeat(arrays)}}`;
    const spread = (arrays: number) => JSON.stringify({ x: Array(arrays - 1).fill([]) });
    for (const bodyWith of [nested, spread]) {
      expect(await newCaller().post(bodyWith(9_999))).toMatchObject({ status: 200 });
      expect(await newCaller().post(bodyWith(10_000))).toMatchObject(invalid);
    }
  });

  test('When the 1,001st key arrives, then the body is invalid, whatever its announced length', async () => {
    const { client, post } = newCaller();
    const connection = await announcing(client, KiB * KiB, JSON.stringify(object(1_001)));
    expect(await answerOn(connection)).toMatchObject(invalid);
    connection.cut();
    expect(await post('{}')).toMatchObject({ left: LIMIT - 17 });
  });

  test('When a body is compressed, then the server counts its keys, too', async () => {
    const headers = { 'content-encoding': 'gzip' };
    expect(await newCaller().post(gzipSync(JSON.stringify(object(1_001))), headers)).toMatchObject(invalid);
    const fits = await newCaller().post(gzipSync(JSON.stringify(object(1_000))), headers);
    expect(fits).toMatchObject({ status: 200 });
  });

  test('When a text arrives in two parts, then the number of its keys does not depend on the split', () => {
    const text = Buffer.from('{"a\\\\":1,"b\\"":":\\\\","":[{"c:\\\\\\"":"\u00e9"}]}');
    for (let at = 0; at <= text.length; at++) {
      const counter = new JsonCounter();
      counter.add(text.subarray(0, at));
      counter.add(text.subarray(at));
      expect(counter).toMatchObject({ keys: 4, containers: 3 });
    }
  });

  test('When containers follow each other, then only nested ones count as depth', () => {
    const counter = new JsonCounter();
    counter.add(Buffer.from('[{"a":{}},{"b":[]},{}]'));
    expect(counter).toMatchObject({ containers: 6, depth: 3 });
  });

  test('When the schema does not name a key, then the service does not validate that key', () => {
    const schema = Joi.object<{ name: string }>({ name: Joi.string() });
    const validate = jest.spyOn(schema, 'validate');
    expect(validBody(schema, { ...object(900), name: 'a' })).toEqual({ name: 'a' });
    expect(validate.mock.calls[0]?.[0]).toEqual({ name: 'a' });
  });

  test('When the body is not UTF-8, then the body is invalid, because keys are counted in UTF-8', async () => {
    const utf16 = Buffer.from(JSON.stringify(object(2)), 'utf16le');
    const headers = { 'content-type': 'application/json; charset=utf-16le' };
    expect(await newCaller().post(utf16, headers)).toMatchObject(invalid);
  });
});

test('When an array of a body is too long, then validation stops after the first excess element', () => {
  const { create } = endpointSchemas({ mode: 'sandbox', webhooks: { allowLoopback: true } });
  const bodyOf = (...types: string[]) => ({ url: 'http://127.0.0.1/', event_types: types });
  expect(validBody(create, bodyOf(...eventTypes))).toMatchObject({ event_types: eventTypes });
  expect(() => validBody(create, bodyOf(...eventTypes, 'unknown'))).toThrow('event_types holds an unknown type');
  const tooLong = bodyOf(...eventTypes, 'order.failed', 'unknown');
  expect(() => validBody(create, tooLong)).toThrow('event_types must be a list of event types');
});
