/**
 * Calls a supplier over HTTP. The one place where responses become the port's errors. No status proves anything, because
 * gateways, proxies and firewalls return all of them. An adapter recognises its supplier's own rejections by their
 * bodies. Every other response counts as the worst case, "may have been bought".
 */
import { Readable } from 'node:stream';
import { Agent, request } from 'undici';
import { currentWork } from '../../current-work';
import { joinSafeText, safeWord, safeText, type SafeText } from '../../domain/safe-text';
import { retryAfterMs } from '../../domain/time';
import { inSpan, type SpanStart } from '../../tracing/spans';
import { SupplierAccountBlocked, SupplierOutcomeUnknown, SupplierUnavailable, SupplierWords } from '../port';
import { BodyTooLong, readBody, ResponseTooLong } from './limits';
import { parseJson } from './messages';

type Headers = Readonly<Record<string, string>>;

export interface HttpOptions {
  /** The supplier's name, with which errors begin. */
  supplier: SafeText;
  url: string;
  /** The headers that authorise a call. Called before each, so that it can renew a token. May throw the port's errors. */
  authorization: () => Headers | Promise<Headers>;
  /**
   * The supplier's own rejection in an unsuccessful response. Undefined for a body that a gateway may have written, and
   * for a rejection after which the purchase may have run all the same.
   */
  readRejection: (answer: FailedResponse) => Rejection | undefined;
  /** The supplier's codes that error messages may name. */
  codes: readonly string[];
}

/** An unsuccessful response. */
export interface FailedResponse {
  status: number;
  /** Undefined if it is not JSON. */
  body: unknown;
  /** Our reference of the purchase; undefined if the call buys nothing. */
  reference: string | undefined;
}

/** A rejection by the supplier. The call bought nothing and will buy nothing. */
export interface Rejection {
  /**
   * `rejected`: final. `not-run`: the call may be retried (a rate limit). `account-blocked`: our credit or credentials
   * are the reason.
   */
  meaning: 'rejected' | 'not-run' | 'account-blocked';
  code: string;
}

export interface Call {
  method: 'GET' | 'POST' | 'PUT';
  /** Such as `/esims/:iccid`, with the values in `params`. Errors show the placeholders. */
  path: SafeText;
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string | number>>;
  body?: RequestBody;
  /** From the start of the call to the last byte of the response. */
  timeoutMs: number;
  /** A longer response is cut off and counts as missing. */
  maxBytes: number;
  /** Makes it a purchase. The request is written only if `mayBeSent` returns true right before. */
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

/** A conclusive response: a 2xx with its JSON, or the supplier's rejection with the text of its body. */
export type ConclusiveResponse =
  { ok: true; body: unknown } | { ok: false; status: number; rejection: Rejection; said?: SupplierWords };

export interface SupplierHttp {
  /** Calls. Throws one of the port's three errors if there is no conclusive response. */
  call: (call: Call) => Promise<ConclusiveResponse>;
  /** Reads without buying, so every failure may be retried. Throws `SupplierUnavailable` or `SupplierAccountBlocked`. */
  get: <T>(question: Reading<T>) => Promise<T>;
}

export interface Reading<T> extends Pick<Call, 'path' | 'params' | 'query' | 'timeoutMs' | 'maxBytes'> {
  /** Undefined for an unreadable response. */
  read: (body: unknown) => T | undefined;
}

interface RawResponse {
  status: number;
  retryAfter: string | string[] | undefined;
  /** Undefined if it is not JSON. */
  body: unknown;
  /** The beginning of an unsuccessful response's text. A successful one holds goods. */
  said: SupplierWords | undefined;
}

/** A request that is being sent. */
interface Sending {
  body: Readable | null;
  headers: Record<string, string>;
  /** Whether a byte of the request may have left. */
  begun: boolean;
}

/** How many characters of a raw response are kept. */
const MAX_SAID = 2_000;

const NO_KNOWN_CODE = safeText`no known code`;

const methodWords = { GET: safeText`GET`, POST: safeText`POST`, PUT: safeText`PUT` } as const;

/**
 * Calls over kept-alive connections. Error messages hold statuses and known codes, never the supplier's text, which may
 * repeat the customer's input.
 */
export function createHttp(options: HttpOptions): SupplierHttp {
  const { supplier, url, authorization, readRejection, codes } = options;
  const dispatcher = new Agent();

  async function send(call: Call, authorized: Headers, sending: Sending): Promise<RawResponse> {
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

  async function call(call: Call): Promise<ConclusiveResponse> {
    const authorized = await authorization();
    const sending = sendingOf(call);
    const answer = await inSpan(spanOf(call), async (span) => {
      const raw = await send(call, authorized, sending).catch((cause: unknown) => {
        throw lostBecause(cause, inconclusive(call, describe(cause), sending.begun));
      });
      span.set({ 'http.response.status_code': raw.status });
      return raw;
    });
    return judge(call, answer);
  }

  function judge(call: Call, { status, retryAfter, body, said }: RawResponse): ConclusiveResponse {
    if (isSuccess(status) && body !== undefined) return { ok: true, body };
    const rejection = isSuccess(status)
      ? undefined
      : readRejection({ status, body, reference: call.purchase?.reference });
    if (!rejection) throw inconclusive(call, safeText`unreadable answer ${status}`, true, said);
    const message = safeText`${nameOf(call)}: ${statusWords(status, rejection)}`;
    switch (rejection.meaning) {
      case 'account-blocked':
        throw new SupplierAccountBlocked(message, said);
      case 'not-run':
        throw new SupplierUnavailable(message, retryAfterMs(retryAfter, Date.now()), said);
      case 'rejected':
        return { ok: false, status, rejection, ...(said && { said }) };
    }
  }

  function inconclusive(call: Call, reason: SafeText, begun: boolean, said?: SupplierWords): Error {
    const message = safeText`${nameOf(call)}: ${reason}`;
    const mayHaveBought = call.purchase !== undefined && begun;
    return mayHaveBought
      ? new SupplierOutcomeUnknown(message, undefined, said)
      : new SupplierUnavailable(message, undefined, said);
  }

  /** Names the path with placeholders instead of values. */
  function spanOf({ method, path }: Call): SpanStart {
    const attributes = { supplier, 'supplier.path': path, 'http.request.method': method };
    return { name: () => `${supplier} ${method} ${path}`, kind: 'client', attributes };
  }

  function nameOf({ method, path }: Call): SafeText {
    return safeText`${supplier}: ${joinSafeText([methodWords[method], path], safeText` `)}`;
  }

  function statusWords(status: number, { code }: Rejection): SafeText {
    return safeText`${status} ${safeWord(codes, code) ?? NO_KNOWN_CODE}`;
  }

  async function get<T>({ read, ...rest }: Reading<T>): Promise<T> {
    const reading: Call = { method: 'GET', ...rest };
    const answer = await call(reading);
    if (!answer.ok) {
      const message = safeText`${nameOf(reading)}: ${statusWords(answer.status, answer.rejection)}`;
      throw new SupplierUnavailable(message, undefined, answer.said);
    }
    const value = read(answer.body);
    if (value === undefined) throw new SupplierUnavailable(safeText`${nameOf(reading)}: unreadable answer`);
    return value;
  }

  return { call, get };
}

/**
 * undici writes nothing, not even headers, before it has a connection and the body's first byte. Therefore the body
 * calls `mayBeSent` last, however long connecting took.
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

/** The request must no longer be sent. */
class TooLate extends Error {
  readonly code = 'TOO_LATE_TO_BE_SENT';
}

/** Codes and names of connection errors that messages may show. Every other error is `failed`. */
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

/** Distinguishes a response that is too long from a missing one, for calls that buy nothing. */
function lostBecause(cause: unknown, error: Error): Error {
  const isTooLong = cause instanceof BodyTooLong && error instanceof SupplierUnavailable;
  return isTooLong ? new ResponseTooLong(error.message) : error;
}

/** The error's code or name. Its message may hold anything. */
function describe(cause: unknown): SafeText {
  const { code, name } = Object(cause) as { code?: unknown; name?: unknown };
  return (
    safeWord(connectionFaults, String(code)) ?? safeWord(connectionFaults, String(name)) ?? safeText`failed`
  );
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/** Correlates the supplier's log with ours. */
function requestIdHeader(): Headers {
  const { requestId } = currentWork();
  return requestId === undefined ? {} : { 'x-request-id': requestId };
}

/** The path with its values. */
function pathOf({ path, params = {} }: Call): string {
  return path.replace(/:(\w+)/g, (_place, name: string) => encodeURIComponent(params[name] ?? ''));
}
