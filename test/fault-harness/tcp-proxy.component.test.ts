/** The proxy that breaks connections: its effect on open and on new connections. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { TcpProxy } from '../../dev/faults/stack/tcp-proxy';

let echo: Server;
let proxy: TcpProxy;
const sockets: Socket[] = [];

beforeEach(async () => {
  echo = createServer((socket) => socket.on('error', () => undefined).pipe(socket));
  echo.listen(0, '127.0.0.1');
  await once(echo, 'listening');
  proxy = await TcpProxy.before((echo.address() as AddressInfo).port);
});
afterEach(() => {
  sockets.splice(0).forEach((socket) => socket.destroy());
  proxy.close();
  echo.close();
});

async function open(): Promise<Socket> {
  const socket = connect({ port: proxy.port, host: '127.0.0.1' });
  socket.on('error', () => undefined);
  sockets.push(socket);
  await once(socket, 'connect');
  return socket;
}

/** Resolves when a connection closes, with or without an error. */
function closes(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.on('error', () => undefined).on('close', () => resolve()));
}

async function echoed(socket: Socket, text: string): Promise<string> {
  socket.write(text);
  const [chunk] = (await once(socket, 'data')) as [Buffer];
  return chunk.toString();
}

test('When nothing is disturbed, then data arrives', async () => {
  expect(await echoed(await open(), 'hello')).toBe('hello');
});

test('When the proxy refuses connections, then open and new connections break until it is restored', async () => {
  const socket = await open();
  await echoed(socket, 'before');
  const closed = closes(socket);
  proxy.refuse();
  await closed;
  await closes(connect({ port: proxy.port, host: '127.0.0.1' }));
  proxy.restore();
  expect(await echoed(await open(), 'after')).toBe('after');
});

test('When the proxy is silent, then data arrives only after it is restored', async () => {
  const [old, young] = [await open(), await open()];
  await echoed(old, 'before');
  proxy.silence();
  let arrived = '';
  for (const socket of [old, young]) socket.on('data', (chunk: Buffer) => (arrived += chunk.toString()));
  old.write('x');
  young.write('x');
  (await open()).on('data', (chunk: Buffer) => (arrived += chunk.toString())).write('x');
  await sleep(200);
  expect(arrived).toBe('');
  proxy.restore();
  while (arrived.length < 3) await sleep(10);
  expect(arrived).toBe('xxx');
});

test('When the proxy is slow, then all data arrives later and in order, including data in flight', async () => {
  const socket = await open();
  await echoed(socket, 'before');
  proxy.slow(100);
  const began = performance.now();
  let arrived = '';
  socket.on('data', (chunk: Buffer) => (arrived += chunk.toString()));
  socket.write('1');
  await sleep(20);
  socket.write('2');
  await sleep(20);
  proxy.restore();
  socket.write('3');
  while (arrived.length < 3) await sleep(10);
  expect(arrived).toBe('123');
  expect(performance.now() - began).toBeGreaterThan(100);
});
