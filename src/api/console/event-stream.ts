/** Server-sent events to one reader (WHATWG HTML, section 9.2). */
import type { ServerResponse } from 'node:http';

/** Keeps the proxies between from taking the connection for dead. */
const HEARTBEAT_MS = 15_000;
/** What may wait for a reader that does not read; the page asks again and is told how all stands then. */
const MOST_WAITING_BYTES = 256 * 1024;

export class EventStream {
  /** Aborted once nothing can be sent any more, whoever ended it. */
  readonly ended: AbortSignal;

  constructor(private readonly response: ServerResponse) {
    const ended = new AbortController();
    this.ended = ended.signal;
    response.writeHead(200, {
      'Content-Type': 'text/event-stream; charset=utf-8',
      // A connection that held a stream is of no use to the next request: a process that stops need not wait for it.
      Connection: 'close',
      // Proxies of the nginx kind collect answers otherwise.
      'X-Accel-Buffering': 'no',
    });
    response.write(': open\n\n');
    const heartbeat = setInterval(() => this.write(':\n\n'), HEARTBEAT_MS);
    response.once('close', () => {
      clearInterval(heartbeat);
      ended.abort();
    });
  }

  /** Sends a message. The stream of a reader that has not read the last ones ends instead. */
  send(event: string, json: string): void {
    this.write(`event: ${event}\ndata: ${json}\n\n`);
  }

  /** Ends it; the page may ask again. */
  end(): void {
    this.response.end();
  }

  private write(text: string): void {
    if (this.response.writableEnded || this.response.destroyed) return;
    if (this.response.writableLength > MOST_WAITING_BYTES) this.response.destroy();
    else this.response.write(text);
  }
}
