/** A receiver of webhooks on this machine, which accepts every event. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { until } from '../../test/support/waiting';

export class Receiver {
  /** The received events. */
  count = 0;

  private constructor(private readonly server: Server) {}

  /** Calls `onEvent` with the body of each event, and the milliseconds since 1970 at which it arrived. Close it after use. */
  static async listen(onEvent?: (body: string, arrivedAt: number) => void): Promise<Receiver> {
    const server = createServer();
    const receiver = new Receiver(server);
    server.on('request', (request, response) => {
      const arrivedAt = Date.now();
      void text(request).then((body) => {
        receiver.count += 1;
        onEvent?.(body, arrivedAt);
        response.writeHead(204).end();
      });
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/`;
  }

  /** Returns once this many events have arrived since the start. */
  async reached(count: number): Promise<void> {
    await until(`${count} events`, async () => this.count >= count || undefined);
  }

  close(): void {
    this.server.close().closeAllConnections();
  }
}
