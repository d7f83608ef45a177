/**
 * A proxy between the service and a supplier that loses, delays, repeats, cuts and forges calls. It records the
 * purchases that pass through it, so that its false lookups end when the plan says.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import type { AnswerChange } from '../plan/answer-changes';
import type { NetworkFault, Outage, SupplierCall } from '../plan/disturbance';
import type { SupplierName } from '../plan/suppliers';
import { Random } from '../random';
import { changedAnswer, describesSale } from './changed-answers';
import { referencesIn, subjectOf } from './supplier-calls';
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

/** How the responses that reached the service described a purchase. */
export interface Descriptions {
  changes: Set<AnswerChange>;
  /** Whether a response without a change described it, too. */
  isHonest: boolean;
}

export class SupplierProxy {
  private readonly server: Server;
  private readonly random: Random;
  private readonly faults = new Set<ActiveFault>();
  /** The fault of every call, also of those that no other fault affects, such as calls for a token. */
  private outage: NetworkFault | undefined;
  /** The changes of every response, after any other fault. */
  private readonly changes = new Set<AnswerChange>();
  /** By reference as `referencesIn` returns it. */
  readonly described = new Map<string, Descriptions>();
  /** When each purchase was first sent, by reference. */
  private readonly firstSeen = new Map<string, number>();
  /** The last responses by call, with their references. */
  private readonly lastAnswers = new Map<SupplierCall, EarlierAnswer>();
  /** The number of calls with each fault and during outages, and of purchases that the supplier itself did not accept. */
  readonly done = new Map<string, number>();
  /** The references of purchases that the supplier itself answered with anything but a temporary error. */
  readonly answered = new Set<string>();

  private constructor(
    private readonly supplier: SupplierName,
    private readonly target: string,
    readonly port: number,
    chance: number,
  ) {
    this.random = new Random(chance);
    this.server = createServer((request, response) => void this.serve(request, response));
  }

  /** A proxy on this port of this machine, in front of the supplier's address. */
  static async before(supplier: SupplierName, target: string, port: number, chance: number): Promise<SupplierProxy> {
    const proxy = new SupplierProxy(supplier, target, port, chance);
    await proxy.listen();
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Applies the fault to this share of the calls. Returns the function that ends it. */
  begin(active: ActiveFault): () => void {
    this.faults.add(active);
    return () => this.faults.delete(active);
  }

  /** Changes every response. Returns the function that ends it. */
  change(change: AnswerChange): () => void {
    this.changes.add(change);
    return () => this.changes.delete(change);
  }

  /** Begins an outage. Returns the function that ends it. */
  takeDown(outage: Outage): () => void | Promise<void> {
    if (outage.name === 'unreachable') {
      this.close();
      return () => this.listen();
    }
    this.outage = outage;
    return () => {
      this.outage = undefined;
    };
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  private async listen(): Promise<void> {
    this.server.listen(this.port, '127.0.0.1');
    await once(this.server, 'listening');
  }

  private async serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    // The service may have aborted the call.
    response.on('error', () => undefined);
    try {
      const request = await read(this.supplier, incoming);
      if (request.call === 'purchase' && !this.firstSeen.has(request.reference)) {
        this.firstSeen.set(request.reference, Date.now());
      }
      const answer = await this.treat(request);
      reply(response, typeof answer === 'string' ? answer : this.changed(answer));
    } catch {
      reply(response, 'reset');
    }
  }

  private async treat(request: Request): Promise<Answer | NoAnswer> {
    const fault = this.outage ?? this.faultOf(request);
    if (!fault) return this.forward(request);
    this.count(`call with ${this.outage ? 'outage' : fault.name}`);
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

  /** The response with all changes, which are recorded for its purchases. Errors stay as they are. */
  private changed(answer: Answer): Answer {
    if (answer.status >= 300) return answer;
    let text = answer.body.toString();
    const references = describesSale(this.supplier, text) ? referencesIn(text) : [];
    const made = [...this.changes].filter((change) => {
      const before = text;
      text = changedAnswer(this.supplier, change, text);
      return text !== before;
    });
    for (const change of made) this.count(`answer with another ${change}`);
    for (const reference of references) {
      const { changes, isHonest } = this.described.get(reference) ?? { changes: [], isHonest: false };
      this.described.set(reference, {
        changes: new Set([...changes, ...made]),
        isHonest: isHonest || made.length === 0,
      });
    }
    return made.length > 0 ? { ...answer, body: Buffer.from(text) } : answer;
  }

  /** Sends the request and discards the response. */
  private forwardLater(request: Request, ms: number): void {
    void sleep(ms).then(() => this.forward(request).catch(() => undefined));
  }

  private count(name: string): void {
    this.done.set(name, (this.done.get(name) ?? 0) + 1);
  }

  /** The fault of this call, if any. */
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
    }).catch((error: unknown) => {
      this.count(`${call ?? 'other'} without an answer`);
      throw error;
    });
    const answer = {
      status: response.status,
      headers: forwarded(response.headers),
      body: Buffer.from(await response.arrayBuffer()),
    };
    if (call && response.ok) this.lastAnswers.set(call, { reference, answer });
    if (call === 'purchase' && !response.ok) this.count(`purchase answered ${response.status}`);
    if (call === 'purchase' && isConclusive(answer)) this.answered.add(reference);
    return answer;
  }
}

/** Statuses below 500 after which the same purchase is sent again. */
const temporary: readonly number[] = [401, 429];
/** Reloadly refuses for good with this code under 503. */
const refusalUnder503 = '"OPERATOR_UNAVAILABLE_OR_CURRENTLY_INACTIVE"';

/** Whether the supplier sold, accepted or refused. Other answers from 500 on are temporary errors. */
function isConclusive({ status, body }: Answer): boolean {
  return status < 500 ? !temporary.includes(status) : status === 503 && body.includes(refusalUnder503);
}

async function read(supplier: SupplierName, incoming: IncomingMessage): Promise<Request> {
  const body = Buffer.concat((await incoming.toArray()) as Buffer[]);
  const method = incoming.method ?? 'GET';
  const path = incoming.url ?? '/';
  const headers = forwarded(new Headers(incoming.headers as Record<string, string>));
  return { method, path, headers, body, ...subjectOf(supplier, method, path, body) };
}

/** Headers of one connection, and of the form of one body. */
const ofConnection: readonly string[] = [
  'connection',
  'keep-alive',
  'transfer-encoding',
  'te',
  'upgrade',
  'expect',
  'host',
  'content-length',
  'content-encoding',
  'accept-encoding',
  'date',
];

function forwarded(headers: Headers): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => !ofConnection.includes(name)));
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

/** Endless white space, as fast as it is read, as if a JSON document followed. */
async function* spaces(): AsyncGenerator<Buffer> {
  const chunk = Buffer.alloc(64 * 1_024, ' ');
  for (;;) {
    yield chunk;
    // Lets other calls proceed.
    await setImmediate();
  }
}
