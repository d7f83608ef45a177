/** A receiver of webhooks on this machine, which accepts every event. */
import { text } from 'node:stream/consumers';
import { until } from '../../test/support/waiting';
import { serve, type ServedApp } from '../stack/local-server';

export class Receiver {
  /** The received events. */
  count = 0;

  private constructor(private readonly served: ServedApp) {}

  /** Calls `onEvent` with the body of each event, and the milliseconds since 1970 at which it arrived. Close it after use. */
  static async listen(onEvent?: (body: string, arrivedAt: number) => void): Promise<Receiver> {
    const served = await serve((request, response) => {
      const arrivedAt = Date.now();
      void text(request).then((body) => {
        receiver.count += 1;
        onEvent?.(body, arrivedAt);
        response.writeHead(204).end();
      });
    });
    const receiver = new Receiver(served);
    return receiver;
  }

  get url(): string {
    return `${this.served.url}/`;
  }

  /** Returns once this many events have arrived since the start. */
  async reached(count: number): Promise<void> {
    await until(`${count} events`, async () => this.count >= count || undefined);
  }

  close(): void {
    void this.served.close();
  }
}
