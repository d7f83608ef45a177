/** A proxy between an API client and the service that loses, cuts, delays and forges calls and answers. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { serve, type ServedApp } from '../../dev/stack/local-server';

export interface PassedRequest {
  method: string;
  /** With its query. */
  path: string;
  headers: Record<string, string>;
  body: string;
}

/** A response that the proxy makes up. */
export interface Forged {
  status: number;
  headers?: Record<string, string>;
  body?: string;
}

/**
 * A fault of a request. The request never arrives, or arrives after its sender's time limit. The response is lost, or cut
 * in the middle. The proxy answers instead of the service, before or after it passes the request on, or changes the body of the
 * answer.
 */
export type Fault =
  | { do: 'lose-request' | 'lose-answer' | 'cut-answer' }
  | { do: 'late-request' | 'hold-answer'; ms: number }
  | { do: 'answer-instead' | 'answer-over'; answer: Forged }
  | { do: 'change-answer'; change: (body: string) => string };

export class HostileProxy {
  /** Every request, in order of arrival. */
  readonly requests: PassedRequest[] = [];
  /** Chooses the fault of a request. Undefined lets the request pass. */
  meddle: (request: PassedRequest) => Fault | undefined = () => undefined;

  private constructor(
    private readonly target: () => string,
    private readonly served: ServedApp,
  ) {}

  /** A proxy on a free port of this machine. `target` returns the service's current address. Close it after use. */
  static async before(target: () => string): Promise<HostileProxy> {
    const served = await serve((request, response) => void proxy.serve(request, response));
    const proxy = new HostileProxy(target, served);
    return proxy;
  }

  get url(): string {
    return this.served.url;
  }

  close(): void {
    void this.served.close();
  }

  private async serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on('error', () => undefined);
    try {
      const request = await read(incoming);
      this.requests.push(request);
      await this.treat(request, response);
    } catch {
      response.destroy();
    }
  }

  private async treat(request: PassedRequest, response: ServerResponse): Promise<void> {
    const fault = this.meddle(request);
    switch (fault?.do) {
      case undefined:
        return reply(response, await this.forward(request));
      case 'lose-request':
        return void response.destroy();
      case 'late-request':
        response.destroy();
        await sleep(fault.ms);
        await this.forward(request);
        return;
      case 'lose-answer':
        await this.forward(request);
        return void response.destroy();
      case 'cut-answer': {
        const { status, headers, body } = await this.forward(request);
        response.writeHead(status, { ...headers, 'content-length': String(Buffer.byteLength(body)) });
        response.write(body.slice(0, Math.floor(body.length / 2)), () => response.destroy());
        return;
      }
      case 'hold-answer': {
        const answer = await this.forward(request);
        await sleep(fault.ms);
        return reply(response, answer);
      }
      case 'answer-instead':
        return reply(response, fault.answer);
      case 'answer-over':
        await this.forward(request);
        return reply(response, fault.answer);
      case 'change-answer': {
        const { body, ...answer } = await this.forward(request);
        return reply(response, { ...answer, body: fault.change(body) });
      }
    }
  }

  private async forward({ method, path, headers, body }: PassedRequest): Promise<Required<Forged>> {
    const response = await fetch(this.target() + path, {
      method,
      headers,
      redirect: 'manual',
      ...(body !== '' && { body }),
    });
    const kept = ['content-type', 'retry-after', 'location', 'date', 'x-request-id'];
    const shown = [...response.headers].filter(([name]) => kept.includes(name) || /^x-|^idempotent/.test(name));
    return { status: response.status, headers: Object.fromEntries(shown), body: await response.text() };
  }
}

function reply(response: ServerResponse, { status, headers = {}, body = '' }: Forged): void {
  response.writeHead(status, headers).end(body);
}

async function read(incoming: IncomingMessage): Promise<PassedRequest> {
  const chunks = (await incoming.toArray()) as Buffer[];
  const names = ['authorization', 'content-type', 'idempotency-key', 'accept', 'airalo-signature'];
  const headers = Object.entries(incoming.headers).filter(([name]) => names.includes(name));
  return {
    method: incoming.method ?? 'GET',
    path: incoming.url ?? '/',
    headers: Object.fromEntries(headers.map(([name, value]) => [name, String(value)])),
    body: Buffer.concat(chunks).toString(),
  };
}
