/** The limits of a connection before its client is authenticated. docs/specification.md#limits. */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { safeHeaders } from '../../src/http/checks';
import { httpServer, type Application, type ConnectionLimits } from '../../src/http/http-server';
import { RawConnection } from '../support/raw-http';
import { refusal } from '../support/stack';
import { until } from '../../dev/testbed/waiting';

const servers: { close(): void; closeAllConnections(): void }[] = [];
afterAll(() => {
  for (const server of servers) {
    server.close();
    server.closeAllConnections();
  }
});

/** Reads each request completely and responds with its length. */
const lengths: Application = (request, response) => {
  let bytes = 0;
  request.on('data', (chunk: Buffer) => (bytes += chunk.length));
  request.on('end', () => {
    const body = JSON.stringify({ bytes });
    response.writeHead(200, { 'Content-Length': body.length }).end(body);
  });
};

async function listening(
  application: Application,
  limits: Partial<ConnectionLimits>,
  mode: 'sandbox' | 'production' = 'sandbox',
) {
  const every = { maxConnections: 100, isProxy: () => false, ...limits };
  const { server } = httpServer(application, every, safeHeaders(mode));
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

const serve = async (limits: Partial<ConnectionLimits>) => (await listening(lengths, limits)).url;

const late = refusal('REQUEST_TIMEOUT', 'The request did not arrive in time');
const whole = 'GET / HTTP/1.1\r\nHost: api\r\n\r\n';

test('When the head of a request does not arrive in time, then the server responds 408 and closes the connection', async () => {
  // Long enough for a busy process to read the first bytes before: a connection that has sent nothing gets no response.
  const url = await serve({ arrival: { headMs: 800, requestMs: 60_000, checkEveryMs: 50 } });
  const connection = await RawConnection.open(url);
  connection.send('GET / HTTP/1.1\r\nHost: api\r\nX: ');
  const dripping = setInterval(() => connection.send('x'), 50);
  await connection.closed;
  clearInterval(dripping);
  expect(connection.answers()).toMatchObject([late]);
});

test('When a connection sends nothing, then the server closes it without a response, which the client could take for that of its next request', async () => {
  const url = await serve({ arrival: { headMs: 200, requestMs: 60_000, checkEveryMs: 50 } });
  const connection = await RawConnection.open(url);
  await connection.closed;
  expect(connection.answers()).toEqual([]);
});

test('When the body of a request does not arrive in time, then the server responds 408 and closes the connection', async () => {
  const url = await serve({ arrival: { headMs: 200, requestMs: 400, checkEveryMs: 50 } });
  const connection = await RawConnection.open(url);
  connection.send('POST / HTTP/1.1\r\nHost: api\r\nContent-Length: 1000\r\n\r\n');
  const dripping = setInterval(() => connection.send('x'), 50);
  await connection.closed;
  clearInterval(dripping);
  expect(connection.answers()).toMatchObject([late]);
});

test.each(['production', 'sandbox'] as const)(
  'When the mode is %s and no request reaches the application, then only production still requires TLS from then on',
  async (mode) => {
    const next: Application = (_request, _response, cannotAnswer) => cannotAnswer();
    const arrival = { headMs: 200, requestMs: 60_000, checkEveryMs: 50 };
    const { url } = await listening(next, { arrival }, mode);
    const requests: [status: number, text: string][] = [
      [400, 'nonsense\r\n\r\n'],
      [400, whole],
      [405, 'CONNECT api:1 HTTP/1.1\r\nHost: api\r\n\r\n'],
      [408, 'GET / HTTP/1.1\r\n'],
      [431, `GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`],
    ];
    for (const [status, text] of requests) {
      const connection = await RawConnection.open(url);
      connection.send(text);
      await connection.closed;
      const [response] = connection.answers();
      expect(response?.status).toBe(status);
      expect(response?.headers).toMatchObject({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
      const transport = response?.headers['strict-transport-security'];
      expect(transport).toBe(mode === 'production' ? 'max-age=31536000' : undefined);
    }
  },
);

async function isServed(url: string, localAddress?: string): Promise<boolean> {
  const connection = await RawConnection.open(url, localAddress);
  connection.send(whole);
  connection.finish();
  await connection.closed;
  return connection.answers().length === 1;
}

test('When an address holds half of the connections, then it gets no more until it closes one, and other addresses do', async () => {
  const url = await serve({ maxConnections: 10 });
  const held = [];
  for (let count = 0; count < 5; count++) held.push(await RawConnection.open(url));
  expect(await isServed(url)).toBe(false);
  expect(await isServed(url, '127.0.0.2')).toBe(true);
  held[0]?.cut();
  await held[0]?.closed;
  expect(await isServed(url)).toBe(true);
});

test('When a trusted proxy holds half of the connections, then it still gets more', async () => {
  const url = await serve({ maxConnections: 10, isProxy: (address) => address === '127.0.0.1' });
  for (let count = 0; count < 6; count++) await RawConnection.open(url);
  expect(await isServed(url)).toBe(true);
});

test('When all connections are in use, then the server closes further ones', async () => {
  const url = await serve({ maxConnections: 4, isProxy: () => true });
  for (let count = 0; count < 4; count++) await RawConnection.open(url);
  expect(await isServed(url)).toBe(false);
});

test('When addresses of one /64 network hold half of the connections, then its other addresses get none, and other networks do', async () => {
  const { server } = await listening(lengths, { maxConnections: 10 });
  const from = (remoteAddress: string) => {
    const socket = Object.assign(new PassThrough(), { remoteAddress });
    server.emit('connection', socket);
    return socket;
  };
  const held = [1, 2, 3, 4, 5].map((host) => from(`2001:db8::${host}`));
  expect(held.map(({ destroyed }) => destroyed)).toEqual(Array(5).fill(false));
  expect(from('2001:db8::6').destroyed).toBe(true);
  expect(from('2001:db8:0:1::6').destroyed).toBe(false);
  for (const socket of held) socket.destroy();
});

describe('responses that the client does not read', () => {
  const LARGE = Buffer.alloc(64 * 1024 * 1024, 'x');
  const BURST_BYTES = 5 * 1024 * 1024;
  const stall = { stalledMs: 1_000, pipelinedMs: 200, checkEveryMs: 50 };
  let waiting: ServerResponse | undefined;
  const large: Application = ({ url = '' }, response) => {
    if (url === '/waits') waiting = response;
    else response.writeHead(200, { 'Content-Length': LARGE.length }).end(LARGE);
  };

  /** A connection that has sent its request and reads nothing, and the state of the server's socket. */
  async function asking(...paths: string[]) {
    const { server, url } = await listening(large, { stall });
    const accepted = once(server, 'connection') as Promise<[Socket]>;
    const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined);
    socket.pause();
    const [theirs] = await accepted;
    for (const path of paths) socket.write(whole.replace('/', path));
    return { socket, isDropped: () => theirs.destroyed, dropped: once(theirs, 'close') };
  }

  test('When a client reads none of its waiting bytes, then the server drops that connection, and no connection without a response', async () => {
    const patient = await asking('/waits');
    const { dropped } = await asking('/');
    await dropped;
    expect(patient.isDropped()).toBe(false);
    const answered = once(patient.socket, 'data');
    patient.socket.resume();
    waiting?.end('at last');
    expect(String((await answered)[0])).toContain('at last');
    patient.socket.destroy();
  });

  test('When the client has sent further requests, then the server drops the connection sooner', async () => {
    const [lone, pipelined] = [await asking('/'), await asking('/', '/waits')];
    await pipelined.dropped;
    expect(lone.isDropped()).toBe(false);
    await lone.dropped;
  });

  test('When a client reads its response slowly, then it gets the whole response', async () => {
    const { socket } = await asking('/');
    let [read, burst] = [0, 0];
    // The read takes longer than the stall limit, and the server has written the response in one piece.
    socket.on('data', (part: Buffer) => {
      read += part.length;
      burst += part.length;
      if (read > LARGE.length) socket.destroy();
      if (burst < BURST_BYTES) return;
      burst = 0;
      socket.pause();
      setTimeout(() => socket.resume(), 100);
    });
    socket.resume();
    await once(socket, 'close');
    expect(read).toBeGreaterThan(LARGE.length);
  });
});

test('When requests are pipelined, then each request begins after the response to the previous request', async () => {
  const begun: { url: string | undefined; response: ServerResponse }[] = [];
  const { url } = await listening(({ url }, response) => begun.push({ url, response }), {});
  const connection = await RawConnection.open(url);
  connection.send(['/one', '/two', '/three'].map((path) => whole.replace('/', path)).join(''));
  for (const [index, path] of ['/one', '/two', '/three'].entries()) {
    const { response } = await until(path, async () => begun[index], 5);
    expect(begun.map(({ url }) => url)).toEqual(['/one', '/two', '/three'].slice(0, index + 1));
    response.writeHead(200, { 'Content-Length': 2 }).end('{}');
  }
  await until('the answers', async () => connection.answers().length === 3, 5);
  connection.cut();
});

test('When a response closes the connection, then the requests that wait behind it never begin', async () => {
  const begun: (string | undefined)[] = [];
  const { url } = await listening(({ url }, response) => {
    begun.push(url);
    response.writeHead(200, { 'Content-Length': 2, Connection: 'close' }).end('{}');
  }, {});
  const connection = await RawConnection.open(url);
  connection.send(`${whole.replace('/', '/first')}${whole.replace('/', '/second')}`);
  await connection.closed;
  expect(connection.answers()).toHaveLength(1);
  expect(begun).toEqual(['/first']);
});

test('When more than 100 requests of a connection wait for responses, then the server closes the connection', async () => {
  const held: ServerResponse[] = [];
  const answer = (response: ServerResponse) => response.writeHead(200, { 'Content-Length': 2 }).end('{}');
  let isHolding = true;
  const hold: Application = (_request, response) => (isHolding ? held.push(response) : answer(response));
  const { url } = await listening(hold, {});
  const [modest, greedy] = [await RawConnection.open(url), await RawConnection.open(url)];
  modest.send(whole.repeat(100));
  greedy.send(whole.repeat(101));
  await greedy.closed;
  expect(greedy.answers()).toEqual([]);
  await until('the first request', async () => held.length === 2, 5);
  isHolding = false;
  for (const response of held) answer(response);
  modest.send('GET / HTTP/1.1\r\nHost: api\r\nConnection: close\r\n\r\n');
  await modest.closed;
  expect(modest.answers()).toHaveLength(101);
});
