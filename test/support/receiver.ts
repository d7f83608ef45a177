/** A client's webhook receiver on this machine. It verifies what comes with the official library. */
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import type { Envelope } from '../../src/notifications/webhooks/envelope';
import type { ApiClient, Json, Resource } from './stack';
import { until } from './waiting';

export interface Received extends Envelope {
  /** Milliseconds since 1970. */
  at: number;
  headers: IncomingHttpHeaders;
  body: string;
}

/** A status, with `Retry-After` in seconds where one is given; `null` leaves the request without an answer. */
export type ReceiverAnswer = number | { status: number; retryAfter: number } | null;

export class Receiver {
  /** The events it took (2xx), in the order they came. */
  readonly taken: Received[] = [];
  /** What was wrong with deliveries that did not verify. */
  readonly faults: string[] = [];
  /** The endpoint's secret; set it before the first event. */
  secret = '';
  /** Every event that came, taken or not, in the order they came. */
  readonly seen: string[] = [];
  /** What it answers to an event, at once or later. */
  answer: (event: Received) => ReceiverAnswer | Promise<ReceiverAnswer> = () => 204;
  private readonly server: Server;
  private greet: (() => void) | undefined;

  private constructor() {
    this.server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => void this.reply(request, response, Buffer.concat(chunks).toString()));
    });
  }

  /** A receiver that listens on loopback. Close it in the end. */
  static async listen(): Promise<Receiver> {
    const receiver = new Receiver();
    await new Promise<void>((resolve) => receiver.server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/hook?key=value`;
  }

  /** The types of the events taken, in the order they came. */
  get types(): string[] {
    return this.taken.map((event) => event.type);
  }

  /** Waits until so many events were taken. */
  async untilTaken(count: number, seconds = 30): Promise<Received[]> {
    return until(
      `${count} events`,
      async () => (this.taken.length >= count ? this.taken : undefined),
      seconds,
    );
  }

  /**
   * Waits for the greeting of an endpoint that is about to be registered: the next thing to come, which is taken
   * and not kept. It may come before the answer that tells the secret.
   */
  greeting(): Promise<void> {
    return new Promise((resolve) => (this.greet = resolve));
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  private async reply({ headers }: IncomingMessage, response: ServerResponse, body: string): Promise<void> {
    const answer = await this.receive(headers, body);
    if (answer === null) return;
    const { status, retryAfter } = typeof answer === 'number' ? { status: answer, retryAfter: 0 } : answer;
    if (retryAfter > 0) response.setHeader('retry-after', retryAfter);
    response.writeHead(status).end('not for your eyes');
  }

  private async receive(headers: IncomingHttpHeaders, body: string): Promise<ReceiverAnswer> {
    if (this.greet) {
      this.greet();
      this.greet = undefined;
      return 204;
    }
    try {
      new Webhook(this.secret).verify(body, headers as Record<string, string>);
    } catch (error) {
      this.faults.push(String(error));
      return 401;
    }
    const received = { ...(JSON.parse(body) as Envelope), at: Date.now(), headers, body };
    this.seen.push(received.id);
    const answer = await this.answer(received);
    const status = typeof answer === 'number' ? answer : answer?.status;
    if (status !== undefined && status < 300) this.taken.push(received);
    return answer;
  }
}

/** An endpoint as the answer to its registration shows it. */
export type Registered = Resource & { secret: string };

/** Registers the receiver as an endpoint. Returns once it was greeted: what it takes from then on is meant for it. */
export async function register(api: ApiClient, receiver: Receiver, settings: Json = {}): Promise<Registered> {
  const greeting = settings['enabled'] === false ? undefined : receiver.greeting();
  const { status, body } = await api.post<Registered>('/api/v1/webhooks/endpoints', {
    url: receiver.url,
    ...settings,
  });
  if (status !== 201) throw new Error(`The endpoint was not registered: ${JSON.stringify(body)}`);
  receiver.secret = body.secret;
  await greeting;
  return body;
}
