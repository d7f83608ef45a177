/** A client of the API that places orders over kept-alive connections. */
import { Agent, request } from 'undici';
import type { DemoClient, Scenario, StackFile } from '../stack/stack-file';

export interface Order {
  id: number;
  status: string;
}

export interface VoucherOrder extends Order {
  vouchers: { card_number: string }[];
}

const ENDPOINTS = '/api/v1/webhooks/endpoints';

type Body = Readonly<Record<string, unknown>>;

export class OrderClient {
  private constructor(
    private readonly baseUrl: string,
    private readonly agent: Agent,
    /** The access token. */
    readonly token: string,
    private readonly scenarios: readonly Scenario[],
  ) {}

  /** Logs in; by default as the client `load`, which has no effective limits. */
  static async login(
    { api_url: url, clients, scenarios }: StackFile,
    client: Pick<DemoClient, 'api_key' | 'api_secret'> | undefined = clients['load'],
  ): Promise<OrderClient> {
    if (!client) throw new Error('The stack has no demo data to measure with.');
    const agent = new Agent();
    const anonymous = new OrderClient(url, agent, '', scenarios);
    const { data } = await anonymous.call<{ data: { access_token: string } }>('POST', '/auth/login', {
      username: client.api_key,
      password: client.api_secret,
    });
    return new OrderClient(url, agent, data.access_token, scenarios);
  }

  /** Orders the scenario. The response must contain the goods. */
  async orderInstantly(scenario: string): Promise<void> {
    const { id, status } = await this.order(scenario);
    if (status !== 'DELIVERED') throw new Error(`${scenario}: order ${id} is ${status}, not DELIVERED.`);
  }

  /** Orders one voucher. The response must contain it. */
  orderOne(): Promise<void> {
    return this.orderInstantly('voucher_instant');
  }

  /** Orders the scenario with overrides. */
  order(scenario: string, special: Body = {}): Promise<Order> {
    const { path, body } = this.scenario(scenario);
    return this.call('POST', path, { ...body, ...special });
  }

  /** Orders one voucher. Returns the status of the response. */
  tryOrder(): Promise<number> {
    return this.tryScenario('voucher_instant');
  }

  /** Orders the scenario. Returns the status of the response. */
  async tryScenario(scenario: string): Promise<number> {
    const { path, body } = this.scenario(scenario);
    return (await this.send('POST', path, body)).statusCode;
  }

  /** The response to a read of the path: 200, or 404 for a list without rows. */
  async text(path: string): Promise<string> {
    const { statusCode, text } = await this.send('GET', path);
    if (statusCode !== 200 && statusCode !== 404) throw new Error(`GET ${path}: ${statusCode} ${text}`);
    return text;
  }

  /** The voucher order with its vouchers. */
  read(id: number): Promise<VoucherOrder> {
    return this.call('GET', `/api/v1/orders/${id}`);
  }

  /** Registers a webhook endpoint for these types of events. Returns its id. */
  async register(url: string, eventTypes: readonly string[]): Promise<number> {
    return (await this.call<{ id: number }>('POST', ENDPOINTS, { url, event_types: eventTypes })).id;
  }

  /** Deletes the webhook endpoint. */
  async unregister(id: number): Promise<void> {
    await this.send('DELETE', `${ENDPOINTS}/${id}`);
  }

  close(): Promise<void> {
    return this.agent.close();
  }

  private scenario(wanted: string): Scenario {
    const scenario = this.scenarios.find(({ name }) => name === wanted);
    if (!scenario) throw new Error(`The stack has no scenario ${wanted}.`);
    return scenario;
  }

  private async call<Answer>(method: 'GET' | 'POST', path: string, body?: Body): Promise<Answer> {
    const { statusCode, text } = await this.send(method, path, body);
    if (statusCode >= 300) throw new Error(`${method} ${path}: ${statusCode} ${text}`);
    return JSON.parse(text) as Answer;
  }

  private async send(method: 'GET' | 'POST' | 'DELETE', path: string, body?: Body) {
    const { statusCode, body: answer } = await request(this.baseUrl + path, {
      method,
      dispatcher: this.agent,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${this.token}` },
      body: body ? JSON.stringify(body) : null,
      // An order request may wait a minute for its goods.
      headersTimeout: 90_000,
    });
    return { statusCode, text: await answer.text() };
  }
}
