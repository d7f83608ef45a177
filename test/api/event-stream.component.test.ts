/** Event streams whose client does not read or has disconnected. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import type { RequestHandler } from 'express';
import type { Dependencies } from '../../src/api/dependencies';
import { consoleRoutes } from '../../src/api/console/routes';
import { EventStream } from '../../src/api/console/event-stream';
import { until } from '../../dev/testbed/waiting';

let server: Server;
let stream: EventStream | undefined;
let waiting: () => number;
beforeEach(async () => {
  stream = undefined;
  server = createServer((_request, response) => {
    stream = new EventStream(response);
    waiting = () => response.writableLength;
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** Requests the stream. */
async function reader(): Promise<{ socket: Socket; stream: EventStream }> {
  const { port } = server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: test\r\n\r\n');
  return { socket, stream: await until('the stream', async () => stream) };
}

const message = JSON.stringify('x'.repeat(16 * 1024));

test('When a client does not read, then its stream ends, and its waiting bytes never exceed the limit', async () => {
  const { socket, stream } = await reader();
  socket.pause();
  let most = 0;
  // The buffers of the sockets hold some megabytes first.
  for (let sent = 0; sent < 5_000 && !stream.ended.aborted; sent += 1) {
    stream.send('news', message);
    most = Math.max(most, waiting());
    await new Promise(setImmediate);
  }
  expect(stream.ended.aborted).toBe(true);
  expect(most).toBeLessThan(256 * 1024 + 2 * message.length);
  socket.destroy();
});

test('When a client reads, then it gets every message', async () => {
  const { socket, stream } = await reader();
  let bytes = 0;
  socket.on('data', (chunk: Buffer) => (bytes += chunk.length));
  for (let sent = 0; sent < 200; sent += 1) {
    stream.send('news', message);
    await new Promise(setImmediate);
  }
  stream.end();
  await once(socket, 'close');
  expect(bytes).toBeGreaterThan(200 * message.length);
});

test('When pages close while their sessions are looked up, then they do not count against the limit of open pages', async () => {
  const deps = {
    rateLimiter: { usage: async () => [] },
    knownClients: { find: () => undefined },
    log: { warn: () => undefined },
    stopping: new AbortController().signal,
  } as unknown as Dependencies;
  const handler = consoleRoutes['GET /console/stream']?.handler(deps) as RequestHandler;
  const outcomes: unknown[] = [];
  server.removeAllListeners('request').on('request', (request, response) => {
    const expiresAt = new Date(Date.now() + 60_000);
    const session = { sessionId: 'one', clientId: 1, apiKeyId: 1, expiresAt, member: null };
    const caller = { client: { id: 1 } };
    Object.assign(response, { locals: { caller, session, count: { end: () => undefined } } });
    const handle = () => {
      try {
        handler(request as never, response as never, () => undefined);
        outcomes.push('handled');
      } catch (error) {
        outcomes.push(error);
        response.end();
      }
    };
    if (request.headers['x-closes'] === undefined) return handle();
    // The lookup ends after the connection has closed.
    response.once('close', () => setImmediate(handle));
    request.socket.destroy();
  });
  const { port } = server.address() as AddressInfo;
  const open = (headers: string) => {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    return socket.end(`GET / HTTP/1.1\r\nHost: test\r\n${headers}\r\n`);
  };
  for (let page = 0; page < 10; page++) open('X-Closes: 1\r\n');
  await until('the closed pages', async () => outcomes.length === 10);
  open('');
  await until('the open page', async () => outcomes.length === 11);
  expect(outcomes).toEqual(Array(11).fill('handled'));
});
