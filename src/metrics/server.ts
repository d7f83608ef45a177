/** The address where a process tells how it is: figures for Prometheus, probes for whoever keeps it running. */
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { Registry } from 'prom-client';

/** Where it listens, and the setting to change where that cannot be had. */
export interface FiguresAddress {
  host: string;
  port: number;
  setting: string;
}

/** What is answered at a path. */
export interface Told {
  status: number;
  contentType: string;
  body: string;
}

/** What is told at each path (`/metrics`), asked anew each time. */
export type Tellers = Readonly<Record<string, () => Promise<Told>>>;

/** Serves until it is closed. Throws a sentence that names the setting where the port cannot be had. */
export async function serveFigures(
  { host, port, setting }: FiguresAddress,
  tellers: Tellers,
): Promise<Server> {
  const server = createServer((request, response) => {
    const path = request.url?.split('?', 1)[0] ?? '';
    const tell = Object.hasOwn(tellers, path) ? tellers[path] : undefined;
    if (!tell || (request.method !== 'GET' && request.method !== 'HEAD'))
      return answer(response, plain(404, 'Not found'));
    tell().then(
      (told) => answer(response, told),
      () => answer(response, plain(500, 'Not to be told')),
    );
  });
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      reject(new Error(`${setting} ${port} on ${host} cannot be listened on: ${error.message}`));
    });
    server.listen(port, host, () => resolve(server));
  });
}

function answer(response: ServerResponse, { status, contentType, body }: Told): void {
  response.writeHead(status, { 'Content-Type': contentType, 'Cache-Control': 'no-store' }).end(body);
}

function plain(status: number, body: string): Told {
  return { status, contentType: 'text/plain; charset=utf-8', body };
}

/** An answer of JSON: 200 where all is well, else 503. */
export function verdict(isWell: boolean, body: object): Told {
  return { status: isWell ? 200 : 503, contentType: 'application/json', body: JSON.stringify(body) };
}

/** The figures of a registry, and behind them those that others tell in the same format. */
export async function figuresOf(registry: Registry, others = ''): Promise<Told> {
  const own = await registry.metrics();
  return { status: 200, contentType: registry.contentType, body: `${own}${others}` };
}
