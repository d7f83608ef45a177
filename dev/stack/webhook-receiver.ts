/** A webhook receiver on a free port of this machine. It verifies deliveries with the official library. */
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { serve, type ServedApp } from './local-server';

/** An event as the API logs and sends it. */
export interface EventView {
  id: string;
  type: string;
  data: { id?: number; order_id?: number; reference_number?: string };
}

export abstract class WebhookReceiver {
  /** The secret of the endpoint. Set it once the endpoint is registered. */
  secret = '';
  private served: ServedApp | undefined;

  /** Takes a delivery. Returns the status of the response. */
  protected abstract take(body: string, isVerified: boolean): number;

  /** Starts to receive. Close it after use. */
  async listen(): Promise<this> {
    this.served = await serve((request, response) => {
      void this.receive(request)
        .then((status) => response.writeHead(status).end())
        .catch(() => response.destroy());
    });
    return this;
  }

  get url(): string {
    return `${this.served?.url}/`;
  }

  close(): void {
    void this.served?.close();
  }

  private async receive(request: IncomingMessage): Promise<number> {
    const body = await text(request);
    return this.take(body, this.isVerified(request, body));
  }

  private isVerified({ headers }: IncomingMessage, body: string): boolean {
    try {
      new Webhook(this.secret).verify(body, headers as Record<string, string>);
      return true;
    } catch {
      return false;
    }
  }
}

/** The order of an event; undefined for an event without an order. */
export function orderOf({ data }: EventView): number | undefined {
  const named = /^order-(\d+)$/.exec(data.reference_number ?? '')?.[1];
  if (named !== undefined) return Number(named);
  return data.reference_number === undefined ? (data.order_id ?? data.id) : undefined;
}
