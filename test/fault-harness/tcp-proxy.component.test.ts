/** The proxy that cuts connections off: what it does to those there are, and to new ones. */
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

/** The end of a connection, however it comes. */
function closes(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.on('error', () => undefined).on('close', () => resolve()));
}

async function echoed(socket: Socket, text: string): Promise<string> {
  socket.write(text);
  const [chunk] = (await once(socket, 'data')) as [Buffer];
  return chunk.toString();
}

test('When nothing is disturbed, then what is sent arrives', async () => {
  expect(await echoed(await open(), 'hello')).toBe('hello');
});

test('When it refuses, then connections break and new ones too, until it is restored', async () => {
  const socket = await open();
  await echoed(socket, 'before');
  const closed = closes(socket);
  proxy.refuse();
  await closed;
  await closes(connect({ port: proxy.port, host: '127.0.0.1' }));
  proxy.restore();
  expect(await echoed(await open(), 'after')).toBe('after');
});

test('When it is silent, then what is sent arrives only once it is restored', async () => {
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

test('When it is slow, then everything arrives later and in its order, also what was on its way', async () => {
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
