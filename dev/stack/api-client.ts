/** The API as one of its clients calls it. */

export interface Credentials {
  api_key: string;
  api_secret: string;
}

export interface Answer<Body> {
  status: number;
  headers: Headers;
  body: Body;
}

/** Longer than the time limit of an order request. */
const TIMEOUT_MS = 90_000;

export class ApiClient {
  private token: string | undefined;
  private logsInAgain = true;

  constructor(
    readonly url: string,
    private readonly credentials: Credentials,
  ) {}

  /** The same session at another API, which must accept its token: this client never logs in again. */
  async at(url: string): Promise<ApiClient> {
    const other = new ApiClient(url, this.credentials);
    other.token = await this.accessToken();
    other.logsInAgain = false;
    return other;
  }

  /** Calls the API, after a login if necessary. Throws without a complete answer. */
  async call<Body>(method: string, path: string, body?: object): Promise<Answer<Body>> {
    const answer = await this.send<Body>(method, path, body, await this.accessToken());
    if (answer.status !== 401 || !this.logsInAgain) return answer;
    this.token = await this.login();
    return this.send<Body>(method, path, body, this.token);
  }

  /** The body of the response. Throws any other status than 2xx. */
  async request<Body>(method: string, path: string, body?: object): Promise<Body> {
    return accepted(`${method} ${path}`, await this.call<Body>(method, path, body));
  }

  /** Reads an existing resource. */
  read<Body>(path: string): Promise<Body> {
    return this.request('GET', path);
  }

  /** An access token, for requests outside this class. */
  async accessToken(): Promise<string> {
    return (this.token ??= await this.login());
  }

  private async login(): Promise<string> {
    const { api_key: username, api_secret: password } = this.credentials;
    const body = { username, password };
    const answer = await this.send<{ data: { access_token: string } }>('POST', '/auth/login', body);
    return accepted('Login', answer).data.access_token;
  }

  private async send<Body>(method: string, path: string, body?: object, token?: string): Promise<Answer<Body>> {
    const response = await fetch(this.url + path, {
      method,
      headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: (text === '' ? undefined : JSON.parse(text)) as Body,
    };
  }
}

function accepted<Body>(what: string, { status, body }: Answer<Body>): Body {
  if (status >= 300) throw new Error(`${what}: ${status} ${JSON.stringify(body)}`);
  return body;
}
