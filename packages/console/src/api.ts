/** Calls of the API with the console's cookie. */
import { apiError, ApiError, NotFoundError, PriceChangedError } from '../../client/src/errors.ts';
import { exchange, type Reply } from '../../client/src/exchange.ts';
import { pageOf, type Page } from '../../client/src/pages.ts';
import { errorAnswerOf } from '../../client/src/session.ts';
import { SecondFactorNeeded } from '../../parts/src/rejection';

export { ApiError, PriceChangedError, type Page };

/** Milliseconds until a read, and a request that places an order, time out. */
const READ_TIMEOUT_MS = 30_000;
const WRITE_TIMEOUT_MS = 75_000;

let onSignedOut: (message: string) => void = () => undefined;

/** Registers the function that runs when a call finds that the session has ended, with the message of the service. */
export function whenSignedOut(run: (message: string) => void): void {
  onSignedOut = run;
}

/** A call that begins later after the last click or key is not the user's: it does not extend the session of a member. */
const USE_MS = 60_000;
let usedAt = Date.now();
for (const type of ['pointerdown', 'keydown'])
  addEventListener(type, () => (usedAt = Date.now()), { capture: true, passive: true });

interface Call {
  method?: string;
  body?: object;
  headers?: Record<string, string>;
}

/** Sends a request below `/console` and returns its JSON. Throws a `DigitalGoodsError`. */
export async function send<T>(path: string, call: Call = {}): Promise<T> {
  return (await replyTo(path, call)).body as T;
}

/** Calls the API: `path` below `/api/v1`. */
export function api<T>(path: string, call: Call = {}): Promise<T> {
  return send<T>(`/api/v1${path}`, call);
}

/** Reads a page of a list. The service returns 404 for an empty list of voucher orders. */
export async function list<T>(path: string): Promise<Page<T>> {
  try {
    const { body, headers } = await replyTo(`/api/v1${path}`, {});
    return pageOf(body as T[], headers);
  } catch (error) {
    if (error instanceof NotFoundError) return { items: [], page: 1, totalCount: 0, totalPages: 0, hasMore: false };
    throw error;
  }
}

async function replyTo(path: string, { method = 'GET', body, headers }: Call): Promise<Reply> {
  const reply = await exchange({
    method,
    url: `/console${path}`,
    headers: {
      'x-requested-with': 'console',
      ...(Date.now() - usedAt > USE_MS && { 'x-background-request': 'true' }),
      ...headers,
    },
    body,
    timeoutMs: method === 'GET' ? READ_TIMEOUT_MS : WRITE_TIMEOUT_MS,
    signal: undefined,
  });
  if (reply.status < 400) return reply;
  const page = reply.headers.get('location');
  if (reply.status === 403 && page !== null) throw new SecondFactorNeeded(errorAnswerOf(reply), page);
  const error = apiError(errorAnswerOf(reply));
  if (reply.status === 401 && path !== '/session') onSignedOut(error.message);
  throw error;
}
