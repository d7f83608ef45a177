/** A client of the API that places voucher orders over kept-alive connections. */
import { Agent, request } from 'undici';
import type { StackFile } from '../stack/stack-file';

export interface VoucherOrder {
  id: number;
  status: string;
  vouchers: { card_number: string }[];
}

/** How a create was answered. */
export interface Attempt {
  status: number;
  /** The state of the order, where there is one. */
  orderStatus: string | undefined;
  /** Milliseconds from request to answer. */
  ms: number;
}

type Body = Readonly<Record<string, unknown>>;

export class OrderClient {
  private constructor(
    private readonly baseUrl: string,
    private readonly agent: Agent,
    /** The access token. */
    readonly token: string,
    /** The body of `voucher_instant`: one voucher, delivered at once. */
    private readonly one: Body,
  ) {}

  /** Logs in; by default as the client `load`, whose limits are out of the way. */
  static async login(stack: StackFile, name = 'load'): Promise<OrderClient> {
    const client = stack.clients[name];
    const scenario = stack.scenarios.find(({ name }) => name === 'voucher_instant');
    if (!client || !scenario) throw new Error('The stack has no demo data to measure with.');
    const agent = new Agent();
    const nobody = new OrderClient(stack.api_url, agent, '', scenario.body);
    const { data } = await nobody.call<{ data: { access_token: string } }>('POST', '/auth/login', {
      username: client.api_key,
      password: client.api_secret,
    });
    return new OrderClient(stack.api_url, agent, data.access_token, scenario.body);
  }

  /** Orders one voucher and has it in the answer. */
  async orderOne(): Promise<void> {
    const { id, status } = await this.order({});
    if (status !== 'DELIVERED') throw new Error(`Order ${id} is ${status}, not DELIVERED.`);
  }

  /** Orders what `special` makes of one voucher. */
  order(special: Body): Promise<VoucherOrder> {
    return this.call('POST', '/api/v1/orders', { ...this.one, ...special });
  }

  /** Orders one voucher, whatever the answer is. */
  async tryOrder(): Promise<Attempt> {
    const began = performance.now();
    const { statusCode: status, text } = await this.send('POST', '/api/v1/orders', this.one);
    const { status: orderStatus } = JSON.parse(text) as Partial<VoucherOrder>;
    return { status, orderStatus, ms: performance.now() - began };
  }

  /** What the path is answered with. */
  async text(path: string): Promise<string> {
    return (await this.send('GET', path)).text;
  }

  /** The order with its vouchers. */
  read(id: number): Promise<VoucherOrder> {
    return this.call('GET', `/api/v1/orders/${id}`);
  }

  /** The state of the order with the reference: the list shows it without opening a voucher. */
  async statusOf(reference: string): Promise<string> {
    const [order] = await this.call<VoucherOrder[]>('GET', `/api/v1/orders?client_reference=${reference}`);
    return order?.status ?? 'MISSING';
  }

  close(): Promise<void> {
    return this.agent.close();
  }

  private async call<Answer>(method: 'GET' | 'POST', path: string, body?: Body): Promise<Answer> {
    const { statusCode, text } = await this.send(method, path, body);
    if (statusCode !== 200) throw new Error(`${method} ${path}: ${statusCode} ${text}`);
    return JSON.parse(text) as Answer;
  }

  private async send(method: 'GET' | 'POST', path: string, body?: Body) {
    const { statusCode, body: answer } = await request(this.baseUrl + path, {
      method,
      dispatcher: this.agent,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${this.token}` },
      body: body ? JSON.stringify(body) : null,
    });
    return { statusCode, text: await answer.text() };
  }
}
