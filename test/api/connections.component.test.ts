/** What a connection may take before anybody knows who is at its other end. docs/specification.md#limits. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { httpServer, type ConnectionLimits } from '../../src/api/http-server';
import { RawConnection } from '../support/raw-http';
import { refusal } from '../support/stack';

const servers: { close(): void; closeAllConnections(): void }[] = [];
afterAll(() => {
  for (const server of servers) {
    server.close();
    server.closeAllConnections();
  }
});

/** A server that reads each request whole and answers it with its length. */
async function serve(limits: Partial<ConnectionLimits>): Promise<string> {
  const { server } = httpServer(
    (request, response) => {
      let bytes = 0;
      request.on('data', (chunk: Buffer) => (bytes += chunk.length));
      request.on('end', () => {
        const body = JSON.stringify({ bytes });
        response.writeHead(200, { 'Content-Length': body.length }).end(body);
      });
    },
    { maxConnections: 100, isProxy: () => false, ...limits },
  );
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const late = refusal(408, 'RequestTimeoutError', 'REQUEST_TIMEOUT', 'The request did not arrive in time');
const whole = 'GET / HTTP/1.1\r\nHost: api\r\n\r\n';

test('When the head of a request does not come in time, then it is answered 408 and hung up on', async () => {
  const url = await serve({ arrival: { headMs: 200, requestMs: 60_000, checkEveryMs: 50 } });
  const connection = await RawConnection.open(url);
  connection.send('GET / HTTP/1.1\r\nHost: api\r\nX: ');
  const dripping = setInterval(() => connection.send('x'), 50);
  await connection.closed;
  clearInterval(dripping);
  expect(connection.answers()).toMatchObject([late]);
});

test('When the body of a request does not come in time, then it is answered 408 and hung up on', async () => {
  const url = await serve({ arrival: { headMs: 200, requestMs: 400, checkEveryMs: 50 } });
  const connection = await RawConnection.open(url);
  connection.send('POST / HTTP/1.1\r\nHost: api\r\nContent-Length: 1000\r\n\r\n');
  const dripping = setInterval(() => connection.send('x'), 50);
  await connection.closed;
  clearInterval(dripping);
  expect(connection.answers()).toMatchObject([late]);
});

async function isServed(url: string, localAddress?: string): Promise<boolean> {
  const connection = await RawConnection.open(url, localAddress);
  connection.send(whole);
  connection.finish();
  await connection.closed;
  return connection.answers().length === 1;
}

test('When an address holds half of the connections, then it gets no more until one is free, and others get theirs', async () => {
  const url = await serve({ maxConnections: 10 });
  const held = [];
  for (let count = 0; count < 5; count++) held.push(await RawConnection.open(url));
  expect(await isServed(url)).toBe(false);
  expect(await isServed(url, '127.0.0.2')).toBe(true);
  held[0]?.cut();
  await held[0]?.closed;
  expect(await isServed(url)).toBe(true);
});

test('When a trusted proxy holds half of the connections, then it gets more', async () => {
  const url = await serve({ maxConnections: 10, isProxy: (address) => address === '127.0.0.1' });
  for (let count = 0; count < 6; count++) await RawConnection.open(url);
  expect(await isServed(url)).toBe(true);
});

test('When all connections are taken, then more are hung up on', async () => {
  const url = await serve({ maxConnections: 4, isProxy: () => true });
  for (let count = 0; count < 4; count++) await RawConnection.open(url);
  expect(await isServed(url)).toBe(false);
});
