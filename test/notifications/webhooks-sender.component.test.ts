import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Server as TcpServer, type Socket } from 'node:net';
import { createWebhookSender } from '../../src/notifications/webhooks/sender';

const sender = createWebhookSender({ allowLoopback: true });
const servers: (Server | TcpServer)[] = [];

async function listen(server: Server | TcpServer): Promise<string> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
}

const serve = (listener: RequestListener) => listen(createServer(listener));
const send = (url: string) => sender.send(url, { 'webhook-id': 'evt_1' }, '{"a":"ü"}');

afterAll(async () => {
  await sender.close();
  for (const server of servers) {
    if ('closeAllConnections' in server) server.closeAllConnections();
    server.close();
  }
});

type Reaction = (socket: Socket) => unknown;

/**
 * Serves each new connection with the next script, and each of its requests with the next reaction of the script. Returns the URL and
 * the requests by connection.
 */
async function connections(...scripts: Reaction[][]): Promise<{ url: string; received: string[][] }> {
  const received: string[][] = [];
  const server = createTcpServer((socket) => {
    const script = [...(scripts[received.length] ?? [])];
    const requests: string[] = [];
    received.push(requests);
    socket
      .on('error', () => undefined)
      .on('data', (request) => {
        requests.push(request.toString());
        script.shift()?.(socket);
      });
  });
  return { url: await listen(server), received };
}

const answer: Reaction = (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok');
const destroy: Reaction = (socket) => socket.destroy();
const after =
  (ms: number, reaction: Reaction): Reaction =>
  (socket) =>
    setTimeout(() => reaction(socket), ms);

describe('a connection that the receiver has closed', () => {
  test.each<[string, Reaction]>([
    ['closes', (socket) => socket.end()],
    ['resets', (socket) => socket.resetAndDestroy()],
  ])(
    'When the receiver %s a reused connection without a response, then the same request follows at once on a new one',
    async (_how, close) => {
      const { url, received } = await connections([answer, close], [answer]);
      await send(url);
      const { status, durationMs } = await send(url);
      expect(status).toBe(200);
      expect(durationMs).toBeLessThan(2_000);
      expect(received.map((requests) => requests.length)).toEqual([2, 1]);
      const same = (request = '') => request.replace(/^connection: .*\r\n/im, '');
      expect(same(received[1]?.[0])).toBe(same(received[0]?.[1]));
    },
  );

  test('When another connection is stale, too, then the repetition does not use it', async () => {
    const slowly = after(100, answer);
    const { url, received } = await connections([slowly, answer, destroy], [slowly, after(100, destroy)], [answer]);
    await Promise.all([send(url), send(url)]);
    for (const result of await Promise.all([send(url), send(url)])) expect(result).toMatchObject({ status: 200 });
    expect(received.map((requests) => requests.length)).toEqual([2, 2, 1]);
  });

  test('When the new connection closes, too, then the attempt has failed', async () => {
    const { url, received } = await connections([answer, destroy], [destroy], [answer]);
    await send(url);
    expect(await send(url)).toMatchObject({ status: null, error: 'connection closed' });
    expect(received).toHaveLength(2);
  });

  test('When a byte of the response has arrived, then the request is not repeated', async () => {
    const begin: Reaction = (socket) => socket.write('H', () => setTimeout(() => socket.destroy(), 50));
    const { url, received } = await connections([answer, begin], [answer]);
    await send(url);
    expect(await send(url)).toMatchObject({ status: null });
    expect(received).toHaveLength(1);
  });

  test('When the connection is new, then the request is not repeated', async () => {
    const { url, received } = await connections([destroy], [answer]);
    expect(await send(url)).toMatchObject({ status: null, error: 'connection closed' });
    expect(received).toHaveLength(1);
  });
});

describe('sending webhooks', () => {
  test('When a webhook is sent, then it is a JSON POST with the headers and exactly the bytes given', async () => {
    const got: unknown[] = [];
    const url = await serve((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { 'content-type': type, 'webhook-id': id, 'content-length': length } = request.headers;
        got.push([request.method, request.url, type, id, length, Buffer.concat(chunks).toString()]);
        response.writeHead(204).end();
      });
    });
    expect(await send(url)).toEqual({ status: 204, error: null, retryAfterMs: 0, durationMs: expect.any(Number) });
    expect(got).toEqual([['POST', '/hook', 'application/json', 'evt_1', '10', '{"a":"ü"}']]);
  });

  test.each([200, 201, 301, 304, 400, 410, 500, 503])(
    'When the endpoint answers %i, then that is the status',
    async (status) => {
      const url = await serve((_request, response) => response.writeHead(status).end());
      expect(await send(url)).toMatchObject({ status, error: null });
    },
  );

  test('When an endpoint asks to keep its connection for ten minutes, then it is closed after seconds', async () => {
    const closed = new Promise<void>((resolve) => {
      const server = createServer({ keepAliveTimeout: 600_000 }, (request, response) => {
        request.socket.once('close', resolve);
        response.setHeader('keep-alive', 'timeout=600').end('ok');
      });
      void listen(server).then(send);
    });
    await closed;
  }, 15_000);

  test('When webhooks are sent in sequence, then they share a connection', async () => {
    const ports = new Set<number | undefined>();
    const url = await serve((request, response) => {
      ports.add(request.socket.remotePort);
      response.end('ok');
    });
    for (let index = 0; index < 10; index++) await send(url);
    expect(ports.size).toBe(1);
  });

  test('When the response is endless, then little of it is read, and its status counts', async () => {
    let written = 0;
    const url = await serve((_request, response) => {
      const chunk = Buffer.alloc(65_536);
      const pour = () => {
        while (!response.destroyed && response.write(chunk)) written += chunk.length;
      };
      response.writeHead(200).on('drain', pour);
      pour();
    });
    expect(await send(url)).toMatchObject({ status: 200 });
    expect(written).toBeLessThan(8 * 1024 * 1024);
  });

  test("When an answer's body is slow, then its status counts after a second", async () => {
    const url = await serve((_request, response) => void response.writeHead(200).write('a'));
    const { status, durationMs } = await send(url);
    expect(status).toBe(200);
    // An attempt without a status takes 15 s.
    expect(durationMs).toBeLessThan(10_000);
  });

  test('When nothing answers, then the attempt ends after 15 s, also if it was repeated on a new connection', async () => {
    const silent = await serve(() => undefined);
    const { url } = await connections([answer, after(8_000, destroy)], [() => undefined]);
    await send(url);
    for (const { status, error, durationMs } of await Promise.all([send(silent), send(url)])) {
      expect([status, error]).toEqual([null, 'timed out']);
      expect(durationMs).toBeGreaterThan(14_500);
      // A repetition with a limit of its own would take 23 s.
      expect(durationMs).toBeLessThan(22_000);
    }
  }, 30_000);

  test('When the port is closed, the response is not HTTP, or the connection breaks, then there is no status', async () => {
    const url = await listen(createTcpServer((socket) => socket.resume().end('SSH-2.0-OpenSSH\r\n')));
    expect(await send(url)).toMatchObject({ status: null, error: 'failed' });
    const breaking = await listen(createTcpServer((socket) => socket.once('data', () => socket.destroy())));
    expect(await send(breaking)).toMatchObject({ status: null, error: 'connection closed' });
    expect(await send('http://127.0.0.1:9/')).toMatchObject({ status: null, error: 'connection refused' });
  });

  test('When the endpoint sends Retry-After, then seconds and dates are accepted', async () => {
    const url = await serve((_request, response) => response.writeHead(503, { 'retry-after': '120' }).end());
    expect(await send(url)).toMatchObject({ status: 503, retryAfterMs: 120_000 });
    const inTwoMinutes = new Date(Date.now() + 120_000).toUTCString();
    const dated = await serve((_request, response) => response.writeHead(503, { 'retry-after': inTwoMinutes }).end());
    const { retryAfterMs } = await send(dated);
    expect(retryAfterMs).toBeGreaterThan(110_000);
    expect(retryAfterMs).toBeLessThanOrEqual(120_000);
  });
});
