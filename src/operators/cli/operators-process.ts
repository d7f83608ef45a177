/** Calls of the CLI to the operators' process. */
import { CommandFailed } from './output';

/** Where the process is, and the token of whom it serves. A login begins without a token. */
interface Access {
  url: string;
  token?: string;
}

interface Call {
  method: 'GET' | 'POST' | 'DELETE';
  headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  body?: object;
}

/** Returns the response, whatever its status. Throws `CommandFailed` if the process does not answer. Follows no redirect. */
export async function callOperators(
  { url, token }: Access,
  path: string,
  { method, headers, body }: Call,
): Promise<Response> {
  try {
    return await fetch(new URL(path, url), {
      method,
      headers: {
        ...(token !== undefined && { Authorization: `Bearer ${token}` }),
        ...(body && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
      redirect: 'error',
    });
  } catch (error) {
    const { cause, message } = error as Error;
    const reason = cause instanceof Error ? cause.message : message;
    throw new CommandFailed(`The operators' process at ${url} does not answer: ${reason}`);
  }
}
