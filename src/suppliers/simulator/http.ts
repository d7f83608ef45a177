/** Calls to the simulator over kept-alive connections, and what a call that failed means. */
import { Agent, request } from 'undici';
import { SupplierAccountBlocked, SupplierOutcomeUnknown, SupplierUnavailable } from '../port';
import { readRefusal, type Refusal } from './messages';

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
  /** Whether the call may have bought something although it failed. */
  buys?: boolean;
}

/** An answer that decides something: a 2xx with its JSON, or a 4xx with the supplier's reason. */
export type Answer = { ok: true; body: unknown } | { ok: false; status: number; refusal: Refusal };

/** Codes of errors that come before a byte of the request has left. */
const notSentCodes = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

interface RawAnswer {
  status: number;
  retryAfter: string | undefined;
  /** Undefined when it is not JSON. */
  body: unknown;
}

/** Gives the function that calls. It throws one of the port's three errors when there is no answer. */
export function createHttp({ url, secret }: HttpOptions): (call: Call) => Promise<Answer> {
  const dispatcher = new Agent();
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };

  async function send(call: Call): Promise<RawAnswer> {
    const response = await request(new URL(call.path, url), {
      dispatcher,
      method: call.method,
      headers,
      query: call.query ?? {},
      body: call.body === undefined ? null : JSON.stringify(call.body),
      signal: AbortSignal.timeout(call.timeoutMs),
    });
    const retryAfter = response.headers['retry-after'];
    return {
      status: response.statusCode,
      retryAfter: typeof retryAfter === 'string' ? retryAfter : undefined,
      body: parseJson(await response.body.text()),
    };
  }

  return async (call) => {
    const answer = await send(call).catch((cause: unknown) => {
      throw withoutAnswer(call, describe(cause), neverSent(cause));
    });
    return judge(call, answer);
  };
}

function judge(call: Call, { status, retryAfter, body }: RawAnswer): Answer {
  if (status >= 200 && status < 300 && body !== undefined) return { ok: true, body };
  const refusal = readRefusal(body);
  if (status === 401 || status === 402 || status === 403) {
    throw new SupplierAccountBlocked(`simulator: ${status} ${refusal?.message ?? ''}`.trim());
  }
  // A 429 or 503 means "nothing ran" only in the supplier's own words: a proxy on the way uses them too.
  if (refusal && (status === 429 || status === 503)) {
    throw new SupplierUnavailable(`simulator: ${refusal.message}`, retryAfterMs(retryAfter));
  }
  if (refusal && status >= 400 && status < 500) return { ok: false, status, refusal };
  throw withoutAnswer(call, `unreadable answer ${status}`, false);
}

function withoutAnswer(call: Call, reason: string, notSent: boolean): Error {
  const message = `simulator: ${call.method} ${call.pathName ?? call.path}: ${reason}`;
  const mayHaveBought = call.buys === true && !notSent;
  return mayHaveBought ? new SupplierOutcomeUnknown(message) : new SupplierUnavailable(message);
}

function neverSent(cause: unknown): boolean {
  return notSentCodes.has(codeOf(cause));
}

function describe(cause: unknown): string {
  return codeOf(cause) || String(cause);
}

function codeOf(cause: unknown): string {
  const { code } = Object(cause) as { code?: unknown };
  return typeof code === 'string' ? code : '';
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** `Retry-After` in seconds (RFC 9110, section 10.2.3) as milliseconds; its date form is not used here. */
function retryAfterMs(header: string | undefined): number | undefined {
  return header !== undefined && /^\d{1,6}$/.test(header) ? Number(header) * 1_000 : undefined;
}
