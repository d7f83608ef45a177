/** One HTTP exchange with a supplier: sends the request of a call and reads its whole response, which `http.ts` interprets. */
import { Readable } from 'node:stream';
import { request, type Dispatcher } from 'undici';
import { currentWork } from '../../process/current-work';
import { safeWord, safeText, type SafeText } from '../../domain/safe-text';
import { RawSupplierResponse } from '../../domain/suppliers/port';
import type { TurnKind } from '../../domain/suppliers/shared-state';
import { readResponseBody } from './limits';
import { parseJson } from './messages';
import { propertyOf } from '../../domain/unknown-values';

export type Headers = Readonly<Record<string, string>>;

export interface Call {
  method: 'GET' | 'POST' | 'PUT';
  /** A path such as `/esims/:iccid`. `params` holds the values of its placeholders. Errors show only the placeholders. */
  path: SafeText;
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string | number>>;
  /** Headers of this call alone, such as a signature of values that the body shows in another form. */
  headers?: Headers;
  body?: RequestBody;
  /** The time limit of the exchange, up to the last byte of the response. Waiting for a turn or a token does not count. */
  timeoutMs: number;
  /** A longer response is cut off and counts as missing. */
  maxBytes: number;
  /** Whether the call looks up a purchase or reads a page of a list. Such a call waits longer for its turn than other reads. */
  isPatient?: boolean;
  /** Set if the call is a purchase. The request is written only if `mayBeSent` returns true right before the write. */
  purchase?: { reference: string; mayBeSent: () => boolean };
}

/** The kind of turn that the call takes, for a supplier with a rate limit. */
export function turnKindOf({ purchase, isPatient }: Call): TurnKind {
  if (purchase) return 'purchase';
  return isPatient ? 'patient' : 'other';
}

export interface RequestBody {
  contentType: string;
  bytes: Buffer;
}

export function json(value: unknown): RequestBody {
  return { contentType: 'application/json', bytes: Buffer.from(JSON.stringify(value)) };
}

export interface HttpResponse {
  status: number;
  headers: Headers;
  /** Undefined if the body is not JSON. */
  body: unknown;
  /** The beginning of the text of an unsuccessful response; undefined for a successful one, which holds goods. */
  rawResponse: RawSupplierResponse | undefined;
  /** The headers that authorised the call. */
  authorized: Headers;
}

/** A request that is being sent. */
export interface Sending {
  body: Readable | null;
  headers: Record<string, string>;
  /** Whether a byte of the request may have left. */
  begun: boolean;
}

/** How many characters of a raw response are kept. */
const MAX_RAW_CHARACTERS = 2_000;

export async function exchange(
  dispatcher: Dispatcher,
  call: Call,
  target: URL,
  authorized: Headers,
  sending: Sending,
): Promise<HttpResponse> {
  const response = await request(target, {
    dispatcher,
    method: call.method,
    headers: { ...requestIdHeader(), ...authorized, ...call.headers, ...sending.headers },
    body: sending.body,
    signal: AbortSignal.timeout(call.timeoutMs),
  });
  const text = await readResponseBody(response.body, call.maxBytes);
  const status = response.statusCode;
  const rawResponse = isSuccessStatus(status) ? undefined : new RawSupplierResponse(text.slice(0, MAX_RAW_CHARACTERS));
  return { status, headers: joinedHeaders(response.headers), body: parseJson(text), rawResponse, authorized };
}

/**
 * undici writes nothing, not even headers, before it has a connection and the body's first byte. Therefore the body
 * calls `mayBeSent` last, however long connecting took.
 */
export function sendingOf({ body, purchase }: Call): Sending {
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

/** `mayBeSent` returned false, so the request was not written. */
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

/** The code or the name of the error, but not its message, which may hold anything. */
export function faultOf(cause: unknown): SafeText {
  const word = (name: 'code' | 'name') => safeWord(connectionFaults, String(propertyOf(cause, name)));
  return word('code') ?? word('name') ?? safeText`failed`;
}

export function isSuccessStatus(status: number): boolean {
  return status >= 200 && status < 300;
}

/** Correlates the supplier's log with ours. */
function requestIdHeader(): Headers {
  const { requestId } = currentWork();
  return requestId === undefined ? {} : { 'x-request-id': requestId };
}

/** The address of the call, with the values of `params` in its path, and with its query. */
export function targetOf({ path, params = {}, query = {} }: Call, url: string): URL {
  const filled = path.replace(/:(\w+)/g, (_place, name: string) => encodeURIComponent(params[name] ?? ''));
  const target = new URL(`${url.replace(/\/$/, '')}${filled}`);
  for (const [name, value] of Object.entries(query)) target.searchParams.set(name, String(value));
  return target;
}

/** Joins the values of a repeated header with commas. */
function joinedHeaders(headers: Readonly<Record<string, string | string[] | undefined>>): Headers {
  const given = Object.entries(headers).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name, [value].flat().join(', ')]));
}
