/** Calls the API from a different loopback address than the other tests. */
import { Agent, request } from 'undici';
import { holdAgainstDocument } from './documented-answers';
import { loadStack } from '../../dev/testbed/loaded-stack';
import type { Answer, Json } from './stack';

export interface Caller {
  post<Body = Json>(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer<Body>>;
  close(): Promise<void>;
}

/** `address`: one of 127.0.0.0/8. Close it after use. */
export function callerAt(address: string): Caller {
  const dispatcher = new Agent({ localAddress: address, connections: 8 });
  return {
    async post<Body>(path: string, body: unknown, sent: Readonly<Record<string, string>> = {}) {
      const answer = await request(`${loadStack().api_url}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...sent },
        body: JSON.stringify(body),
        dispatcher,
      });
      const headers = new Headers(Object.entries(answer.headers).map(([k, v]): [string, string] => [k, String(v)]));
      const status = answer.statusCode;
      const text = await answer.body.text();
      holdAgainstDocument({ method: 'POST', path, status, headers, text });
      return { status, headers, body: JSON.parse(text) as Body };
    },
    close: () => dispatcher.close(),
  };
}
