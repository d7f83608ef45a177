/** One request and its response, within a timeout. */
import { ConnectionError, TimeoutError } from './errors.ts';
import type { CancelSignal, HttpHeaders, HttpResponse } from './platform.ts';

export interface Exchange {
  method: string;
  url: string;
  headers: Record<string, string>;
  /** Sent as JSON. */
  body: object | undefined;
  timeoutMs: number;
  signal: CancelSignal | undefined;
}

export interface Reply {
  status: number;
  headers: HttpHeaders;
  /** Parsed JSON; undefined if the response has no body, or if the body of an error is not JSON. */
  body: unknown;
}

/** Error codes of connections that failed before anything was sent. */
const neverConnected = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'];

/**
 * Sends a request and reads its response, which may be an error. Throws `ConnectionError` if the response is incomplete,
 * `TimeoutError` after the timeout, and the reason of an aborted signal.
 */
export async function exchange(request: Exchange): Promise<Reply> {
  return bounded(request, async (response) => {
    const { status, headers } = response;
    return { status, headers, body: parsed(await response.text(), response.ok) };
  });
}

/** Sends a request whose body is streamed. The timeout covers only the head of the response, the signal also its body. */
export async function openExchange(request: Exchange): Promise<HttpResponse> {
  return bounded(request, async (response) => response);
}

async function bounded<T>(request: Exchange, use: (response: Response) => Promise<T>): Promise<T> {
  const { method, url, headers, body, timeoutMs, signal } = request;
  signal?.throwIfAborted();
  const end = new AbortController();
  const onAbort = () => end.abort();
  signal?.addEventListener('abort', onAbort);
  const timer = setTimeout(onAbort, timeoutMs);
  try {
    const response = await fetch(url, {
      method,
      headers: { accept: 'application/json', ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
      signal: end.signal,
      // The service never redirects. A redirect would send the token elsewhere.
      redirect: 'error',
    });
    const used = await use(response);
    if (response.bodyUsed) signal?.removeEventListener('abort', onAbort);
    return used;
  } catch (error) {
    signal?.removeEventListener('abort', onAbort);
    signal?.throwIfAborted();
    if (end.signal.aborted) {
      throw new TimeoutError(`${method} ${url}: no response in ${timeoutMs / 1_000} s`, true, { cause: error });
    }
    const problem = problemOf(error, hostOf(url));
    throw new ConnectionError(`${method} ${url}: ${problem}`, !wasNeverSent(error), { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

/** The host of the URL, for messages. A web page calls its own host by a path, which names none. */
function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : 'the service';
}

/** Parses a body. If it is not JSON, throws for a successful response, and returns undefined for an error. */
function parsed(text: string, isOk: boolean): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    if (isOk) throw error;
    return undefined;
  }
}

function wasNeverSent(error: unknown): boolean {
  return codesOf(error).every((code) => neverConnected.includes(code));
}

/** The codes of an error of `fetch`: one for each address of the host. A code may be empty. */
function codesOf(error: unknown): string[] {
  const { cause } = (error ?? {}) as { cause?: { code?: string; errors?: readonly { code?: string }[] } };
  return (cause?.errors ?? [cause]).map((each) => each?.code ?? '');
}

/** Why there is no complete response, in words. */
function problemOf(error: unknown, host: string): string {
  const code = codesOf(error).find((each) => each !== '') ?? '';
  const known = problems.get(code);
  if (known) return `${known} ${host}`;
  if (code.startsWith('ERR_TLS') || code.includes('CERT')) return `the certificate of ${host} is not valid (${code})`;
  return code === '' ? 'no complete response' : `no complete response (${code})`;
}

const problems = new Map<string, string>(
  Object.entries({
    ECONNREFUSED: 'connection refused at',
    ENOTFOUND: 'there is no host',
    EAI_AGAIN: 'the name service does not answer about',
    UND_ERR_CONNECT_TIMEOUT: 'no connection in time to',
    ECONNRESET: 'the connection was reset by',
    UND_ERR_SOCKET: 'the connection was closed by',
  }),
);
