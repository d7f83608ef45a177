/**
 * The requests of an expensive client in a separate process, so that sending them does not slow down the client whose
 * requests are timed. Ends with the process that forked it.
 */
import { Agent, request as httpRequest, type RequestOptions } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Load } from '../plan/disturbance';

/** The parameters of a flood, as JSON in its first argument. */
export interface FloodOrder {
  load: Load;
  apiUrl: string;
  authorization: string;
  /** The path of the order whose reads are large. */
  path: string;
}

/** About a megabyte, the longest allowed body. */
const WIDE_KEYS = 90_000;
const WIDE_AT_ONCE = 16;
const READS_AT_ONCE = 8;
const SILENT_SOCKETS = 40;
const PIPELINED = 50;
/** The pause before a closed connection or request is replaced. */
const AGAIN_AFTER_MS = 50;

const agent = new Agent({ keepAlive: true });

function flood({ load, apiUrl, authorization, path }: FloodOrder): Promise<unknown> {
  switch (load) {
    case 'wide-bodies': {
      const body = wideBody();
      const headers = { authorization, 'content-type': 'application/json', 'content-length': body.length };
      return repeat(WIDE_AT_ONCE, `${apiUrl}/api/v1/products/1/charges`, { method: 'POST', headers }, body);
    }
    case 'large-reads':
      return repeat(READS_AT_ONCE, apiUrl + path, { headers: { authorization } });
    case 'unread-responses':
      return readNothing(apiUrl, `GET ${path} HTTP/1.1\r\nHost: api\r\nAuthorization: ${authorization}\r\n\r\n`);
  }
}

function wideBody(): Buffer {
  const keys = Array.from({ length: WIDE_KEYS }, (_, index) => [`k${index}`, 1]);
  return Buffer.from(JSON.stringify({ denomination: 10, quantity: 1, ...Object.fromEntries(keys) }));
}

/** Sends this many concurrent streams of requests, and reads each response to its end. */
async function repeat(atOnce: number, url: string, options: RequestOptions, body?: Buffer): Promise<void> {
  const oneByOne = async (): Promise<void> => {
    for (;;) if (!(await isAnswered200(url, options, body))) await sleep(AGAIN_AFTER_MS);
  };
  await Promise.all(Array.from({ length: atOnce }, oneByOne));
}

function isAnswered200(url: string, options: RequestOptions, body?: Buffer): Promise<boolean> {
  return new Promise((resolve) => {
    const request = httpRequest(url, { ...options, agent }, (response) => {
      response.resume().once('close', () => resolve(response.statusCode === 200));
    });
    request.once('error', () => resolve(false)).end(body);
  });
}

/** Pipelines requests on many connections, and reads no response. */
async function readNothing(apiUrl: string, request: string): Promise<void> {
  const { hostname, port } = new URL(apiUrl);
  const open = (): Socket => {
    const socket = connect(Number(port), hostname).on('error', () => undefined);
    socket.pause().write(request.repeat(PIPELINED));
    return socket;
  };
  const sockets = Array.from({ length: SILENT_SOCKETS }, open);
  for (;;) {
    await sleep(AGAIN_AFTER_MS);
    sockets.forEach((socket, index) => {
      if (socket.destroyed) sockets[index] = open();
    });
  }
}

process.once('disconnect', () => process.exit());
void flood(JSON.parse(process.argv[2] ?? '') as FloodOrder);
