/**
 * The HTTP server of every door: the API, the operators' process, and the ports of metrics. It limits connections, headers and slow
 * requests, and responds in the error envelope even to malformed requests, which the application never sees. No other file makes a
 * server. docs/decisions/0081-check-every-door-alike.md.
 */
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
import { networkOf } from '../domain/clients/networks';
import { errors, type ApiError } from '../domain/errors';
import { rejectLate } from './slow-bodies';
import { dropStalled, type StallLimits } from './stalled-connections';

/** Time limits for the arrival of a request's head and of the whole request. The response has none. */
const ARRIVAL = { headMs: 15_000, requestMs: 30_000, checkEveryMs: 2_000 };

/** Above the idle timeouts of common proxies (60 s), so that the proxy closes the connection first. */
const KEEP_ALIVE_MS = 75_000;

/** How long a rejected connection stays open for its client to read the response. */
const LINGER_MS = 1_000;

/** The maximum number of unanswered requests of one connection. A connection with more is closed. */
const MAX_PIPELINED = 100;

export interface ConnectionLimits {
  /** Open connections. One IPv4 address or IPv6 network (/64) gets at most half of them, except proxies. */
  maxConnections: number;
  /** Whether the address belongs to a proxy, which many clients share. */
  isProxy: (address: string) => boolean;
  arrival?: typeof ARRIVAL;
  /** The time limit for a request that `allowSlowBody` names. Default: no request may be slow. */
  slowRequestMs?: number;
  stall?: StallLimits;
}

/** Handles requests. Calls `next` with its own failure, or without an error for a request that it cannot read. */
export type Application = (request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void) => void;

type Headers = Readonly<Record<string, string>>;

export type Messages = Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'>;

const arrivals = new WeakMap<IncomingMessage, number>();

/** Milliseconds since the request arrived. It began later if it was pipelined. */
export function ageOf(request: IncomingMessage): number {
  const now = performance.now();
  return now - (arrivals.get(request) ?? now);
}

/**
 * Returns a server for the application, which does not listen yet, and its in-flight responses. `headers`: for responses that
 * the application does not write. docs/specification.md#errors.
 */
export function httpServer(
  application: Application,
  limits: ConnectionLimits,
  headers: Headers,
  messages: Messages = {},
): { server: Server; inFlight: InFlightResponses } {
  const { headMs, requestMs, checkEveryMs } = limits.arrival ?? ARRIVAL;
  const server = createServer(
    {
      // The application rejects a request without Host in the error envelope. Node would send an empty body.
      requireHostHeader: false,
      headersTimeout: headMs,
      requestTimeout: limits.slowRequestMs ?? requestMs,
      connectionsCheckingInterval: checkEveryMs,
      keepAliveTimeout: KEEP_ALIVE_MS,
      ...messages,
    },
    (request, response) => {
      const { socket } = request;
      arrivals.set(request, performance.now());
      // The last one belongs to this request.
      const responses = inFlight.ofConnection(socket);
      // Express calls `next` without an error for a request target that Node accepts and Express cannot parse.
      const begin = () =>
        application(request, response, (error) =>
          respond(response, error === undefined ? errors.malformedRequest() : errors.internal(), headers),
        );
      if (responses.length > MAX_PIPELINED) socket.destroy();
      else afterResponse(responses.at(-2), socket, begin);
    },
  );
  server.maxConnections = limits.maxConnections;
  shareConnections(server, limits);
  const inFlight = new InFlightResponses(server);
  if (limits.slowRequestMs !== undefined) rejectLate(server, inFlight, { requestMs, checkEveryMs }, ageOf);
  dropStalled(server, (socket) => inFlight.ofConnection(socket).length > 1, limits.stall);
  rejectMalformed(server, inFlight, headers);
  // Unknown expectations are ignored (RFC 9110, section 10.1.1).
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  return { server, inFlight };
}

/** Ends connections whose requests Node cannot parse, with an error if one can still be written. */
function rejectMalformed(server: Server, inFlight: InFlightResponses, headers: Headers): void {
  const ending = new WeakSet<Duplex>();
  const end = (socket: Duplex, error: ApiError) => {
    // Everything after the first malformed request is malformed, too.
    if (ending.has(socket)) return;
    ending.add(socket);
    const responses = inFlight.ofConnection(socket);
    if (canWriteError(responses)) rejectAndClose(socket, error, headers);
    else closeAfter(responses, socket);
  };
  server.on('clientError', (error: ParserError, socket) => {
    if (hasSentNothing(socket)) socket.destroy();
    else end(socket, errorFor(error));
  });
  server.on('connect', (_request, socket) => end(socket, errors.unknownMethod()));
}

/** Clients open connections in advance. They would take a 408 on an unused one for the response to their first request. */
function hasSentNothing(socket: Duplex): boolean {
  return socket instanceof Socket && socket.bytesRead === 0;
}

/**
 * Begins a request when the previous response of the connection is sent, so a connection has one request in progress and
 * one response in memory. Node would begin all pipelined requests at once.
 */
function afterResponse(previous: ServerResponse | undefined, socket: Socket, begin: () => void): void {
  if (!previous) return begin();
  previous.once('close', () => {
    if (socket.writable) begin();
  });
}

/** Destroys a new connection, before anything is read, if its network already has half of the allowed connections. */
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
  /** The bytes that could not be parsed. */
  rawPacket?: Buffer;
}

/** A whole request line, whatever its method. */
const requestLine = /^[\w!#$%&'*+.^`|~-]+ \S+ HTTP\/1\.[01]\r?\n/;

function errorFor({ code, rawPacket }: ParserError): ApiError {
  switch (code ?? '') {
    case 'HPE_INVALID_METHOD':
      return requestLine.test(rawPacket?.toString('latin1') ?? '') ? errors.unknownMethod() : errors.malformedRequest();
    case 'HPE_HEADER_OVERFLOW':
      return errors.headersTooLarge();
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return errors.requestTimeout();
    default:
      return errors.malformedRequest();
  }
}

/** Whether an error can be written: neither into another response, nor as if it were the response to an earlier request. */
function canWriteError([response, ...others]: readonly ServerResponse[]): boolean {
  if (!response) return true;
  return others.length === 0 && !response.req.complete && !response.headersSent;
}

/** Closes the connection after the responses to all complete requests. */
function closeAfter(inFlight: readonly ServerResponse[], socket: Duplex): void {
  const complete = new Set(inFlight.filter(({ req }) => req.complete));
  if (complete.size === 0) socket.destroy();
  for (const response of complete) {
    response.once('close', () => {
      complete.delete(response);
      if (complete.size === 0) closeGently(socket);
    });
  }
}

/** Responds instead of the application. */
function respond(response: ServerResponse, error: ApiError, headers: Headers): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const body = JSON.stringify(error.envelope());
  response.writeHead(error.status, { ...headers, ...headersOf(error, body) }).end(body);
}

/** Rejects malformed bytes and closes the connection: the start of the next request is unknown. */
function rejectAndClose(socket: Duplex, error: ApiError, headers: Headers): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const body = JSON.stringify(error.envelope());
  const lines = Object.entries({ ...headers, ...headersOf(error, body) }).map(([name, value]) => `${name}: ${value}`);
  const head = [`HTTP/1.1 ${error.status} ${STATUS_CODES[error.status] ?? ''}`, ...lines];
  closeGently(socket, `${head.join('\r\n')}\r\n\r\n${body}`);
}

/** Closes the connection after the client has had time to read: a close while bytes arrive would lose the response. */
function closeGently(socket: Duplex, lastBytes = ''): void {
  socket.end(lastBytes);
  const linger = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(linger));
}

function headersOf(error: ApiError, body: string): Headers {
  return {
    Link: error.helpLink,
    'X-Request-Id': randomUUID(),
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    Connection: 'close',
  };
}

/** The responses that are not sent yet, by connection. A connection has several if its client pipelines. */
export class InFlightResponses {
  private readonly byConnection = new Map<Duplex, ServerResponse[]>();

  constructor(server: Server) {
    server.on('connection', (socket) => {
      const responses: ServerResponse[] = [];
      this.byConnection.set(socket, responses);
      socket.once('close', () => this.byConnection.delete(socket));
    });
    server.prependListener('request', ({ socket }, response) => {
      const responses = this.ofConnection(socket);
      responses.push(response);
      response.on('close', () => responses.splice(responses.indexOf(response), 1));
    });
  }

  /** In the order of the requests. */
  ofConnection(connection: Duplex): ServerResponse[] {
    return this.byConnection.get(connection) ?? [];
  }

  all(): ServerResponse[] {
    return [...this.byConnection.values()].flat();
  }

  /** Closes each connection: when its begun response is sent, else at once. */
  closeConnections(): void {
    for (const [connection, responses] of this.byConnection) {
      const begun = responses.find(({ headersSent }) => headersSent);
      if (begun) begun.once('close', () => begun.req.socket.destroySoon());
      else connection.destroy();
    }
  }
}
