/**
 * `npm run openapi:record`: calls every operation of a fresh sandbox and writes the calls and events as examples of the OpenAPI
 * document. docs/developers/api-reference.md#examples.
 */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { clientOperations } from '../../src/api/openapi/document';
import {
  EXAMPLES_FILE,
  type RecordedCall,
  type RecordedExamples,
} from '../../src/api/openapi/recorded-examples';
import { apiOperations } from '../../src/api/routes';
import { events as documentedEvents } from '../../src/api/webhooks/event-schemas';
import { launchStack, readStackFile, separateEnvironment } from '../stack/launch';
import { messageOf } from '../stack/problem';
import { ROOT, RunDirectory } from '../stack/run-directory';
import { nodeArguments } from '../stack/services';
import { environmentBeside } from '../stack/settings';
import type { StackFile } from '../stack/stack-file';
import { WebhookReceiver } from '../stack/webhook-receiver';

/** Items of a list that the document shows. */
const MAX_ITEMS = 2;
const PATIENCE_MS = 60_000;
const POLL_MS = 200;

/** The address that stands for the receiver of this program. */
const WEBHOOK_URL = 'https://shop.example/hook';
/** The address that stands for the recorded sandbox. */
const SANDBOX_URL = 'https://sandbox.example';

interface Order {
  id: number;
  status: string;
  transaction_id?: number;
}

interface Call {
  path?: RecordedCall['path'];
  query?: RecordedCall['query'];
  body?: object;
}

/** Accepts every event. */
class Receiver extends WebhookReceiver {
  protected override take(): number {
    return 204;
  }
}

class Recorder {
  readonly calls: Record<string, RecordedCall> = {};
  private token = '';

  constructor(
    private readonly stack: StackFile,
    private readonly directory: RunDirectory,
  ) {}

  /** Runs a command of the ops CLI. Throws if it fails. */
  async operate(...words: (string | number)[]): Promise<void> {
    const command = [...nodeArguments('src/ops-cli/main.js'), ...words.map(String)];
    await promisify(execFile)(process.execPath, command, {
      env: environmentBeside(this.stack, this.directory),
    });
  }

  /** Calls the operation and records the call. Throws if it fails. */
  async record<Body>(operationId: string, call: Call = {}): Promise<Body> {
    const { status, body: response } = await this.send(operationId, call);
    const { path = {}, query = {}, body } = call;
    this.calls[operationId] = {
      path,
      query,
      ...(body && { body }),
      status,
      ...(response !== undefined && {
        response: Array.isArray(response) ? response.slice(0, MAX_ITEMS) : response,
      }),
    };
    return response as Body;
  }

  /** Calls the operation without a record. */
  async call<Body>(operationId: string, call: Call = {}): Promise<Body> {
    return (await this.send(operationId, call)).body as Body;
  }

  useToken(token: string): void {
    this.token = token;
  }

  /** The request body of a scenario. */
  scenario(name: string, more: object = {}): object {
    const scenario = this.stack.scenarios.find((each) => each.name === name);
    if (!scenario) throw new Error(`The sandbox has no scenario ${name}`);
    return { ...scenario.body, ...more };
  }

  private async send(operationId: string, { path = {}, query = {}, body }: Call) {
    const route = Object.entries(apiOperations).find(([, { id }]) => id === operationId)?.[0];
    if (route === undefined) throw new Error(`There is no operation ${operationId}`);
    const [method = '', template = ''] = route.split(' ');
    const url = new URL(
      template.replace(/:(\w+)/g, (_, name: string) => String(path[name])),
      this.stack.api_url,
    );
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
    const response = await fetch(url, {
      method,
      headers: {
        ...(body && { 'content-type': 'application/json' }),
        ...(this.token && { authorization: `Bearer ${this.token}` }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${operationId}: ${response.status} ${text}`);
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
    return { status: response.status, body: isJson ? (JSON.parse(text) as unknown) : text || undefined };
  }
}

/** Waits until the operation returns a body that passes. */
async function eventually<Body>(
  recorder: Recorder,
  operationId: string,
  call: Call,
  passes: (body: Body) => boolean,
): Promise<Body> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const body = await recorder.call<Body>(operationId, call);
    if (passes(body)) return body;
    if (Date.now() > deadline)
      throw new Error(`${operationId} ${JSON.stringify(call)} did not return the expected body in time`);
    await sleep(POLL_MS);
  }
}

async function logIn(recorder: Recorder, { clients }: StackFile): Promise<void> {
  const { api_key: username = '', api_secret: password = '' } = clients['demo'] ?? {};
  interface Session {
    data: { access_token: string; refresh_token: string };
  }
  const { data } = await recorder.record<Session>('login', { body: { username, password } });
  const body = { refresh_token: data.refresh_token };
  recorder.useToken((await recorder.record<Session>('refresh', { body })).data.access_token);
}

async function readReferenceData(recorder: Recorder): Promise<void> {
  for (const [list, single] of [
    ['listCountries', 'getCountry'],
    ['listCategories', 'getCategory'],
    ['listSubcategories', 'getSubcategory'],
  ] as const) {
    const [first] = await recorder.record<{ id: number }[]>(list);
    await recorder.record(single, { path: { id: first?.id ?? 0 } });
  }
  await recorder.record('listCurrencies');
  await recorder.record('listSandboxScenarios');
}

async function useWebhooks(recorder: Recorder, receiver: Receiver): Promise<void> {
  const endpoint = await recorder.record<{ id: number; secret: string }>('createWebhookEndpoint', {
    body: { url: receiver.url, event_types: ['order.delivered', 'order.failed'] },
  });
  receiver.secret = endpoint.secret;
  const path = { id: endpoint.id };
  await eventually<{ verified_at: string | null }>(
    recorder,
    'getWebhookEndpoint',
    { path },
    ({ verified_at }) => verified_at !== null,
  );
  await recorder.record('listWebhookEndpoints', { query: { per_page: MAX_ITEMS } });
  await recorder.record('getWebhookEndpoint', { path });
  await recorder.record('changeWebhookEndpoint', {
    path,
    body: { event_types: ['order.delivered', 'order.failed', 'esim.usage'] },
  });
  await recorder.record('getWebhookSecret', { path });
  await recorder.record('testWebhookEndpoint', { path });
}

async function readWebhookEvents(recorder: Recorder): Promise<void> {
  const query = { type: 'order.delivered', per_page: MAX_ITEMS };
  const [event] = await recorder.record<{ id: string; created_at: string }[]>('listWebhookEvents', { query });
  const path = { id: event?.id ?? '' };
  await eventually<{ attempts: object[] }>(
    recorder,
    'getWebhookEvent',
    { path },
    ({ attempts }) => attempts.length > 0,
  );
  await recorder.record('getWebhookEvent', { path });
  await recorder.record('redeliverWebhookEvent', { path });
  await recorder.record('listWebhookResends', {
    query: { since: '2026-01-31T00:00:00Z', per_page: MAX_ITEMS },
  });
}

async function replayAndDelete(recorder: Recorder): Promise<void> {
  const [endpoint] = await recorder.call<{ id: number; created_at: string }[]>('listWebhookEndpoints');
  const path = { id: endpoint?.id ?? 0 };
  await recorder.record('replayWebhookEvents', { path, body: { since: endpoint?.created_at } });
  await recorder.record('rotateWebhookSecret', { path });
  await recorder.record('deleteWebhookEndpoint', { path });
}

async function sellVouchers(recorder: Recorder): Promise<void> {
  const [product] = await recorder.record<{ id: number }[]>('listVoucherProducts', {
    query: { search: 'harbour', limit: MAX_ITEMS },
  });
  const path = { id: product?.id ?? 0 };
  await recorder.record('getVoucherProduct', { path });
  await recorder.record('getVoucherCharges', { path, body: { denomination: 10, quantity: 1 } });
  const order = await recorder.record<Order>('createVoucherOrder', {
    body: recorder.scenario('voucher_instant', { client_reference: 'my-first-order' }),
  });
  await recorder.record('getVoucherOrder', { path: { id: order.id } });
  await refundAfterDelivery(recorder, 'listVoucherRefunds', order.id);
  await decideClaims(recorder, order.id);
  await recorder.record('listVoucherOrders', { query: { limit: MAX_ITEMS } });
  const transactions = await recorder.record<{ id: number }[]>('listTransactions', {
    query: { limit: MAX_ITEMS },
  });
  await recorder.record('getTransaction', { path: { id: transactions[0]?.id ?? 0 } });
  const delayed = await recorder.call<Order>('createVoucherOrder', {
    body: recorder.scenario('voucher_delayed'),
  });
  await recorder.record('setVoucherOrderEmail', {
    path: { id: delayed.id },
    body: { email: 'buyer@client.example' },
  });
  const cancelled = await recorder.call<Order>('createVoucherOrder', {
    body: recorder.scenario('voucher_slow', { quantity: 6 }),
  });
  await recorder.record('cancelSandboxOrder', { path: { id: cancelled.id } });
  const underReview = await recorder.call<Order>('createVoucherOrder', {
    body: recorder.scenario('voucher_held'),
  });
  await recorder.record('releaseSandboxOrder', { path: { id: underReview.id } });
  for (const name of ['voucher_partial', 'voucher_out_of_stock'])
    await recorder.call('createVoucherOrder', { body: recorder.scenario(name) });
}

async function sellTopups(recorder: Recorder): Promise<void> {
  const [product] = await recorder.record<{ id: number }[]>('listTopupProducts', {
    query: { search: 'liberty', per_page: MAX_ITEMS },
  });
  const id = product?.id ?? 0;
  await recorder.record('getTopupProduct', { path: { id } });
  const variants = await recorder.record<{ id: number }[]>('listTopupVariants', { path: { id } });
  await recorder.record('getTopupVariant', { path: { id: variants[0]?.id ?? 0 } });
  await recorder.record('getTopupCharges', { body: { product_id: id, amount: 10 } });
  await recorder.record('lookUpMobileNumber', { query: { number: '+12025550100' } });
  const order = await recorder.record<Order>('createTopupOrder', {
    body: recorder.scenario('topup_instant', { client_reference: 'my-first-top-up' }),
  });
  await recorder.record('getTopupOrder', { path: { id: order.id } });
  await refundAfterDelivery(recorder, 'listTopupRefunds', order.id);
  const claim = { kind: 'NOT_RECEIVED', text: 'The customer received nothing.' };
  await recorder.record('fileTopupClaim', { path: { id: order.id }, body: claim });
  await recorder.record('listTopupOrders', { query: { per_page: MAX_ITEMS } });
  const pending = await recorder.call<Order>('createTopupOrder', {
    body: recorder.scenario('topup_pending'),
  });
  await recorder.record('setTopupOrderEmail', {
    path: { id: pending.id },
    body: { email: 'buyer@client.example' },
  });
  await recorder.call('cancelSandboxOrder', { path: { id: pending.id } });
  await recorder.call('createTopupOrder', { body: recorder.scenario('topup_reject_invalid_recipient') });
}

async function sellEsims(recorder: Recorder): Promise<void> {
  const [product] = await recorder.record<{ id: number }[]>('listEsimProducts', {
    query: { search: 'sandbox', per_page: MAX_ITEMS },
  });
  const id = product?.id ?? 0;
  await recorder.record('getEsimProduct', { path: { id } });
  const [plan] = await recorder.record<{ id: number; amount: number }[]>('listEsimVariants', {
    path: { id },
  });
  await recorder.record('getEsimVariant', { path: { id: plan?.id ?? 0 } });
  await recorder.record('getEsimCharges', { body: { product_id: id, amount: plan?.amount } });
  const order = await recorder.record<Order>('createEsimOrder', {
    body: recorder.scenario('esim_instant', { client_reference: 'my-first-esim' }),
  });
  const ofOrder = { path: { id: order.id } };
  await recorder.record('getEsimOrder', ofOrder);
  await recorder.record('getEsimInstallation', ofOrder);
  await refundAfterDelivery(recorder, 'listEsimRefunds', order.id);
  const claim = { kind: 'NOT_WORKING', text: 'The phone cannot install the profile.' };
  await recorder.record('fileEsimClaim', { ...ofOrder, body: claim });
  const esim = { path: { order_id: order.id } };
  await recorder.record('installSandboxEsim', esim);
  await recorder.record('useSandboxEsim', { ...esim, body: { megabytes: 600 } });
  await recorder.record('getEsimUsage', ofOrder);
  await recorder.record('depleteSandboxEsim', esim);
  const ending = await recorder.call<{ id: number }>('createEsimOrder', {
    body: recorder.scenario('esim_instant'),
  });
  await recorder.call('installSandboxEsim', { path: { order_id: ending.id } });
  await recorder.record('expireSandboxEsim', { path: { order_id: ending.id } });
  await recorder.record('listEsimOrders', { query: { per_page: MAX_ITEMS } });
  await recorder.call('createEsimOrder', { body: recorder.scenario('esim_failed_now') });
  await cancelPendingEsim(recorder);
}

/** Refunds a part of the delivered order, as an operator does, and records the list of its refunds. */
async function refundAfterDelivery(recorder: Recorder, operationId: string, orderId: number): Promise<void> {
  await recorder.operate('orders', 'refund', orderId, '--amount', '1', ...refundOptions);
  await recorder.record(operationId, { path: { id: orderId } });
}

/** Claims the unit of the order and rejects the claim, and that of another order and refunds it. */
async function decideClaims(recorder: Recorder, orderId: number): Promise<void> {
  const body = { kind: 'INVALID_CODE', unit: 1, text: 'The shop says that the card has no value.' };
  const claim = await recorder.record<{ id: number }>('fileVoucherClaim', { path: { id: orderId }, body });
  await recorder.record('getClaim', { path: { id: claim.id } });
  await recorder.record('listClaims', { query: { per_page: MAX_ITEMS } });
  await recorder.record('rejectSandboxClaim', { path: { id: claim.id } });
  const other = await recorder.call<Order>('createVoucherOrder', {
    body: recorder.scenario('voucher_instant'),
  });
  const second = await recorder.call<{ id: number }>('fileVoucherClaim', { path: { id: other.id }, body });
  await recorder.record('refundSandboxClaim', { path: { id: second.id } });
  const third = await recorder.call<Order>('createVoucherOrder', {
    body: recorder.scenario('voucher_instant'),
  });
  const last = await recorder.call<{ id: number }>('fileVoucherClaim', { path: { id: third.id }, body });
  await recorder.record('replaceSandboxClaim', { path: { id: last.id } });
}

const refundOptions = ['--reason-code', 'GOODWILL', '--reference', 'ticket-4711', '--yes'];

/** The request of a slow eSIM returns after 60 s, unless the order ends before. */
async function cancelPendingEsim(recorder: Recorder): Promise<void> {
  const client_reference = 'slow-esim';
  const created = recorder.call('createEsimOrder', {
    body: recorder.scenario('esim_slow', { client_reference }),
  });
  const [order] = await eventually<Order[]>(
    recorder,
    'listEsimOrders',
    { query: { client_reference } },
    (orders) => orders.length > 0,
  );
  const path = { id: order?.id ?? 0 };
  await recorder.record('setEsimOrderEmail', { path, body: { email: 'buyer@client.example' } });
  await recorder.call('cancelSandboxOrder', { path });
  await created;
}

async function useWallets(recorder: Recorder): Promise<void> {
  const [wallet] = await recorder.record<{ id: number; balance: number }[]>('listWallets');
  const path = { id: wallet?.id ?? 0 };
  await recorder.record('setLowBalanceThreshold', { path, body: { low_balance_threshold: 50 } });
  await recorder.record('getWallet', { path });
  await recorder.record('fundSandboxWallet', { path, body: { amount: 100 } });
}

/** Crosses the threshold of the wallet, so that the event is written. */
async function crossThreshold(recorder: Recorder): Promise<void> {
  const [wallet] = await recorder.call<{ id: number; balance: number }[]>('listWallets');
  const path = { id: wallet?.id ?? 0 };
  const body = { low_balance_threshold: wallet?.balance ?? 0 };
  await recorder.call('setLowBalanceThreshold', { path, body });
  await recorder.call('createTopupOrder', { body: recorder.scenario('topup_instant') });
}

async function readStatements(recorder: Recorder): Promise<void> {
  const [wallet] = await recorder.call<{ id: number }[]>('listWallets');
  const dayFrom = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  const query = { from: dayFrom(0), to: dayFrom(1) };
  await recorder.record('getWalletStatement', { path: { id: wallet?.id ?? 0 }, query });
  await recorder.record('getOrdersStatement', { query });
}

async function manageAccess(recorder: Recorder): Promise<void> {
  const key = await recorder.record<{ id: number }>('createApiKey', {
    body: { label: 'Shop server', scopes: ['read', 'orders:vouchers', 'codes'] },
  });
  const successor = await recorder.record<{ id: number }>('rollApiKey', {
    path: { id: key.id },
    body: { overlap_hours: 24 },
  });
  await recorder.record('listApiKeys', { query: { per_page: MAX_ITEMS } });
  await recorder.record('revokeApiKey', { path: { id: successor.id } });
  await recorder.record('setAllowedNetworks', { body: { networks: ['127.0.0.0/8', '2001:db8::/32'] } });
  await recorder.record('getAllowedNetworks');
  await recorder.call('setAllowedNetworks', { body: { networks: [] } });
  const member = await recorder.record<{ id: number }>('inviteMember', {
    body: { email: 'ann@shop.example', name: 'Ann Miller', role: 'support' },
  });
  await recorder.record('listMembers', { query: { per_page: MAX_ITEMS } });
  await recorder.record('changeMember', { path: { id: member.id }, body: { role: 'finance' } });
  await recorder.record('removeMember', { path: { id: member.id } });
  await recorder.record('eraseRecipient', { body: { phone_number: '+12025550199' } });
  await recorder.record('listActivity', { query: { per_page: MAX_ITEMS } });
}

/** One event of each type, the newest one. */
async function recordedEvents(recorder: Recorder): Promise<RecordedExamples['events']> {
  const found: Record<string, RecordedExamples['events'][string]> = {};
  for (const { type } of documentedEvents) {
    const query = { type, per_page: 1 };
    type Events = RecordedExamples['events'][string][];
    const [event] = await eventually<Events>(
      recorder,
      'listWebhookEvents',
      { query },
      ({ length }) => length > 0,
    );
    if (event) found[type] = event;
  }
  return found;
}

async function recordAll(stack: StackFile, directory: RunDirectory): Promise<RecordedExamples> {
  const recorder = new Recorder(stack, directory);
  const receiver = await new Receiver().listen();
  try {
    await logIn(recorder, stack);
    await readReferenceData(recorder);
    await useWallets(recorder);
    await useWebhooks(recorder, receiver);
    await sellVouchers(recorder);
    await readWebhookEvents(recorder);
    await readStatements(recorder);
    await sellTopups(recorder);
    await sellEsims(recorder);
    await crossThreshold(recorder);
    const events = await recordedEvents(recorder);
    await replayAndDelete(recorder);
    await manageAccess(recorder);
    return withoutSecrets({ calls: recorder.calls, events }, stack, receiver.url);
  } finally {
    receiver.close();
  }
}

/** Replaces tokens, keys, secrets and the addresses of the caller, the sandbox and the receiver by values that stand for them. */
function withoutSecrets(
  examples: RecordedExamples,
  { clients, api_url }: StackFile,
  receiverUrl: string,
): RecordedExamples {
  const { api_key: key = '', api_secret: secret = '' } = clients['demo'] ?? {};
  const text = JSON.stringify(examples)
    .replace(/"eyJ[\w.-]+"/g, '"eyJhbGciOiJIUzI1NiJ9..."')
    .replace(/"whsec_[^"]+"/g, '"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"')
    .replace(/"dgs_[^"]+"/g, '"dgs_3b1f..."')
    .replaceAll('127.0.0.0/8', '203.0.113.0/24')
    .replaceAll('"127.0.0.1"', '"203.0.113.7"')
    .replaceAll(key, 'your-api-key')
    .replaceAll(secret, 'your-api-secret')
    .replaceAll(receiverUrl, WEBHOOK_URL)
    .replaceAll(api_url, SANDBOX_URL);
  return JSON.parse(text) as RecordedExamples;
}

function missingIn({ calls }: RecordedExamples): string[] {
  const recordable = Object.values(clientOperations(apiOperations)).filter(({ tag }) => tag !== 'Reference');
  return recordable.map(({ id }) => id).filter((id) => !(id in calls));
}

async function main(): Promise<void> {
  const environment = await separateEnvironment('.run/examples');
  const running = await launchStack(environment, ['--fresh']);
  try {
    const directory = new RunDirectory(environment['RUN_DIR']);
    const examples = await recordAll(readStackFile(running.file), directory);
    const missing = missingIn(examples);
    if (missing.length > 0)
      throw new Error(`Add these operations to dev/documents/record-examples.ts: ${missing.join(', ')}`);
    const file = join(ROOT, EXAMPLES_FILE);
    writeFileSync(file, `${JSON.stringify(examples, null, 2)}\n`);
    console.log(`Written: ${file}. Now run npm run openapi.`);
  } finally {
    await running.stop();
  }
}

main().catch((error: unknown) => {
  console.error(messageOf(error));
  process.exitCode = 1;
});
