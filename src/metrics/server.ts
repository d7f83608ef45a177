/** The HTTP server for Prometheus and for the probes of an orchestrator. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Registry } from 'prom-client';
import { networkOf } from '../domain/clients/networks';
import { ApiError, errors } from '../domain/errors';
import { RunningCalls } from '../http/checks';
import { httpServer, type ConnectionLimits } from '../http/http-server';

/** The address of the server. `setting`: the environment variable that changes the port. */
export interface ListenAddress {
  host: string;
  port: number;
  setting: string;
}

export interface ProbeResponse {
  status: number;
  contentType: string;
  body: string;
}

/** The handler of each path, such as `/metrics`. */
export type Endpoints = Readonly<Record<string, () => Promise<ProbeResponse>>>;

/** Prometheus and an orchestrator need a few. */
const CONNECTIONS: ConnectionLimits = { maxConnections: 100, isProxy: () => false };
const RUNNING = { maxConcurrent: 8, maxPerOwner: 4, waitMs: 2_000 };

const headers = { 'Cache-Control': 'no-store' };

/** Starts the server. Throws an error that names the setting if it cannot listen. `limits`: other ones for tests. */
export async function serveMetrics(
  { host, port, setting }: ListenAddress,
  endpoints: Endpoints,
  limits: Partial<ConnectionLimits> = {},
): Promise<Server> {
  const running = new RunningCalls(RUNNING);
  const answer = async (request: IncomingMessage): Promise<ProbeResponse> => {
    if (hasBody(request)) throw errors.payloadTooLarge();
    const path = request.url?.split('?', 1)[0] ?? '';
    const endpoint = Object.hasOwn(endpoints, path) ? endpoints[path] : undefined;
    if (!endpoint || (request.method !== 'GET' && request.method !== 'HEAD')) return plainText(404, 'Not found');
    const turn = await running.begin(networkOf(request.socket.remoteAddress));
    return endpoint().finally(() => turn.release());
  };
  const serve = (request: IncomingMessage, response: ServerResponse): void =>
    void answer(request).then(
      (result) => send(response, result),
      (error: unknown) => sendError(response, error instanceof ApiError ? error : errors.internal()),
    );
  const { server } = httpServer(serve, { ...CONNECTIONS, ...limits }, headers);
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      reject(new Error(`Cannot listen on port ${port} of ${host} (${setting}): ${error.message}`));
    });
    server.listen(port, host, () => resolve(server));
  });
}

/** Nothing here reads a body. */
function hasBody({ headers: { 'content-length': length = '0', 'transfer-encoding': encoding } }: IncomingMessage) {
  return length !== '0' || encoding !== undefined;
}

/** Also closes the connection, whose rest could be a body of any length. */
function sendError(response: ServerResponse, { status, message, headers: own }: ApiError): void {
  response.setHeaders(new Map(Object.entries({ ...own, Connection: 'close' })));
  send(response, plainText(status, message));
}

function send(response: ServerResponse, { status, contentType, body }: ProbeResponse): void {
  response.writeHead(status, { 'Content-Type': contentType, 'Cache-Control': 'no-store' }).end(body);
}

function plainText(status: number, body: string): ProbeResponse {
  return { status, contentType: 'text/plain; charset=utf-8', body };
}

/** A JSON response: 200 if healthy, else 503. */
export function healthResponse(isHealthy: boolean, body: object): ProbeResponse {
  return { status: isHealthy ? 200 : 503, contentType: 'application/json', body: JSON.stringify(body) };
}

/** The metrics of a registry, followed by `others`, which have the same format. */
export async function metricsOf(registry: Registry, others = ''): Promise<ProbeResponse> {
  const own = await registry.metrics();
  return { status: 200, contentType: registry.contentType, body: `${own}${others}` };
}
