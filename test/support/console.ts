/** Calls the console as a browser does, with its cookie and the headers that only its own pages send. */
import { loadStack } from '../../dev/testbed/loaded-stack';
import type { Answer, Json } from './stack';

/** The headers that the console's own pages send with every request. */
export const fromConsole = { 'x-requested-with': 'console', 'sec-fetch-site': 'same-origin' };

interface Credentials {
  api_key: string;
  api_secret: string;
}

/** A message of the stream: its name and its data. */
export interface Message {
  event: string;
  data: Json;
}

export class ConsoleSession {
  private constructor(
    private readonly url: string,
    public cookie: string,
  ) {}

  /** Signs in. Throws if the sign-in is rejected. */
  static async begin({ api_key, api_secret }: Credentials, url = loadStack().api_url): Promise<ConsoleSession> {
    const session = new ConsoleSession(url, '');
    const { status, headers } = await session.send('POST', '/console/session', { api_key, api_secret });
    if (status !== 200) throw new Error(`Sign-in: ${status}`);
    session.cookie = cookieOf(headers);
    return session;
  }

  async send<Body = Json>(
    method: string,
    path: string,
    body?: object,
    others: Record<string, string> = {},
  ): Promise<Answer<Body>> {
    const response = await fetch(this.url + path, {
      method,
      headers: { ...this.headers, ...(body && { 'content-type': 'application/json' }), ...others },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const parsed = (text === '' ? undefined : JSON.parse(text)) as Body;
    return { status: response.status, headers: response.headers, body: parsed };
  }

  /** Reads a file. */
  async file(path: string, method = 'GET'): Promise<{ status: number; headers: Headers; text: string }> {
    const response = await fetch(this.url + path, { method, headers: this.headers });
    return { status: response.status, headers: response.headers, text: await response.text() };
  }

  get<Body = Json>(path: string): Promise<Answer<Body>> {
    return this.send<Body>('GET', `/console/api/v1${path}`);
  }

  /** Opens the stream. */
  async follow(signal?: AbortSignal): Promise<Followed> {
    const response = await fetch(`${this.url}/console/stream`, { headers: this.headers, ...(signal && { signal }) });
    return new Followed(response);
  }

  private get headers(): Record<string, string> {
    return { ...fromConsole, ...(this.cookie !== '' && { cookie: this.cookie }) };
  }
}

/** The stream of one page. */
export class Followed {
  readonly messages: Message[] = [];
  /** Resolves when the stream has ended. */
  readonly ended: Promise<void>;

  constructor(readonly response: Response) {
    this.ended = this.read().catch(() => undefined);
  }

  /** The data of one part of the console, in order. */
  of<T>(part: string): T[] {
    return this.messages.flatMap(({ data }) => (data[part] ?? []) as T[]);
  }

  private async read(): Promise<void> {
    let text = '';
    const decoder = new TextDecoder();
    for await (const chunk of this.response.body ?? []) {
      text += decoder.decode(chunk as Uint8Array, { stream: true });
      const messages = text.split('\n\n');
      text = messages.pop() ?? '';
      this.messages.push(...messages.flatMap(messageIn));
    }
  }
}

function messageIn(text: string): Message[] {
  const [, event, data] = /^event: (\w+)\ndata: (.*)$/s.exec(text) ?? [];
  return event === undefined || data === undefined ? [] : [{ event, data: JSON.parse(data) as Json }];
}

/** The cookie that a response sets, in the form for the next request. */
export function cookieOf(headers: Headers): string {
  return headers.getSetCookie()[0]?.split(';')[0] ?? '';
}
