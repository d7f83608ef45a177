/** `npm run demo`: places one order of each family as a client would, and shows what came of it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { consoleUrl } from './announcement';
import { startReceiver, type Receiver } from './demo-receiver';
import { withStack } from './launch';
import type { DemoClient, Scenario, StackFile } from './stack-file';

const SCENARIOS = ['voucher_instant', 'topup_instant', 'esim_instant'];
const PATIENCE_MS = 90_000;

/** Top-up events come only where they are asked for by name. */
const EVENT_TYPES = ['wallet.debited', 'order.delivered', 'topup.delivered', 'esim.delivered'];
/** A delivered order tells of the debit and of the delivery. */
const EVENTS_AN_ORDER = 2;
const WEBHOOK_PATIENCE_MS = 10_000;

/** What the demo looks at in an order; the rest is shown as it came. */
interface Order {
  id: number;
  status: string;
}

interface Wallet {
  id: number;
  currency_code: string;
  balance: number;
}

/** A logged-in client of the API. */
class ApiClient {
  private constructor(
    private readonly baseUrl: string,
    private readonly token: string,
  ) {}

  static async login(baseUrl: string, { api_key, api_secret }: DemoClient): Promise<ApiClient> {
    const anonymous = new ApiClient(baseUrl, '');
    const credentials = { username: api_key, password: api_secret };
    const answer = await anonymous.call<{ data: { access_token: string } }>(
      'POST',
      '/auth/login',
      credentials,
    );
    return new ApiClient(baseUrl, answer.data.access_token);
  }

  async call<T>(method: string, path: string, body?: object): Promise<T> {
    const response = await fetch(this.baseUrl + path, {
      method,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${this.token}` },
      ...(body && { body: JSON.stringify(body) }),
    });
    const answer = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${answer}`);
    return (answer === '' ? undefined : JSON.parse(answer)) as T;
  }
}

async function demonstrate(stack: StackFile): Promise<void> {
  const client = stack.clients['demo'];
  if (!client) throw new Error('The demo client is missing.');
  const api = await ApiClient.login(stack.api_url, client);
  const receiver = await startReceiver();
  const endpoint = await api.call<{ id: number; secret: string }>('POST', '/api/v1/webhooks/endpoints', {
    url: receiver.url,
    event_types: EVENT_TYPES,
    description: 'npm run demo',
  });
  receiver.trust(endpoint.secret);
  const orders: number[] = [];
  try {
    for (const name of SCENARIOS) {
      const scenario = stack.scenarios.find((candidate) => candidate.name === name);
      if (scenario) orders.push(await showOrder(api, receiver, scenario));
    }
  } finally {
    await api.call('DELETE', `/api/v1/webhooks/endpoints/${endpoint.id}`);
    receiver.close();
  }
  await showWhereToLook(stack, client, orders);
}

/** Prints where to go on in a browser. */
async function showWhereToLook(stack: StackFile, client: DemoClient, orders: number[]): Promise<void> {
  console.log('\n=== In a browser');
  console.log(`Console:        ${consoleUrl(stack)} (key ${client.api_key}, secret ${client.api_secret})`);
  console.log(`API reference:  ${stack.api_url}/docs`);
  for (const id of orders) console.log(`Workflow:       ${await workflowUrl(stack, id)}`);
}

/** Places the order of a scenario, shows what came of it, and returns its id. */
async function showOrder(api: ApiClient, receiver: Receiver, scenario: Scenario): Promise<number> {
  console.log(`\n=== ${scenario.name}: ${scenario.method} ${scenario.path} ${JSON.stringify(scenario.body)}`);
  console.log(`Wallets before: ${await balances(api)}`);
  const placed = await api.call<Order>(scenario.method, scenario.path, scenario.body);
  const order = placed.status === scenario.final_status ? placed : await settled(api, scenario, placed.id);
  console.log(JSON.stringify(order, null, 2));
  console.log(`Wallets after:  ${await balances(api)}`);
  for (const event of await receiver.arrivals(order.id, EVENTS_AN_ORDER, WEBHOOK_PATIENCE_MS)) {
    console.log(`Webhook:        ${event.type} (${event.verified ? 'signature verified' : 'NOT verified'})`);
  }
  return order.id;
}

async function settled(api: ApiClient, scenario: Scenario, id: number): Promise<Order> {
  const deadline = Date.now() + PATIENCE_MS;
  while (Date.now() < deadline) {
    const order = await api.call<Order>('GET', `${scenario.path}/${id}`);
    if (order.status === scenario.final_status) return order;
    await sleep(1_000);
  }
  throw new Error(`Order ${id} is not ${scenario.final_status} after ${PATIENCE_MS / 1000} s.`);
}

async function balances(api: ApiClient): Promise<string> {
  const wallets = await api.call<Wallet[]>('GET', '/api/v1/wallets');
  return wallets.map(({ balance, currency_code }) => `${balance} ${currency_code}`).join(', ');
}

/** The order's page in the Temporal UI. The list behind it lags a moment. */
async function workflowUrl(stack: StackFile, orderId: number): Promise<string> {
  const { temporal_ui_url: ui, temporal_namespace: namespace } = stack;
  const query = encodeURIComponent(`WorkflowId STARTS_WITH "order-${orderId}-"`);
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const response = await fetch(`${ui}/api/v1/namespaces/${namespace}/workflows?query=${query}`);
    const { executions } = (await response.json()) as {
      executions?: { execution: { workflowId: string; runId: string } }[];
    };
    const found = executions?.[0]?.execution;
    if (found) return `${ui}/namespaces/${namespace}/workflows/${found.workflowId}/${found.runId}/history`;
    await sleep(250);
  }
  return `${ui}/namespaces/${namespace}/workflows?query=${query}`;
}

void withStack(demonstrate);
