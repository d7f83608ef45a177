/** Server-sent events to one reader (WHATWG HTML, section 9.2). */
import type { ServerResponse } from 'node:http';

/** Keeps proxies from closing the connection as idle. */
const HEARTBEAT_MS = 15_000;
/** Bytes that may wait for a slow reader. Beyond it, the stream ends: the page reconnects and receives the current state. */
const MAX_WAITING_BYTES = 256 * 1024;

export class EventStream {
  /** Aborted when the stream has ended, on either side. */
  readonly ended: AbortSignal;

  constructor(private readonly response: ServerResponse) {
    const ended = new AbortController();
    this.ended = ended.signal;
    response.writeHead(200, {
      'Content-Type': 'text/event-stream; charset=utf-8',
      // The connection cannot serve another request, so a stopping process does not wait for it.
      Connection: 'close',
      // Proxies such as nginx buffer responses otherwise.
      'X-Accel-Buffering': 'no',
    });
    response.write(': open\n\n');
    const heartbeat = setInterval(() => this.write(':\n\n'), HEARTBEAT_MS);
    response.once('close', () => {
      clearInterval(heartbeat);
      ended.abort();
    });
  }

  /** Sends a message. If the reader is too slow, the stream ends instead. */
  send(event: string, json: string): void {
    this.write(`event: ${event}\ndata: ${json}\n\n`);
  }

  /** The page may reconnect. */
  end(): void {
    this.response.end();
  }

  private write(text: string): void {
    if (this.response.writableEnded || this.response.destroyed) return;
    if (this.response.writableLength > MAX_WAITING_BYTES) this.response.destroy();
    else this.response.write(text);
  }
}
