/** The running stack as the tests meet it: its `stack.json`, and its API as a client sees it. */
import { readStackFile } from '../../dev/stack/launch';
import { holdAgainstDocument } from './documented-answers';
import type { DemoClient, Scenario, StackFile } from '../../dev/stack/stack-file';

let loaded: StackFile | undefined;

/** The stack under test, named by STACK_FILE. */
export function loadStack(): StackFile {
  const file = process.env['STACK_FILE'];
  if (!file) throw new Error('STACK_FILE does not name the stack.json of a running stack');
  return (loaded ??= readStackFile(file));
}

/** The scenarios that wait for an operator; they have a test of their own. */
export const operatorScenarios = ['voucher_needs_operator', 'topup_supplier_blocked'];

/** The scenarios that come to their end by themselves. */
export function endingScenarios(): Scenario[] {
  return loadStack().scenarios.filter(({ name }) => !operatorScenarios.includes(name));
}

/** What the API answered. `Body` is what the test expects it to be; nothing checks that. */
export interface Answer<Body> {
  status: number;
  headers: Headers;
  body: Body;
}

export type Json = Record<string, unknown>;

/** What every resource has, whatever else. */
export type Resource = Json & { id: number };

/** The body of every error. */
export interface ErrorBody {
  error: { name: string; code: string; message: string };
}

/** What a 4xx or 5xx answer should hold: `expect(answer).toMatchObject(refusal(404, ...))`. */
export function refusal(status: number, name: string, code: string, message: string): object {
  return { status, body: { error: { name, code, message } } };
}

export const invalidQuery = refusal(400, 'BadRequestError', 'BAD_REQUEST', 'Invalid query parameters');

/** The refusal of a body or id that does not hold. */
export function validation(message: string): object {
  return refusal(400, 'ValidationException', 'VALIDATION_FAILURE', message);
}

/** Calls the API, with a token where it was given a client to log in as. */
export class ApiClient {
  private token: Promise<string> | undefined;

  constructor(
    private readonly baseUrl: string,
    private readonly credentials?: Pick<DemoClient, 'api_key' | 'api_secret'>,
  ) {}

  get<Body = Json>(path: string, headers: Record<string, string> = {}): Promise<Answer<Body>> {
    return this.send(path, { method: 'GET', headers });
  }

  post<Body = Json>(
    path: string,
    body: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer<Body>> {
    return this.send(path, jsonRequest('POST', body, headers));
  }

  patch<Body = Json>(
    path: string,
    body: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer<Body>> {
    return this.send(path, jsonRequest('PATCH', body, headers));
  }

  /** Sends the request as it is, for bodies and methods the others do not make; adds the token. */
  async send<Body = Json>(path: string, request: RequestInit): Promise<Answer<Body>> {
    const headers = new Headers(request.headers);
    if (this.credentials && !headers.has('authorization')) {
      headers.set('authorization', `Bearer ${await this.accessToken()}`);
    }
    const response = await fetch(`${this.baseUrl}${path}`, { ...request, headers });
    const text = await response.text();
    const { status } = response;
    holdAgainstDocument({ method: request.method ?? 'GET', path, status, headers: response.headers, text });
    const isCsv = response.headers.get('content-type')?.startsWith('text/csv');
    const body = (text === '' ? undefined : isCsv ? text : JSON.parse(text)) as Body;
    return { status, headers: response.headers, body };
  }

  /** The token of the one login of this client. */
  accessToken(): Promise<string> {
    return (this.token ??= this.login());
  }

  private async login(): Promise<string> {
    const { api_key, api_secret } = this.credentials as DemoClient;
    const response = await fetch(`${this.baseUrl}/auth/login`, {
      ...jsonRequest('POST', { username: api_key, password: api_secret }),
    });
    const text = await response.text();
    const { status, headers } = response;
    holdAgainstDocument({ method: 'POST', path: '/auth/login', status, headers, text });
    if (!response.ok) throw new Error(`Login: ${status} ${text}`);
    const { data } = JSON.parse(text) as { data: { access_token: string } };
    return data.access_token;
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
export function apiAsNobody(): ApiClient {
  return new ApiClient(loadStack().api_url);
}

/** What `stack.json` tells of a client. */
export function demoClient(name: string): DemoClient {
  const client = loadStack().clients[name];
  if (!client) throw new Error(`The stack has no client "${name}"`);
  return client;
}
