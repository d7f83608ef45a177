/** Calls to the simulator over kept-alive connections, and what a call that failed means. */
import { Readable } from 'node:stream';
import { Agent, request } from 'undici';
import { retryAfterMs } from '../../domain/retry-after';
import { SupplierAccountBlocked, SupplierOutcomeUnknown, SupplierUnavailable } from '../port';
import { codeWord, readRefusal, type Refusal } from './reading';

export interface HttpOptions {
  url: string;
  /** The bearer token. */
  secret: string;
}

export interface Call {
  method: 'GET' | 'POST';
  path: string;
  /** What errors call the path, where it holds what they must not tell. */
  pathName?: string;
  query?: Readonly<Record<string, string | number>>;
  body?: unknown;
  timeoutMs: number;
  /** Makes it a call that buys: asked right before the request is written, which a no prevents. */
  mayBeSent?: () => boolean;
}

/** An answer that decides something: a 2xx with its JSON, or a 4xx with the supplier's reason. */
export type Answer = { ok: true; body: unknown } | { ok: false; status: number; refusal: Refusal };

/** The refusals that mean "nothing was bought and nothing will be". Others may come from elsewhere on the way. */
const definiteRefusals = new Set([400, 422]);

interface RawAnswer {
  status: number;
  retryAfter: string | string[] | undefined;
  /** Undefined when it is not JSON. */
  body: unknown;
}

/** A request on its way. */
interface Sending {
  body: Readable | null;
  headers: Record<string, string>;
  /** Whether a byte of the request may have left. */
  begun: boolean;
}

/**
 * Gives the function that calls. It throws one of the port's three errors when there is no answer. Errors
 * tell statuses and codes, never the supplier's prose, which may repeat what the customer entered.
 */
export function createHttp({ url, secret }: HttpOptions): (call: Call) => Promise<Answer> {
  const dispatcher = new Agent();
  const headers = { authorization: `Bearer ${secret}` };

  async function send(call: Call, sending: Sending): Promise<RawAnswer> {
    const response = await request(new URL(call.path, url), {
      dispatcher,
      method: call.method,
      headers: { ...headers, ...sending.headers },
      query: call.query ?? {},
      body: sending.body,
      signal: AbortSignal.timeout(call.timeoutMs),
    });
    return {
      status: response.statusCode,
      retryAfter: response.headers['retry-after'],
      body: parseJson(await response.body.text()),
    };
  }

  return async (call) => {
    const sending = sendingOf(call);
    const answer = await send(call, sending).catch((cause: unknown) => {
      throw withoutAnswer(call, describe(cause), sending.begun);
    });
    return judge(call, answer);
  };
}

/**
 * The client writes nothing, headers included, before the body's first byte, and it takes that byte once it
 * has a connection. So whoever is asked by the body is asked last, however long connecting took.
 */
function sendingOf({ body, mayBeSent = () => true }: Call): Sending {
  if (body === undefined) return { body: null, headers: {}, begun: true };
  const bytes = Buffer.from(JSON.stringify(body));
  const headers = { 'content-type': 'application/json', 'content-length': String(bytes.byteLength) };
  const sending: Sending = { body: null, headers, begun: false };
  async function* guarded(): AsyncGenerator<Buffer> {
    if (!mayBeSent()) throw new TooLate();
    sending.begun = true;
    yield bytes;
  }
  sending.body = Readable.from(guarded());
  return sending;
}

/** The request was not to be sent any more. */
class TooLate extends Error {
  readonly code = 'TOO_LATE_TO_BE_SENT';
}

function judge(call: Call, { status, retryAfter, body }: RawAnswer): Answer {
  if (status >= 200 && status < 300 && body !== undefined) return { ok: true, body };
  const refusal = readRefusal(body);
  const told = `simulator: ${nameOf(call)}: ${status} ${refusal ? codeWord(refusal.code) : ''}`.trim();
  if (status === 401 || status === 402 || status === 403) throw new SupplierAccountBlocked(told);
  // A 429 or 503 means "nothing ran" only in the supplier's own words: a proxy on the way uses them too.
  if (refusal && (status === 429 || status === 503)) {
    throw new SupplierUnavailable(told, retryAfterMs(retryAfter, Date.now()));
  }
  const isDefinite = call.mayBeSent ? definiteRefusals.has(status) : status >= 400 && status < 500;
  if (refusal && isDefinite) return { ok: false, status, refusal };
  throw withoutAnswer(call, `unreadable answer ${status}`, true);
}

function withoutAnswer(call: Call, reason: string, begun: boolean): Error {
  const message = `simulator: ${nameOf(call)}: ${reason}`;
  const mayHaveBought = call.mayBeSent !== undefined && begun;
  return mayHaveBought ? new SupplierOutcomeUnknown(message) : new SupplierUnavailable(message);
}

function nameOf({ method, path, pathName = path }: Call): string {
  return `${method} ${pathName}`;
}

/** The error's code or name; its message may hold anything. */
function describe(cause: unknown): string {
  const { code, name } = Object(cause) as { code?: unknown; name?: unknown };
  return [code, name].find((word) => typeof word === 'string') ?? 'failed';
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
