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
import { EXAMPLES_FILE, type RecordedCall, type RecordedExamples } from '../../src/api/openapi/recorded-examples';
import { apiOperations } from '../../src/api/routes';
import { openDatabase } from '../../src/data/database/database';
import { sql } from '../testbed/sql';
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

/** What the steps read of a response, or of the first item of a list. */
interface Answer {
  id: number | string;
  secret: string;
  balance: number;
  amount: number;
  verified_at: string | null;
  attempts: object[];
  data: { access_token: string; refresh_token: string };
}

interface Call {
  /** The operation whose last response has the id for the path. */
  of?: string;
  /** The scenario whose body the body extends. */
  scenario?: string;
  query?: RecordedCall['query'];
  body?: object;
  /** Repeats the call until the response passes. */
  until?: (answer: Partial<Answer>) => boolean;
}

type Step = readonly [operationId: string, call?: Call];

/** Accepts every event. */
class Receiver extends WebhookReceiver {
  protected override take(): number {
    return 204;
  }
}

class Recorder {
  /** The first call of each operation. */
  readonly calls: Record<string, RecordedCall> = {};
  private readonly last = new Map<string, Partial<Answer>>();
  private token = '';

  constructor(
    private readonly stack: StackFile,
    private readonly directory: RunDirectory,
  ) {}

  async run(steps: readonly Step[]): Promise<void> {
    for (const [operationId, call] of steps) await this.call(operationId, call);
  }

  /** Calls the operation, and records its first call. Throws if it fails. */
  async call(operationId: string, call: Call = {}): Promise<Partial<Answer>> {
    const { query = {}, until = () => true } = call;
    const scenario = call.scenario === undefined ? undefined : this.scenario(call.scenario);
    const body = scenario || call.body ? { ...scenario, ...call.body } : undefined;
    const route = Object.entries(apiOperations).find(([, { id }]) => id === operationId)?.[0];
    const [method = '', template = ''] = route?.split(' ') ?? [];
    const parameter = /:(\w+)/.exec(template)?.[1];
    const path = parameter === undefined ? {} : { [parameter]: this.answer(call.of ?? '').id ?? '' };
    const url = new URL(template.replace(/:\w+/, String(Object.values(path)[0])), this.stack.api_url);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
    for (const deadline = Date.now() + PATIENCE_MS; ; await sleep(POLL_MS)) {
      const { status, response } = await this.send(method, url, body);
      const answer = Object(Array.isArray(response) ? response[0] : response) as Partial<Answer>;
      if (until(answer)) {
        const shown: unknown = Array.isArray(response) ? response.slice(0, MAX_ITEMS) : response;
        const recorded = { path, query, ...(body && { body }), status };
        this.calls[operationId] ??= { ...recorded, ...(shown !== undefined && { response: shown }) };
        this.last.set(operationId, answer);
        return answer;
      }
      if (Date.now() > deadline) throw new Error(`${operationId} did not return the expected body in time`);
    }
  }

  /** The last response of the operation. */
  answer(operationId: string): Partial<Answer> {
    const answer = this.last.get(operationId);
    if (!answer) throw new Error(`No call of ${operationId} came before`);
    return answer;
  }

  async logIn(): Promise<void> {
    const { api_key: username = '', api_secret: password = '' } = this.stack.clients['demo'] ?? {};
    const { data: first } = await this.call('login', { body: { username, password } });
    const { data } = await this.call('refresh', { body: { refresh_token: first?.refresh_token } });
    this.token = data?.access_token ?? '';
  }

  /** Refunds a part of the delivered order, as an operator does, and lists its refunds. */
  async refund(family: string): Promise<void> {
    const of = `create${family}Order`;
    const why = ['--amount', '1', '--reason-code', 'GOODWILL', '--reference', 'ticket-4711', '--yes'];
    await this.operate('orders', 'refund', String(this.answer(of).id), ...why);
    await this.call(`list${family}Refunds`, { of });
  }

  /** Converts money to the second wallet, once an operator has enabled it. */
  async convert(): Promise<void> {
    const { client_id: id, wallets = [] } = this.stack.clients['demo'] ?? {};
    await this.operate('clients', 'set', String(id), '--conversions');
    const body = { to_wallet_id: wallets[1]?.id, amount: 100, reference: 'march-eur' };
    await this.call('convertMoney', { of: 'listWallets', body });
  }

  /** Lets the invited member join, as the first sign-in does, and unlocks the member. */
  async unlock(): Promise<void> {
    const database = openDatabase(this.stack.database_url, 1);
    await sql(database)`UPDATE members SET state = 'ACTIVE' WHERE id = ${this.answer('inviteMember').id}`;
    await database.close();
    await this.call('unlockMember', { of: 'inviteMember' });
  }

  private async operate(...command: string[]): Promise<void> {
    const env = environmentBeside(this.stack, this.directory);
    const words = [...nodeArguments('src/operators/cli/main.js'), ...command];
    await promisify(execFile)(process.execPath, words, { env });
  }

  private scenario(name: string): object {
    const scenario = this.stack.scenarios.find((each) => each.name === name);
    if (!scenario) throw new Error(`The sandbox has no scenario ${name}`);
    return scenario.body;
  }

  private async send(method: string, url: URL, body?: object): Promise<{ status: number; response: unknown }> {
    const response = await fetch(url, {
      method,
      headers: {
        ...(body && { 'content-type': 'application/json' }),
        ...(this.token && { authorization: `Bearer ${this.token}` }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${url.pathname}: ${response.status} ${text}`);
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
    return { status: response.status, response: isJson ? JSON.parse(text) : text || undefined };
  }
}

const page = { per_page: MAX_ITEMS };
const limited = { limit: MAX_ITEMS };
const email = { email: 'buyer@client.example' };
const dayFrom = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
const today = { from: dayFrom(0), to: dayFrom(1) };

const funding = { of: 'requestFunding' };
const requestFunding: Step = [
  'requestFunding',
  { of: 'listWallets', body: { amount: 250, purchase_order: 'PO 4711' } },
];

const beforeWebhooks: readonly Step[] = [
  ['listCountries'],
  ['getCountry', { of: 'listCountries' }],
  ['listCategories'],
  ['getCategory', { of: 'listCategories' }],
  ['listSubcategories'],
  ['getSubcategory', { of: 'listSubcategories' }],
  ['listCurrencies'],
  ['listSandboxScenarios'],
  ['listWallets'],
  ['setLowBalanceThreshold', { of: 'listWallets', body: { low_balance_threshold: 50 } }],
  ['getWallet', { of: 'listWallets' }],
  ['fundSandboxWallet', { of: 'listWallets', body: { amount: 100 } }],
  requestFunding,
  ['getFundingRequest', funding],
  ['cancelFundingRequest', funding],
  requestFunding,
  ['paySandboxFundingRequest', funding],
  ['listFundingRequests', { of: 'listWallets', query: page }],
];

const endpoint = { of: 'createWebhookEndpoint' };
const webhooks: readonly Step[] = [
  ['getWebhookEndpoint', { ...endpoint, until: ({ verified_at }) => verified_at !== null }],
  ['listWebhookEndpoints', { query: page }],
  [
    'changeWebhookEndpoint',
    { ...endpoint, body: { event_types: ['order.delivered', 'order.failed', 'esim.usage', 'catalogue.changed'] } },
  ],
  ['getWebhookSecret', endpoint],
  ['testWebhookEndpoint', endpoint],
];

const invalidCode = { kind: 'INVALID_CODE', unit: 1, text: 'The shop says that the card has no value.' };
const claimOf = { of: 'fileVoucherClaim' };
const voucherOrder = { of: 'createVoucherOrder' };
const fileClaim: Step = ['fileVoucherClaim', { ...voucherOrder, body: invalidCode }];
const anotherVoucher: Step = ['createVoucherOrder', { scenario: 'voucher_instant' }];

const firstVoucher: readonly Step[] = [
  ['listVoucherProducts', { query: { search: 'harbour', ...limited } }],
  ['getVoucherProduct', { of: 'listVoucherProducts' }],
  ['listPrices', { query: limited }],
  ['getVoucherCharges', { of: 'listVoucherProducts', body: { denomination: 10, quantity: 1 } }],
  [
    'createVoucherOrder',
    { scenario: 'voucher_instant', body: { client_reference: 'my-first-order', max_total_payable: 10 } },
  ],
  ['getVoucherOrder', voucherOrder],
];
const laterVouchers: readonly Step[] = [
  fileClaim,
  ['getClaim', claimOf],
  ['listClaims', { query: page }],
  ['rejectSandboxClaim', claimOf],
  anotherVoucher,
  fileClaim,
  ['refundSandboxClaim', claimOf],
  anotherVoucher,
  fileClaim,
  ['replaceSandboxClaim', claimOf],
  ['listVoucherOrders', { query: limited }],
  ['listTransactions', { query: limited }],
  ['getTransaction', { of: 'listTransactions' }],
  ['createVoucherOrder', { scenario: 'voucher_delayed' }],
  ['setVoucherOrderEmail', { ...voucherOrder, body: email }],
  ['createVoucherOrder', { scenario: 'voucher_slow', body: { quantity: 6 } }],
  ['cancelSandboxOrder', voucherOrder],
  ['createVoucherOrder', { scenario: 'voucher_held' }],
  ['releaseSandboxOrder', voucherOrder],
  ['createVoucherOrder', { scenario: 'voucher_partial' }],
  ['createVoucherOrder', { scenario: 'voucher_out_of_stock' }],
  ['listWebhookEvents', { query: { type: 'order.delivered', ...page } }],
  ['getWebhookEvent', { of: 'listWebhookEvents', until: ({ attempts = [] }) => attempts.length > 0 }],
  ['redeliverWebhookEvent', { of: 'listWebhookEvents' }],
  ['listWebhookResends', { query: { since: '2026-01-31T00:00:00Z', ...page } }],
  ['getWalletStatement', { of: 'listWallets', query: today }],
  ['getOrdersStatement', { query: today }],
  ['listTopupProducts', { query: { search: 'liberty', ...page } }],
  ['getTopupProduct', { of: 'listTopupProducts' }],
  ['listTopupVariants', { of: 'listTopupProducts' }],
  ['getTopupVariant', { of: 'listTopupVariants' }],
];

const topupOrder = { of: 'createTopupOrder' };
const firstTopup: readonly Step[] = [
  ['lookUpMobileNumber', { query: { number: '+12025550100' } }],
  [
    'createTopupOrder',
    { scenario: 'topup_instant', body: { client_reference: 'my-first-top-up', max_total_payable: 10 } },
  ],
  ['getTopupOrder', topupOrder],
];
const laterTopups: readonly Step[] = [
  ['fileTopupClaim', { ...topupOrder, body: { kind: 'NOT_RECEIVED', text: 'The customer received nothing.' } }],
  ['listTopupOrders', { query: page }],
  ['createTopupOrder', { scenario: 'topup_pending' }],
  ['setTopupOrderEmail', { ...topupOrder, body: email }],
  ['cancelSandboxOrder', topupOrder],
  ['createTopupOrder', { scenario: 'topup_reject_invalid_recipient' }],
  ['listEsimProducts', { query: { search: 'sandbox', ...page } }],
  ['getEsimProduct', { of: 'listEsimProducts' }],
  ['listEsimVariants', { of: 'listEsimProducts' }],
  ['getEsimVariant', { of: 'listEsimVariants' }],
];

const esimOrder = { of: 'createEsimOrder' };
const firstEsim: readonly Step[] = [
  ['createEsimOrder', { scenario: 'esim_instant', body: { client_reference: 'my-first-esim', max_total_payable: 5 } }],
  ['getEsimOrder', esimOrder],
  ['getEsimInstallation', esimOrder],
];
const laterEsims: readonly Step[] = [
  ['fileEsimClaim', { ...esimOrder, body: { kind: 'NOT_WORKING', text: 'The phone cannot install the profile.' } }],
  ['installSandboxEsim', esimOrder],
  ['useSandboxEsim', { ...esimOrder, body: { megabytes: 600 } }],
  ['getEsimUsage', esimOrder],
  ['depleteSandboxEsim', esimOrder],
  ['createEsimOrder', { scenario: 'esim_instant' }],
  ['installSandboxEsim', esimOrder],
  ['listEsimRechargePlans', esimOrder],
  ['expireSandboxEsim', esimOrder],
  ['listEsimOrders', { query: page }],
  ['createEsimOrder', { scenario: 'esim_failed_now' }],
];

const access: readonly Step[] = [
  ['replayWebhookEvents', { ...endpoint, body: { since: `${dayFrom(0)}T00:00:00Z` } }],
  ['rotateWebhookSecret', endpoint],
  ['deleteWebhookEndpoint', endpoint],
  ['createApiKey', { body: { label: 'Shop server', scopes: ['read', 'orders:vouchers', 'codes'] } }],
  ['rollApiKey', { of: 'createApiKey', body: { overlap_hours: 24 } }],
  ['listApiKeys', { query: page }],
  ['revokeApiKey', { of: 'rollApiKey' }],
  ['setAllowedNetworks', { body: { networks: ['127.0.0.0/8', '2001:db8::/32'] } }],
  ['getAllowedNetworks'],
  ['setAllowedNetworks', { body: { networks: [] } }],
  ['inviteMember', { body: { email: 'ann@shop.example', name: 'Ann Miller', role: 'support' } }],
  ['listMembers', { query: page }],
  ['changeMember', { of: 'inviteMember', body: { role: 'finance' } }],
];

const afterAccess: readonly Step[] = [
  ['removeMember', { of: 'inviteMember' }],
  ['eraseRecipient', { body: { phone_number: '+12025550199' } }],
  ['listActivity', { query: page }],
];

async function recordCalls(recorder: Recorder, receiver: Receiver): Promise<void> {
  await recorder.logIn();
  await recorder.run(beforeWebhooks);
  await recorder.convert();
  const event_types = ['order.delivered', 'order.failed'];
  await recorder.call('createWebhookEndpoint', { body: { url: receiver.url, event_types } });
  await recorder.run([...webhooks, ...firstVoucher]);
  await recorder.refund('Voucher');
  await recorder.run(laterVouchers);
  const { id: topup } = recorder.answer('listTopupProducts');
  await recorder.call('getTopupCharges', { body: { product_id: topup, amount: 10 } });
  await recorder.run(firstTopup);
  await recorder.refund('Topup');
  await recorder.run(laterTopups);
  const { id: esim } = recorder.answer('listEsimProducts');
  const { amount } = recorder.answer('listEsimVariants');
  await recorder.call('getEsimCharges', { body: { product_id: esim, amount } });
  await recorder.run(firstEsim);
  await recorder.refund('Esim');
  await recorder.run(laterEsims);
  await cancelPendingEsim(recorder);
  await crossThreshold(recorder);
}

/** The request of a slow eSIM returns after 60 s, unless the order ends before. */
async function cancelPendingEsim(recorder: Recorder): Promise<void> {
  const reference = { client_reference: 'slow-esim' };
  const created = recorder.call('createEsimOrder', { scenario: 'esim_slow', body: reference });
  await recorder.call('listEsimOrders', { query: reference, until: ({ id }) => id !== undefined });
  await recorder.call('setEsimOrderEmail', { of: 'listEsimOrders', body: email });
  await recorder.call('cancelSandboxOrder', { of: 'listEsimOrders' });
  await created;
}

/** Crosses the threshold of the wallet, so that the event is written. */
async function crossThreshold(recorder: Recorder): Promise<void> {
  const { balance } = await recorder.call('listWallets');
  const body = { low_balance_threshold: balance };
  await recorder.call('setLowBalanceThreshold', { of: 'listWallets', body });
  await recorder.call('createTopupOrder', { scenario: 'topup_instant' });
}

/** One event of each type, the newest one. */
async function recordedEvents(recorder: Recorder): Promise<RecordedExamples['events']> {
  const found: [type: string, RecordedExamples['events'][string]][] = [];
  for (const { type } of documentedEvents) {
    const query = { type, per_page: 1 };
    const event = await recorder.call('listWebhookEvents', { query, until: ({ id }) => id !== undefined });
    found.push([type, event as RecordedExamples['events'][string]]);
  }
  return Object.fromEntries(found);
}

async function recordAll(stack: StackFile, directory: RunDirectory): Promise<RecordedExamples> {
  const recorder = new Recorder(stack, directory);
  const receiver = await new Receiver().listen();
  try {
    await recordCalls(recorder, receiver);
    const events = await recordedEvents(recorder);
    await recorder.run(access);
    await recorder.unlock();
    await recorder.run(afterAccess);
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
