/** The HTTP server for Prometheus and for the probes of an orchestrator. */
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { Registry } from 'prom-client';

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

/** Starts the server. Throws an error that names the setting if it cannot listen. */
export async function serveMetrics(
  { host, port, setting }: ListenAddress,
  endpoints: Endpoints,
): Promise<Server> {
  const server = createServer((request, response) => {
    const path = request.url?.split('?', 1)[0] ?? '';
    const endpoint = Object.hasOwn(endpoints, path) ? endpoints[path] : undefined;
    if (!endpoint || (request.method !== 'GET' && request.method !== 'HEAD'))
      return send(response, plainText(404, 'Not found'));
    endpoint().then(
      (result) => send(response, result),
      () => send(response, plainText(500, 'Internal error')),
    );
  });
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      reject(new Error(`Cannot listen on port ${port} of ${host} (${setting}): ${error.message}`));
    });
    server.listen(port, host, () => resolve(server));
  });
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
