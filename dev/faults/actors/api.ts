/** The API as one of its clients calls it. */
import { collections, type Family } from '../plan/orders';

export interface Credentials {
  api_key: string;
  api_secret: string;
}

export interface Answer<Body> {
  status: number;
  headers: Headers;
  body: Body;
}

/** The body of an error. */
export interface ErrorBody {
  error?: { code: string; message: string };
}

/** The order fields of all families. */
export interface OrderView {
  id: number;
  status: string;
  product_name: string;
  client_reference?: string;
  /** Vouchers only. */
  quantity?: number;
  vouchers?: { card_number: string | null; claim_url: string | null }[];
  /** Delivered eSIMs only. */
  iccid?: string | null;
  activation_code?: string | null;
  activation_status?: string;
}

export interface TransactionView {
  id: number;
  amount: number;
  transaction_type: 'DEBIT' | 'CREDIT';
  reference_number: string;
}

/** Longer than the time limit of an order request. */
const TIMEOUT_MS = 90_000;
/** The longest page of the lists of orders of all families, of events and of transactions. */
const PAGE = 500;

export class Api {
  private token: string | undefined;

  constructor(
    private readonly url: string,
    private readonly credentials: Credentials,
  ) {}

  /** Calls the API, after a login if necessary. Throws without a complete answer. */
  async call<Body>(method: string, path: string, body?: object): Promise<Answer<Body>> {
    this.token ??= await this.login();
    const answer = await this.send<Body>(method, path, body, this.token);
    if (answer.status !== 401) return answer;
    this.token = await this.login();
    return this.send<Body>(method, path, body, this.token);
  }

  /** Reads an existing resource. */
  async read<Body>(path: string): Promise<Body> {
    const { status, body } = await this.call<Body>('GET', path);
    if (status !== 200) throw new Error(`GET ${path}: ${status} ${JSON.stringify(body)}`);
    return body;
  }

  /** All items of a list, page by page, in its order. */
  async readAll<Item>(path: string): Promise<Item[]> {
    const size = path.includes('transactions') || path === collections.VOUCHER ? 'limit' : 'per_page';
    const separator = path.includes('?') ? '&' : '?';
    const all: Item[] = [];
    for (let page = 1; ; page++) {
      const { status, body } = await this.call<Item[]>(
        'GET',
        `${path}${separator}${size}=${PAGE}&page=${page}`,
      );
      // The list of voucher orders answers 404 if there are none.
      if (status === 404) return all;
      if (status !== 200) throw new Error(`GET ${path}: ${status} ${JSON.stringify(body)}`);
      all.push(...body);
      if (body.length < PAGE) return all;
    }
  }

  /** The order with the reference; undefined if there is none. */
  async findOrder(family: Family, reference: string): Promise<OrderView | undefined> {
    const path = `${collections[family]}?client_reference=${reference}`;
    const { status, body } = await this.call<OrderView[]>('GET', path);
    if (status === 404) return undefined;
    if (status !== 200) throw new Error(`GET ${path}: ${status} ${JSON.stringify(body)}`);
    return body[0];
  }

  /** An access token, for requests outside this class. */
  async accessToken(): Promise<string> {
    return (this.token ??= await this.login());
  }

  private async login(): Promise<string> {
    const { api_key: username, api_secret: password } = this.credentials;
    const answer = await this.send<{ data: { access_token: string } }>('POST', '/auth/login', {
      username,
      password,
    });
    if (answer.status !== 200) throw new Error(`Login: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body.data.access_token;
  }

  private async send<Body>(
    method: string,
    path: string,
    body?: object,
    token?: string,
  ): Promise<Answer<Body>> {
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
