/** One request and its whole answer, in a bounded time. */
import { ConnectionError, TimeoutError } from './errors.ts';

export interface Exchange {
  method: string;
  url: string;
  headers: Record<string, string>;
  /** Sent as JSON. */
  body: object | undefined;
  timeoutMs: number;
  signal: AbortSignal | undefined;
}

export interface Reply {
  status: number;
  headers: Headers;
  /** Parsed JSON; undefined where there is no body, or an error answer's is no JSON. */
  body: unknown;
}

/** What a failed connection is told by, where nothing was sent. */
const neverConnected = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'];

/**
 * Sends a request and reads its answer, whatever its status. Throws `ConnectionError` where there is no whole answer,
 * `TimeoutError` where there is none in time, and what the signal was aborted with.
 */
export async function exchange(request: Exchange): Promise<Reply> {
  return bounded(request, async (response) => {
    const { status, headers } = response;
    return { status, headers, body: parsed(await response.text(), response.ok) };
  });
}

/** The same for a body that is read bit by bit: the time is for the head of the answer alone, the signal for all. */
export async function openExchange(request: Exchange): Promise<Response> {
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
      headers: {
        accept: 'application/json',
        ...headers,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: end.signal,
      // The service answers none: a token is not taken to another place.
      redirect: 'error',
    });
    const used = await use(response);
    if (response.bodyUsed) signal?.removeEventListener('abort', onAbort);
    return used;
  } catch (error) {
    signal?.removeEventListener('abort', onAbort);
    signal?.throwIfAborted();
    if (end.signal.aborted) {
      throw new TimeoutError(`${method} ${url}: no answer in ${timeoutMs / 1_000} s`, true, { cause: error });
    }
    throw new ConnectionError(`${method} ${url}: no whole answer`, !wasNeverSent(error), { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

/** Throws where a successful answer was cut or forged; what a proxy says with its error is of no use to us. */
function parsed(text: string, isOk: boolean): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (isOk) throw error;
    return undefined;
  }
}

/** What `fetch` fails with tells its cause, of which a name with several addresses has several. */
function wasNeverSent(error: unknown): boolean {
  const { cause } = (error ?? {}) as { cause?: { code?: string; errors?: readonly { code?: string }[] } };
  const causes = cause?.errors ?? [cause];
  return causes.every((each) => neverConnected.includes(each?.code ?? ''));
}
