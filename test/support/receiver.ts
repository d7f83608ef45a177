/** A client's webhook receiver on this machine. It verifies deliveries with the official library. */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { serve, type ServedApp } from '../../dev/stack/local-server';
import type { Envelope } from '../../src/notifications/webhooks/envelope';
import type { ApiClient, Json, Resource } from './stack';
import { until } from '../../dev/testbed/waiting';

export interface Received extends Envelope {
  /** Milliseconds since 1970. */
  at: number;
  headers: IncomingHttpHeaders;
  body: string;
}

/** A status, with an optional `Retry-After` in seconds. `null` leaves the request unanswered. */
export type ReceiverAnswer = number | { status: number; retryAfter: number } | null;

export class Receiver {
  /** The accepted events (2xx), in order of arrival. */
  readonly taken: Received[] = [];
  /** The errors of deliveries that did not verify. */
  readonly faults: string[] = [];
  /** The endpoint's secret; set it before the first event. */
  secret = '';
  /** Every event, accepted or not, in order of arrival. */
  readonly seen: string[] = [];
  /** The response to an event, immediately or later. */
  answer: (event: Received) => ReceiverAnswer | Promise<ReceiverAnswer> = () => 204;
  private greet: (() => void) | undefined;

  private constructor(private readonly served: ServedApp) {}

  /** A receiver that listens on loopback. Close it after use. */
  static async listen(): Promise<Receiver> {
    const served = await serve((request, response) => void receiver.reply(request, response));
    const receiver = new Receiver(served);
    return receiver;
  }

  get url(): string {
    return `${this.served.url}/hook?key=value`;
  }

  /** The types of the accepted events, in order of arrival. */
  get types(): string[] {
    return this.taken.map((event) => event.type);
  }

  /** Waits until this many events were accepted. */
  async untilTaken(count: number, seconds = 30): Promise<Received[]> {
    return until(`${count} events`, async () => (this.taken.length >= count ? this.taken : undefined), seconds);
  }

  /**
   * Waits for the verification test of the next registered endpoint. The receiver accepts the next request and does not
   * record it. The request may arrive before the response with the endpoint's secret.
   */
  greeting(): Promise<void> {
    return new Promise((resolve) => (this.greet = resolve));
  }

  close(): void {
    void this.served.close();
  }

  private async reply(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // The service may abort a delivery.
    const body = await text(request).catch(() => undefined);
    if (body === undefined) return;
    const answer = await this.receive(request.headers, body);
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

/** Makes receivers in the tests of the file or `describe` that calls it, and closes them after these. */
export function useReceivers(): () => Promise<Receiver> {
  const receivers: Receiver[] = [];
  afterAll(() => receivers.forEach((receiver) => receiver.close()));
  return async () => {
    const receiver = await Receiver.listen();
    receivers.push(receiver);
    return receiver;
  };
}

/** An endpoint in the response to its registration. */
export type Registered = Resource & { secret: string };

/** Registers the receiver as an endpoint. Returns after its verification test, so that only events follow. */
export async function register(api: ApiClient, receiver: Receiver, settings: Json = {}): Promise<Registered> {
  const greeting = settings['enabled'] === false ? undefined : receiver.greeting();
  const { status, body } = await api.post<Registered>('/api/v1/webhooks/endpoints', { url: receiver.url, ...settings });
  if (status !== 201) throw new Error(`The endpoint was not registered: ${JSON.stringify(body)}`);
  receiver.secret = body.secret;
  await greeting;
  return body;
}
