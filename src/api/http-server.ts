/** The HTTP server: what never becomes a request that the application sees is answered in its envelope too. */
import { randomUUID } from 'node:crypto';
import {
  createServer,
  STATUS_CODES,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Duplex } from 'node:stream';
import { type ApiError, errors } from '../domain/errors';

/** How long a request may take to arrive. What its answer takes is not counted. */
const REQUEST_MS = 75_000;

/** Above the idle time-outs of common proxies (60 s), so that they and not we close the connection. */
const KEEP_ALIVE_MS = 75_000;

/** A server for the application that is not listening yet. docs/specification.md#errors. */
export function httpServer(application: RequestListener): Server {
  // Node would refuse a request without Host by itself, with an empty body: the application does it.
  const server = createServer({ requireHostHeader: false }, application);
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.requestTimeout = REQUEST_MS;
  const underWay = exchanges(server);
  server.on('clientError', (error: ParserError, socket) => {
    if (isRefusable(underWay.get(socket))) refuse(socket, errorFor(error));
    else socket.destroy();
  });
  server.on('connect', (_request, socket) => refuse(socket, errors.unknownMethod()));
  // An expectation we do not know is one we need not meet (RFC 9110, section 10.1.1).
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  return server;
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

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
}

/** What is being answered on each connection. */
function exchanges(server: Server): WeakMap<Duplex, Exchange> {
  const underWay = new WeakMap<Duplex, Exchange>();
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    underWay.set(socket, { request, response });
    response.once('close', () => underWay.delete(socket));
  });
  return underWay;
}

/** What is written now must not be read as the answer to an earlier request, nor follow the beginning of one. */
function isRefusable(exchange: Exchange | undefined): boolean {
  return !exchange || (!exchange.request.complete && !exchange.response.headersSent);
}

/** Answers in place of the application and closes: where the next request begins can no longer be told. */
function refuse(socket: Duplex, error: ApiError): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const body = JSON.stringify(error.envelope());
  const head = [
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status] ?? ''}`,
    `X-Request-Id: ${randomUUID()}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
