/** Raw HTTP: sends bytes that no client library sends, and reads the exact response. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { holdRejection } from './documented-answers';

export interface RawAnswer {
  status: number;
  headers: Record<string, string>;
  /** The body as JSON; undefined if there is none. */
  body: unknown;
}

/** A connection to the server that keeps its responses. */
export class RawConnection {
  private readonly parts: Buffer[] = [];
  readonly closed: Promise<unknown>;

  private constructor(private readonly socket: Socket) {
    socket.on('data', (part: Buffer) => this.parts.push(part));
    // A reset during a send does not invalidate earlier answers.
    socket.on('error', () => undefined);
    this.closed = new Promise((resolve) => socket.once('close', resolve));
  }

  static async open(url: string, localAddress?: string): Promise<RawConnection> {
    const { hostname, port } = new URL(url);
    const socket = connect({ host: hostname, port: Number(port), ...(localAddress && { localAddress }) });
    const connection = new RawConnection(socket);
    await once(socket, 'connect');
    return connection;
  }

  /** Sends these bytes unchanged (latin1). */
  send(text: string): void {
    this.socket.write(text, 'latin1');
  }

  /** Closes the sending side. Answers are still read. */
  finish(): void {
    this.socket.end();
  }

  cut(): void {
    this.socket.destroy();
  }

  /** Every response so far, in order. Throws if the data is not a sequence of complete responses. */
  answers(): RawAnswer[] {
    const answers: RawAnswer[] = [];
    for (let rest = Buffer.concat(this.parts).toString('latin1'); rest !== '';) {
      const end = rest.indexOf('\r\n\r\n');
      const [statusLine = '', ...lines] = rest.slice(0, end).split('\r\n');
      const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1]);
      if (end < 0 || Number.isNaN(status)) throw new Error(`Not an answer: ${rest.slice(0, 200)}`);
      const headers = Object.fromEntries(lines.map(header));
      const length = Number(headers['content-length'] ?? 0);
      const body = rest.slice(end + 4, end + 4 + length);
      if (body.length < length) throw new Error(`Half an answer: ${rest.slice(0, 200)}`);
      if (status >= 400) holdRejection(status, body);
      answers.push({ status, headers, body: body === '' ? undefined : JSON.parse(body) });
      rest = rest.slice(end + 4 + length);
    }
    return answers;
  }
}

function header(line: string): [string, string] {
  const colon = line.indexOf(':');
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
}
