/**
 * `npm run demo`: places one order of each family as a client would, then one from each fake supplier, and shows the
 * results.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { consoleUrl, signedInUiUrl } from './announcement';
import { ApiClient } from './api-client';
import { callControl } from './controls';
import { withStack } from './launch';
import type { DemoClient, Scenario, StackFile } from './stack-file';
import { orderOf, WebhookReceiver, type EventView } from './webhook-receiver';

const SCENARIOS = ['voucher_instant', 'topup_instant', 'esim_instant'];
const PATIENCE_MS = 90_000;

/** Only endpoints that list top-up events get them. */
const EVENT_TYPES = ['wallet.debited', 'order.delivered', 'topup.delivered', 'esim.delivered'];
/** The events of a delivered order: debit and delivery. */
const EVENTS_AN_ORDER = 2;
const WEBHOOK_PATIENCE_MS = 10_000;

/** The fields of an order that the demo reads. It prints all of them. */
interface Order {
  id: number;
  status: string;
}

/** A sale of a fake supplier. */
interface Sale {
  reference: string;
  id: string;
  sku: string;
  cost: string;
  currency: string;
  state: string;
}

interface Wallet {
  id: number;
  currency_code: string;
  balance: number;
}

interface Arrival extends EventView {
  isVerified: boolean;
}

/** Accepts every event. */
class DemoReceiver extends WebhookReceiver {
  private readonly arrived: Arrival[] = [];

  /** The events of an order so far. Waits for `atLeast` events, at most `within` milliseconds. */
  async arrivals(orderId: number, atLeast: number, within: number): Promise<Arrival[]> {
    const ofOrder = () => this.arrived.filter((event) => orderOf(event) === orderId);
    const deadline = Date.now() + within;
    while (ofOrder().length < atLeast && Date.now() < deadline) await sleep(100);
    return ofOrder();
  }

  protected override take(body: string, isVerified: boolean): number {
    this.arrived.push({ ...(JSON.parse(body) as EventView), isVerified });
    return 204;
  }
}

async function demonstrate(stack: StackFile): Promise<void> {
  const client = stack.clients['demo'];
  if (!client) throw new Error('The demo client is missing.');
  const api = new ApiClient(stack.api_url, client);
  const receiver = await new DemoReceiver().listen();
  const endpoint = await api.request<{ id: number; secret: string }>('POST', '/api/v1/webhooks/endpoints', {
    url: receiver.url,
    event_types: EVENT_TYPES,
    description: 'npm run demo',
  });
  receiver.secret = endpoint.secret;
  const orders: number[] = [];
  try {
    for (const name of SCENARIOS) {
      const scenario = stack.scenarios.find((candidate) => candidate.name === name);
      if (scenario) orders.push(await showOrder(api, receiver, scenario));
    }
    for (const [supplier, { url }] of Object.entries(stack.suppliers ?? {})) {
      const scenario = stack.scenarios.find(({ name }) => name.startsWith(`${supplier}_`));
      if (!scenario) continue;
      const orderId = await showOrder(api, receiver, scenario);
      await showSales(supplier, url, orderId);
      orders.push(orderId);
    }
    orders.push(...(await showFailover(stack, api, receiver)));
  } finally {
    await api.request('DELETE', `/api/v1/webhooks/endpoints/${endpoint.id}`);
    receiver.close();
  }
  await showWhereToLook(stack, client, orders);
}

/** Prints the addresses for a browser. */
async function showWhereToLook(stack: StackFile, client: DemoClient, orders: number[]): Promise<void> {
  console.log('\n=== In a browser');
  console.log(`Console:        ${consoleUrl(stack)} (key ${client.api_key}, secret ${client.api_secret})`);
  console.log(`API reference:  ${stack.api_url}/docs`);
  console.log(`Sign-in:        ${stack.ops_url} (npm run ops -- login prints a link that signs in)`);
  for (const id of orders) console.log(`Workflow:       ${await workflowUrl(stack, id)}`);
}

/** Places the order of a scenario, shows the result, and returns its id. */
async function showOrder(api: ApiClient, receiver: DemoReceiver, scenario: Scenario): Promise<number> {
  console.log(`\n=== ${scenario.name}: ${scenario.method} ${scenario.path} ${JSON.stringify(scenario.body)}`);
  console.log(`Wallets before: ${await balances(api)}`);
  const placed = await api.request<Order>(scenario.method, scenario.path, scenario.body);
  const order = placed.status === scenario.final_status ? placed : await settled(api, scenario, placed.id);
  console.log(JSON.stringify(order, null, 2));
  console.log(`Wallets after:  ${await balances(api)}`);
  for (const event of await receiver.arrivals(order.id, EVENTS_AN_ORDER, WEBHOOK_PATIENCE_MS)) {
    console.log(`Webhook:        ${event.type} (${event.isVerified ? 'signature verified' : 'NOT verified'})`);
  }
  return order.id;
}

/** DT One no longer sells the voucher, so Zendit delivers the order. Shows nothing without the fakes of both. */
async function showFailover(stack: StackFile, api: ApiClient, receiver: DemoReceiver): Promise<number[]> {
  const { dtone, zendit } = stack.suppliers ?? {};
  const scenario = stack.scenarios.find(({ name }) => name === 'dtone_voucher');
  if (!dtone || !zendit || !scenario) return [];
  console.log('\n=== DT One no longer sells the next voucher');
  await callControl(dtone.url, 'PUT', 'modes', { modes: { vanished: true } });
  try {
    const orderId = await showOrder(api, receiver, scenario);
    for (const [name, { url }] of Object.entries({ dtone, zendit })) await showSales(name, url, orderId);
    await showPurchases(orderId);
    return [orderId];
  } finally {
    await callControl(dtone.url, 'DELETE', 'modes');
  }
}

/** Prints the purchases of the order as the ops CLI shows them. */
async function showPurchases(orderId: number): Promise<void> {
  const ops = join(__dirname, 'ops.js');
  const { stdout } = await promisify(execFile)(process.execPath, [ops, '--json', 'orders', 'show', String(orderId)]);
  const { purchases } = JSON.parse(stdout) as { purchases: Record<string, unknown>[] };
  console.log(`Ops CLI:        npm run ops -- orders show ${orderId}`);
  for (const { supplier, sku, state, why } of purchases)
    console.log(`  ${[supplier, sku, state].join(' ')}; chosen: ${String(why)}`);
}

/** Prints what the fake supplier sold for the order, as its own controls list it. */
async function showSales(supplier: string, url: string, orderId: number): Promise<void> {
  const sales = await callControl<Sale[]>(url, 'GET', 'sales');
  for (const sale of sales.filter(({ reference }) => reference.startsWith(`order-${orderId}-`))) {
    const { reference, id, sku, cost, currency, state } = sale;
    console.log(
      `Supplier:       ${supplier}: ${state} ${sku} for ${cost} ${currency}, id ${id}, reference ${reference}`,
    );
  }
}

async function settled(api: ApiClient, scenario: Scenario, id: number): Promise<Order> {
  const deadline = Date.now() + PATIENCE_MS;
  while (Date.now() < deadline) {
    const order = await api.read<Order>(`${scenario.path}/${id}`);
    if (order.status === scenario.final_status) return order;
    await sleep(1_000);
  }
  throw new Error(`Order ${id} is not ${scenario.final_status} after ${PATIENCE_MS / 1000} s.`);
}

async function balances(api: ApiClient): Promise<string> {
  const wallets = await api.read<Wallet[]>('/api/v1/wallets');
  return wallets.map(({ balance, currency_code }) => `${balance} ${currency_code}`).join(', ');
}

/** The order's page in the Temporal UI. Retries, because the UI's list is slightly behind. */
async function workflowUrl(stack: StackFile, orderId: number): Promise<string> {
  const { temporal_ui_url: direct, temporal_namespace: namespace } = stack;
  const ui = signedInUiUrl(stack);
  const query = encodeURIComponent(`WorkflowId STARTS_WITH "order-${orderId}-"`);
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const response = await fetch(`${direct}/api/v1/namespaces/${namespace}/workflows?query=${query}`);
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
