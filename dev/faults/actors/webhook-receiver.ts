/** A client's webhook receiver: verifies deliveries with the official library and stores them. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

/** An event as the API logs and sends it. */
export interface EventView {
  id: string;
  type: string;
  data: { id?: number; reference_number?: string };
}

export class WebhookReceiver {
  /** The ids of the accepted events, in the order of their first arrival. */
  readonly taken = new Set<string>();
  /** Deliveries that did not verify. */
  unverified = 0;
  /** Repeated deliveries. */
  repeated = 0;
  /** Set once the endpoint is registered. */
  secret = '';
  /** Answers with an error while this is set. */
  isOutOfOrder = false;

  private constructor(private readonly server: Server) {}

  /** A receiver on a free port of this machine. */
  static async listen(): Promise<WebhookReceiver> {
    const server = createServer();
    const receiver = new WebhookReceiver(server);
    server.on('request', (request, response) => {
      void request
        .toArray()
        .then((chunks) => receiver.take(request.headers, Buffer.concat(chunks as Buffer[]).toString()))
        .then((status) => response.writeHead(status).end())
        .catch(() => response.destroy());
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/`;
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  private take(headers: IncomingHttpHeaders, body: string): number {
    if (this.isOutOfOrder) return 500;
    try {
      new Webhook(this.secret).verify(body, headers as Record<string, string>);
    } catch {
      this.unverified++;
      return 401;
    }
    const { id } = JSON.parse(body) as EventView;
    if (this.taken.has(id)) this.repeated++;
    this.taken.add(id);
    return 204;
  }
}

/** The order of an event; undefined for an event without an order. */
export function orderOf({ data }: EventView): number | undefined {
  const named = /^order-(\d+)$/.exec(data.reference_number ?? '')?.[1];
  if (named !== undefined) return Number(named);
  return data.reference_number === undefined ? data.id : undefined;
}
