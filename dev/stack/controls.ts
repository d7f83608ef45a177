/** The controls of the simulator and of the fakes: docs/developers/local-stack.md. */

/** The limit for a response, because the called program may be frozen. */
const TIMEOUT_MS = 30_000;

/** Calls a path below `/control` at this address. Returns the JSON of the response, if there is any. Throws a rejection. */
export async function callControl<Result = void>(
  url: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<Result> {
  const response = await fetch(`${url}/control/${path}`, {
    method,
    signal: AbortSignal.timeout(TIMEOUT_MS),
    ...(body !== undefined && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${url}/control/${path}: ${response.status} ${text}`);
  return (text === '' ? undefined : JSON.parse(text)) as Result;
}
