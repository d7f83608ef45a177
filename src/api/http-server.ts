/** The HTTP server: what never becomes a request that the application sees is answered in its envelope too. */
import { randomUUID } from 'node:crypto';
import {
  createServer,
  STATUS_CODES,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type ApiError, errors } from '../domain/errors';
import { networkOf } from '../domain/clients/networks';
import { UnfinishedAnswers } from './unfinished-answers';

/** How long the head of a request may take to arrive, and the whole request. What its answer takes is not counted. */
const ARRIVAL = { headMs: 15_000, requestMs: 30_000, checkEveryMs: 2_000 };

/** Above the idle time-outs of common proxies (60 s), so that they and not we close the connection. */
const KEEP_ALIVE_MS = 75_000;

/** How long a connection that was refused is kept for its last answer to be read. */
const LINGER_MS = 1_000;

/** How long a connection may take nothing of what waits to be sent to it, and how often that is looked at. */
const TAKING = { stalledMs: 30_000, checkEveryMs: 1_000 };

/** Requests of one connection that may wait for their answers. Who sends more without reading is hung up on. */
const MAX_PIPELINED = 100;

export interface ConnectionLimits {
  /** Open connections. One IPv4 address or IPv6 network (/64) has at most half of them, but for proxies. */
  maxConnections: number;
  /** Whether the address is that of a proxy, which speaks for many. */
  isProxy: (address: string) => boolean;
  arrival?: typeof ARRIVAL;
  taking?: typeof TAKING;
}

/** Answers requests; `next` is called with those that it can do nothing with, and with what it failed at. */
export type Application = (
  request: IncomingMessage,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void;

type Headers = Readonly<Record<string, string>>;

/** What requests and responses are made of. */
export type Messages = Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'>;

/**
 * A server for the application that is not listening yet, and what it has not answered. docs/specification.md#errors.
 * `headers`: what every response carries, here for those that the application does not write.
 */
export function httpServer(
  application: Application,
  limits: ConnectionLimits,
  headers: Headers,
  messages: Messages = {},
): { server: Server; unfinished: UnfinishedAnswers } {
  const { headMs, requestMs, checkEveryMs } = limits.arrival ?? ARRIVAL;
  const server = createServer(
    {
      // Node would refuse a request without Host by itself, with an empty body: the application does it.
      requireHostHeader: false,
      headersTimeout: headMs,
      requestTimeout: requestMs,
      connectionsCheckingInterval: checkEveryMs,
      keepAliveTimeout: KEEP_ALIVE_MS,
      ...messages,
    },
    (request, response) => {
      const { socket } = request;
      const open = unfinished.on(socket);
      // Express cannot read every target that the parser lets through.
      const begin = () =>
        application(request, response, (error) =>
          answer(response, error === undefined ? errors.malformedRequest() : errors.internal(), headers),
        );
      if (open.length > MAX_PIPELINED) socket.destroy();
      else afterAnswer(open.at(-2), socket, begin);
    },
  );
  server.maxConnections = limits.maxConnections;
  shareConnections(server, limits);
  dropStalled(server, limits.taking ?? TAKING);
  const unfinished = new UnfinishedAnswers(server);
  const ending = new WeakSet<Duplex>();
  const end = (socket: Duplex, error: ApiError) => {
    // What is still sent on such a connection is broken again.
    if (ending.has(socket)) return;
    ending.add(socket);
    const answers = unfinished.on(socket);
    if (isRefusable(answers)) refuse(socket, error, headers);
    else endAfter(answers, socket);
  };
  server.on('clientError', (error: ParserError, socket) => {
    if (hasSentNothing(socket)) socket.destroy();
    else end(socket, errorFor(error));
  });
  server.on('connect', (_request, socket) => end(socket, errors.unknownMethod()));
  // An expectation we do not know is one we need not meet (RFC 9110, section 10.1.1).
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  return { server, unfinished };
}

/** Clients open connections ahead of their requests: a 408 on one would be taken for the response to the next request. */
function hasSentNothing(socket: Duplex): boolean {
  return socket instanceof Socket && socket.bytesRead === 0;
}

/**
 * Begins with a request once the answer before it on its connection is sent: a connection has one request under way at a
 * time, and one answer in memory. Node would begin with all that came at once.
 */
function afterAnswer(before: ServerResponse | undefined, socket: Socket, begin: () => void): void {
  if (!before) return begin();
  before.once('close', () => {
    if (socket.writable) begin();
  });
}

/** What Node counts of a connection: bytes handed to the system, and those of them that it has not taken. */
interface SocketHandle {
  bytesWritten: number;
  writeQueueSize: number;
}

/**
 * Drops each connection that has bytes waiting and took none of them for so long: they would hold memory for ever. Bytes
 * that the system holds for a slow reader do not count, nor does a connection whose answer is not there yet.
 */
function dropStalled(server: Server, { stalledMs, checkEveryMs }: typeof TAKING): void {
  const waiting = new Map<Socket, { taken: number; since: number }>();
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => {
      sockets.delete(socket);
      waiting.delete(socket);
    });
  });
  const check = () => {
    const now = performance.now();
    for (const socket of sockets) {
      const taken = takenBy(socket);
      const before = waiting.get(socket);
      if (socket.writableLength === 0) waiting.delete(socket);
      else if (before?.taken !== taken) waiting.set(socket, { taken, since: now });
      else if (now - before.since >= stalledMs) socket.destroy();
    }
  };
  const checks = setInterval(check, checkEveryMs).unref();
  server.once('close', () => clearInterval(checks));
}

/** Bytes that the system has taken for the connection. A write that is taken in parts tells so in Node's handle alone. */
function takenBy(socket: Socket): number {
  const { _handle: handle } = socket as Socket & { _handle?: SocketHandle | null };
  return handle ? handle.bytesWritten - handle.writeQueueSize : socket.bytesWritten;
}

/** Hangs up on a network that holds its share already, before anything is read from it. */
function shareConnections(server: Server, { maxConnections, isProxy }: ConnectionLimits): void {
  const openFrom = new Map<string, number>();
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress;
    if (address === undefined || isProxy(address)) return;
    const network = networkOf(address);
    const open = (openFrom.get(network) ?? 0) + 1;
    openFrom.set(network, open);
    socket.once('close', () => {
      const left = (openFrom.get(network) ?? 1) - 1;
      if (left === 0) openFrom.delete(network);
      else openFrom.set(network, left);
    });
    if (open > Math.ceil(maxConnections / 2)) socket.destroy();
  });
}

interface ParserError extends NodeJS.ErrnoException {
  /** What could not be parsed. */
  rawPacket?: Buffer;
}

/** A whole request line, whatever its method. */
const requestLine = /^[\w!#$%&'*+.^`|~-]+ \S+ HTTP\/1\.[01]\r?\n/;

function errorFor({ code, rawPacket }: ParserError): ApiError {
  switch (code ?? '') {
    case 'HPE_INVALID_METHOD':
      return requestLine.test(rawPacket?.toString('latin1') ?? '')
        ? errors.unknownMethod()
        : errors.malformedRequest();
    case 'HPE_HEADER_OVERFLOW':
      return errors.headersTooLarge();
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return errors.requestTimeout();
    default:
      return errors.malformedRequest();
  }
}

/** What is written now must not be read as the answer to an earlier request, nor follow the beginning of one. */
function isRefusable([answer, ...others]: readonly ServerResponse[]): boolean {
  if (!answer) return true;
  return others.length === 0 && !answer.req.complete && !answer.headersSent;
}

/** The connection ends with the answers to the requests that came whole. */
function endAfter(unfinished: readonly ServerResponse[], socket: Duplex): void {
  const answerable = new Set(unfinished.filter(({ req }) => req.complete));
  if (answerable.size === 0) socket.destroy();
  for (const answer of answerable) {
    answer.once('close', () => {
      answerable.delete(answer);
      if (answerable.size === 0) hangUp(socket);
    });
  }
}

/** Answers in place of the application. */
function answer(response: ServerResponse, error: ApiError, headers: Headers): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const body = JSON.stringify(error.envelope());
  response.writeHead(error.status, { ...headers, ...headersOf(body) }).end(body);
}

/** Answers where there is no request, and closes: where the next one begins can no longer be told. */
function refuse(socket: Duplex, error: ApiError, headers: Headers): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const body = JSON.stringify(error.envelope());
  const lines = Object.entries({ ...headers, ...headersOf(body) }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  const head = [`HTTP/1.1 ${error.status} ${STATUS_CODES[error.status] ?? ''}`, ...lines];
  hangUp(socket, `${head.join('\r\n')}\r\n\r\n${body}`);
}

/** Closes once the other side has had time to read: what it sends meanwhile would make it lose the answer. */
function hangUp(socket: Duplex, lastWords = ''): void {
  socket.end(lastWords);
  const cut = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(cut));
}

function headersOf(body: string): Headers {
  return {
    'X-Request-Id': randomUUID(),
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    Connection: 'close',
  };
}
