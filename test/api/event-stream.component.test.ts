/** What becomes of a stream whose reader does not read. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { EventStream } from '../../src/api/console/event-stream';
import { until } from '../support/waiting';

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

/** Asks for the stream. */
async function reader(): Promise<{ socket: Socket; stream: EventStream }> {
  const { port } = server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: test\r\n\r\n');
  return { socket, stream: await until('the stream', async () => stream) };
}

const message = JSON.stringify('x'.repeat(16 * 1024));

test('When a reader does not read, then its stream ends, and no more waits for it than may', async () => {
  const { socket, stream } = await reader();
  socket.pause();
  let most = 0;
  // The buffers of the sockets take some megabytes first.
  for (let sent = 0; sent < 5_000 && !stream.ended.aborted; sent += 1) {
    stream.send('news', message);
    most = Math.max(most, waiting());
    await new Promise(setImmediate);
  }
  expect(stream.ended.aborted).toBe(true);
  expect(most).toBeLessThan(256 * 1024 + 2 * message.length);
  socket.destroy();
});

test('When a reader reads, then it is sent all', async () => {
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
