/** The API of the running stack in a client's view. */
import { setTimeout as sleep } from 'node:timers/promises';
import { loadStack } from '../../dev/testbed/loaded-stack';
import { errorKinds } from '../../src/domain/error-kinds';
import { isSandboxFault } from '../../src/domain/orders/sandbox-faults';
import { holdAgainstDocument } from './documented-answers';
import type { DemoClient, Scenario } from '../../dev/stack/stack-file';

/** The scenarios that wait for an operator. Separate tests cover them. */
export const operatorScenarios = ['voucher_needs_operator', 'voucher_held', 'topup_supplier_blocked'];

/** The scenarios of orders that end without an operator. */
export function endingScenarios(): Scenario[] {
  return loadStack().scenarios.filter(({ name, headers }) => !headers && !operatorScenarios.includes(name));
}

/** The API's response. `Body` is the test's expected type, which is not checked. */
export interface Answer<Body> {
  status: number;
  headers: Headers;
  body: Body;
}

export type Json = Record<string, unknown>;

/** The fields of every resource. */
export type Resource = Json & { id: number };

/** The body of every error. */
export interface ErrorBody {
  error: { name: string; code: string; message: string };
}

const kindOf = new Map(Object.values(errorKinds).map((kind) => [kind.code, kind]));

/**
 * The expected 4xx or 5xx response: `expect(answer).toMatchObject(refusal('NOT_FOUND', ...))`. `errors.unit.test.ts` compares
 * the status and the name of each code with the specification.
 */
export function refusal(code: string, message: string): object {
  const kind = kindOf.get(code);
  if (!kind) throw new Error(`No error has the code ${code}`);
  return { status: kind.status, body: { error: { name: kind.name, code, message } } };
}

/** The keys of an error without `param`, which only some errors have. */
export function keysOfError(error: object): string[] {
  return Object.keys(error).filter((name) => name !== 'param');
}

export const invalidQuery = refusal('BAD_REQUEST', 'Invalid query parameters');

/** The response to an invalid body or id. */
export const validation = (message: string): object => refusal('VALIDATION_FAILURE', message);

/** The response if the resource does not exist. */
export const notFound = (what: string): object => refusal('NOT_FOUND', `${what} not found`);

/** Calls the API, with a token if it has a client. */
export class ApiClient {
  private token: Promise<string> | undefined;

  constructor(
    private readonly baseUrl: string,
    private readonly credentials?: Pick<DemoClient, 'api_key' | 'api_secret'>,
  ) {}

  get<Body = Json>(path: string, headers: Record<string, string> = {}): Promise<Answer<Body>> {
    return this.send(path, { method: 'GET', headers });
  }

  post<Body = Json>(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer<Body>> {
    return this.send(path, jsonRequest('POST', body, headers));
  }

  /** Creates an order. Repeats the request, as a client does, for up to a minute while the service is too busy (503). */
  async order<Body = Json>(
    path: string,
    body: unknown,
    headers: Record<string, string> = {},
    until = performance.now() + 60_000,
  ): Promise<Answer<Body>> {
    const answer = await this.post<Body>(path, body, headers);
    if (answer.status !== 503 || performance.now() > until) return answer;
    await sleep(1_000 * Number(answer.headers.get('retry-after')));
    return this.order(path, body, headers, until);
  }

  patch<Body = Json>(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer<Body>> {
    return this.send(path, jsonRequest('PATCH', body, headers));
  }

  /** Sends the request unchanged except for the token, for bodies and methods that the other calls lack. */
  async send<Body = Json>(path: string, request: RequestInit): Promise<Answer<Body>> {
    const headers = new Headers(request.headers);
    if (this.credentials && !headers.has('authorization')) {
      headers.set('authorization', `Bearer ${await this.accessToken()}`);
    }
    const response = await fetch(`${this.baseUrl}${path}`, { ...request, headers });
    const text = await response.text();
    const { status } = response;
    const isRehearsed = isSandboxFault(headers.get('sandbox-fault') ?? '');
    const method = request.method ?? 'GET';
    holdAgainstDocument({ method, path, status, headers: response.headers, text, isRehearsed });
    const isCsv = response.headers.get('content-type')?.startsWith('text/csv');
    const body = (text === '' ? undefined : isCsv ? text : JSON.parse(text)) as Body;
    return { status, headers: response.headers, body };
  }

  /** The token of this client's only login. */
  accessToken(): Promise<string> {
    return (this.token ??= this.login());
  }

  private async login(): Promise<string> {
    const { api_key: username, api_secret: password } = this.credentials as DemoClient;
    const nobody = new ApiClient(this.baseUrl);
    const credentials = { username, password };
    const answer = await nobody.post<{ data: { access_token: string } }>('/auth/login', credentials);
    if (answer.status !== 200) throw new Error(`Login: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body.data.access_token;
  }
}

function jsonRequest(method: string, body: unknown, headers: Record<string, string> = {}): RequestInit {
  return { method, body: JSON.stringify(body), headers: { 'content-type': 'application/json', ...headers } };
}

const clients = new Map<string, ApiClient>();

/** The API as one of the stack's clients (`demo`, `other`, `load`, `restricted`, `poor`, `limited`); one login a test file. */
export function apiAs(name: string): ApiClient {
  const api = clients.get(name) ?? new ApiClient(loadStack().api_url, demoClient(name));
  clients.set(name, api);
  return api;
}

/** The API without a token. */
export function apiWithoutToken(): ApiClient {
  return new ApiClient(loadStack().api_url);
}

/** The client's entry in `stack.json`. */
export function demoClient(name: string): DemoClient {
  const client = loadStack().clients[name];
  if (!client) throw new Error(`The stack has no client "${name}"`);
  return client;
}
