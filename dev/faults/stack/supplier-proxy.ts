/**
 * A proxy between the service and the supplier that loses, delays, repeats, cuts and forges. It knows the
 * purchases that went through it, so that its lies about them end when the plan says.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import type { NetworkFault, SupplierCall } from '../plan/disturbances';
import { Random } from '../random';
import { forged, tampered, type Answer, type EarlierAnswer, type NoAnswer, type Subject } from './tampering';

interface Request extends Subject {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: Buffer;
}

interface ActiveFault {
  fault: NetworkFault;
  on: SupplierCall;
  share: number;
}

export class SupplierProxy {
  private readonly server: Server;
  private readonly random: Random;
  private readonly faults = new Set<ActiveFault>();
  /** When each purchase was first sent, by reference. */
  private readonly firstSeen = new Map<string, number>();
  /** The last answers by call, and the references they were to. */
  private readonly lastAnswers = new Map<SupplierCall, EarlierAnswer>();
  /** How often each fault was done to a call. */
  readonly done = new Map<string, number>();

  private constructor(
    private readonly target: string,
    chance: number,
  ) {
    this.random = new Random(chance);
    this.server = createServer((request, response) => void this.serve(request, response));
  }

  /** A proxy on a free port of this machine, in front of the supplier's address. */
  static async before(target: string, chance: number): Promise<SupplierProxy> {
    const proxy = new SupplierProxy(target, chance);
    proxy.server.listen(0, '127.0.0.1');
    await once(proxy.server, 'listening');
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Meddles with this share of the calls from now on. Returns what ends it. */
  begin(active: ActiveFault): () => void {
    this.faults.add(active);
    return () => this.faults.delete(active);
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  private async serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    // The service may have given the call up meanwhile.
    response.on('error', () => undefined);
    try {
      const request = await read(incoming);
      if (request.call === 'purchase' && !this.firstSeen.has(request.reference)) {
        this.firstSeen.set(request.reference, Date.now());
      }
      reply(response, await this.treat(request));
    } catch {
      reply(response, 'reset');
    }
  }

  private async treat(request: Request): Promise<Answer | NoAnswer> {
    const fault = this.faultOf(request);
    if (!fault) return this.forward(request);
    this.done.set(fault.name, (this.done.get(fault.name) ?? 0) + 1);
    switch (fault.name) {
      case 'lose-request':
        return fault.by;
      case 'refuse':
        return forged(fault.status, fault.page, request);
      case 'delay-request':
        await sleep(fault.ms);
        return this.forward(request);
      case 'late-request':
        this.forwardLater(request, fault.ms);
        return 'reset';
      case 'repeat-request':
        this.forwardLater(request, fault.afterMs);
        return this.forward(request);
      case 'lose-answer':
      case 'delay-answer':
      case 'cut-answer':
      case 'endless-answer':
      case 'truncate-json':
      case 'forge-answer':
      case 'old-answer':
      case 'empty-lookup':
      case 'many-rows':
      case 'bad-code':
      case 'implausible-times': {
        const earlier = request.call && this.lastAnswers.get(request.call);
        return tampered(fault, request, await this.forward(request), earlier);
      }
    }
  }

  /** Nobody waits for the answer. */
  private forwardLater(request: Request, ms: number): void {
    void sleep(ms).then(() => this.forward(request).catch(() => undefined));
  }

  /** What is done to the call, if it is one that is meddled with now. */
  private faultOf({ call, reference }: Request): NetworkFault | undefined {
    const age = Date.now() - (this.firstSeen.get(reference) ?? 0);
    const active = [...this.faults].filter(({ on }) => on === call);
    const drawn = active.find(({ share }) => this.random.chance(share))?.fault;
    const isTooOld = drawn && 'age' in drawn && call === 'lookup' && age > drawn.age;
    return isTooOld ? undefined : drawn;
  }

  private async forward({ method, path, headers, body, call, reference }: Request): Promise<Answer> {
    const response = await fetch(this.target + path, {
      method,
      headers,
      ...(body.length > 0 && { body: new Uint8Array(body) }),
    });
    const answer = {
      status: response.status,
      headers: kept(response.headers, ['content-type', 'retry-after']),
      body: Buffer.from(await response.arrayBuffer()),
    };
    if (call && response.ok) this.lastAnswers.set(call, { reference, answer });
    return answer;
  }
}

async function read(incoming: IncomingMessage): Promise<Request> {
  const body = Buffer.concat((await incoming.toArray()) as Buffer[]);
  const method = incoming.method ?? 'GET';
  const path = incoming.url ?? '/';
  const headers = kept(new Headers(incoming.headers as Record<string, string>), [
    'authorization',
    'content-type',
  ]);
  const { pathname, searchParams } = new URL(path, 'http://supplier');
  if (method === 'GET' && pathname.startsWith('/esims/')) {
    return { method, path, headers, body, call: 'esim', reference: pathname };
  }
  if (pathname !== '/purchases') return { method, path, headers, body, call: undefined, reference: '' };
  return method === 'POST'
    ? { method, path, headers, body, call: 'purchase', reference: referenceIn(body) }
    : { method, path, headers, body, call: 'lookup', reference: searchParams.get('reference') ?? '' };
}

function referenceIn(body: Buffer): string {
  return (JSON.parse(body.toString()) as { reference: string }).reference;
}

function kept(headers: Headers, names: readonly string[]): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => names.includes(name)));
}

function reply(response: ServerResponse, answer: Answer | NoAnswer): void {
  switch (answer) {
    case 'silence':
      return;
    case 'reset':
      return void response.socket?.resetAndDestroy();
    case 'cut':
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
      return void response.write('{"id":"P', () => response.socket?.destroy());
    case 'endless':
      response.writeHead(200, { 'content-type': 'application/json' });
      return void pipeline(spaces(), response).catch(() => undefined);
    default:
      response.writeHead(answer.status, {
        ...answer.headers,
        // RFC 9110, 8.6: a 204 response has no Content-Length.
        ...(answer.status !== 204 && { 'content-length': answer.body.length }),
      });
      response.end(answer.body);
  }
}

/** White space that never ends, as fast as it is read: the beginning of a JSON document. */
async function* spaces(): AsyncGenerator<Buffer> {
  const chunk = Buffer.alloc(64 * 1_024, ' ');
  for (;;) {
    yield chunk;
    // Other calls go on beside it.
    await setImmediate();
  }
}
