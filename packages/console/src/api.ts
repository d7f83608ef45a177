/** Calls of the API by the console's cookie. */

/** An answer that is an error: its message is meant to be read. */
export class ApiFailure extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** Told when a call finds that nobody is signed in any more. */
let onSignedOut: () => void = () => undefined;

export function whenSignedOut(told: () => void): void {
  onSignedOut = told;
}

interface Call {
  method?: string;
  body?: object;
  headers?: Record<string, string>;
}

/** Sends a request below `/console` and returns its JSON. Throws `ApiFailure`, also where nobody could be reached. */
export async function send<T>(path: string, { method = 'GET', body, headers }: Call = {}): Promise<T> {
  return (await answerTo<T>(path, { method, ...(body && { body }), ...(headers && { headers }) })).data;
}

/** Calls the API: `path` below `/api/v1`. */
export function api<T>(path: string, call: Call = {}): Promise<T> {
  return send<T>(`/api/v1${path}`, call);
}

/** One page of a list, and how many there are of it all. */
export interface Page<T> {
  items: T[];
  total: number;
}

/** A page of a list. A list of orders that holds none is 404 by the contract. */
export async function list<T>(path: string): Promise<Page<T>> {
  try {
    const { data, headers } = await answerTo<T[]>(`/api/v1${path}`, {});
    return { items: data, total: Number(headers.get('x-total-count') ?? data.length) };
  } catch (error) {
    if (error instanceof ApiFailure && error.status === 404) return { items: [], total: 0 };
    throw error;
  }
}

async function answerTo<T>(path: string, { method, body, headers }: Call) {
  const response = await fetch(`/console${path}`, {
    ...(method !== undefined && { method }),
    headers: {
      'X-Requested-With': 'console',
      ...(body && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body && { body: JSON.stringify(body) }),
  }).catch(() => {
    throw new ApiFailure(0, 'UNREACHABLE', 'The service cannot be reached. Try again in a moment.');
  });
  const text = await response.text();
  if (!response.ok) throw failureIn(response.status, path, text);
  return { data: (text === '' ? undefined : JSON.parse(text)) as T, headers: response.headers };
}

function failureIn(status: number, path: string, text: string): ApiFailure {
  const { code, message } = errorIn(text) ?? { code: '', message: `The service answered ${status}.` };
  if (status === 401 && path !== '/session') onSignedOut();
  return new ApiFailure(status, code, message);
}

function errorIn(text: string): { code: string; message: string } | undefined {
  try {
    return (JSON.parse(text) as { error?: { code: string; message: string } }).error;
  } catch {
    return undefined;
  }
}

/** What to tell of whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
