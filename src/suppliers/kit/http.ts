/**
 * Calls a supplier over HTTP, and turns responses into the port's errors. A status alone proves nothing, because gateways,
 * proxies and firewalls return the same statuses. An adapter recognises its supplier's own rejections by their bodies. Every
 * other response to a purchase that holds no readable result counts as the worst case, "may have been bought".
 */
import { Agent } from 'undici';
import { joinSafeText, safeText, type SafeText } from '../../domain/safe-text';
import { retryAfterMs, second } from '../../domain/time';
import { inSpan, type SpanStart } from '../../tracing/spans';
import type { PurchaseReport, RawSupplierResponse } from '../../domain/suppliers/port';
import {
  CallHeldBack,
  ProfileUnknown,
  ReferenceUsed,
  SupplierAccountBlocked,
  SupplierOutcomeUnknown,
  SupplierUnavailable,
} from '../../domain/suppliers/supplier-errors';
import {
  exchange,
  faultOf,
  sendingOf,
  targetOf,
  turnKindOf,
  type Call,
  type Headers,
  type HttpResponse,
  type Sending,
} from './exchange';
import type { TurnKind } from '../../domain/suppliers/shared-state';
import { BodyTooLong, ResponseTooLong } from './limits';
import { namedCode, type SupplierRejection } from './reports';

/** The time limits of an adapter's calls, in milliseconds. */
export interface TimeLimits {
  purchaseTimeoutMs?: number;
  /** The limit of every call that is not a purchase. docs/specification.md#limits: 15 s. */
  lookupTimeoutMs?: number;
}

export interface HttpOptions {
  /** The supplier's name, with which errors begin. */
  supplier: SafeText;
  url: string;
  /** Returns the headers that authorise the call, such as a token or its signature. May throw the port's errors. */
  authorization: (call: CallToAuthorize) => Headers | Promise<Headers>;
  /** Called with the headers that the supplier rejected as `unauthorized`. The call is then authorised again and repeated once. */
  renewAuthorization?: (rejected: Headers) => void | Promise<void>;
  /** Resolves when the next call may be sent, for a supplier with a rate limit. May throw the port's errors. */
  turn?: (kind: TurnKind) => Promise<void>;
  /**
   * Returns the meaning of a response, from its status, headers and body. Undefined if the response proves nothing: a gateway may
   * have written the body, or the purchase may have run in spite of the rejection.
   */
  classify: (response: SupplierResponse) => Meaning | undefined;
  /** The supplier's codes that error messages may name. */
  codes: readonly string[];
  /** 15 s each by default. */
  timeLimits?: TimeLimits;
}

/** The call as it will be written. `path` begins with the path of `url`; `query` has no question mark. */
export interface CallToAuthorize {
  method: Call['method'];
  path: string;
  query: string;
  body: Buffer;
}

/** A response with its whole body. */
export interface SupplierResponse {
  status: number;
  /** The names are in lower case. */
  headers: Headers;
  /** The JSON value of the body, with numbers as texts (see `parseJson`). Undefined if the body is not JSON. */
  body: unknown;
  /** Our reference of the purchase; undefined if the call buys nothing. */
  reference: string | undefined;
}

/**
 * The meaning of a response. `answered`: the body holds the result. `reference-used`: the supplier rejects a purchase because it
 * knows the reference, so an earlier request may have bought.
 */
export type Meaning = { meaning: 'answered' } | { meaning: 'reference-used'; code: string } | Rejection;

/** A rejection by the supplier. The call bought nothing and will buy nothing. */
export interface Rejection {
  /**
   * `rejected`: final. `not-run`: the call may be retried (a rate limit). `account-blocked`: our credit or credentials
   * are the reason. `unauthorized`: our token is not valid any more.
   */
  meaning: 'rejected' | 'not-run' | 'account-blocked' | 'unauthorized';
  code: string;
  /** The milliseconds to wait before a retry, as the adapter determines them. Without them, `Retry-After` is used. */
  retryAfterMs?: number;
}

/** A conclusive response: a 2xx with its JSON, or the supplier's rejection with the text of its body. */
export type ConclusiveResponse =
  | { ok: true; body: unknown; headers: Headers }
  | { ok: false; status: number; rejection: Rejection; rawResponse?: RawSupplierResponse };

export interface SupplierHttp {
  /** Buys. Throws one of the port's three errors if there is no conclusive and readable response. */
  buy: (buying: Buying) => Promise<PurchaseReport>;
  /** Reads without buying, so every failure may be retried. Throws `SupplierUnavailable` or `SupplierAccountBlocked`. */
  read: <T>(reading: Reading<T>) => Promise<T>;
  /** Makes a call that buys nothing and whose rejection is a result. Throws as `read` does. */
  call: (call: OtherCall) => Promise<ConclusiveResponse>;
}

/** A purchase, by POST. */
export interface Buying extends Omit<Call, 'method' | 'purchase' | 'timeoutMs'> {
  /** Our reference of the purchase. */
  reference: string;
  mayBeSent: () => boolean;
  /** The report of the result. Undefined for an unreadable one: the purchase may have run. */
  parse: (body: unknown) => PurchaseReport | undefined;
  /** The report of a rejection with this code. */
  rejectionOf: (code: string) => SupplierRejection;
}

/** A call that buys nothing. */
export interface OtherCall extends Omit<Call, 'purchase' | 'timeoutMs'> {
  /** Replaces `lookupTimeoutMs`. */
  timeoutMs?: number;
}

/** A query. `method` is GET unless the supplier expects queries in a body. */
export interface Reading<T> extends Omit<OtherCall, 'method'> {
  method?: 'GET' | 'POST';
  /** The codes with which the supplier says that it does not know the profile that the call names. They throw `ProfileUnknown`. */
  unknownProfile?: readonly string[];
  /** Undefined for an unreadable response. */
  parse: (body: unknown, headers: Headers) => T | undefined;
}

const methodWords = { GET: safeText`GET`, POST: safeText`POST`, PUT: safeText`PUT` } as const;

/**
 * Makes calls over keep-alive connections. Error messages hold statuses and known codes, never the supplier's text, which
 * may repeat the customer's input.
 */
export function createHttp(options: HttpOptions): SupplierHttp {
  const { supplier, url, authorization, renewAuthorization, turn, classify, codes } = options;
  const { purchaseTimeoutMs = 15 * second, lookupTimeoutMs = 15 * second } = options.timeLimits ?? {};
  const dispatcher = new Agent();

  async function send(call: Call, sending: Sending): Promise<HttpResponse> {
    if (turn) await takeTurn(turn, call);
    const target = targetOf(call, url);
    const authorized = await authorization({
      method: call.method,
      path: target.pathname,
      query: target.search.slice(1),
      body: call.body?.bytes ?? Buffer.alloc(0),
    });
    try {
      return await exchange(dispatcher, call, target, authorized, sending);
    } catch (cause) {
      throw tooLongOr(cause, inconclusive(call, faultOf(cause), sending.begun));
    }
  }

  async function make(call: Call, isRepeated = false): Promise<ConclusiveResponse> {
    const response = await inSpan(spanOf(supplier, call), async (span) => {
      const received = await send(call, sendingOf(call));
      span.set({ 'http.response.status_code': received.status });
      return received;
    });
    const meaning = classify({ ...response, reference: call.purchase?.reference });
    if (meaning?.meaning !== 'unauthorized' || isRepeated || !renewAuthorization)
      return conclude(call, response, meaning);
    await renewAuthorization(response.authorized);
    return make(call, true);
  }

  function conclude(call: Call, response: HttpResponse, meaning: Meaning | undefined): ConclusiveResponse {
    const { status, headers, body, rawResponse } = response;
    if (!meaning) throw inconclusive(call, safeText`unreadable answer ${status}`, true, rawResponse);
    if (meaning.meaning === 'answered') return { ok: true, body, headers };
    const message = safeText`${nameOf(call)}: ${status} ${namedCode(codes, meaning.code)}`;
    switch (meaning.meaning) {
      case 'account-blocked':
      case 'unauthorized':
        throw new SupplierAccountBlocked(message, rawResponse);
      case 'not-run':
        throw new SupplierUnavailable(message, waitMs(meaning, headers), rawResponse);
      case 'reference-used':
        throw new ReferenceUsed(message, undefined, rawResponse);
      case 'rejected':
        return { ok: false, status, rejection: meaning, ...(rawResponse && { rawResponse }) };
    }
  }

  function inconclusive(call: Call, reason: SafeText, begun: boolean, raw?: RawSupplierResponse): Error {
    const mayHaveBought = call.purchase !== undefined && begun;
    const Inconclusive = mayHaveBought ? SupplierOutcomeUnknown : SupplierUnavailable;
    return new Inconclusive(safeText`${nameOf(call)}: ${reason}`, undefined, raw);
  }

  function nameOf({ method, path }: Call): SafeText {
    return safeText`${supplier}: ${joinSafeText([methodWords[method], path], safeText` `)}`;
  }

  async function buy({ reference, mayBeSent, parse, rejectionOf, ...rest }: Buying): Promise<PurchaseReport> {
    const purchase = { reference, mayBeSent };
    const answer = await make({ method: 'POST', timeoutMs: purchaseTimeoutMs, ...rest, purchase });
    if (!answer.ok) {
      const { rejection, rawResponse } = answer;
      return { ...rejectionOf(rejection.code), ...(rawResponse && { rawResponse }) };
    }
    const report = parse(answer.body);
    if (!report) throw new SupplierOutcomeUnknown(safeText`${supplier}: unreadable answer to a purchase`);
    return report;
  }

  async function read<T>({ parse, unknownProfile, method = 'GET', ...rest }: Reading<T>): Promise<T> {
    const reading: Call = { method, timeoutMs: lookupTimeoutMs, ...rest };
    const answer = await make(reading);
    if (!answer.ok) {
      const message = safeText`${nameOf(reading)}: ${answer.status} ${namedCode(codes, answer.rejection.code)}`;
      throw new (failureOf(answer.rejection, unknownProfile))(message, undefined, answer.rawResponse);
    }
    const value = parse(answer.body, answer.headers);
    if (value === undefined) throw new SupplierUnavailable(safeText`${nameOf(reading)}: unreadable answer`);
    return value;
  }

  return { buy, read, call: (call) => make({ timeoutMs: lookupTimeoutMs, ...call }) };
}

/** The error of a rejected read. `unknownProfile`: see `Reading`. */
const failureOf = ({ code }: Rejection, unknownProfile: readonly string[] = []) =>
  unknownProfile.includes(code) ? ProfileUnknown : SupplierUnavailable;

/** Waits for the turn of the call. Throws `CallHeldBack` if a purchase waited so long that it may not be sent any more. */
async function takeTurn(turn: NonNullable<HttpOptions['turn']>, call: Call): Promise<void> {
  const mightBeSent = call.purchase?.mayBeSent();
  await turn(turnKindOf(call));
  if (mightBeSent === true && call.purchase?.mayBeSent() === false)
    throw new CallHeldBack(safeText`The purchase waited too long for its turn`);
}

/** Names the path with placeholders instead of values. */
function spanOf(supplier: SafeText, { method, path }: Call): SpanStart {
  const attributes = { supplier, 'supplier.path': path, 'http.request.method': method };
  return { name: () => `${supplier} ${method} ${path}`, kind: 'client', attributes };
}

/** Returns `ResponseTooLong` instead of the error if the call bought nothing and its response was too long. */
function tooLongOr(cause: unknown, error: Error): Error {
  const isTooLong = cause instanceof BodyTooLong && error instanceof SupplierUnavailable;
  return isTooLong ? new ResponseTooLong(error.message) : error;
}

/** Milliseconds until a call that did not run may be repeated; undefined if the supplier names none. */
function waitMs({ retryAfterMs: named }: Rejection, headers: Headers): number | undefined {
  return named ?? retryAfterMs(headers['retry-after'], Date.now());
}
