/**
 * A proxy in front of the API that responds as a later release might: every object of the API has a new key, and every field that can
 * grow has an unknown value. docs/clients/versioning.md.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface LaterService {
  url: string;
  close: () => void;
}

export async function laterService(api: string): Promise<LaterService> {
  const server = createServer((request, response) => {
    forward(api, request, response).catch((error: unknown) => {
      response.writeHead(502).end(String(error));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() };
}

async function forward(api: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { authorization } = request.headers;
  const answer = await fetch(api + (request.url ?? ''), {
    method: request.method ?? 'GET',
    headers: { 'content-type': 'application/json', ...(authorization && { authorization }) },
    ...(request.method !== 'GET' && { body: await buffer(request) }),
  });
  const text = JSON.stringify(JSON.parse(await answer.text(), asLater));
  response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text);
}

/** A value that no release has. */
export const ADDED_LATER = 'ADDED_LATER';

const growing = ['family', 'order_family', 'topup_type', 'field_type', 'delivery_mode', 'delivery_time'];
const growingLists = ['families', 'scopes'];

/** `input_data` is no object of ours: its keys are the customer's. */
function asLater(key: string, value: unknown): unknown {
  if (key === 'input_data') return value;
  if (growing.includes(key)) return ADDED_LATER;
  if (Array.isArray(value)) return growingLists.includes(key) ? [...(value as unknown[]), ADDED_LATER] : value;
  return typeof value === 'object' && value !== null ? { ...value, added_later: { value: 1 } } : value;
}
