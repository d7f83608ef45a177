/**
 * Calls to a supplier over HTTP, and what a call that failed means: the one place where answers become the
 * port's errors. No status proves anything: gateways, proxies and firewalls on the way answer with all of them. An
 * adapter recognises its supplier's own refusals by their bodies and says what each means; whatever it does not
 * recognise is taken for the worst case, "may have been bought".
 */
import { Readable } from 'node:stream';
import { Agent, request } from 'undici';
import { currentWork } from '../../current-work';
import { joinSafeText, safeWord, safeText, type SafeText } from '../../domain/safe-text';
import { retryAfterMs } from '../../domain/time';
import { inSpan, type SpanStart } from '../../tracing/spans';
import { SupplierAccountBlocked, SupplierOutcomeUnknown, SupplierUnavailable, SupplierWords } from '../port';
import { BodyTooLong, parseJson, readBody, ResponseTooLong } from './body';

type Headers = Readonly<Record<string, string>>;

export interface HttpOptions {
  /** The supplier's name: errors begin with it. */
  supplier: SafeText;
  url: string;
  /** What authorises a call; asked before each, so that a token can be renewed. May throw the port's errors. */
  authorization: () => Headers | Promise<Headers>;
  /**
   * The supplier's own refusal in an answer that is no success: the one place where an adapter says "this body is
   * mine". Undefined for a body that anybody else may have written, such as the page of a gateway, and for a refusal
   * after which a purchase may have happened all the same.
   */
  readRefusal: (answer: FailedAnswer) => Refusal | undefined;
  /** The supplier's codes that errors may tell; of any other they tell only that there was one. */
  codes: readonly string[];
}

/** An answer that is no success. */
export interface FailedAnswer {
  status: number;
  /** Undefined when it is not JSON. */
  body: unknown;
  /** Our reference of the purchase; undefined if the call buys nothing. */
  reference: string | undefined;
}

/** Why the supplier did not do what it was called for: nothing was bought by the call, and nothing will be. */
export interface Refusal {
  /**
   * `refused`: a definite no. `not-run`: the call may be tried again (a rate limit). `account-blocked`: our credit or
   * credentials stand in the way.
   */
  meaning: 'refused' | 'not-run' | 'account-blocked';
  code: string;
}

export interface Call {
  method: 'GET' | 'POST' | 'PUT';
  /** `/esims/:iccid`: errors tell it like that, and its values stand in `params`. */
  path: SafeText;
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string | number>>;
  body?: RequestBody;
  /** From the beginning of the call to the last byte of the response. */
  timeoutMs: number;
  /** A response with a longer body is cut off and counts as none. */
  maxBytes: number;
  /** Makes it a call that buys. `mayBeSent` is asked right before the request is written, which a no prevents. */
  purchase?: { reference: string; mayBeSent: () => boolean };
}

export interface RequestBody {
  contentType: string;
  bytes: Buffer;
}

/** A body of JSON. */
export function json(value: unknown): RequestBody {
  return { contentType: 'application/json', bytes: Buffer.from(JSON.stringify(value)) };
}

/** An answer that decides something: a 2xx with its JSON, or the supplier's refusal with the text of its body. */
export type Answer =
  { ok: true; body: unknown } | { ok: false; status: number; refusal: Refusal; said?: SupplierWords };

export interface SupplierHttp {
  /** Calls. Throws one of the port's three errors when there is no answer that decides. */
  call: (call: Call) => Promise<Answer>;
  /**
   * Asks, and reads the answer: nothing is bought by it, so whatever goes wrong may be tried again. Throws
   * `SupplierUnavailable` or `SupplierAccountBlocked`.
   */
  get: <T>(question: Question<T>) => Promise<T>;
}

export interface Question<T> extends Pick<Call, 'path' | 'params' | 'query' | 'timeoutMs' | 'maxBytes'> {
  /** Undefined for an answer that cannot be relied on. */
  read: (body: unknown) => T | undefined;
}

interface RawAnswer {
  status: number;
  retryAfter: string | string[] | undefined;
  /** Undefined when it is not JSON. */
  body: unknown;
  /** The beginning of what was said where it was no success: the body of one holds goods. */
  said: SupplierWords | undefined;
}

/** A request on its way. */
interface Sending {
  body: Readable | null;
  headers: Record<string, string>;
  /** Whether a byte of the request may have left. */
  begun: boolean;
}

/** How much of a supplier's words is kept, in characters. */
const MAX_SAID = 2_000;

const NO_KNOWN_CODE = safeText`no known code`;

const methodWords = { GET: safeText`GET`, POST: safeText`POST`, PUT: safeText`PUT` } as const;

/**
 * Calls over kept-alive connections. Errors tell statuses and known codes, never the supplier's prose, which
 * may repeat what the customer entered.
 */
export function createHttp(options: HttpOptions): SupplierHttp {
  const { supplier, url, authorization, readRefusal, codes } = options;
  const dispatcher = new Agent();

  async function send(call: Call, authorized: Headers, sending: Sending): Promise<RawAnswer> {
    const response = await request(new URL(pathOf(call), url), {
      dispatcher,
      method: call.method,
      headers: { ...requestIdHeader(), ...authorized, ...sending.headers },
      query: call.query ?? {},
      body: sending.body,
      signal: AbortSignal.timeout(call.timeoutMs),
    });
    const text = await readBody(response.body, call.maxBytes);
    const status = response.statusCode;
    return {
      status,
      retryAfter: response.headers['retry-after'],
      body: parseJson(text),
      said: isSuccess(status) ? undefined : new SupplierWords(text.slice(0, MAX_SAID)),
    };
  }

  async function call(call: Call): Promise<Answer> {
    const authorized = await authorization();
    const sending = sendingOf(call);
    const answer = await inSpan(spanOf(call), async (span) => {
      const raw = await send(call, authorized, sending).catch((cause: unknown) => {
        throw lostBecause(cause, withoutAnswer(call, describe(cause), sending.begun));
      });
      span.set({ 'http.response.status_code': raw.status });
      return raw;
    });
    return judge(call, answer);
  }

  function judge(call: Call, { status, retryAfter, body, said }: RawAnswer): Answer {
    if (isSuccess(status) && body !== undefined) return { ok: true, body };
    const refusal = isSuccess(status)
      ? undefined
      : readRefusal({ status, body, reference: call.purchase?.reference });
    if (!refusal) throw withoutAnswer(call, safeText`unreadable answer ${status}`, true, said);
    const told = safeText`${nameOf(call)}: ${statusWords(status, refusal)}`;
    switch (refusal.meaning) {
      case 'account-blocked':
        throw new SupplierAccountBlocked(told, said);
      case 'not-run':
        throw new SupplierUnavailable(told, retryAfterMs(retryAfter, Date.now()), said);
      case 'refused':
        return { ok: false, status, refusal, ...(said && { said }) };
    }
  }

  function withoutAnswer(call: Call, reason: SafeText, begun: boolean, said?: SupplierWords): Error {
    const message = safeText`${nameOf(call)}: ${reason}`;
    const mayHaveBought = call.purchase !== undefined && begun;
    return mayHaveBought
      ? new SupplierOutcomeUnknown(message, undefined, said)
      : new SupplierUnavailable(message, undefined, said);
  }

  /** Names the path with the places of its values, not with these. */
  function spanOf({ method, path }: Call): SpanStart {
    const attributes = { supplier, 'supplier.path': path, 'http.request.method': method };
    return { name: () => `${supplier} ${method} ${path}`, kind: 'client', attributes };
  }

  function nameOf({ method, path }: Call): SafeText {
    return safeText`${supplier}: ${joinSafeText([methodWords[method], path], safeText` `)}`;
  }

  function statusWords(status: number, { code }: Refusal): SafeText {
    return safeText`${status} ${safeWord(codes, code) ?? NO_KNOWN_CODE}`;
  }

  async function get<T>({ read, ...question }: Question<T>): Promise<T> {
    const asked: Call = { method: 'GET', ...question };
    const answer = await call(asked);
    if (!answer.ok) {
      const told = safeText`${nameOf(asked)}: ${statusWords(answer.status, answer.refusal)}`;
      throw new SupplierUnavailable(told, undefined, answer.said);
    }
    const value = read(answer.body);
    if (value === undefined) throw new SupplierUnavailable(safeText`${nameOf(asked)}: unreadable answer`);
    return value;
  }

  return { call, get };
}

/**
 * The client writes nothing, headers included, before the body's first byte, and it takes that byte once it
 * has a connection. So whoever is asked by the body is asked last, however long connecting took.
 */
function sendingOf({ body, purchase }: Call): Sending {
  if (body === undefined) return { body: null, headers: {}, begun: true };
  const { contentType, bytes } = body;
  const headers = { 'content-type': contentType, 'content-length': String(bytes.byteLength) };
  const sending: Sending = { body: null, headers, begun: false };
  async function* guarded(): AsyncGenerator<Buffer> {
    if (purchase?.mayBeSent() === false) throw new TooLate();
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

/** What may go wrong with a connection or a certificate, by code or name; anything else is told as `failed`. */
const connectionFaults = [
  'TOO_LATE_TO_BE_SENT',
  'RESPONSE_TOO_LONG',
  'TimeoutError',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'UND_ERR_SOCKET',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'ERR_TLS_CERT_ALTNAME_INVALID',
] as const;

/** A question that was answered with more than there can be is not simply without an answer. */
function lostBecause(cause: unknown, error: Error): Error {
  const isTooLong = cause instanceof BodyTooLong && error instanceof SupplierUnavailable;
  return isTooLong ? new ResponseTooLong(error.message) : error;
}

/** The error's code or name; its message may hold anything. */
function describe(cause: unknown): SafeText {
  const { code, name } = Object(cause) as { code?: unknown; name?: unknown };
  return (
    safeWord(connectionFaults, String(code)) ?? safeWord(connectionFaults, String(name)) ?? safeText`failed`
  );
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/** By which a supplier's log and ours can be laid side by side. */
function requestIdHeader(): Headers {
  const { requestId } = currentWork();
  return requestId === undefined ? {} : { 'x-request-id': requestId };
}

/** The path with its values in their places. */
function pathOf({ path, params = {} }: Call): string {
  return path.replace(/:(\w+)/g, (_place, name: string) => encodeURIComponent(params[name] ?? ''));
}
