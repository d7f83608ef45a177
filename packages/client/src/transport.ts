/** Sends each call with a token and a timeout, and retries it if that is safe. */
import { apiError, AuthenticationError, DigitalGoodsError, isTransient, PermissionDeniedError } from './errors.ts';
import { exchange, openExchange, type Reply } from './exchange.ts';
import type { ByteStream, CancelSignal, HttpResponse } from './platform.ts';
import { withRetries } from './retries.ts';
import { errorAnswerOf, Session } from './session.ts';

export interface Settings {
  /** The URL of the service, such as `https://api.example`. `http://` is accepted for loopback addresses only. */
  baseUrl: string;
  apiKey: string;
  apiSecret: string;
  /** Retries after transient errors; 6 if not given, which takes about 20 s. */
  maxRetries?: number;
  /** Timeouts in milliseconds: of order requests (75,000 if not given) and of other calls (15,000). */
  timeouts?: { create?: number; other?: number };
}

/** Options of every call. */
export interface CallOptions {
  /** Aborts the call and its retries. */
  signal?: CancelSignal;
}

export interface Call extends CallOptions {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  query?: object | undefined;
  body?: object | undefined;
  headers?: Record<string, string>;
}

/**
 * When a call may be retried. `always`: it is idempotent. `unless-carried-out`: only if the service certainly did not
 * carry it out. `never`: the caller retries.
 */
export type Repeat = 'always' | 'unless-carried-out' | 'never';

export class Transport {
  readonly maxRetries: number;
  readonly createTimeoutMs: number;
  /** The timeout of reads for which the service may poll a supplier, which takes up to 15 s. */
  readonly slowReadTimeoutMs: number;
  private readonly timeoutMs: number;
  readonly #baseUrl: string;
  readonly #session: Session;

  constructor({ baseUrl, apiKey, apiSecret, maxRetries = 6, timeouts = {} }: Settings) {
    this.#baseUrl = safeBaseUrl(baseUrl);
    checkKey('apiKey', apiKey);
    checkKey('apiSecret', apiSecret);
    this.maxRetries = maxRetries;
    this.createTimeoutMs = timeouts.create ?? 75_000;
    this.timeoutMs = timeouts.other ?? 15_000;
    this.slowReadTimeoutMs = this.timeoutMs + 15_000;
    this.#session = new Session({ apiKey, apiSecret }, (path, body) => {
      const url = this.#baseUrl + path;
      const { timeoutMs } = this;
      return exchange({ method: 'POST', url, headers: {}, body, timeoutMs, signal: undefined });
    });
  }

  /** Sends a call. Throws an `ApiError` if the response is an error, and what `exchange` throws. */
  async call(call: Call, repeat: Repeat, timeoutMs = this.timeoutMs): Promise<Reply> {
    return this.repeated(call, repeat, async (headers) => {
      const reply = await exchange({ ...this.requestOf(call, timeoutMs), headers });
      if (reply.status >= 400) throw apiError(errorAnswerOf(reply));
      return reply;
    });
  }

  /** Sends a call and streams its body. A connection that breaks after the head is an error of the stream. */
  async stream(call: Call): Promise<ByteStream> {
    return this.repeated(call, 'always', async (headers) => {
      const response = await openExchange({ ...this.requestOf(call, this.timeoutMs), headers });
      if (response.ok && response.body) return response.body;
      throw apiError(errorAnswerOf({ ...statusAndHeaders(response), body: await errorBody(response) }));
    });
  }

  private repeated<T>(call: Call, repeat: Repeat, send: (headers: Record<string, string>) => Promise<T>): Promise<T> {
    const { maxRetries } = this;
    const { signal } = call;
    return withRetries(() => this.authorized(call, send), mayRepeat[repeat], { maxRetries, signal });
  }

  /** Sends with a token, and a second time with a new token if the service rejected the first token. */
  private async authorized<T>(
    { headers, signal }: Call,
    send: (headers: Record<string, string>) => Promise<T>,
  ): Promise<T> {
    const sendWith = (token: string) => send({ ...headers, authorization: `Bearer ${token}` });
    const token = await unlessAborted(this.#session.token(), signal);
    try {
      return await sendWith(token);
    } catch (error) {
      if (!needsAnotherToken(error)) throw error;
      return sendWith(await unlessAborted(this.#session.tokenInsteadOf(token), signal));
    }
  }

  private requestOf({ method, path, query, body, signal }: Call, timeoutMs: number) {
    const url = this.#baseUrl + path + searchOf(query);
    return { method, url, body, timeoutMs, signal };
  }
}

/** Returns the base URL. Throws if no path can follow it, or if the API secret would leave this machine without TLS. */
function safeBaseUrl(baseUrl: unknown): string {
  if (typeof baseUrl !== 'string' || baseUrl === '')
    throw new DigitalGoodsError('baseUrl is missing. Set it to the URL of the service, such as https://api.example.');
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (!url)
    throw new DigitalGoodsError(`baseUrl is not a URL: ${JSON.stringify(baseUrl)}. An example is https://api.example.`);
  if (url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '')
    throw new DigitalGoodsError('baseUrl must have no user, query or fragment. An example is https://api.example.');
  if (/\/api\/v\d+\/*$/.test(url.pathname))
    throw new DigitalGoodsError(
      'baseUrl must not end with /api/v1: the library adds the path. An example is https://api.example.',
    );
  const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname));
  if (isSafe) return baseUrl.replace(/\/+$/, '');
  throw new DigitalGoodsError(
    'baseUrl must begin with https://. Use http:// only for a service on this machine (localhost, 127.0.0.1, [::1]).',
  );
}

/** Throws unless the value can be a key or a secret. The message never shows it. */
function checkKey(name: 'apiKey' | 'apiSecret', value: unknown): void {
  if (typeof value !== 'string' || value === '')
    throw new DigitalGoodsError(`${name} is missing. Pass the value that your operator gave you.`);
  if (/[^\x21-\x7e]/.test(value))
    throw new DigitalGoodsError(`${name} contains a space, a line break or a letter that no key has. Copy it again.`);
}

function isLoopback(hostname: string): boolean {
  return ['localhost', '[::1]'].includes(hostname) || /^127(?:\.\d+){3}$/.test(hostname);
}

/**
 * Whether the call may succeed with another token. A session that ended, for example by a suspension, can still read, but its
 * writes are rejected until the next login.
 */
function needsAnotherToken(error: unknown): boolean {
  const isEnded = error instanceof PermissionDeniedError && error.message === 'Session ended';
  return isEnded || error instanceof AuthenticationError;
}

const mayRepeat: Readonly<Record<Repeat, (error: unknown) => boolean>> = {
  always: isTransient,
  'unless-carried-out': (error) =>
    isTransient(error) && error instanceof DigitalGoodsError && !error.mayHaveTakenEffect,
  never: () => false,
};

/** Several calls wait for one login. Each can be aborted separately. */
async function unlessAborted<T>(awaited: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return awaited;
  signal.throwIfAborted();
  let onAbort = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason as Error);
    signal.addEventListener('abort', onAbort);
  });
  return Promise.race([awaited, aborted]).finally(() => signal.removeEventListener('abort', onAbort));
}

function searchOf(query: object | undefined): string {
  const given = Object.entries(query ?? {}).filter(([, value]) => value !== undefined);
  if (given.length === 0) return '';
  return `?${new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)])).toString()}`;
}

function statusAndHeaders({ status, headers }: HttpResponse): Omit<Reply, 'body'> {
  return { status, headers };
}

async function errorBody(response: HttpResponse): Promise<unknown> {
  return response.json().catch(() => undefined);
}
