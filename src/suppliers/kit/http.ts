/**
 * Calls to a supplier over HTTP, and what a call that failed means: the one place where answers become the
 * port's errors. An adapter says how its supplier words a refusal and where the supplier departs from
 * the rules below; whatever it does not say is taken for the worst case, "may have been bought".
 */
import { Readable } from 'node:stream';
import { Agent, request } from 'undici';
import { retryAfterMs } from '../../domain/retry-after';
import { SupplierAccountBlocked, SupplierOutcomeUnknown, SupplierUnavailable } from '../port';
import { codeWord, type Refusal } from './reading';

type Headers = Readonly<Record<string, string>>;

export interface HttpOptions {
  /** The supplier's name: errors begin with it. */
  supplier: string;
  url: string;
  /** What authorises a call; asked before each, so that a token can be renewed. May throw the port's errors. */
  authorization: () => Headers | Promise<Headers>;
  /** The supplier's own words in a body; undefined for anybody else's, such as a proxy's page. */
  readRefusal: (body: unknown) => Refusal | undefined;
  /** Answers that mean something else here than by the rules of `meaningOf`; undefined leaves it at those. */
  exception?: (failure: Failure) => Meaning | undefined;
}

/** An answer that is no success. */
export interface Failure {
  status: number;
  /** The supplier's words, where they are. */
  refusal: Refusal | undefined;
  /** Whether the call was one that buys. */
  buys: boolean;
}

/**
 * `refused`: the supplier's definite no. `not-run`: nothing happened, it may be tried again (a rate limit).
 * `account-blocked`: our credit or credentials stand in the way. `unknown`: a purchase may have happened.
 */
export type Meaning = 'refused' | 'not-run' | 'account-blocked' | 'unknown';

export interface Call {
  method: 'GET' | 'POST' | 'PUT';
  path: string;
  /** What errors call the path, where it holds what they must not tell. */
  pathName?: string;
  query?: Readonly<Record<string, string | number>>;
  body?: RequestBody;
  timeoutMs: number;
  /** Makes it a call that buys: asked right before the request is written, which a no prevents. */
  mayBeSent?: () => boolean;
}

export interface RequestBody {
  contentType: string;
  bytes: Buffer;
}

/** A body of JSON. */
export function json(value: unknown): RequestBody {
  return { contentType: 'application/json', bytes: Buffer.from(JSON.stringify(value)) };
}

/** An answer that decides something: a 2xx with its JSON, or the supplier's refusal. */
export type Answer = { ok: true; body: unknown } | { ok: false; status: number; refusal: Refusal };

export interface SupplierHttp {
  /** Calls. Throws one of the port's three errors when there is no answer that decides. */
  call: (call: Call) => Promise<Answer>;
  /**
   * Asks, and reads the answer: nothing is bought by it, so whatever goes wrong may be tried again. Throws
   * `SupplierUnavailable` or `SupplierAccountBlocked`.
   */
  get: <T>(question: Question<T>) => Promise<T>;
}

export interface Question<T> extends Pick<Call, 'path' | 'pathName' | 'query' | 'timeoutMs'> {
  /** Undefined for an answer that cannot be relied on. */
  read: (body: unknown) => T | undefined;
}

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
 * Calls over kept-alive connections. Errors tell statuses and codes, never the supplier's prose, which may
 * repeat what the customer entered.
 */
export function createHttp(options: HttpOptions): SupplierHttp {
  const { supplier, url, authorization, readRefusal } = options;
  const dispatcher = new Agent();

  async function send(call: Call, authorized: Headers, sending: Sending): Promise<RawAnswer> {
    const response = await request(new URL(call.path, url), {
      dispatcher,
      method: call.method,
      headers: { ...authorized, ...sending.headers },
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

  async function call(call: Call): Promise<Answer> {
    const authorized = await authorization();
    const sending = sendingOf(call);
    const answer = await send(call, authorized, sending).catch((cause: unknown) => {
      throw withoutAnswer(call, describe(cause), sending.begun);
    });
    return judge(call, answer);
  }

  function judge(call: Call, { status, retryAfter, body }: RawAnswer): Answer {
    if (status >= 200 && status < 300 && body !== undefined) return { ok: true, body };
    const refusal = readRefusal(body);
    const failure = { status, refusal, buys: call.mayBeSent !== undefined };
    const told = `${nameOf(call)}: ${status} ${refusal ? codeWord(refusal.code) : ''}`.trim();
    switch (options.exception?.(failure) ?? meaningOf(failure)) {
      case 'account-blocked':
        throw new SupplierAccountBlocked(told);
      case 'not-run':
        throw new SupplierUnavailable(told, retryAfterMs(retryAfter, Date.now()));
      case 'refused':
        return { ok: false, status, refusal: refusal ?? { code: '', message: '' } };
      case 'unknown':
        throw withoutAnswer(call, `unreadable answer ${status}`, true);
    }
  }

  function withoutAnswer(call: Call, reason: string, begun: boolean): Error {
    const message = `${nameOf(call)}: ${reason}`;
    const mayHaveBought = call.mayBeSent !== undefined && begun;
    return mayHaveBought ? new SupplierOutcomeUnknown(message) : new SupplierUnavailable(message);
  }

  function nameOf({ method, path, pathName = path }: Call): string {
    return `${supplier}: ${method} ${pathName}`;
  }

  async function get<T>({ read, ...question }: Question<T>): Promise<T> {
    const asked: Call = { method: 'GET', ...question };
    const answer = await call(asked);
    if (!answer.ok) {
      throw new SupplierUnavailable(`${nameOf(asked)}: ${answer.status} ${codeWord(answer.refusal.code)}`);
    }
    const value = read(answer.body);
    if (value === undefined) throw new SupplierUnavailable(`${nameOf(asked)}: unreadable answer`);
    return value;
  }

  return { call, get };
}

/** The refusals of a purchase that mean "nothing was bought and nothing will be". */
const DEFINITE_REFUSALS = new Set([400, 422]);

/** The rules. A status alone decides little: a proxy on the way answers 404, 429 and 503 too. */
function meaningOf({ status, refusal, buys }: Failure): Meaning {
  if (status === 401 || status === 402 || status === 403) return 'account-blocked';
  if (refusal === undefined) return 'unknown';
  if (status === 429) return 'not-run';
  const isDefinite = buys ? DEFINITE_REFUSALS.has(status) : status >= 400 && status < 500;
  return isDefinite ? 'refused' : 'unknown';
}

/**
 * The client writes nothing, headers included, before the body's first byte, and it takes that byte once it
 * has a connection. So whoever is asked by the body is asked last, however long connecting took.
 */
function sendingOf({ body, mayBeSent = () => true }: Call): Sending {
  if (body === undefined) return { body: null, headers: {}, begun: true };
  const { contentType, bytes } = body;
  const headers = { 'content-type': contentType, 'content-length': String(bytes.byteLength) };
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
