/** A receiver of webhooks for the demo: listens on this machine and verifies what arrives. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';

/** An event as it arrived. `verified`: its signature holds. */
export interface Arrival {
  type: string;
  verified: boolean;
  data: { id?: number; reference_number?: string };
}

export interface Receiver {
  url: string;
  /** The events of an order so far, once `atLeast` are there or the time (milliseconds) is over. */
  arrivals(orderId: number, atLeast: number, within: number): Promise<Arrival[]>;
  /** From now on signatures are checked with this secret. */
  trust(secret: string): void;
  close(): void;
}

/** Starts a receiver on a free port. */
export async function startReceiver(): Promise<Receiver> {
  const arrived: Arrival[] = [];
  let webhook: Webhook | undefined;

  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks = await request.toArray();
    const body = Buffer.concat(chunks as Buffer[]).toString();
    const event = JSON.parse(body) as Omit<Arrival, 'verified'>;
    arrived.push({ ...event, verified: holds(webhook, body, request) });
    response.writeHead(204).end();
  };
  const server = createServer((request, response) => void receive(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async arrivals(orderId, atLeast, within) {
      const ofOrder = () => arrived.filter(({ data }) => belongsTo(data, orderId));
      const deadline = Date.now() + within;
      while (ofOrder().length < atLeast && Date.now() < deadline) await sleep(100);
      return ofOrder();
    },
    trust(secret) {
      webhook = new Webhook(secret);
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function belongsTo(data: Arrival['data'], orderId: number): boolean {
  return data.reference_number === undefined
    ? data.id === orderId
    : data.reference_number === `order-${orderId}`;
}

function holds(webhook: Webhook | undefined, body: string, { headers }: IncomingMessage): boolean {
  try {
    webhook?.verify(body, headers as Record<string, string>);
    return webhook !== undefined;
  } catch {
    return false;
  }
}
